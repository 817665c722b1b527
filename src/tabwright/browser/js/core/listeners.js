// Elements whose clicks a script handles. Scripts cannot ask for listeners; Python asks Chrome and registers them here.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const elements = new Map(); // by Chrome's id of the node
  let listening = new WeakSet();
  let isEmpty = true;
  let delegated = "";

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
    return concerned;
  };

  // Sets the selectors of elements whose clicks are handled in a container; invalid ones are dropped.
  tabwright.registerDelegated = function (selectors) {
    delegated = selectors.filter(isValid).join();
  };

  const isValid = selector => {
    try {
      return dom.matches(dom.root(), `${selector}, *`);
    } catch {
      return false; // an extension of jQuery
    }
  };

  tabwright.hasClickListener = element =>
    (!isEmpty && listening.has(element)) || (delegated !== "" && dom.matches(element, delegated));
})(globalThis.tabwright);
