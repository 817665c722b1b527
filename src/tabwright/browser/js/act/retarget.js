// Which field is meant if the given element only stands for it: a label, the text of one, a custom element, a wrapper.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const INPUTS =
    "input:not([type=hidden i],[type=submit i],[type=button i],[type=reset i],[type=image i]),textarea,select,[contenteditable]:not([contenteditable=false i])";
  const WIDGETS =
    "[role=slider],[role=spinbutton],[role=combobox],[role=listbox],[role=radiogroup],[role=textbox],[role=searchbox],[role=checkbox],[role=switch],[role=radio],[aria-haspopup=listbox],[aria-haspopup=dialog]";
  const FIELD_ROLES =
    /^(checkbox|switch|radio|menuitemcheckbox|menuitemradio|slider|spinbutton|combobox|listbox|radiogroup)$/;
  const MAX_ELEMENTS = 3000;
  const FAINT = 0.1; // as in visibility.js
  const DOT = 4; // px

  const labelled = element => (element instanceof HTMLLabelElement ? element.control : null);

  tabwright.isTextInput = element =>
    element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && dom.matches(element, INPUTS));

  tabwright.isField = element =>
    dom.matches(element, INPUTS) ||
    FIELD_ROLES.test(tabwright.roleOf(element)) ||
    dom.attr(element, "aria-haspopup") === "listbox" ||
    takesKeyboard(element);

  // An editor may draw its text elsewhere and take the keyboard with an empty element.
  const takesKeyboard = (tabwright.takesKeyboard = element =>
    tabwright.isTextInput(element) ||
    (/^(textbox|searchbox)$/.test(tabwright.roleOf(element)) && tabwright.isFocusable(element)));

  // The field that an element is, labels or contains.
  tabwright.retargets.field = element => fieldOf(element) ?? fieldAround(element);

  // The same, for actions that also make sense on other elements.
  tabwright.retargets.control = function (element) {
    const control = labelled(element) ?? element;
    if (tabwright.isFocusable(control)) return control;
    return (isCustom(control) ? fieldOf(control) : onlyFocusable(control)) ?? control;
  };

  // The only element inside a box that takes the keyboard, such as the handle of a slider.
  function onlyFocusable(element) {
    const found = [...descendants(element)].filter(
      inner => tabwright.isFocusable(inner) && !tabwright.hiddenReason(inner),
    );
    return found.length === 1 ? found[0] : null;
  }

  // A styled checkbox often hides the real one; then the label takes the click, or what is drawn around it. So it is with
  // a combobox or a button that only takes the keyboard.
  tabwright.retargets.press = function (element) {
    if (isDrawnByAnother(element)) return drawnAround(element) ?? element;
    if (!tabwright.isCheckInput(element) && !tabwright.isFileInput(element)) return element;
    if (!tabwright.hiddenReason(element)) return element;
    const around = drawnAround(element);
    if (around && [around, ...tabwright.childrenOf(around)].some(hasPointer)) return around;
    return tabwright.visibleLabels(element)[0] ?? around ?? element;
  };

  const hasPointer = node => dom.type(node) === 1 && tabwright.styleOf(node).cursor === "pointer";

  tabwright.visibleLabels = element => tabwright.labelsOf(element).filter(label => !tabwright.hiddenReason(label));

  // The nearest visible element around a field that holds no other field.
  function drawnAround(element) {
    let at = tabwright.parentOf(element);
    while (at && (tabwright.hiddenReason(at) || isUnseen(at))) at = tabwright.parentOf(at);
    const isOther = field => field !== element && dom.attr(field, "aria-hidden") !== "true";
    const fields = at ? tabwright.fieldsInside(at).filter(isOther) : [];
    return at && !/^(body|html|form)$/.test(dom.tag(at)) && !fields.length ? at : null;
  }

  const MAY_BE_DRAWN = /^(button|combobox|searchbox|textbox)$/;

  function isDrawnByAnother(element) {
    if (!MAY_BE_DRAWN.test(tabwright.roleOf(element)) || tabwright.hiddenReason(element)) return false;
    return isUnseen(element) || tabwright.styleOf(element).pointerEvents === "none";
  }

  // Whether an element is transparent or a dot.
  function isUnseen(element) {
    const box = dom.rect(element);
    return box.width < DOT || box.height < DOT || tabwright.viewOf(element).opacity < FAINT;
  }

  tabwright.isCheckInput = element =>
    element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(tabwright.inputType(element));

  // What to click to change a field that can be checked.
  tabwright.retargets.check = element => tabwright.retargets.press(tabwright.retargets.field(element) ?? element);

  const isCustom = element => dom.tag(element).includes("-");

  function fieldOf(element) {
    const control = labelled(element);
    if (control) return fieldOf(control);
    if (tabwright.isField(element)) return innerInput(element) ?? element;
    if (element instanceof HTMLOptionElement) return dom.closest(element, "select");
    if (element instanceof HTMLElement && dom.editable(element)) return editingHost(element);
    const inside = tabwright.fieldsInside(element);
    if (inside.length === 1) return innerInput(inside[0]) ?? inside[0];
    return inside.length > 1 && inside.every(isRadio) ? element : null;
  }

  const isRadio = element => tabwright.roleOf(element) === "radio";

  // The text input in a combobox that is a box around it.
  function innerInput(element) {
    if (tabwright.roleOf(element) !== "combobox" || tabwright.isTextInput(element)) return null;
    const inputs = [...descendants(element)].filter(inner => tabwright.isTextInput(inner) && !inner.readOnly);
    return inputs.length === 1 && tabwright.hiddenReason(inputs[0]) === "" ? inputs[0] : null;
  }

  // The field whose label or custom element an element is in, or that it names.
  tabwright.fieldAround = fieldAround;
  function fieldAround(element) {
    if (labelled(element)) return fieldOf(element);
    for (let at = element; at && !/^(body|html|form|dialog)$/.test(dom.tag(at)); at = tabwright.parentOf(at)) {
      if (at !== element && (labelled(at) || tabwright.isField(at))) return fieldOf(at);
      const named = fieldNamedBy(at);
      if (named) return named;
      if (at !== element && isCustom(at)) {
        const inside = tabwright.fieldsInside(at);
        if (inside.length) return inside.length === 1 ? fieldOf(inside[0]) : null;
      }
    }
    return null;
  }

  function fieldNamedBy(element) {
    const id = dom.attr(element, "id");
    if (!id) return null;
    const root = dom.ownerRoot(element);
    const named = [...root.querySelectorAll(`[aria-labelledby~=${CSS.escape(id)}]`)].filter(tabwright.isField);
    const visible = named.filter(field => tabwright.hiddenReason(field) === "");
    const meant = visible.length ? visible : named;
    return meant.length === 1 ? fieldOf(meant[0]) : null;
  }

  // The fields in an element: visible ones if there are any, and no parts of others.
  tabwright.fieldsInside = function (element) {
    const found = [];
    for (const inner of descendants(element)) {
      if (!dom.matches(inner, `${INPUTS},${WIDGETS}`)) continue;
      if (dom.attr(inner, "aria-haspopup") === "dialog" || tabwright.isField(inner)) found.push(inner);
    }
    const whole = found.filter(inner => !found.some(outer => outer !== inner && includes(outer, inner)));
    const visible = whole.filter(inner => tabwright.hiddenReason(inner) === "");
    return visible.length ? visible : whole;
  };

  function includes(outer, inner) {
    for (let at = inner; at; at = tabwright.parentOf(at)) if (at === outer) return true;
    return false;
  }

  // The elements inside an element in the flat tree.
  tabwright.descendants = descendants;
  function* descendants(element) {
    const waiting = [element];
    for (let count = 0; waiting.length && count < MAX_ELEMENTS; count++) {
      const at = waiting.pop();
      if (at !== element) yield at;
      for (const child of tabwright.childrenOf(at).reverse()) if (dom.type(child) === 1) waiting.push(child);
    }
  }

  function editingHost(element) {
    let host = element;
    for (let at = element; at instanceof HTMLElement && dom.editable(at); at = tabwright.parentOf(at)) host = at;
    return host;
  }

  // The file input that an element is, labels or contains; else the element itself, if a click may open a file chooser.
  tabwright.retargets.files = function (/** @type {any} */ element) {
    const control = labelled(element) || element;
    if (tabwright.isFileInput(control)) return control;
    const inputs = [...descendants(element)].filter(inner => dom.matches(inner, INPUTS));
    const files = inputs.filter(tabwright.isFileInput);
    if (files.length === 1) return files[0];
    const holdsValue = dom.matches(element, INPUTS) && !element.readOnly;
    return holdsValue || inputs.length ? null : element;
  };

  tabwright.isFileInput = element => element instanceof HTMLInputElement && element.type === "file";
})(globalThis.tabwright);
