// Controls: which one is meant, what it takes, giving it a value, and what it holds afterwards. Text is only made ready
// here (focused and selected): Python then sends it as input, so that the page gets the events a person would cause.
"use strict";
(tabwright => {
  const { dom, acts } = tabwright;
  const valueProperty = kind => Object.getOwnPropertyDescriptor(kind.prototype, "value");
  const INPUT_VALUE = valueProperty(HTMLInputElement);
  const AREA_VALUE = valueProperty(HTMLTextAreaElement);
  const CHECKED = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "checked");
  const innerText = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "innerText").get;
  const CHECK_ROLES = /^(checkbox|switch|radio|menuitemcheckbox|menuitemradio)$/;
  const FILLABLE =
    "input:not([type=hidden i],[type=submit i],[type=button i],[type=reset i],[type=image i]),textarea,select,[contenteditable]:not([contenteditable=false i])";
  const FORMS = {
    number: "a number such as 12.5",
    date: "a date such as 2026-05-31",
    time: "a time such as 14:30",
    "datetime-local": "a date and time such as 2026-05-31T14:30",
    month: "a month such as 2026-05",
    week: "a week such as 2026-W22",
    color: "a colour such as #ff8800",
  };
  const MOST_OPTIONS = 30;
  const NO_INPUT = 250; // ms; a page that refuses text gives no sign
  let filling = null;
  let typed = null;

  // The control that an element is, names (a label) or wraps.
  tabwright.retargets.field = function (element) {
    if (element instanceof HTMLLabelElement && element.control) return element.control;
    if (dom.matches(element, FILLABLE) || CHECK_ROLES.test(tabwright.roleOf(element))) return element;
    if (element instanceof HTMLOptionElement) return dom.closest(element, "select");
    if (element instanceof HTMLElement && dom.editable(element)) return editingHost(element);
    const inside = within(element);
    return inside.length === 1 ? inside[0] : null;
  };

  // The same, for acts that also make sense on anything else.
  tabwright.retargets.control = element => (element instanceof HTMLLabelElement && element.control) || element;

  function within(element) {
    const found = [];
    for (const tree of tabwright.trees([element]))
      found.push(...(tree instanceof Element ? dom.all(tree, FILLABLE) : tree.querySelectorAll(FILLABLE)));
    return found;
  }

  function editingHost(element) {
    let host = element;
    for (let at = element; at instanceof HTMLElement && dom.editable(at); at = tabwright.parentOf(at)) host = at;
    return host;
  }

  // The file input that an element is, names or wraps; else the element itself, if it may ask for files when pressed.
  tabwright.retargets.files = function (/** @type {any} */ element) {
    const control = (element instanceof HTMLLabelElement && element.control) || element;
    if (isFileInput(control)) return control;
    const fields = within(element);
    const inputs = fields.filter(isFileInput);
    if (inputs.length === 1) return inputs[0];
    const holdsValue = dom.matches(element, FILLABLE) && !element.readOnly;
    return holdsValue || fields.length ? null : element;
  };

  const isFileInput = element => element instanceof HTMLInputElement && element.type === "file";

  acts.files = element => (isFileInput(element) ? tabwright.holdFileInput(element) : { press: true });

  // Keep the input that files are for; say what it takes.
  tabwright.holdFileInput = function (input) {
    filling = input;
    return { press: false, multiple: input.multiple, accept: input.accept, folders: input.webkitdirectory };
  };

  tabwright.heldField = () => filling;

  tabwright.clearFiles = function () {
    if (!filling?.files.length) return;
    INPUT_VALUE.set.call(filling, "");
    announce(filling);
  };

  tabwright.heldFiles = () => filling && [...filling.files].map(file => file.name);

  // Make a control take `value`, or make it ready to be typed into. {kind, before, wanted}
  acts.fill = function (control, wish) {
    filling = null;
    const label = tabwright.describe(control);
    if (control instanceof HTMLSelectElement) return acts.choose(control, { values: [wish.value].flat(), by: "any" });
    if (CHECK_ROLES.test(tabwright.roleOf(control)))
      return { kind: "check", role: tabwright.roleOf(control), checked: isChecked(control) };
    const type = control instanceof HTMLInputElement ? control.type : "";
    if (type === "file") return { fault: "file", label };
    if (control.readOnly === true || dom.attr(control, "aria-readonly") === "true") return { fault: "readonly", label };
    if (type in FORMS || type === "range") {
      const fault = misfit(control, type, wish.value, label);
      if (fault) return fault;
      if (type !== "number") return setValue(control, type, wish.value);
    }
    return startTyping(control, wish, label);
  };

  function misfit(control, type, value, label) {
    if (value === "" && type !== "color" && type !== "range") return null;
    if (type === "color")
      return /^#([0-9a-f]{6}|[0-9a-f]{3})$/i.test(value) ? null : { fault: "wrong", label, form: FORMS.color };
    if (type === "range") return rangeMisfit(control, value, label);
    const probe = document.createElement("input");
    probe.type = type;
    probe.value = value;
    return probe.value === "" ? { fault: "wrong", label, form: FORMS[type] } : null;
  }

  function rangeMisfit(control, value, label) {
    const least = parseFloat(control.min || "0");
    const most = Math.max(least, parseFloat(control.max || "100"));
    const number = value.trim() === "" ? NaN : Number(value);
    return number >= least && number <= most
      ? null
      : { fault: "wrong", label, form: `a number from ${least} to ${most}` };
  }

  // For controls that people do not type into. The page's own setters do not see it, so frameworks notice the change.
  function setValue(control, type, value) {
    const before = control.value;
    const wanted = type === "color" ? value.toLowerCase().replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3") : value.trim();
    control.focus();
    INPUT_VALUE.set.call(control, wanted);
    if (control.value !== before) announce(control);
    filling = control;
    return { kind: "set", before, value: control.value };
  }

  function announce(control) {
    control.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
    control.dispatchEvent(new Event("change", { bubbles: true }));
  }

  function startTyping(control, wish, label) {
    const before = contentOf(control);
    const wanted = wish.clear ? wish.value : before + wish.value;
    const most = control.maxLength ?? -1;
    if (most >= 0 && wanted.length > most) return { fault: "long", label, most, given: wanted.length };
    filling = control;
    control.focus();
    if (tabwright.focusedElement() !== control) return { fault: "unfocused", label };
    typed = new Promise(resolve => addEventListener("input", resolve, { capture: true, once: true }));
    if (wish.clear) selectAll(control);
    else caretToEnd(control);
    const empties = wish.clear && wish.value === "" && before !== "";
    if (empties) document.execCommand("delete");
    if (wish.value === "") typed = null;
    return { kind: "text", before, wanted, done: wish.value === "", secret: tabwright.isSecret(control) };
  }

  function selectAll(control) {
    if (control.select) control.select();
    else getSelection().selectAllChildren(control);
  }

  function caretToEnd(control) {
    if (!control.select) getSelection().selectAllChildren(control);
    getSelection().modify("move", "forward", "documentboundary");
  }

  const later = ms => new Promise(resolve => setTimeout(resolve, ms));

  // After all listeners of the event had their turn: a framework may write the value another way.
  const afterwards = () => scheduler.postTask(() => {}, { priority: "user-blocking" });

  // What a control holds as text.
  function contentOf(control) {
    if (control instanceof HTMLInputElement) return INPUT_VALUE.get.call(control);
    if (control instanceof HTMLTextAreaElement) return AREA_VALUE.get.call(control);
    if (control instanceof HTMLSelectElement) return control.value;
    return innerText
      .call(control)
      .replace(/\u00a0/g, " ")
      .replace(/\n$/, "");
  }

  // What the control that was filled last holds, once the text on its way to it has come or was kept away; null when
  // its document is gone.
  tabwright.filled = async function () {
    const control = filling;
    if (control && typed) await Promise.race([typed.then(afterwards), later(NO_INPUT)]);
    typed = null;
    filling = null;
    return control && dom.isConnected(control) ? contentOf(control) : null;
  };

  // Select options of a list. by: "value", "label", "index" or "any" of them, in this order.
  acts.choose = function (select, { values, by }) {
    const label = tabwright.describe(select);
    if (!(select instanceof HTMLSelectElement)) return { fault: "unfit", label };
    if (values.length > 1 && !select.multiple) return { fault: "single", label };
    const chosen = values.map(value => optionFor(select, String(value), by));
    const missing = chosen.indexOf(undefined);
    if (missing >= 0)
      return { fault: "optionless", label, sought: String(values[missing]), options: optionLabels(select) };
    const off = chosen.find(
      option =>
        dom.matches(option, ":disabled") ||
        (option.parentElement?.disabled === true && dom.tag(option.parentElement) === "optgroup"),
    );
    if (off) return { fault: "disabled", label: tabwright.describe(off) };
    return { kind: "chosen", ...mark(select, new Set(chosen)) };
  };

  const textOf = option => tabwright.clean(dom.attr(option, "label") || dom.textContent(option));

  const MATCHES = {
    value: (options, sought) => options.find(option => option.value === sought),
    label: (options, sought) => {
      const wanted = tabwright.clean(sought);
      return (
        options.find(option => textOf(option) === wanted) ??
        options.find(option => textOf(option).toLowerCase() === wanted.toLowerCase())
      );
    },
    index: (options, sought) => (/^\d+$/.test(sought) ? options[Number(sought)] : undefined),
  };

  function optionFor(select, sought, by) {
    const options = [...select.options];
    for (const way of by === "any" ? ["value", "label", "index"] : [by]) {
      const option = MATCHES[way](options, sought);
      if (option) return option;
    }
    return undefined;
  }

  const optionLabels = select =>
    [...select.options].slice(0, MOST_OPTIONS).map(option => tabwright.cut(textOf(option), 60));

  function mark(select, chosen) {
    const before = [...select.selectedOptions];
    select.focus();
    for (const option of select.options)
      if (option.selected !== chosen.has(option)) option.selected = chosen.has(option);
    const after = [...select.selectedOptions];
    if (before.length !== after.length || before.some((option, i) => option !== after[i])) announce(select);
    const now = [...select.selectedOptions];
    return {
      values: now.map(option => option.value),
      labels: now.map(textOf),
      kept: now.length === chosen.size && now.every(option => chosen.has(option)),
    };
  }

  function isChecked(control) {
    if (control instanceof HTMLInputElement) return CHECKED.get.call(control);
    return dom.attr(control, "aria-checked") === "true";
  }

  // The state of a control that can be checked, and null for anything else.
  acts.checked = function (control) {
    const role = tabwright.roleOf(control);
    if (!CHECK_ROLES.test(role)) return { fault: "uncheckable", label: tabwright.describe(control) };
    filling = control;
    return { role, checked: isChecked(control) };
  };

  tabwright.checkedNow = () => (filling && dom.isConnected(filling) ? isChecked(filling) : null);

  acts.focus = function (element) {
    element.focus();
    return tabwright.focusedElement() === element ? {} : { fault: "unfocused", label: tabwright.describe(element) };
  };

  acts.caretToEnd = function (element) {
    const facts = tabwright.focusedElement() === element ? {} : acts.focus(element);
    if (
      !facts.fault &&
      (element instanceof HTMLInputElement ||
        element instanceof HTMLTextAreaElement ||
        tabwright.isEditingHost(element))
    )
      caretToEnd(element);
    return facts;
  };

  acts.blur = function (element) {
    element.blur();
    return {};
  };

  acts.selectText = function (element) {
    if (element instanceof HTMLElement && ("select" in element || tabwright.isEditingHost(element))) element.focus();
    selectAll(element);
    return {};
  };

  acts.reveal = function (element) {
    if (!element.scrollIntoViewIfNeeded) Element.prototype.scrollIntoView.call(element, { block: "center" });
    else element.scrollIntoViewIfNeeded(true);
    return {};
  };

  // What can be read of an element.
  acts.read = function (element, { what, name }) {
    return { read: READERS[what](element, name) };
  };

  const READERS = {
    text: element => (element instanceof HTMLElement ? innerText.call(element) : dom.textContent(element)),
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
      visible: tabwright.unseenBecause(element) === "",
      enabled: !tabwright.isOff(element),
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
    if (tabwright.isOff(element)) return false;
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return !element.readOnly;
    return element instanceof HTMLSelectElement || (element instanceof HTMLElement && dom.editable(element));
  }
})(globalThis.tabwright);
