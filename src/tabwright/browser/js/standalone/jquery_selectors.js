// In the page's own world: the selectors of the elements whose clicks jQuery handles for them in a container.
// Evaluated without side effects, so it only reads. jQuery keeps its data in a property of each node.
"use strict";
(types => {
  if (typeof globalThis.jQuery !== "function") return [];
  const found = new Set();
  for (const holder of [document, ...document.querySelectorAll("*")]) {
    for (const key of Object.keys(holder)) {
      if (!key.startsWith("jQuery")) continue;
      const held = holder[key];
      const { events } = (typeof held === "number" ? globalThis.jQuery.cache?.[held] : held) ?? {};
      for (const type of events ? types : [])
        for (const { selector } of events[type] ?? [])
          if (typeof selector === "string" && selector.length < 200 && found.size < 100) found.add(selector);
    }
  }
  return [...found];
})(["click", "dblclick", "contextmenu", "mousedown", "mouseup", "pointerdown", "pointerup"]);
