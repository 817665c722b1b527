// What a combobox shows as its value outside its input: many draw the chosen option over an input that stays empty.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const FIELDS = "input:not([type=hidden]),textarea,select,[role=combobox],[contenteditable]";
  const BARRIERS = /^(body|html|form|fieldset|dialog|table|tr|td|th|li)$/;
  // Their text is not the value.
  const OTHER =
    "label,legend,button,a,svg,kbd,style,script,[role=button],[role=listbox],[role=option],[role=tooltip],[role=log],[role=status]";
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
      if (texts.some(({ element }) => isBeside(element, control))) return describe(texts, control);
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

  // The visible texts in a box, in page order, each with the element that shows it.
  function textsIn(box, control) {
    const found = [];
    const visit = (element, shownBy) => {
      if (element === control || found.length >= MAX_TEXTS || dom.matches(element, OTHER)) return;
      const children = tabwright.childrenOf(element);
      const text = tabwright.clean(children.map(child => (dom.type(child) === 3 ? dom.text(child) : " ")).join(""));
      if (/[\p{L}\p{N}]/u.test(text)) {
        if (isReadable(shownBy)) found.push({ element: shownBy, text: tabwright.clean(textOf(children)) });
      } else visitAll(children, shownBy);
    };
    // A slot has no box.
    const visitAll = (children, around) => {
      for (const child of children) if (dom.type(child) === 1) visit(child, dom.tag(child) === "slot" ? around : child);
    };
    visitAll(tabwright.childrenOf(box), box);
    return found;
  }

  const textOf = nodes => nodes.map(node => (dom.type(node) === 3 ? dom.text(node) : dom.textContent(node))).join("");

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
    for (const { element, text } of texts) (isPlaceholder(element, control) ? hints : values).push(text);
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
