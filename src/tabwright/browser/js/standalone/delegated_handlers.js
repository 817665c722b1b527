// In the page's own world: which elements have handlers that a framework runs from a listener further up. Evaluated
// without side effects, so it only reads. jQuery stores selectors in the data of the element that listens; React stores
// the properties of an element in the element. Chrome runs such code slowly, so it looks for the frameworks first.
"use strict";
(types => {
  const MAX = 100;
  // Without side effects, a look at an element takes Chrome some 0.02 ms.
  const MAX_ROOTS = 500;
  const MAX_ELEMENTS = 20000;
  const NATIVE = new Set(["A", "BUTTON", "INPUT", "LABEL", "OPTION", "SELECT", "SUMMARY", "TEXTAREA"]);
  // React adds a listener for clicks to the element itself, which Chrome reports.
  const PROPERTIES = ["onContextMenu", "onDoubleClick", "onPointerDown", "onMouseDown", "onDragStart", "onDrop"];

  // The keys of the data that copies of jQuery store in elements.
  function jQueryKeys() {
    const keys = [globalThis.jQuery, globalThis.$].map(copy => copy?.expando);
    for (const holder of [document, document.documentElement, document.body])
      for (const key of Object.keys(holder ?? {})) keys.push(key);
    return new Set(keys.filter(key => typeof key === "string" && key.startsWith("jQuery")));
  }

  function jQuerySelectors() {
    const found = new Set();
    const keys = [...jQueryKeys()];
    const all = document.querySelectorAll("*");
    for (let at = -1; at < all.length && at < MAX_ELEMENTS; at++) {
      const holder = at < 0 ? document : all[at];
      for (const key of keys) {
        const held = holder[key];
        if (held === undefined) continue;
        const { events } = (typeof held === "number" ? globalThis.jQuery.cache?.[held] : held) ?? {};
        for (const type of events ? types : [])
          for (const { selector } of events[type] ?? [])
            if (typeof selector === "string" && selector.length < 200 && found.size < MAX) found.add(selector);
      }
    }
    return [...found];
  }

  // React marks each document that it listens in.
  const usesReact = () => Object.keys(document).some(key => /^_+react/.test(key));

  // The key is the same for all elements of one copy of React.
  function reactKeys() {
    const keys = new Set();
    const roots = document.querySelectorAll("body > *, body > * > *");
    for (let at = 0; at < roots.length && at < MAX_ROOTS; at++) {
      const root = roots[at];
      const [first] = root.children;
      if (!first || !Object.keys(root).some(key => key.startsWith("__reactContainer$"))) continue;
      for (const key of Object.keys(first)) if (key.startsWith("__reactProps$")) keys.add(key);
    }
    return [...keys];
  }

  // [position among all elements, tag] of elements that only React knows to be used.
  function reactElements(all) {
    const keys = all.length ? reactKeys() : [];
    const found = [];
    for (let at = 0; keys.length && at < all.length && at < MAX_ELEMENTS && found.length < MAX; at++) {
      const element = all[at];
      if (NATIVE.has(element.tagName)) continue;
      for (const key of keys) {
        const properties = element[key];
        if (properties && PROPERTIES.some(name => typeof properties[name] === "function"))
          found.push([at, element.localName]);
      }
    }
    return found;
  }

  const all = usesReact() ? document.querySelectorAll("*") : [];
  return {
    selectors: typeof globalThis.jQuery === "function" ? jQuerySelectors() : [],
    elements: reactElements(all),
    count: all.length,
  };
})(["click", "dblclick", "contextmenu", "mousedown", "mouseup", "pointerdown", "pointerup"]);
