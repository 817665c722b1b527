// For page tools: describes a control that takes a value: its kind, labels, limits and choices.
"use strict";
(tabwright => {
  const { dom, finder } = tabwright;
  const FIELDS =
    `input:not([type=hidden i],[type=submit i],[type=button i],[type=reset i],[type=image i]),select,textarea,
    [contenteditable]:not([contenteditable=false i]),[role=textbox],[role=searchbox],[role=combobox],[role=spinbutton],[role=slider],
    [role=switch],[role=checkbox],[role=radio],[role=listbox],[aria-haspopup=listbox]`.replace(/\n\s+/g, "");
  const BY_TYPE = {
    email: "email",
    url: "url",
    tel: "tel",
    number: "number",
    range: "number",
    date: "date",
    time: "time",
    month: "month",
    week: "week",
    color: "color",
    "datetime-local": "datetime",
    checkbox: "check",
    radio: "radio",
    file: "file",
    search: "text",
    password: "text",
  };
  const BY_ROLE = {
    combobox: "combobox",
    spinbutton: "spin",
    slider: "spin",
    switch: "check",
    checkbox: "check",
    radio: "radio",
    listbox: "listbox",
    textbox: "editable",
    searchbox: "editable",
  };
  const MAX_FIELDS = 400;
  const MAX_OPTIONS = 300;
  const MAX_VALUE_LENGTH = 200;
  const optionsOf = Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "options").get;
  const trimLabel = text => text.replace(/[\s*:]+$/, "");

  // Every control that takes a value; radio buttons and checkboxes that belong together are one field.
  finder.fields = function () {
    const found = finder.take(finder.all(FIELDS), MAX_FIELDS, isOffered);
    const known = new Set(found);
    return groupFields(found.filter(element => !isPart(element, known)));
  };

  function isOffered(element) {
    if (!finder.isUsable(element) || isInactive(element) || dom.matches(element, "input[role=button]")) return false;
    if (isReadOnly(element) && !isPicker(element)) return false;
    return !finder.isHoneypot(element, `${tabwright.nameOf(element).text} ${dom.attr(element, "name") ?? ""}`);
  }

  const isInactive = element => tabwright.isDisabled(element) || dom.attr(element, "aria-disabled") === "true";

  const isReadOnly = element => element.readOnly === true || dom.attr(element, "aria-readonly") === "true";

  // Whether a read-only field gets its value from a popup.
  const isPicker = element =>
    tabwright.roleOf(element) === "combobox" ||
    dom.has(element, "aria-haspopup") ||
    /date|calendar|picker/i.test(
      `${dom.attr(element, "class")} ${dom.attr(element, "id")} ${dom.attr(element, "name")}`,
    );

  // Whether it is part of another control: the text box in a combobox, the list that one opens.
  function isPart(element, found) {
    const role = tabwright.roleOf(element);
    if (role === "listbox" && !(element instanceof HTMLSelectElement)) return isPopup(element);
    if (role === "combobox" && !(element instanceof HTMLInputElement))
      return dom.first(element, "input:not([type=hidden])") !== null;
    if (dom.attr(element, "aria-haspopup") === "listbox" && role === "button") return !popupOf(element);
    for (const at of finder.ancestors(element)) if (tabwright.isEditingHost(at)) return found.has(at);
    return false;
  }

  const isPopup = list => {
    const id = dom.attr(list, "id");
    const owner = id
      ? dom.ownerRoot(list).querySelector(`[aria-controls~="${CSS.escape(id)}"],[aria-owns~="${CSS.escape(id)}"]`)
      : null;
    return owner !== null && owner !== list;
  };

  // The list of options that a control opens, if it names one.
  function popupOf(element) {
    const id = dom.attr(element, "aria-controls") || dom.attr(element, "aria-owns");
    const around = dom.closest(element, "[role=combobox]");
    const ids = id || (around && (dom.attr(around, "aria-owns") || dom.attr(around, "aria-controls")));
    return ids ? dom.byId(dom.ownerRoot(element), ids.trim().split(/\s+/)[0]) : null;
  }

  function groupFields(elements) {
    const fields = [];
    const sets = new Map();
    for (const element of elements) {
      const kind = kindOf(element);
      const key = kind === "radio" || kind === "check" ? setKey(element, kind, elements) : null;
      if (key !== null && sets.has(key)) sets.get(key).elements.push(element);
      else {
        const field = { kind, element, elements: [element] };
        if (key !== null) sets.set(key, field);
        fields.push(field);
      }
    }
    for (const field of fields) if (field.kind === "check" && field.elements.length > 1) field.kind = "checks";
    return fields;
  }

  function kindOf(element) {
    const role = tabwright.roleOf(element);
    if (element instanceof HTMLSelectElement) return "select";
    if (element instanceof HTMLTextAreaElement) return "text";
    if (role === "combobox" && !dom.has(element, "list")) return "combobox";
    if (element instanceof HTMLInputElement) {
      const type = BY_TYPE[tabwright.inputType(element)] ?? "text";
      return role === "spinbutton" && type === "text" ? "number" : type;
    }
    if (tabwright.isEditingHost(element)) return "editable";
    return BY_ROLE[role] ?? "combobox";
  }

  const sets = new WeakMap();
  let setNumber = 0;

  function setId(object, rest) {
    if (!sets.has(object)) sets.set(object, ++setNumber);
    return `${sets.get(object)} ${rest}`;
  }

  // The key that boxes which belong together share; null for a single box.
  function setKey(element, kind, elements) {
    const name = dom.attr(element, "name");
    const owner = finder.formOf(element) ?? dom.ownerRoot(element);
    if (kind === "radio") {
      const group = dom.closest(element, "[role=radiogroup]");
      if (name) return setId(owner, `radio ${name}`);
      return setId(group ?? tabwright.parentOf(element), "radio");
    }
    if (tabwright.roleOf(element) === "switch") return null;
    const form = finder.formOf(element);
    const similarItems =
      name && form
        ? elements.filter(
            other => dom.attr(other, "name") === name && kindOf(other) === "check" && finder.formOf(other) === form,
          )
        : [];
    if (similarItems.length > 1) return setId(owner, `check ${name}`);
    const set = dom.closest(element, "fieldset,[role=group],[role=list]");
    if (!set || !tabwright.nameOf(set).text) return null;
    const inside = elements.filter(other => finder.isWithin(other, set));
    return inside.length > 1 && inside.every(other => kindOf(other) === "check") ? setId(set, "check") : null;
  }

  const FORM = {
    input: HTMLInputElement,
    select: HTMLSelectElement,
    textarea: HTMLTextAreaElement,
    button: HTMLButtonElement,
  };
  for (const tag in FORM) FORM[tag] = Object.getOwnPropertyDescriptor(FORM[tag].prototype, "form").get;

  // The form that a control belongs to, also from within a shadow root.
  finder.formOf = function (element) {
    const read = FORM[dom.tag(element)];
    const form = read && element instanceof HTMLElement ? read.call(element) : null;
    if (form) return form;
    for (const at of finder.ancestors(element)) if (at instanceof HTMLFormElement) return at;
    return null;
  };

  // What Python needs to know about a field, without empty values.
  finder.describeField = function ({ kind, element, elements }) {
    const isSet = elements.length > 1 || kind === "radio";
    /** @type {Facts} */
    const facts = {
      ref: tabwright.refOf(element),
      kind,
      label: isSet ? setLabel(elements) : labelOf(element, kind),
      hint: hintOf(element, kind),
      name: finder.cleanText(dom.attr(element, "name")),
      id: finder.cleanText(dom.attr(element, "id")),
      type:
        element instanceof HTMLInputElement
          ? tabwright.inputType(element)
          : dom.tag(element) === "textarea"
            ? "textarea"
            : "",
      role: tabwright.roleOf(element),
      autocomplete: (dom.attr(element, "autocomplete") ?? "").toLowerCase().trim(),
      required:
        elements.some(one => one.required === true || dom.attr(one, "aria-required") === "true") ||
        isRequiredSet(elements),
      secret: tabwright.isSecret(element),
      readonly: isReadOnly(element),
      ...bounds(element, kind),
      ...choices(kind, element, elements),
    };
    if (!facts.label) facts.near = nearText(elements);
    if (!facts.secret && facts.options === undefined) facts.value = fieldValue(element, kind);
    return withoutEmpty(facts);
  };

  const withoutEmpty = facts =>
    Object.fromEntries(
      Object.entries(facts).filter(
        ([, value]) => value !== "" && value !== false && value !== null && value !== undefined,
      ),
    );

  const isRequiredSet = elements => {
    const set = dom.closest(elements[0], "[role=radiogroup],[role=group]");
    return elements.length > 1 && set !== null && dom.attr(set, "aria-required") === "true";
  };

  function labelOf(element, kind) {
    if (
      kind === "file" &&
      !tabwright.labelsOf(element).length &&
      !dom.matches(element, "[aria-label],[aria-labelledby]")
    )
      return "";
    const name = tabwright.nameOf(element);
    if (kind === "combobox" && name.from === "content") return "";
    return finder.cleanText(trimLabel(name.text));
  }

  // The name of the group, fieldset or list around a set of boxes, if it contains nothing else.
  function setLabel(elements) {
    const members = new Set(elements);
    const shared = elements.length > 2 && sharedWords(elements.map(one => tabwright.nameOf(one).text));
    if (shared) return finder.cleanText(shared);
    for (const at of finder.ancestors(elements[0])) {
      if (at instanceof HTMLFormElement || at === dom.body()) return "";
      if (!elements.every(one => finder.isWithin(one, at))) continue;
      if (dom.matches(at, "fieldset,[role=group],[role=radiogroup],[role=list],ul,ol")) {
        const name = finder.cleanText(trimLabel(tabwright.nameOf(at).text));
        if (name) return name;
      }
      if (
        [...dom.all(at, "input:not([type=hidden i]),select,textarea")].some(
          other => !members.has(other) && finder.isUsable(other),
        )
      )
        return "";
    }
    return "";
  }

  // The description of a field, apart from its label.
  function hintOf(element, kind) {
    const name = tabwright.nameOf(element).text;
    const text =
      tabwright.descriptionOf(element, name) ||
      (kind === "text" || kind === "number" ? dom.attr(element, "placeholder") : "") ||
      dom.attr(element, "title") ||
      "";
    const hint = finder.cleanText(text, 100);
    return name.includes(hint) ? "" : hint;
  }

  // The text just before a field without a label, else just after it.
  const nearText = elements => textBefore(elements) || (elements.length === 1 ? textAfter(elements[0]) : "");

  function textBefore(elements) {
    const first = elements[0];
    for (let at = first, up = 0; at && up < 4; at = tabwright.parentOf(at), up++) {
      if (dom.matches(at, "form,body,li,tr,main")) break;
      for (let before = at.previousSibling; before; before = before.previousSibling) {
        if (dom.type(before) === 1 && (holdsField(before) || !finder.isVisible(before))) return "";
        const text =
          dom.type(before) === 1
            ? finder.visibleText(before, 60)
            : dom.type(before) === 3
              ? finder.cleanText(dom.text(before), 60)
              : "";
        if (/[\p{L}\p{N}]/u.test(text)) return trimLabel(text);
      }
    }
    const cell = dom.closest(first, "td,th")?.previousElementSibling;
    if (cell && !holdsField(cell)) return trimLabel(finder.visibleText(cell, 60));
    const row = dom.closest(first, "tr");
    const head = row && dom.first(row, "th");
    return head ? trimLabel(finder.visibleText(head, 60)) : "";
  }

  // A short text just below or after a field, in the same box.
  function textAfter(element) {
    for (let at = element, up = 0; at && up < 2 && !dom.matches(at, "form,body,li,tr,main"); up++) {
      for (let after = at.nextSibling; after; after = after.nextSibling) {
        if (dom.type(after) === 1 && (holdsField(after) || !finder.isVisible(after))) return "";
        const text = dom.type(after) === 1 ? finder.visibleText(after, 40) : finder.cleanText(dom.text(after), 40);
        if (/[\p{L}\p{N}]/u.test(text)) return trimLabel(text);
      }
      at = tabwright.parentOf(at);
    }
    return "";
  }

  const holdsField = element =>
    dom.matches(element, "input,select,textarea,button") ||
    dom.first(element, "input:not([type=hidden i]),select,textarea,button") !== null;

  function bounds(element, kind) {
    if (kind === "spin") return ariaBounds(element);
    if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) return {};
    const type = tabwright.inputType(element);
    const own = name => finder.cleanText(dom.attr(element, name), 40);
    const range = type === "range";
    return {
      min: own("min") || (range ? "0" : ""),
      max: own("max") || (range ? "100" : ""),
      step: own("step"),
      minlength: element.minLength > 0 ? element.minLength : null,
      maxlength: element.maxLength >= 0 ? element.maxLength : null,
      pattern: finder.cleanText(dom.attr(element, "pattern"), 500),
      accept: own("accept"),
      multiple: (type === "file" || type === "email") && /** @type {HTMLInputElement} */ (element).multiple,
    };
  }

  function ariaBounds(element) {
    const read = name => finder.cleanText(dom.attr(element, name), 40);
    return { min: read("aria-valuemin"), max: read("aria-valuemax"), valuetext: read("aria-valuetext") };
  }

  function choices(kind, element, elements) {
    if (kind === "select") return selectChoices(element);
    if (kind === "radio" || kind === "checks") return { options: boxChoices(elements) };
    if (kind === "listbox")
      return { options: optionsIn(element), multiple: dom.attr(element, "aria-multiselectable") === "true" };
    if (kind === "combobox") {
      const list = popupOf(element);
      const options = list ? optionsIn(list) : [];
      return { options: options.length ? options : undefined, typable: isTypable(element) };
    }
    const list = element instanceof HTMLInputElement ? element.list : null;
    return list
      ? {
          examples: [...list.options]
            .slice(0, 10)
            .map(option => finder.cleanText(option.value || option.label, 60))
            .filter(Boolean),
        }
      : {};
  }

  const isTypable = element => element instanceof HTMLInputElement || tabwright.isEditingHost(element);

  function selectChoices(select) {
    const all = [...optionsOf.call(select)];
    const options = all.slice(0, MAX_OPTIONS).map(option =>
      withoutEmpty({
        label: finder.cleanText(dom.attr(option, "label") || dom.textContent(option)),
        empty: option.value === "",
        disabled:
          dom.matches(option, ":disabled") ||
          (option.parentElement?.disabled === true && dom.tag(option.parentElement) === "optgroup") ||
          option.hidden,
        selected: option.selected,
      }),
    );
    return { options, multiple: select.multiple, count: all.length };
  }

  // The boxes of a set, without the words that all their names begin with, which name the set.
  function boxChoices(elements) {
    const choices = elements.map(boxChoice);
    const shared = sharedWords(choices.map(choice => choice.label ?? ""));
    return shared ? choices.map(choice => ({ ...choice, label: choice.label.slice(shared.length).trim() })) : choices;
  }

  // The words that all labels begin with, and that none consists of alone; "" if there are none.
  const sharedWords = (finder.sharedWords = function (labels) {
    const [first, ...rest] = labels.map(label => label.split(" "));
    let count = 0;
    while (
      rest.length &&
      count < first.length - 1 &&
      rest.every(words => words.length > count + 1 && words[count] === first[count])
    )
      count++;
    return first.slice(0, count).join(" ");
  });

  // The header of the table column that a box is in.
  function columnHead(element) {
    const cell = dom.closest(element, "td");
    const table = cell && dom.closest(cell, "table");
    const head = table && dom.first(table, "tr")?.cells[cell.cellIndex];
    return head && head !== cell ? finder.visibleText(head, 60) : "";
  }

  function boxChoice(element) {
    return withoutEmpty({
      ref: tabwright.refOf(element),
      label: finder.cleanText(
        tabwright.nameOf(element).text || nextText(element) || columnHead(element) || dom.attr(element, "value"),
      ),
      selected: element instanceof HTMLInputElement ? element.checked : dom.attr(element, "aria-checked") === "true",
    });
  }

  const nextText = element =>
    element.nextSibling && dom.type(element.nextSibling) === 3 ? dom.text(element.nextSibling).trim() : "";

  function optionsIn(list) {
    const options = [...dom.all(list, "[role=option]")].filter(option => dom.attr(option, "aria-disabled") !== "true");
    return options.slice(0, MAX_OPTIONS).map(option =>
      withoutEmpty({
        ref: tabwright.refOf(option),
        label: finder.cleanText(tabwright.nameOf(option).text || dom.textContent(option)),
        selected: dom.attr(option, "aria-selected") === "true",
      }),
    );
  }

  const VALUE = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").get;

  function fieldValue(element, kind) {
    if (kind === "check") return boxChoice(element).selected === true ? "true" : "false";
    if (kind === "file") return "";
    if (kind === "spin") return finder.cleanText(dom.attr(element, "aria-valuenow"), 40);
    const value =
      element instanceof HTMLInputElement
        ? VALUE.call(element)
        : element instanceof HTMLTextAreaElement
          ? element.value
          : finder.visibleText(element, MAX_VALUE_LENGTH + 1);
    return value.length > MAX_VALUE_LENGTH ? "" : finder.cleanText(value, MAX_VALUE_LENGTH);
  }
})(globalThis.tabwright);
