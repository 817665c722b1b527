// Elements whose clicks a script handles. Scripts cannot ask for listeners; Python asks Chrome and registers them here.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const elements = new Map(); // by Chrome's id of the node
  let listening = new WeakSet();
  let isEmpty = true;
  let delegated = "";
  let handled = new WeakSet();
  let hasHandled = false;
  let onChange = () => {};

  // Sets the function to call when the set of elements has changed.
  tabwright.onListeners = function (callback) {
    onChange = callback;
  };

  // Replaces the set of elements: `ids` are all of them, `added` those that come with their element. Whether an element
  // of the page is concerned, and not only removed ones.
  tabwright.registerListeners = function (ids, added, ...nodes) {
    for (const [at, id] of added.entries()) elements.set(id, new WeakRef(nodes[at]));
    const current = new Set(ids);
    let concerned = nodes.length > 0;
    for (const [id, held] of elements) {
      if (current.has(id)) continue;
      elements.delete(id);
      const node = held.deref();
      concerned ||= node !== undefined && dom.isConnected(node);
    }
    listening = new WeakSet([...elements.values()].map(held => held.deref()).filter(node => node instanceof Element));
    isEmpty = elements.size === 0;
    if (concerned) onChange();
    return concerned;
  };

  // Sets the selectors of elements whose clicks are handled in a container; invalid ones are dropped.
  tabwright.registerDelegated = function (selectors) {
    delegated = selectors.filter(isValid).join();
    onChange();
  };

  // Sets the elements that a framework handles without a listener on them: [position among all elements, tag]. They are
  // found again by position, which is only right as long as the document has as many elements.
  tabwright.registerHandled = function (positions, count) {
    const all = dom.documentAll("*");
    const isSame = position =>
      Array.isArray(position) && position[0] in all && dom.tag(all[position[0]]) === position[1];
    const found = all.length === count && Array.isArray(positions) ? positions.filter(isSame) : [];
    handled = new WeakSet(found.map(([at]) => all[at]));
    hasHandled = found.length > 0;
  };

  const isValid = selector => {
    try {
      return dom.matches(dom.root(), `${selector}, *`);
    } catch {
      return false; // an extension of jQuery
    }
  };

  tabwright.hasClickListener = element =>
    (!isEmpty && listening.has(element)) ||
    (hasHandled && handled.has(element)) ||
    (delegated !== "" && dom.matches(element, delegated));
})(globalThis.tabwright);
