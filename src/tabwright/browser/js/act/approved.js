// What a person approves: elements of this document, each with the description that it had when it was shown. An
// approval has a number. Input and operations on anything else, or on an element that has changed, do not count.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const CONTROLS =
    "button,input,select,textarea,a[href],area[href],label,summary,option,[contenteditable]:not([contenteditable=false i])";
  const HANDLES = `${CONTROLS},[role=button],[role=link],[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio],[role=tab],[role=option],[role=checkbox],[role=radio],[role=switch],[role=textbox],[role=combobox],[onclick]`;
  const INSIDE = `${HANDLES},iframe,frame,object,embed`;
  const MAX_INSIDE = 100;
  const MAX_TEXT = 2000;
  const MAX_NAME = 150;
  // Operations that change nothing.
  const READING = new Set(["", "read", "hold", "show", "checked", "reveal"]);
  /** @type {Map<number, Map<Element, { description: string, value: string, aimed: boolean, byKey: boolean }>>} */
  const approvals = new Map();

  const getter = (kind, name) => {
    const { get } = Object.getOwnPropertyDescriptor(kind.prototype, name);
    return node => get.call(node);
  };
  // A field with such a name would hide the form's own.
  const formAction = getter(HTMLFormElement, "action");
  const formMethod = getter(HTMLFormElement, "method");
  const formElements = getter(HTMLFormElement, "elements");

  // Shows an element: {shown: {label, facts}}.
  tabwright.operations.show = (element, { number, retargets }) => ({ shown: show(number, element, retargets) });

  // Shows the element at a point of this frame's viewport; null if another frame is there.
  tabwright.showAt = function (number, x, y) {
    tabwright.clearCaches();
    const hit = tabwright.elementAt(x, y) ?? document.documentElement;
    return isFrame(hit) ? null : show(number, dom.closest(hit, HANDLES) ?? hit, []);
  };

  // A point of the tab's viewport in this frame.
  tabwright.fromInputPoint = (x, y) => [x + visualViewport.offsetLeft, y + visualViewport.offsetTop];

  // A point of this frame in the frame of an <iframe> element; null if the point is elsewhere.
  tabwright.intoFrame = function (owner, x, y) {
    tabwright.clearCaches();
    if (tabwright.elementAt(x, y) !== owner) return null;
    const [left, top, width, height] = tabwright.boxThroughFrame(owner, [0, 0, 1, 1]);
    return [(x - left) / width, (y - top) / height];
  };

  // Shows the focused element; null if another frame has the focus.
  tabwright.showFocused = function (number) {
    tabwright.clearCaches();
    const focused = focusedElement();
    return isFrame(focused) ? null : show(number, focused, []);
  };

  tabwright.isFocused = owner => focusedElement() === owner;

  // Adds the element with a ref, such as an option of an approved list.
  tabwright.extendApproval = function (number, ref) {
    tabwright.clearCaches();
    const element = tabwright.nodeOf(ref);
    return element ? show(number, element, ["press", "control", "field", "check"]) : null;
  };

  tabwright.forgetApproval = number => void approvals.delete(number);

  // Why an element that is ready must not be used in an approved call: {fault}, or null.
  tabwright.approvalFault = function (how, elements) {
    if (!how.approval || (!/^point/.test(how.need) && READING.has(how.operation))) return null;
    const shown = approvals.get(how.approval);
    const same = elements.every(element => {
      const one = shown?.get(element);
      if (!one || one.byKey || one.description !== descriptionOf(element)) return false;
      // From then on, the input itself changes it.
      const unchanged = one.aimed || one.value === currentValue(element);
      one.aimed = true;
      return unchanged;
    });
    return same ? null : { fault: "changed", label: labelOf(elements[0]) };
  };

  // What an event would meet instead of an approved element: its label, "" if it is one; `around`: it contains one.
  tabwright.judgeInput = function (number, event) {
    tabwright.clearCaches();
    const path = pathOf(event);
    const target = path[0] instanceof Element ? path[0] : document.documentElement;
    let around = false;
    for (const [element, { description, byKey }] of approvals.get(number) ?? []) {
      const isMeant = byKey ? isPressedByKey(element, event) : isMeantBy(event, path, element);
      if (isMeant && description === descriptionOf(element)) return { label: "", around };
      around ||= element !== target && includes(target, element);
    }
    return { label: labelOf(dom.closest(target, HANDLES) ?? target), around };
  };

  // Whether `outer` contains `inner` in the rendered tree.
  function includes(outer, inner) {
    for (let at = inner; at; at = tabwright.parentOf(at)) if (at === outer) return true;
    return false;
  }

  // Enter in a field presses the button that submits its form; no pointer is involved.
  const isPressedByKey = (element, event) =>
    event.type === "click" && event.detail === 0 && event.composedPath()[0] === element;

  function isMeantBy(event, path, element) {
    if (path[0] === element) return true;
    if (isWhole(element) || !path.includes(element)) return false;
    // A key acts on what has the focus, not on what is around it; typing goes to the text field inside.
    return !/^key|^beforeinput/.test(event.type) || (!tabwright.isFocusable(element) && takesText(path[0]));
  }

  const takesText = node => tabwright.isTextInput(node) || (node instanceof HTMLElement && dom.editable(node));

  // The elements around the target of an event, innermost first, also inside closed shadow roots.
  function pathOf(event) {
    const path = event.composedPath();
    const target = path[0];
    if (!(target instanceof Element) || !tabwright.shadowRootOf(target)) return path;
    const inner = "clientX" in event ? tabwright.elementAt(event.clientX, event.clientY) : focusedElement();
    const inside = [];
    for (let at = inner; at && at !== target; at = tabwright.parentOf(at)) inside.push(at);
    return inside.length && tabwright.parentOf(inside.at(-1)) === target ? [...inside, ...path] : path;
  }

  function focusedElement() {
    let focused = document.activeElement ?? document.body ?? document.documentElement;
    for (let root; (root = tabwright.shadowRootOf(focused)) && root.activeElement; ) focused = root.activeElement;
    return focused;
  }

  function show(number, element, retargets) {
    const shown = approvals.get(number) ?? new Map();
    approvals.set(number, shown);
    const hold = (one, byKey) =>
      shown.set(one, { description: descriptionOf(one), value: currentValue(one), aimed: false, byKey });
    for (const one of meantBy(element, retargets)) {
      const submits = submitterOf(one);
      if (submits && !shown.has(submits)) hold(submits, true);
      hold(one, false);
    }
    return { label: labelOf(element), facts: factsOf(element) };
  }

  // The element, those that stand for it, and the labels and boxes that take its clicks.
  function meantBy(element, retargets) {
    const meant = new Set([element]);
    for (const name of retargets) {
      const other = tabwright.retargets[name](element);
      if (other) meant.add(other);
    }
    for (const one of [...meant]) {
      if (tabwright.isCheckInput(one)) for (const label of tabwright.labelsOf(one)) meant.add(label);
      if (tabwright.styleOf(one).pointerEvents !== "none") continue;
      const around = dom.closest(one, HANDLES) ?? tabwright.parentOf(one);
      if (around) meant.add(around);
    }
    return meant;
  }

  const isFrame = node => /^(iframe|frame)$/.test(dom.tag(node));
  const isWhole = node => /^(html|body)$/.test(dom.tag(node));

  function labelOf(element) {
    if (isWhole(element)) return "the page itself";
    const role = tabwright.roleOf(element);
    const kind = role && role !== "none" ? role : dom.tag(element);
    const name = tabwright.nameOf(element).text || (takesText(element) ? "" : textOf(element));
    return name ? `${kind} "${tabwright.cut(name, MAX_NAME).replace(/["\\]/g, "\\$&")}"` : kind;
  }

  const textOf = element => tabwright.clean(dom.textContent(element).slice(0, MAX_TEXT));

  // Everything of an element that must not change, as text.
  function descriptionOf(element) {
    if (!dom.isConnected(element)) return "";
    if (isWhole(element)) return "the page itself";
    const text = takesText(element) ? "" : dom.textContent(element).slice(0, MAX_TEXT);
    const inside = [...element.querySelectorAll(INSIDE)].slice(0, MAX_INSIDE).map(attributesOf);
    const name = tabwright.nameOf(element).text;
    return JSON.stringify([tabwright.roleOf(element), name, text, factsOf(element), attributesOf(element), inside]);
  }

  const ATTRIBUTES = ["href", "type", "role", "aria-label", "formaction", "formmethod", "target", "src", "for", "name"];
  const attributesOf = element => [dom.tag(element), ...ATTRIBUTES.map(name => dom.attr(element, name))];

  // What else the person sees: where a link leads, and where a form is sent to.
  function factsOf(element) {
    const facts = {};
    const link = /** @type {any} */ (dom.closest(element, "a[href],area[href]"));
    if (link) facts.link = String(link.href?.baseVal ?? link.href);
    const control = controlOf(element);
    const form = control?.form;
    if (!(form instanceof HTMLFormElement)) return facts;
    const submits = submitterOf(control);
    const own = name => (submits && dom.attr(submits, name) !== null ? submits : null);
    const action = own("formaction")?.formAction ?? formAction(form);
    facts.form = `${(own("formmethod")?.formMethod ?? formMethod(form)).toUpperCase()} ${action}`;
    if (submits && submits !== control) facts.submits = labelOf(submits);
    return facts;
  }

  const controlOf = element => /** @type {any} */ (dom.closest(element, "button,input,select,textarea"));

  // The button that submits the form of a control: itself, or the one that Enter presses.
  function submitterOf(element) {
    const control = controlOf(element);
    if (!control || isSubmit(control)) return control;
    return control.form instanceof HTMLFormElement ? [...formElements(control.form)].find(isSubmit) : null;
  }

  const isSubmit = control =>
    (control instanceof HTMLButtonElement && control.type === "submit") ||
    (control instanceof HTMLInputElement && /^(submit|image)$/.test(control.type));

  function currentValue(element) {
    const states = ["aria-checked", "aria-pressed", "aria-selected"].map(name => dom.attr(element, name));
    const field = /** @type {any} */ (element);
    if (tabwright.isCheckInput(element)) return String(field.checked);
    if (dom.matches(element, "input,select,textarea")) return String(field.value);
    return takesText(element) ? dom.textContent(element) : String(states);
  }
})(globalThis.tabwright);
