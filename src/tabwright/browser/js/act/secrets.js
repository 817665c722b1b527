// Secrets: typed into a field by commands of the document around it. Input events of the browser go to whatever has the
// focus when they arrive, and a frame of another site can take it at any time. Here, everything from the last check to
// the text in the field is one synchronous step, in which no script of another site can take the text.
"use strict";
(tabwright => {
  const { dom, operations } = tabwright;
  const TEXT_TYPES = /^(text|password|email|tel|url|search|number)$/;
  const ADVANCE_TIMEOUT = 300; // ms for a page to move on to the next box of a code
  // The field that the secret is for, whether it hides its text, and whether typing has begun.
  let typing = null;
  // Whether the page got the key that was pressed last.
  let arrived = false;
  let onFocusMoved = () => {};

  // Remembers the field; it gets the focus only with the text.
  operations.holdForSecret = function (control) {
    typing = { field: control, hides: tabwright.isSecret(control), begun: false, tabbed: false };
    return {};
  };

  // rules: {origins: those of the secret; hidden: whether the field must hide its text}
  function faultOf(rules) {
    if (!typing) return { fault: "gone" };
    tabwright.clearCaches();
    const { field, hides } = typing;
    const label = tabwright.describe(field);
    const origin = foreignOrigin(rules.origins);
    if (origin) return { fault: "other_origin", label, origin };
    if (!dom.isConnected(field) || field.ownerDocument !== document) return { fault: "removed", label };
    if (tabwright.isInactive(field)) return { fault: "disabled", label };
    if (field.readOnly === true) return { fault: "readonly", label };
    return (hides || rules.hidden) && !tabwright.isSecret(field) ? { fault: "not_hidden", label } : null;
  }

  // A referrer policy may hide the origins of the documents around this one; Python knows their URLs.
  function foreignOrigin(origins) {
    if (!origins.includes(self.origin)) return self.origin;
    return [...location.ancestorOrigins].find(origin => origin !== "null" && !origins.includes(origin)) ?? "";
  }

  // Sets the field to a text, or appends it: facts as of `operations.fill`, with the text typed.
  tabwright.fillSecret = function (args, rules) {
    const fault = faultOf(rules);
    if (fault) return fault;
    const { field } = typing;
    const facts = operations.fill(field, args);
    if (facts.fault || facts.kind === "set" || facts.kind === "chosen") return facts;
    if (facts.kind !== "text" || facts.drawn) return notForSecrets(field);
    if (facts.done) return facts;
    const { fault: failed, ...details } = faultOf(rules) ?? insert(field, args.value);
    if (failed && failed !== "rejected") return { fault: failed, ...details };
    return { ...facts, done: true };
  };

  const notForSecrets = field => ({ fault: "not_for_secrets", label: tabwright.describe(field) });

  // Types one character, with the key that types it, if any: {} or {press: key} if the browser must press it.
  tabwright.typeSecret = async function (step, rules) {
    if (typing && isFull(typing.field) && !isControl(step.key)) await focusMoved();
    return typeNow(step, rules);
  };

  function typeNow({ text, key }, rules) {
    const fault = faultOf(rules) ?? takeFocus();
    if (fault) return fault;
    const { field } = typing;
    if (!isTypable(field)) return notForSecrets(field);
    if (key?.key === "Tab" || (key?.key === "Enter" && field instanceof HTMLInputElement)) return expectKey(key);
    if (isFull(field)) return { fault: "full", label: tabwright.describe(field), most: field.maxLength };
    const goesOn = !key || (fireKey(field, "keydown", key, text) && fireKey(field, "keypress", key, text));
    const failure = goesOn ? (faultOf(rules) ?? insert(field, text)) : {};
    follow(tabwright.focusedElement());
    if (key && !failure.fault) fireKey(typing.field, "keyup", key, text);
    return failure;
  }

  const isControl = key => key?.key === "Tab" || key?.key === "Enter";

  const isTypable = field =>
    field instanceof HTMLInputElement
      ? TEXT_TYPES.test(field.type)
      : field instanceof HTMLTextAreaElement || (field instanceof HTMLElement && dom.editable(field));

  // Focuses the field, unless the page itself has moved the focus to another element since the last character.
  function takeFocus() {
    const focused = tabwright.focusedElement();
    follow(focused);
    const { field, begun } = typing;
    typing.begun = true;
    if (begun && focused === field) return null;
    if (begun && !isNowhere(focused)) return focusTaken(field, focused);
    const { fault } = operations.caretToEnd(field);
    return fault ? focusTaken(field, tabwright.focusedElement()) : null;
  }

  // Whether no element of this document has the focus: a frame may have taken it.
  const isNowhere = element => !element || /^(body|html|iframe|frame|object|embed)$/.test(dom.tag(element));

  function focusTaken(field, focused) {
    const label = tabwright.describe(field);
    return isNowhere(focused)
      ? { fault: "not_focusable", label }
      : { fault: "focus_moved", label, to: tabwright.describe(focused) };
  }

  // Goes on in the next box of a code, or after Tab in the next field of the form.
  function follow(next) {
    const { field } = typing;
    if (next === field || !(next instanceof HTMLInputElement) || !isTypable(next)) return;
    if (!(field instanceof HTMLInputElement) || next.form !== field.form) return;
    if (!typing.tabbed && (next.type !== field.type || !isComplete(field))) return;
    if (dom.ownerRoot(next) !== dom.ownerRoot(field) && !next.form) return;
    typing = { field: next, hides: tabwright.isSecret(next), begun: true, tabbed: false };
  }

  // Boxes of one character often have no maximum length.
  const isComplete = field =>
    field.maxLength > 0 ? field.value.length >= field.maxLength : field.value.length === 1 && field.type !== "password";

  const isFull = field =>
    field.maxLength > 0 && field.value.length >= field.maxLength && field.selectionStart === field.selectionEnd;

  const focusMoved = () =>
    new Promise(resolve => {
      onFocusMoved = () => resolve(null);
      setTimeout(resolve, ADVANCE_TIMEOUT);
    });

  addEventListener(
    "focusin",
    event => {
      if (!typing?.begun || !event.isTrusted) return;
      follow(event.composedPath()[0]);
      onFocusMoved();
    },
    true,
  );

  // Fires an event that only this document gets; returns whether the page lets it take effect.
  const fireKey = (field, type, { key, code, keyCode, shift }, text) =>
    field.dispatchEvent(
      new KeyboardEvent(type, {
        ...{ key, code, shiftKey: shift, view: window, bubbles: true, cancelable: true, composed: true },
        ...(type === "keypress"
          ? { keyCode: text.charCodeAt(0), charCode: text.charCodeAt(0) }
          : { keyCode, which: keyCode }),
      }),
    );

  // Inserts the text into the focused field: {}, or {fault} if it did not get it. Chrome fires "beforeinput" only for
  // real input, so this does; editors that insert the text themselves listen to it.
  function insert(field, text) {
    const before = tabwright.contentOf(field);
    const options = { inputType: "insertText", data: text, bubbles: true, cancelable: true, composed: true };
    if (!field.dispatchEvent(new InputEvent("beforeinput", options))) return {};
    if (tabwright.focusedElement() !== field) return focusTaken(field, tabwright.focusedElement());
    const receivers = [];
    const note = event => receivers.push(event.composedPath()[0]);
    addEventListener("input", note, true);
    runCommand(field, text);
    removeEventListener("input", note, true);
    const label = tabwright.describe(field);
    if (receivers.length && !receivers.some(receiver => isIn(field, receiver))) return { fault: "misplaced", label };
    return receivers.length || tabwright.contentOf(field) !== before ? {} : { fault: "rejected", label };
  }

  // Events from closed shadow roots are those of their host.
  function isIn(field, receiver) {
    for (let at = field; at; at = dom.ownerRoot(at).host) if (at === receiver) return true;
    return false;
  }

  function runCommand(field, text) {
    if (text === "\n" && !(field instanceof HTMLTextAreaElement)) document.execCommand("insertParagraph");
    else document.execCommand("insertText", false, text);
  }

  // The browser presses the key: it moves the focus or submits the form, and types no text.
  function expectKey(key) {
    arrived = false;
    typing.tabbed = key.key === "Tab";
    addEventListener("keydown", event => (arrived = event.isTrusted && event.key === key.key), {
      capture: true,
      once: true,
    });
    return { press: key.key };
  }

  tabwright.keyArrived = () => arrived;
})(globalThis.tabwright);
