// What a combobox shows as its value outside its input: many draw the chosen option over an input that stays empty.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const FIELDS = "input:not([type=hidden]),textarea,select,[role=combobox],[contenteditable]";
  const BARRIERS = /^(body|html|form|fieldset|dialog|table|tr|td|th|li)$/;
  // Their text is not the value.
  const OTHER = "label,legend,button,a,svg,kbd,style,script,[role=button],[role=listbox],[role=option],[role=tooltip],[role=log],[role=status]";
  const MAX_LEVELS = 5;
  const MAX_TEXTS = 30;
  const TRANSPARENT = 0.1;

  // {value, placeholder} of a combobox whose input is empty.
  tabwright.shownInBox = function (control) {
    const nothing = { value: "", placeholder: "" };
    if (showsPlaceholder(control)) return nothing;
    let at = tabwright.parentOf(control);
    for (let level = 0; at && level < MAX_LEVELS && !BARRIERS.test(dom.tag(at)); level++, at = tabwright.parentOf(at)) {
      if (holdsOtherField(at, control)) return nothing;
      const texts = textsIn(at, control);
      if (texts.some(text => isBeside(text, control))) return describe(texts, control);
    }
    return nothing;
  };

  // A placeholder that is shown says that there is no value.
  const showsPlaceholder = control =>
    Boolean(dom.attr(control, "placeholder")) && parseFloat(tabwright.styleOf(control).opacity) > TRANSPARENT;

  const holdsOtherField = (box, control) =>
    [...dom.all(box, FIELDS)].some(
      other =>
        other !== control &&
        !dom.contains(other, control) &&
        dom.attr(other, "aria-hidden") !== "true" &&
        dom.attr(other, "tabindex") !== "-1" &&
        tabwright.isRendered(other),
    );

  // The elements with visible text in a box, in page order.
  function textsIn(box, control) {
    const found = [];
    const visit = element => {
      if (element === control || found.length >= MAX_TEXTS || dom.matches(element, OTHER)) return;
      const children = tabwright.childrenOf(element);
      if (children.some(child => dom.type(child) === 3 && /[\p{L}\p{N}]/u.test(dom.text(child)))) {
        if (isReadable(element)) found.push(element);
      } else for (const child of children) if (dom.type(child) === 1) visit(child);
    };
    for (const child of tabwright.childrenOf(box)) if (dom.type(child) === 1) visit(child);
    return found;
  }

  function isReadable(element) {
    if (!tabwright.mayBeSeen(element)) return false;
    const box = dom.rect(element);
    return box.width > 1 && box.height > 1 && tabwright.viewOf(element).opacity >= TRANSPARENT;
  }

  function isBeside(text, control) {
    const [one, other] = [dom.rect(text), dom.rect(control)];
    return one.top < other.bottom + 1 && one.bottom > other.top - 1;
  }

  function describe(texts, control) {
    const [hints, values] = [[], []];
    for (const text of texts) (isPlaceholder(text, control) ? hints : values).push(tabwright.clean(dom.textContent(text)));
    return { value: values.join(", "), placeholder: values.length ? "" : hints.join(" ") };
  }

  // Whether a text only invites to choose: it describes the control, or is in another colour than a value would be.
  function isPlaceholder(text, control) {
    const described = (dom.attr(control, "aria-describedby") ?? "").split(/\s+/);
    for (let at = text; at && !dom.contains(at, control); at = tabwright.parentOf(at)) {
      if (described.includes(dom.attr(at, "id") ?? " ")) return true;
      if (/placeholder/i.test(dom.attr(at, "class") ?? ""))
        return tabwright.styleOf(text).color !== tabwright.styleOf(control).color;
    }
    return false;
  }
})(globalThis.tabwright);
