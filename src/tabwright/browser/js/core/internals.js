// Roles and states that a custom element has through its ElementInternals. Scripts cannot read them; Python asks Chrome
// for its view of each custom element without a role, and registers the answers here.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const MAX_ELEMENTS = 100; // of a document

  let found = []; // custom elements that the walk met and Chrome was not asked about
  const asked = []; // by index: a custom element
  const known = new WeakMap(); // by element: its index in `asked`
  const facts = new WeakMap(); // by element: {role, states}

  tabwright.startCustomElements = () => {
    found = [];
  };

  // Called for every custom element that is shown.
  tabwright.noteCustomElement = function (element) {
    if (known.has(element) || dom.has(element, "role") || asked.length + found.length >= MAX_ELEMENTS) return;
    if (dom.matches(element, ":defined")) found.push(element);
  };

  tabwright.newCustomElements = () => found.length;

  // For Python: the elements to ask about; each gets the next index.
  tabwright.takeCustomElements = function () {
    for (const element of found) known.set(element, asked.push(new WeakRef(element)) - 1);
    const taken = found;
    found = [];
    return taken;
  };

  // `entries`: [index, role, {state: value}]. Whether anything is different now.
  tabwright.registerInternals = function (entries) {
    let changed = false;
    for (const [index, role, states] of entries) {
      const element = asked[index].deref();
      if (element === undefined) continue;
      changed ||= JSON.stringify(facts.get(element)) !== JSON.stringify({ role, states });
      facts.set(element, { role, states });
    }
    if (changed) tabwright.forgetScene();
    return changed;
  };

  // "" if its internals give it no role.
  tabwright.internalRole = element => facts.get(element)?.role ?? "";

  // "" if its internals do not have the state.
  tabwright.internalState = (element, name) => facts.get(element)?.states[name] ?? "";
})(globalThis.tabwright);
