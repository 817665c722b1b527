// Reads data by CSS selectors, and lists the controls, forms and links of a page. Sent on demand, because few pages
// need it.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const MAX_TEXT = 5_000;
  const CONTROLS = "button,input,select,textarea,summary,[role],[onclick],[tabindex],[contenteditable]";
  const FIELDS = "input,select,textarea,button";
  const YES = /^(true|yes|on|1|y|✓|✔)$/i;
  const NO = /^(false|no|off|0|n|✗|✘|)$/i;

  // {values} by name, or {items, count} if the spec names items; {fault} if a selector is invalid.
  tabwright.extractFields = function ({ item, fields, start, most, characters }) {
    tabwright.clearCaches();
    try {
      if (item === null) return { values: record(document, fields) };
      const found = all(document, item);
      const items = [];
      for (const element of found.slice(start, start + most)) {
        const read = record(element, fields);
        characters -= JSON.stringify(read).length;
        if (items.length && characters < 0) break;
        items.push(read);
      }
      return { items, count: found.length };
    } catch (error) {
      if (error instanceof DOMException) return { fault: error.message };
      throw error;
    }
  };

  function record(scope, fields) {
    return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldValue(scope, field)]));
  }

  function fieldValue(scope, field) {
    // "" means the item itself.
    const found = field.css ? all(scope, field.css) : scope === document ? [dom.root()] : [scope];
    if (field.all) return found.slice(0, field.most).map(element => read(element, field));
    return found.length ? read(found[0], field) : null;
  }

  function all(scope, selector) {
    const found = new Set();
    for (const tree of tabwright.trees([scope])) for (const element of select(tree, selector)) found.add(element);
    return [...found];
  }

  function select(tree, selector) {
    const kind = tree instanceof Element ? Element : tree instanceof Document ? Document : DocumentFragment;
    return kind.prototype.querySelectorAll.call(tree, selector);
  }

  function read(element, { attr, type }) {
    if (
      type === "boolean" &&
      !attr &&
      /^(checkbox|radio)$/.test(tabwright.inputType(element)) &&
      element instanceof HTMLInputElement
    )
      return element.checked;
    const link = type === "url" ? (attr ?? ["href", "src", "action"].find(name => dom.has(element, name))) : attr;
    const text = link ? dom.attr(element, link) : visibleText(element);
    return text === null ? null : CONVERTERS[type](text);
  }

  function visibleText(element) {
    if (/^(input|select|textarea)$/.test(dom.tag(element)) && "value" in element)
      return tabwright.maskSecret(element, String(element.value));
    return tabwright.visibleText(element).text;
  }

  const CONVERTERS = {
    string: text => tabwright.cut(tabwright.clean(text), MAX_TEXT),
    number: parseNumber,
    boolean: text => (YES.test(text.trim()) ? true : NO.test(text.trim()) ? false : null),
    url: text => {
      try {
        return new URL(text, document.baseURI).href;
      } catch {
        return null;
      }
    },
  };

  // The first number in a text. Of two kinds of separators the last is the decimal one; a single separator is decimal
  // too, except for a comma before three digits.
  function parseNumber(text) {
    const digits = text
      .match(/[-−]?\d[\d.,'’\s]*/)?.[0]
      .replace(/[\s'’]/g, "")
      .replace("−", "-")
      .replace(/[.,]+$/, "");
    if (!digits) return null;
    const [comma, point] = [digits.lastIndexOf(","), digits.lastIndexOf(".")];
    let decimal = comma > point ? "," : ".";
    if (comma >= 0 && point < 0 && (/,\d{3}$/.test(digits) || digits.indexOf(",") !== comma)) decimal = ".";
    if (point >= 0 && comma < 0 && digits.indexOf(".") !== point) decimal = ",";
    const grouping = decimal === "," ? "." : ",";
    return Number(digits.replaceAll(grouping, "").replace(decimal, "."));
  }

  // The visible controls, forms and links of the document from `start` on, and how many there are of each.
  tabwright.domContext = function ({ start, most }) {
    tabwright.clearCaches();
    const part = (list, describe) => ({ count: list.length, listed: list.slice(start, start + most).map(describe) });
    const links = findVisible("a[href],area[href]");
    const elements = findVisible(CONTROLS).filter(
      element => !dom.matches(element, "a[href],area[href]") && !inForm(element) && isControl(element),
    );
    return {
      elements: part(elements, control),
      forms: part(all(document, "form").filter(isVisible), form),
      links: part(links, link),
    };
  };

  const isVisible = element => tabwright.hiddenReason(element) === "";
  const findVisible = selector => all(document, selector).filter(isVisible);
  const inForm = element => dom.matches(element, FIELDS) && dom.closest(element, "form") !== null;
  const isControl = element =>
    tabwright.INTERACTIVE_ROLES.has(tabwright.roleOf(element)) ||
    dom.has(element, "onclick") ||
    dom.matches(element, "summary,[contenteditable]");
  const nameOf = element => tabwright.cut(tabwright.nameOf(element).text || tabwright.clean(visibleText(element)), 100);

  function control(element) {
    const facts = {
      ref: tabwright.refOf(element),
      role: tabwright.roleOf(element) || dom.tag(element),
      name: tabwright.cut(tabwright.nameOf(element).text, 100),
    };
    if (dom.matches(element, FIELDS)) facts.field = dom.attr(element, "name") ?? "";
    if ("value" in element && /^(input|select|textarea)$/.test(dom.tag(element)))
      facts.value = tabwright.cut(visibleText(element), 200);
    if (dom.matches(element, ":required")) facts.required = true;
    if (tabwright.isInactive(element)) facts.disabled = true;
    return facts;
  }

  function form(element) {
    const fields = [...dom.all(element, FIELDS)].filter(isVisible);
    return {
      ref: tabwright.refOf(element),
      name: tabwright.cut(
        tabwright.nameOf(element).text || dom.attr(element, "name") || dom.attr(element, "id") || "",
        100,
      ),
      method: (dom.attr(element, "method") ?? "get").toLowerCase(),
      action: CONVERTERS.url(dom.attr(element, "action") ?? ""),
      fields: fields.slice(0, 50).map(control),
      more: Math.max(0, fields.length - 50),
    };
  }

  function link(element) {
    return { ref: tabwright.refOf(element), name: nameOf(element), url: CONVERTERS.url(dom.attr(element, "href")) };
  }
})(globalThis.tabwright);
