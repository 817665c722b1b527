// The values of CSS counters, which no API tells. They are counted once, in document order, when one is first needed.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const MAX_PLACES = 5000;
  const ORDER = ["", "::before", "::after"];

  let values;
  tabwright.onClearCaches(() => {
    values = null;
  });
  tabwright.clearCaches();

  // The text of counter() or counters() in the content of a pseudo-element. `findPlaces` returns
  // where counters are set and used.
  tabwright.counterText = function (counter, element, pseudo, findPlaces) {
    values ??= countAll(findPlaces().slice(0, MAX_PLACES));
    const [, name, separator, style] = /^counters?\(([\w-]+)(?:, ("[^"]*"))?(?:, ([\w-]+))?\)$/.exec(counter) ?? [];
    const found = values.get(element)?.[pseudo]?.filter(each => each.name === name) ?? [];
    if (!name || !found.length) return "";
    const texts = found.map(each => format(each.value, style));
    return counter.startsWith("counters") && separator ? texts.join(separator.slice(1, -1)) : texts[texts.length - 1];
  };

  function countAll(places) {
    const found = new Map();
    let open = []; // counters in scope, the innermost last
    for (const { element, pseudo } of inOrder(places)) {
      const parent = pseudo ? element : dom.parentNode(element);
      open = open.filter(each => each.scope === null || each.scope === parent || dom.contains(each.scope, element));
      open = apply(open, getComputedStyle(element, pseudo || null), parent);
      const known = found.get(element) ?? {};
      known[pseudo] = open.map(({ name, value }) => ({ name, value }));
      found.set(element, known);
    }
    return found;
  }

  function apply(open, style, scope) {
    let inScope = open;
    for (const [name, value] of settings(style.counterReset)) {
      inScope = inScope.filter(each => each.name !== name || each.scope !== scope);
      inScope = [...inScope, { name, value, scope }];
    }
    for (const [name, value] of settings(style.counterIncrement)) {
      inScope = require(inScope, name, scope);
      inScope = change(inScope, name, before => before + value);
    }
    for (const [name, value] of settings(style.counterSet)) {
      inScope = require(inScope, name, scope);
      inScope = change(inScope, name, () => value);
    }
    return inScope;
  }

  const settings = text => [...text.matchAll(/([\w-]+) (-?\d+)/g)].map(([, name, value]) => [name, Number(value)]);

  const require = (open, name, scope) =>
    open.some(each => each.name === name) ? open : [...open, { name, value: 0, scope }];

  function change(open, name, next) {
    const at = open.findLastIndex(each => each.name === name);
    return open.with(at, { ...open[at], value: next(open[at].value) });
  }

  function inOrder(places) {
    const distinct = new Map(places.map(place => [place.element, new Set()]));
    for (const { element, pseudo } of places) distinct.get(element).add(pseudo);
    const all = [];
    for (const [element, pseudos] of distinct)
      if (tabwright.isRendered(element)) for (const pseudo of pseudos) all.push({ element, pseudo });
    return all.sort(compare);
  }

  // ::before comes before the children of its element, ::after after them.
  function compare(one, other) {
    if (one.element === other.element) return ORDER.indexOf(one.pseudo) - ORDER.indexOf(other.pseudo);
    if (dom.contains(one.element, other.element)) return one.pseudo === "::after" ? 1 : -1;
    if (dom.contains(other.element, one.element)) return other.pseudo === "::after" ? -1 : 1;
    const position = Node.prototype.compareDocumentPosition.call(one.element, other.element);
    return position & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
  }

  const LETTERS = "abcdefghijklmnopqrstuvwxyz";
  const ROMAN = Object.entries({
    m: 1000,
    cm: 900,
    d: 500,
    cd: 400,
    c: 100,
    xc: 90,
    l: 50,
    xl: 40,
    x: 10,
    ix: 9,
    v: 5,
    iv: 4,
    i: 1,
  });

  function format(value, style = "decimal") {
    if (style === "none") return "";
    if (style === "decimal-leading-zero") return String(value).padStart(2, "0");
    const text = /alpha|latin/.test(style) ? letters(value) : style.endsWith("roman") ? roman(value) : String(value);
    return style.startsWith("upper") ? text.toUpperCase() : text;
  }

  function letters(value) {
    let text = "";
    for (let left = value; left > 0; left = Math.floor((left - 1) / 26)) text = LETTERS[(left - 1) % 26] + text;
    return text || String(value);
  }

  function roman(value) {
    if (value < 1 || value > 3999) return String(value);
    let left = value;
    let text = "";
    for (const [digits, size] of ROMAN) for (; left >= size; left -= size) text += digits;
    return text;
  }
})(globalThis.tabwright);
