// Which element is meant by a text that several elements have: a control with that name rather than a paragraph with
// those words. The text of a label, and the label and its control, stand for one control.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  // Controls whose name is not their own text.
  const NAMED = ["aria-label", "placeholder", "title"];
  const MAX_LEVELS = 8;
  const plain = text =>
    String(text ?? "")
      .replace(/\s+/g, " ")
      .trim();

  // The matches of a selector, with the controls of that name if it ends in a text; {fault} if it is not valid.
  tabwright.findMeant = function (spec) {
    const found = tabwright.find(spec);
    const last = spec.steps.at(-1);
    if (found.fault || last.by !== "text" || spec.steps.length > 1) return found;
    const known = new Set(found.matches);
    const named = controlsNamed(last).filter(control => !known.has(control) && !holdsOne(control, found.matches));
    const same = element => plain(tabwright.nameOf(element).text) === plain(last.value);
    const exact = named.filter(same);
    // A part of the name counts only if nothing has the whole text.
    return { matches: [...found.matches, ...(exact.length || last.exact || known.size ? exact : named)] };
  };

  /** @param {Step} step */
  function controlsNamed({ value }) {
    const lower = plain(value).toLowerCase();
    // Chrome rules out most elements by the longest word; reading 8,000 attributes takes 9 ms.
    const word = lower.split(" ").reduce((one, other) => (other.length > one.length ? other : one));
    const quoted = `"${word.replace(/["\\]/g, "\\$&")}" i`;
    const selector = `${NAMED.map(name => `[${name}*=${quoted}]`).join()},[aria-labelledby]`;
    const named = [];
    for (const tree of tabwright.trees([document]))
      for (const element of tree instanceof Element ? dom.all(tree, selector) : tree.querySelectorAll(selector))
        if (isControl(element) && plain(tabwright.nameOf(element).text).toLowerCase().includes(lower))
          named.push(element);
    return named;
  }

  const isControl = element => tabwright.INTERACTIVE_ROLES.has(tabwright.roleOf(element));

  const holdsOne = (control, matches) => matches.some(match => dom.contains(control, match));

  // Of visible matches of a text, those that are or stand for controls, one for each control; else all.
  tabwright.preferControls = function (matches) {
    const meant = new Map();
    for (const match of matches) {
      const control = standsFor(match);
      if (control && (!meant.has(control) || match === control)) meant.set(control, match);
    }
    return meant.size ? [...meant.values()] : matches;
  };

  // The control that an element is, is in, or labels.
  function standsFor(element) {
    for (let at = element, i = 0; at && i < MAX_LEVELS; at = tabwright.parentOf(at), i++) if (isControl(at)) return at;
    return tabwright.fieldAround(element);
  }
})(globalThis.tabwright);
