// What a person can use although its role does not say so: elements with a tab stop, a handler, a pointer cursor or a
// listener, items of a list whose clicks the list handles, and inputs behind what is drawn instead of them.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const words = text => new Set(text.trim().split(/\s+/));
  const NEVER_CLICKABLE = words("html body label");
  // They hold no other control.
  const LEAVES = words("checkbox menuitemcheckbox menuitemradio radio scrollbar slider spinbutton switch");
  // A pointer cursor inside them shows no other control.
  const WHOLE_CONTROLS = words(`button checkbox color date datetime inputtime link menuitemcheckbox menuitemradio radio
    scrollbar searchbox slider spinbutton summary switch textbox`);
  const HIDEABLE_INPUTS = words("checkbox radio file range color");
  const TEXT_INPUTS = words("text search email url tel number password");
  const REAL_CONTROLS = "a[href],button,input,select,textarea,summary,[role],[tabindex],[onclick],[contenteditable]";
  const LIST_PARTS = words("li td th tr option dt dd");
  const DROP_CLASS = /(?:^|[-_])drop(?:pable|[-_]?(?:zone|target|area))$/i;
  const REPLACED = words("img svg canvas video");
  const MAX_CARD = 30; // elements of a box that is clicked as a whole although it contains controls
  const MAX_ITEM = 8; // elements of one item of a list
  const MAX_HANDLED = 400; // elements of a box that handles the clicks on its items

  tabwright.mayBeClickable = tag => !NEVER_CLICKABLE.has(tag);

  tabwright.isWholeControl = role => WHOLE_CONTROLS.has(role);

  tabwright.isLeafControl = role => LEAVES.has(role);

  // Whether an element can be used. `inner.sure` is set if role or markup show it.
  tabwright.isUsable = function (element, role, place, inner) {
    const listens = !place.inLeaf && isClickTarget(element);
    if (listens) inner.handled = !inner.hasPointer() && handlesItems(element);
    inner.sure =
      (tabwright.INTERACTIVE_ROLES.has(role) && role !== "gridcell") ||
      (inner.special && hasClickHandler(element, role));
    if (inner.sure || listens) return true;
    if (inner.kind.mayBeClickable && inner.hasPointer() && !place.hasPointer()) return true;
    return place.handled && !place.inControl && isItem(element, inner.style);
  };

  // Whether a tab stop, an inline handler or draggability shows that an element can be used.
  function hasClickHandler(element, role) {
    const tag = dom.tag(element);
    if (NEVER_CLICKABLE.has(tag) && tag !== "label") return false;
    if (dom.has(element, "onclick") || dom.has(element, "onmousedown")) return true;
    if (dom.attr(element, "draggable") === "true" || takesDrops(element)) return true;
    if (!dom.has(element, "tabindex") || tag === "iframe") return false;
    return role === "gridcell" || parseInt(dom.attr(element, "tabindex"), 10) >= 0 || isRovingItem(element);
  }

  // Whether its class says that things are dropped there. Libraries need no listener on such a box.
  const takesDrops = element =>
    (dom.attr(element, "class") ?? "").split(/\s+/).some(name => DROP_CLASS.test(name)) &&
    dom.all(element, "*").length <= MAX_CARD;

  // Whether an element, and not the page around it or a part of it, is what its listener is for.
  function isClickTarget(element) {
    if (!tabwright.hasClickListener(element) || element === dom.body() || element === dom.root()) return false;
    const size = dom.all(element, "*").length;
    if (size <= MAX_CARD) return true;
    return size <= MAX_HANDLED && !isMostOfPage(size) && dom.first(element, REAL_CONTROLS) === null;
  }

  const isMostOfPage = size => size > dom.documentAll("*").length / 2;

  // Whether the clicks on the parts of an element are handled by its listener, as far as can be seen.
  function handlesItems(element) {
    if (dom.firstElement(element) === null || dom.first(element, REAL_CONTROLS) !== null) return false;
    return ![...dom.all(element, "*")].some(tabwright.hasClickListener);
  }

  // Whether an element looks like one of several items, and is not just a row of them.
  function isItem(element, style) {
    if (!LIST_PARTS.has(dom.tag(element)) && !hasTwin(element)) return false;
    if (hasOwnText(element)) return true;
    if (dom.firstElement(element) === null) return REPLACED.has(dom.tag(element)) || isPainted(element, style);
    return !isRowOfTwins(element) && dom.all(element, "*").length <= MAX_ITEM;
  }

  // Items that share a tab stop: only one of them, or none yet, is in the tab order.
  const isRovingItem = element =>
    parseInt(dom.attr(element, "tabindex"), 10) < 0 &&
    [dom.previousElement(element), dom.nextElement(element)].some(
      other => isTwin(element, other) && dom.has(other, "tabindex"),
    ) &&
    dom.all(element, "*").length <= MAX_ITEM;

  const hasTwin = element => isTwin(element, dom.nextElement(element)) || isTwin(element, dom.previousElement(element));

  // The parts of a list are alike whatever their classes; other elements share a class, or have none.
  const isTwin = (element, other) =>
    other !== null &&
    dom.tag(other) === dom.tag(element) &&
    (LIST_PARTS.has(dom.tag(element)) || sharesClass(dom.attr(element, "class"), dom.attr(other, "class")));

  function sharesClass(one, other) {
    if (!one || !other) return !one && !other;
    const names = words(other);
    return one.split(/\s+/).some(name => name && names.has(name));
  }

  function isRowOfTwins(element) {
    const first = dom.firstElement(element);
    let count = 1;
    for (let at = dom.nextElement(first); at !== null; at = dom.nextElement(at), count++)
      if (!isTwin(first, at)) return false;
    return count > 1;
  }

  const hasOwnText = element => {
    for (let at = dom.firstChild(element); at !== null; at = dom.nextSibling(at))
      if (dom.type(at) === 3 && /\S/.test(dom.text(at))) return true;
    return false;
  };

  const isPainted = (element, style) =>
    element instanceof SVGElement ||
    style.backgroundImage !== "none" ||
    style.backgroundColor !== "rgba(0, 0, 0, 0)" ||
    parseFloat(style.borderTopWidth) > 0 ||
    style.content.startsWith("url(") ||
    tabwright.hasGeneratedText(element);

  // Whether one element takes most of the box of another, so that a click on either does the same.
  tabwright.fills = function (inner, outer) {
    const [small, large] = [dom.rect(inner), dom.rect(outer)];
    return small.width * small.height * 2 >= large.width * large.height;
  };

  tabwright.scrolls = function (element, overflow) {
    if (!overflow.includes("auto") && !overflow.includes("scroll")) return false;
    if (element === dom.body() || element === dom.root()) return false;
    return (
      dom.scrollHeight(element) > dom.clientHeight(element) + 8 ||
      dom.scrollWidth(element) > dom.clientWidth(element) + 8
    );
  };

  // The box of a scroller, null if it takes most of the viewport: then everything in it would be marked.
  tabwright.smallScroller = function (element) {
    const box = dom.rect(element);
    return box.width * box.height * 2 > innerWidth * innerHeight ? null : box;
  };

  // A native control behind a styled one: its label is visible, it is transparent on top of the styled one, or it takes
  // the keyboard for an editor that draws its own text.
  tabwright.isBehindStyledControl = function (element, place) {
    const tag = dom.tag(element);
    const type = tag === "input" ? tabwright.inputType(element) : tag;
    if (tabwright.styleOf(element).visibility !== "visible") return false;
    if (tag === "input" && HIDEABLE_INPUTS.has(type)) return isBehindLabel(element);
    if (tag === "button") return isInsideLabel(element);
    return (isEditor(element) || tag === "select" || TEXT_INPUTS.has(type)) && isKeyboardInput(element, place);
  };

  const isEditor = element => dom.tag(element) === "textarea" || dom.attr(element, "role") === "textbox";

  // Whether a text field is only there for scripts: hidden from assistive technology, and not to be edited.
  tabwright.isIdleField = element => tabwright.isTextField(element) && element.readOnly;

  function isBehindLabel(element) {
    const box = dom.rect(element);
    if (box.width >= 8 && box.height >= 8 && box.right > -scrollX && box.bottom > -scrollY) return true;
    return tabwright.labelsOf(element).some(label => tabwright.isRendered(label) && dom.rect(label).width > 1);
  }

  // A label that is drawn around a button stands for it; any other transparent button may only appear later.
  const isInsideLabel = button =>
    tabwright.labelsOf(button).some(label => dom.contains(label, button) && tabwright.isVisible(label));

  const FIELDS = ["input:not([type=hidden])", "textarea", "select", "button", "label"]
    .map(field => `${field}:not([tabindex="-1"],[aria-hidden=true])`)
    .join();
  const MAX_LEVELS = 5;

  // Whether an invisible input takes the keyboard for something visible around it. What a page hides from people to
  // catch programs has nothing drawn around it.
  function isKeyboardInput(element, place) {
    if (place.outside || tabwright.isDisabled(element)) return false;
    if (element === tabwright.focusedElement()) return true;
    const inTabOrder = !(parseInt(dom.attr(element, "tabindex"), 10) < 0);
    const opensList = dom.attr(element, "role") === "combobox";
    if (!opensList && !(inTabOrder && (isEditor(element) || isLargeEnough(element)))) return false;
    let outer = place;
    for (let level = 0; outer?.element && level < MAX_LEVELS; level++, outer = outer.outer) {
      if (dom.all(outer.element, FIELDS).length > 1) return false;
      const box = dom.rect(outer.element);
      if (box.width >= 16 && box.height >= 12 && isDrawn(outer)) return opensList || surrounds(box, dom.rect(element));
    }
    return false;
  }

  const isLargeEnough = element => dom.rect(element).width >= 8 && dom.rect(element).height >= 8;

  function isDrawn({ element, style, view, outer }) {
    if (!tabwright.isBoxVisible(element, style, view, outer?.view ?? tabwright.rootView())) return false;
    return tabwright.hasClickListener(element) || /\S/.test(dom.textContent(element));
  }

  // The input of an editor is near its cursor, which may be just below the box.
  const surrounds = (box, input) =>
    box.left <= input.left + 1 && box.right >= input.left && box.top <= input.top + 1 && box.bottom + 20 >= input.top;
})(globalThis.tabwright);
