// Which labels belong to a control: those of HTML, and those that people see as its label although HTML does not connect
// them. A label names the control in the shadow root of a custom element, in the box that its `for` points at, and the
// box that is drawn instead of a hidden select.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const words = text => new Set(text.trim().split(/\s+/));
  const LABELLED = words("input button select textarea meter progress output");
  const WIDGETS = words("checkbox combobox listbox radio searchbox slider spinbutton switch textbox");
  const CHOOSERS = words("combobox listbox");
  const MAX_INSIDE = 300; // elements
  const MAX_LEVELS = 3;
  const NO_LABELS = Object.freeze([]);

  let labels;
  tabwright.onClearCaches(() => {
    labels = new Map();
  });
  tabwright.clearCaches();

  // Chrome searches the whole tree for the labels of each control; this searches once for all controls.
  tabwright.labelsOf = function (element) {
    if (!(element instanceof HTMLElement) || !mayHaveLabel(element)) return NO_LABELS;
    const root = dom.ownerRoot(element);
    const own = labelsIn(root).get(element);
    if (own !== undefined || !(root instanceof ShadowRoot)) return own ?? NO_LABELS;
    return labelsIn(dom.ownerRoot(root.host)).get(element) ?? NO_LABELS;
  };

  const mayHaveLabel = element =>
    LABELLED.has(dom.tag(element)) || dom.has(element, "role") || dom.tag(element).includes("-");

  /** @returns {NodeListOf<any>} */
  tabwright.allIn = (root, selector) =>
    (root instanceof Document
      ? Document
      : root instanceof Element
        ? Element
        : DocumentFragment
    ).prototype.querySelectorAll.call(root, selector);

  function labelsIn(root) {
    let byControl = labels.get(root);
    if (byControl !== undefined) return byControl;
    labels.set(root, (byControl = new Map()));
    if (root === document && dom.byTag("label").length === 0) return byControl;
    for (const label of tabwright.allIn(root, "label")) {
      const control = label.control;
      for (const named of new Set([control, control ? standInFor(control) : widgetOf(label, root)])) {
        if (!named) continue;
        if (!byControl.has(named)) byControl.set(named, []);
        byControl.get(named).push(label);
      }
    }
    return byControl;
  }

  // The control that a person uses instead of a labelled one.
  function standInFor(control) {
    const tag = dom.tag(control);
    if (tag.includes("-")) return onlyWidget(control);
    return tag === "select" && isReplaced(control) ? chooserNear(control) : null;
  }

  // The control of a label that HTML does not connect: the one that `for` points at, or the only one in there.
  function widgetOf(label, root) {
    const id = dom.attr(label, "for");
    const target = id ? dom.byId(root, id) : id === null ? label : null;
    if (!target || !tabwright.isRendered(target)) return null;
    return target !== label && isWidget(target) ? target : onlyWidget(target);
  }

  const isWidget = element => WIDGETS.has(tabwright.roleOf(element));

  // The only control inside an element, in shadow roots too; null if there are several.
  function onlyWidget(element, isWanted = isWidget) {
    let found = null;
    const waiting = [element];
    for (let count = 0; waiting.length; count++) {
      if (count > MAX_INSIDE) return null;
      const at = waiting.pop();
      if (at !== element && isWanted(at)) {
        if (found !== null) return null;
        found = at;
        continue;
      }
      for (const child of tabwright.childrenOf(at)) if (dom.type(child) === 1) waiting.push(child);
    }
    return found;
  }

  // Whether a select is hidden from people and screen readers, since something else is shown instead.
  function isReplaced(select) {
    if (!tabwright.isRendered(select) || dom.attr(select, "aria-hidden") === "true") return true;
    const box = dom.rect(select);
    return box.width <= 1 || box.height <= 1 || tabwright.styleOf(select).visibility !== "visible";
  }

  const isChooser = element =>
    CHOOSERS.has(tabwright.roleOf(element)) || dom.attr(element, "aria-haspopup") === "listbox";

  // The box drawn instead of a select: next to it, or around it.
  function chooserNear(select) {
    for (let at = select, level = 0; at && level < MAX_LEVELS; at = tabwright.parentOf(at), level++) {
      if (level > 0 && isChooser(at)) return at;
      for (const next of [dom.nextElement(at), dom.previousElement(at)]) {
        const found = next && (isChooser(next) ? next : onlyWidget(next, isChooser));
        if (found && dom.tag(found) !== "select") return found;
      }
    }
    return null;
  }
})(globalThis.tabwright);
