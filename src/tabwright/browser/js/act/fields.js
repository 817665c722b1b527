// Form fields: which one is meant, what it accepts, setting and reading its value. For text, a field is only focused and
// selected here: Python then sends the text as input, so that the page gets the same events as from a user.
"use strict";
(tabwright => {
  const { dom, operations } = tabwright;
  const valueProperty = kind => Object.getOwnPropertyDescriptor(kind.prototype, "value");
  const INPUT_VALUE = valueProperty(HTMLInputElement);
  const AREA_VALUE = valueProperty(HTMLTextAreaElement);
  const CHECKED = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "checked");
  const innerText = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "innerText").get;
  const CHECK_ROLES = /^(checkbox|switch|radio|menuitemcheckbox|menuitemradio)$/;
  const FORMS = {
    number: "a number such as 12.5",
    date: "a date such as 2026-05-31",
    time: "a time such as 14:30",
    "datetime-local": "a date and time such as 2026-05-31T14:30",
    month: "a month such as 2026-05",
    week: "a week such as 2026-W22",
    color: "a colour such as #ff8800",
  };
  const MAX_OPTIONS = 30;
  const DRAW_TIMEOUT = 500; // ms
  const INPUT_TIMEOUT = 250; // ms; a page that rejects text fires no event
  // The field that is being filled, checked or given files.
  let held = null;
  // The field that was filled last, its state before, and its state when it was last read.
  let filled = null;
  let stateBefore = null;
  let lastState = null;
  let scheduledBefore = "";
  // Resolves at the next input event.
  let nextInput = null;

  operations.files = element => (tabwright.isFileInput(element) ? tabwright.holdFileInput(element) : { click: true });

  // Stores the file input; returns what it accepts.
  tabwright.holdFileInput = function (input) {
    held = input;
    return { click: false, multiple: input.multiple, accept: input.accept, folders: input.webkitdirectory };
  };

  tabwright.heldField = () => held;

  tabwright.clearFiles = function () {
    if (!held?.files.length) return;
    INPUT_VALUE.set.call(held, "");
    fireChange(held);
  };

  tabwright.heldFiles = () => held && [...held.files].map(file => file.name);

  tabwright.filledField = () => filled;

  function holdFilled(control) {
    filled = control;
    stateBefore = lastState = stateOf(control);
    scheduledBefore = tabwright.scheduled();
  }

  // What a user would call the value of a field.
  function stateOf(control) {
    if (control instanceof HTMLSelectElement) return [...control.selectedOptions].map(textOf).join(", ");
    return CHECK_ROLES.test(tabwright.roleOf(control)) ? String(isChecked(control)) : contentOf(control);
  }

  // The state of the field filled last, if the page has changed it within `ms`; else null.
  tabwright.watchField = async function (ms) {
    const control = filled;
    await delay(ms); // one timer: on a page that hangs, those that the page has set before are run first
    return changedState(control);
  };

  // As watchField, but as soon as it is sure: {changed}. Null if the page has scheduled something that may change it.
  tabwright.checkField = async function (ms) {
    const control = filled;
    const isBusy = () => tabwright.hasScheduled(scheduledBefore) || tabwright.hasScriptedAnimation();
    if (isBusy()) return null;
    await delay(ms);
    if (!(await tabwright.untilIdle()) || isBusy() || (await tabwright.usesDatabase())) return null;
    return { changed: changedState(control) };
  };

  function changedState(control) {
    tabwright.clearCaches();
    if (!control || !dom.isConnected(control)) return null;
    const value = stateOf(control);
    const secret = tabwright.isSecret(control);
    if (value === lastState) return null;
    return { value: tabwright.maskSecret(control, value), reverted: value === stateBefore, secret };
  }

  // Sets the value of a field, or prepares it for typing: {kind, before, wanted}.
  operations.fill = function (control, args) {
    held = null;
    holdFilled(control);
    const label = tabwright.describe(control);
    if (control instanceof HTMLSelectElement)
      return operations.choose(control, { values: [args.value].flat(), by: "any" });
    if (CHECK_ROLES.test(tabwright.roleOf(control)))
      return { kind: "check", role: tabwright.roleOf(control), checked: isChecked(control) };
    const type = control instanceof HTMLInputElement ? control.type : "";
    if (type === "file") return { fault: "file_input", label };
    const widget = tabwright.widgetKind(control);
    if (dom.attr(control, "aria-readonly") === "true" && widget !== "popup") return { fault: "readonly", label };
    if (widget && widget !== "suggest") return { kind: widget, ...tabwright.holdWidget(control) };
    if (control.readOnly === true)
      return mayOpenPicker(control) ? { kind: "picker", before: contentOf(control) } : { fault: "readonly", label };
    if (type in FORMS || type === "range") {
      const fault = valueFault(control, type, args.value, label);
      if (fault) return fault;
      if (type !== "number") return setValue(control, type, args.value);
    }
    const outside = tabwright.roleOf(control) === "spinbutton" && limitsFault(control, args.value, label);
    if (outside) return outside;
    if (widget) tabwright.holdWidget(control);
    return { ...startTyping(control, args, label), suggests: widget === "suggest" && args.value !== "" };
  };

  // A read-only field that a script listens to, or that says that it opens something.
  const mayOpenPicker = control =>
    dom.has(control, "aria-haspopup") ||
    [control, tabwright.parentOf(control)].some(
      element => element && (tabwright.hasClickListener(element) || dom.has(element, "onclick")),
    );

  // The value of the field filled last, once it differs from `before` or after `ms`.
  tabwright.waitForOtherValue = async function (before, ms) {
    const deadline = performance.now() + ms;
    while (filled && dom.isConnected(filled) && contentOf(filled) === before && performance.now() < deadline)
      await tabwright.nextChange(50);
    lastState = filled ? contentOf(filled) : "";
    return lastState;
  };

  function valueFault(control, type, value, label) {
    if (value === "" && type !== "color" && type !== "range") return null;
    if (type === "color")
      return /^#([0-9a-f]{6}|[0-9a-f]{3})$/i.test(value) ? null : { fault: "bad_value", label, form: FORMS.color };
    if (type === "range") return rangeFault(control, value, label);
    const probe = document.createElement("input");
    probe.type = type;
    probe.value = value;
    return probe.value === "" ? { fault: "bad_value", label, form: FORMS[type] } : null;
  }

  function rangeFault(control, value, label) {
    const least = parseFloat(control.min || "0");
    const most = Math.max(least, parseFloat(control.max || "100"));
    const number = value.trim() === "" ? NaN : Number(value);
    return number >= least && number <= most
      ? null
      : { fault: "bad_value", label, form: `a number from ${least} to ${most}` };
  }

  // A number field that is not native often corrects a value only once it loses the focus.
  function limitsFault(control, value, label) {
    const [least, most] = ["aria-valuemin", "aria-valuemax"].map(name => parseFloat(dom.attr(control, name) ?? ""));
    const number = value.trim() === "" ? NaN : Number(value);
    if (!(number < least) && !(number > most)) return null;
    const form = [Number.isNaN(least) ? "" : ` from ${least}`, Number.isNaN(most) ? "" : ` up to ${most}`].join("");
    return { fault: "bad_value", label, form: `a number${form}` };
  }

  // For fields that users do not type into. Bypasses setters of the page, so that frameworks notice the change.
  function setValue(control, type, value) {
    const before = control.value;
    const wanted = type === "color" ? value.toLowerCase().replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3") : value.trim();
    control.focus();
    INPUT_VALUE.set.call(control, wanted);
    if (control.value !== before) fireChange(control);
    held = control;
    lastState = stateOf(control);
    return { kind: "set", before, value: control.value };
  }

  function fireChange(control) {
    control.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
    control.dispatchEvent(new Event("change", { bubbles: true }));
  }

  function startTyping(control, args, label) {
    const before = contentOf(control);
    const wanted = args.clear ? args.value : before + args.value;
    const most = control.maxLength ?? -1;
    if (most >= 0 && wanted.length > most) return { fault: "too_long", label, most, given: wanted.length };
    held = control;
    control.focus();
    if (tabwright.focusedElement() !== control) return { fault: "not_focusable", label };
    nextInput = new Promise(resolve => addEventListener("input", resolve, { capture: true, once: true }));
    const rich = !tabwright.isTextInput(control);
    const drawn = rich && !dom.editable(control);
    if (!drawn) (args.clear ? selectAll : caretToEnd)(control);
    if (args.clear && args.value === "" && !rich) document.execCommand("delete");
    if (args.value === "") nextInput = null;
    const mask = tabwright.isSecret(control) ? tabwright.maskSecret(control, wanted) : "";
    const done = args.value === "" && (!rich || !args.clear);
    return { kind: "text", before, wanted, done, rich, drawn, mask };
  }

  function selectAll(control) {
    if (control.select) control.select();
    else getSelection().selectAllChildren(control);
  }

  function caretToEnd(control) {
    if (!control.select) getSelection().selectAllChildren(control);
    getSelection().modify("move", "forward", "documentboundary");
  }

  const delay = ms => new Promise(resolve => setTimeout(resolve, ms));

  // After all listeners of the event: a framework may reformat the value.
  const afterListeners = () => scheduler.postTask(() => {}, { priority: "user-blocking" });

  // The value of a field as text.
  tabwright.contentOf = contentOf;
  function contentOf(control) {
    if (control instanceof HTMLInputElement) return INPUT_VALUE.get.call(control);
    if (control instanceof HTMLTextAreaElement) return AREA_VALUE.get.call(control);
    if (control instanceof HTMLSelectElement) return control.value;
    return innerText
      .call(control)
      .replace(/\u00a0/g, " ")
      .replace(/\n$/, "");
  }

  // The value of the field filled last, once the text has arrived or was rejected; null if its document is gone.
  tabwright.readFilled = async function () {
    const control = held;
    if (control && nextInput) await Promise.race([nextInput.then(afterListeners), delay(INPUT_TIMEOUT)]);
    nextInput = null;
    held = null;
    if (!control || !dom.isConnected(control)) return null;
    lastState = contentOf(control);
    return lastState;
  };

  // Whether an editor that draws its text itself shows a text: `same` if all lines that it shows are of that text, its
  // last one among them. Line numbers do not count. Editors draw a little later.
  tabwright.readDrawn = async function (wanted) {
    const deadline = performance.now() + DRAW_TIMEOUT;
    const lines = linesOf(wanted);
    for (;;) {
      const drawn = filled && dom.isConnected(filled) ? drawnLines(filled) : [];
      const same = drawn.every(line => lines.some(one => one.includes(line))) && (!lines.length || drawn.some(isLast));
      if (same || performance.now() >= deadline) return { same, shown: drawn.join("\n") };
      await tabwright.nextChange(50);
    }
    function isLast(line) {
      return lines.at(-1).includes(line);
    }
  };

  const linesOf = text =>
    text
      .replace(/[\u00a0\u200b\t]+/g, " ")
      .split("\n")
      .map(line => line.trim())
      .filter(Boolean);

  function drawnLines(control) {
    let around = tabwright.parentOf(control);
    while (around && !linesOf(innerText.call(around)).length) around = tabwright.parentOf(around);
    if (!around || /^(body|html)$/.test(dom.tag(around))) return [];
    return linesOf(innerText.call(around)).filter(line => !/^\d+$/.test(line));
  }

  // Reads the field filled last once more, after further input.
  tabwright.holdAgain = function () {
    held = filled;
    nextInput = new Promise(resolve => addEventListener("input", resolve, { capture: true, once: true }));
  };

  // Whether the field filled last still has its text once it has lost the focus; null if it is gone.
  tabwright.isKeptAfterBlur = async function (ms) {
    const control = filled;
    if (!control || !dom.isConnected(control)) return null;
    const before = contentOf(control);
    control.blur();
    await delay(ms);
    if (!dom.isConnected(control)) return null;
    const kept = contentOf(control) === before;
    control.focus();
    return kept;
  };

  // Selects options of a list, by "value", "label", "index" or "any" of them in this order.
  operations.choose = function (select, { values, by }) {
    const label = tabwright.describe(select);
    holdFilled(select);
    if (!(select instanceof HTMLSelectElement)) {
      const kind = tabwright.widgetKind(select);
      if (!["list", "popup", "suggest"].includes(kind)) return { fault: "not_a_field", label };
      return { kind, ...tabwright.holdWidget(select) };
    }
    if (values.length > 1 && !select.multiple) return { fault: "one_option", label };
    const chosen = values.map(value => optionFor(select, String(value), by));
    const missing = chosen.indexOf(undefined);
    if (missing >= 0)
      return { fault: "no_option", label, wanted: String(values[missing]), options: optionLabels(select) };
    const disabled = chosen.find(
      option =>
        dom.matches(option, ":disabled") ||
        (option.parentElement?.disabled === true && dom.tag(option.parentElement) === "optgroup"),
    );
    if (disabled) return { fault: "disabled", label: tabwright.describe(disabled) };
    return { kind: "chosen", ...selectExactly(select, new Set(chosen)) };
  };

  const textOf = option => tabwright.clean(dom.attr(option, "label") || dom.textContent(option));

  const MATCHES = {
    value: (options, wanted) => options.find(option => option.value === wanted),
    label: (options, text) => {
      const wanted = tabwright.clean(text);
      return (
        options.find(option => textOf(option) === wanted) ??
        options.find(option => textOf(option).toLowerCase() === wanted.toLowerCase())
      );
    },
    index: (options, wanted) => (/^\d+$/.test(wanted) ? options[Number(wanted)] : undefined),
  };

  function optionFor(select, wanted, by) {
    const options = [...select.options];
    for (const way of by === "any" ? ["value", "label", "index"] : [by]) {
      const option = MATCHES[way](options, wanted);
      if (option) return option;
    }
    return undefined;
  }

  const optionLabels = select =>
    [...select.options].slice(0, MAX_OPTIONS).map(option => tabwright.cut(textOf(option), 60));

  function selectExactly(select, chosen) {
    const before = [...select.selectedOptions];
    select.focus();
    for (const option of select.options)
      if (option.selected !== chosen.has(option)) option.selected = chosen.has(option);
    const after = [...select.selectedOptions];
    if (before.length !== after.length || before.some((option, i) => option !== after[i])) fireChange(select);
    const now = [...select.selectedOptions];
    lastState = stateOf(select);
    return {
      values: now.map(option => option.value),
      labels: now.map(textOf),
      kept: now.length === chosen.size && now.every(option => chosen.has(option)),
    };
  }

  function isChecked(control) {
    if (control instanceof HTMLInputElement) return CHECKED.get.call(control);
    return (dom.attr(control, "aria-checked") ?? tabwright.internalState(control, "checked")) === "true";
  }

  // The state of a field that can be checked.
  operations.checked = function (control) {
    const role = tabwright.roleOf(control);
    if (!CHECK_ROLES.test(role)) return { fault: "not_checkable", label: tabwright.describe(control) };
    held = control;
    holdFilled(control);
    return { role, checked: isChecked(control) };
  };

  // Whether the field is checked, once it is as `wanted` or after `ms`; null if it is gone.
  tabwright.waitForChecked = async function (wanted, ms) {
    const deadline = performance.now() + ms;
    const control = held;
    while (control && dom.isConnected(control)) {
      const checked = isChecked(control);
      lastState = String(checked);
      if (checked === wanted || performance.now() >= deadline) return checked;
      await tabwright.nextChange(100);
    }
    return null;
  };

  operations.focus = function (element) {
    element.focus();
    return tabwright.focusedElement() === element ? {} : { fault: "not_focusable", label: tabwright.describe(element) };
  };

  operations.caretToEnd = function (element) {
    const facts = tabwright.focusedElement() === element ? {} : operations.focus(element);
    if (
      !facts.fault &&
      (element instanceof HTMLInputElement ||
        element instanceof HTMLTextAreaElement ||
        tabwright.isEditingHost(element))
    )
      caretToEnd(element);
    return facts;
  };

  operations.blur = function (element) {
    element.blur();
    return {};
  };

  operations.selectText = function (element) {
    if (element instanceof HTMLElement && ("select" in element || tabwright.isEditingHost(element))) element.focus();
    selectAll(element);
    return {};
  };

  operations.reveal = function (element) {
    if (!element.scrollIntoViewIfNeeded) Element.prototype.scrollIntoView.call(element, { block: "center" });
    else element.scrollIntoViewIfNeeded(true);
    return {};
  };

  // Reads one property of an element.
  operations.read = function (element, { what, name }) {
    return { read: READERS[what](element, name) };
  };

  const READERS = {
    text: element => {
      tabwright.clearCaches();
      return tabwright.visibleText(element);
    },
    value: element =>
      "value" in element || element instanceof HTMLElement
        ? element instanceof HTMLElement && !("value" in element)
          ? contentOf(element)
          : tabwright.maskSecret(element, String(contentOfAny(element)))
        : null,
    html: element => element.outerHTML,
    content: element => element.innerHTML,
    styles: stylesOf,
    attribute: (element, name) => dom.attr(element, name),
    box: element => {
      const box = dom.rect(element);
      return [box.left, box.top, box.width, box.height];
    },
    state: element => ({
      visible: tabwright.hiddenReason(element) === "",
      enabled: !tabwright.isInactive(element),
      editable: isEditable(element),
      checked: CHECK_ROLES.test(tabwright.roleOf(element)) ? isChecked(element) : null,
      focused: tabwright.focusedElement() === element,
    }),
  };

  function stylesOf(element) {
    const styles = getComputedStyle(element);
    return [...styles].map(name => [name, styles.getPropertyValue(name)]);
  }

  const contentOfAny = element =>
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
      ? contentOf(element)
      : element.value;

  function isEditable(element) {
    if (tabwright.isInactive(element)) return false;
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return !element.readOnly;
    return element instanceof HTMLSelectElement || (element instanceof HTMLElement && dom.editable(element));
  }
})(globalThis.tabwright);
