// For page tools: forms and fields that the items of a list repeat, which become one tool with an index.
"use strict";
(tabwright => {
  const { dom, finder } = tabwright;
  const MIN_ITEMS = 3;
  const MAX_ITEMS = 100;
  const TICKED = new Set(["check", "checks", "radio"]);

  // Returns a function that returns which of the elements is, or contains, a given one.
  finder.containerAmong = function (elements) {
    const known = new Set(elements);
    return element => (known.has(element) ? element : [...finder.ancestors(element)].find(at => known.has(at)));
  };

  // The forms that at least three items of a list have in the same shape: {groups: Set, byList: Map of descriptions}.
  finder.repeatedForms = function (lists, groups) {
    const found = { groups: new Set(), byList: new Map() };
    for (const list of lists) {
      const byItem = mostCommonShape(list, groups);
      if (byItem === null) continue;
      for (const group of byItem.values()) found.groups.add(group);
      const items = list.items.slice(0, MAX_ITEMS);
      const described = items.map(item => (byItem.has(item) ? finder.describeGroup(byItem.get(item)) : null));
      found.byList.set(list, described);
    }
    return found;
  };

  // The forms of the shape that most items have, by item; null unless at least three items have one.
  function mostCommonShape({ items }, groups) {
    const itemOf = finder.containerAmong(items);
    const shapes = new Map();
    for (const group of groups) {
      const item = itemOf(group.container);
      if (!item) continue;
      const shape = shapeOf(group);
      if (!shapes.has(shape)) shapes.set(shape, new Map());
      if (!shapes.get(shape).has(item)) shapes.get(shape).set(item, group);
    }
    const [best] = [...shapes.values()].sort((a, b) => b.size - a.size);
    return best && best.size >= MIN_ITEMS ? best : null;
  }

  // Forms are alike if their fields have the same names, types and order, and their buttons the same label.
  // What differs in numbers only (`quantity_17`) has the same name.
  const shapeOf = ({ fields, submit }) =>
    JSON.stringify([fields.map(fieldShape), submit ? withoutNumbers(firstWords(finder.displayName(submit), 1)) : ""]);

  const fieldShape = ({ kind, element }) => [
    kind,
    element instanceof HTMLInputElement ? tabwright.inputType(element) : dom.tag(element),
    tabwright.isSecret(element),
    withoutNumbers(dom.attr(element, "name")) || firstWords(tabwright.nameOf(element).text, 2),
  ];

  const withoutNumbers = text => (text ?? "").replace(/\d+/g, "#");

  // The rest of a label often names the item ("Remove tea bowl").
  const firstWords = (text, count) => text.toLowerCase().split(/\s+/).slice(0, count).join(" ");

  // Returns a function: whether a field, or one like it, stands in at least three items of its list.
  finder.repeatedFields = function (lists, fields) {
    const repeated = new Set();
    for (const { items } of lists) {
      const itemOf = finder.containerAmong(items);
      const sets = new Map();
      for (const field of fields) {
        const item = itemOf(field.element);
        if (!item) continue;
        const shape = TICKED.has(field.kind) ? "box" : JSON.stringify(fieldShape(field));
        if (!sets.has(shape)) sets.set(shape, { items: new Set(), fields: [] });
        sets.get(shape).items.add(item);
        sets.get(shape).fields.push(field);
      }
      for (const [shape, set] of sets)
        if (shape === "box" || set.items.size >= MIN_ITEMS) for (const field of set.fields) repeated.add(field);
    }
    return field => repeated.has(field);
  };
})(globalThis.tabwright);
