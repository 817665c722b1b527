// Saves and restores the state of a page: its storage, scroll position and form fields. Passwords and chosen files are
// never saved.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const MAX_CHARACTERS = 1_000_000;
  const MAX_FIELDS = 500;
  const FIELDS =
    "input:not([type=hidden i],[type=password i],[type=file i],[type=submit i],[type=button i],[type=reset i],[type=image i]),textarea,select";
  const SCROLL_TIMEOUT = 1000; // ms for the page to become as long as it was
  const property = (kind, name) => Object.getOwnPropertyDescriptor(kind.prototype, name);
  /** @type {Map<Function, PropertyDescriptor>} */
  const VALUES = new Map();
  for (const kind of [HTMLInputElement, HTMLTextAreaElement]) VALUES.set(kind, property(kind, "value"));
  const CHECKED = property(HTMLInputElement, "checked");

  tabwright.readPageState = function (whole) {
    const state = { origin: self.origin, local: entriesOf("localStorage"), session: entriesOf("sessionStorage") };
    return whole ? { ...state, scroll: [scrollX, scrollY], fields: fieldsOf() } : state;
  };

  // Half of a surrogate pair cannot be encoded.
  const isText = value => typeof value !== "string" || value.isWellFormed();

  // Null for an origin without storage: an opaque one, or one that is not allowed any.
  function entriesOf(kind) {
    try {
      const storage = globalThis[kind];
      const entries = [];
      let left = MAX_CHARACTERS;
      for (let i = 0; i < storage.length && left > 0; i++) {
        const key = storage.key(i);
        const value = storage.getItem(key);
        left -= key.length + value.length;
        if (left > 0 && isText(key) && isText(value)) entries.push([key, value]);
      }
      return { entries, cut: left <= 0 };
    } catch {
      return null;
    }
  }

  const controls = () => [...dom.documentAll(FIELDS)].slice(0, MAX_FIELDS);
  const isCheck = control => control instanceof HTMLInputElement && /^(checkbox|radio)$/.test(control.type);
  const nameOf = control => ({
    type: control.type,
    id: dom.attr(control, "id") ?? "",
    name: dom.attr(control, "name") ?? "",
  });

  function fieldsOf() {
    const fields = [];
    let left = MAX_CHARACTERS;
    for (const [place, control] of controls().entries()) {
      const value = tabwright.isSecret(control) ? undefined : changedValue(control);
      if (value === undefined || !isText(value) || (left -= JSON.stringify(value).length) < 0) continue;
      fields.push({ ...nameOf(control), place, value });
    }
    return fields;
  }

  // The value of a control; undefined if it is the initial one.
  function changedValue(control) {
    if (isCheck(control)) return control.checked === control.defaultChecked ? undefined : control.checked;
    if (control instanceof HTMLSelectElement) {
      const options = [...control.options];
      const chosen = options.filter(option => option.selected).map(option => option.value);
      const initial = options.filter(option => option.defaultSelected).map(option => option.value);
      if (!initial.length && !control.multiple && options[0]) initial.push(options[0].value);
      return JSON.stringify(chosen) === JSON.stringify(initial) ? undefined : chosen;
    }
    return control.value === control.defaultValue ? undefined : control.value;
  }

  tabwright.restoreEntries = function (kind, entries) {
    const storage = kind === "local" ? localStorage : sessionStorage;
    for (const [key, value] of entries) storage.setItem(key, value);
  };

  tabwright.restoreFields = function (fields) {
    const known = controls();
    for (const field of fields) {
      const control = find(known, field);
      if (control) setValue(control, field.value);
    }
  };

  function find(known, { type, id, name, place }) {
    const like = known.filter(control => control.type === type && (dom.attr(control, "name") ?? "") === name);
    const exact = known[place];
    return (
      (id && like.find(control => dom.attr(control, "id") === id)) ||
      (like.includes(exact) ? exact : like.length === 1 ? like[0] : null)
    );
  }

  // With the events that a framework expects from a user.
  function setValue(control, value) {
    if (isCheck(control)) CHECKED.set.call(control, value);
    else if (control instanceof HTMLSelectElement)
      for (const option of control.options) option.selected = value.includes(option.value);
    else VALUES.get(control.constructor)?.set.call(control, value);
    control.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
    control.dispatchEvent(new Event("change", { bubbles: true }));
  }

  // The page may not yet be as long as it was.
  tabwright.restoreScroll = async function (x, y) {
    const until = performance.now() + SCROLL_TIMEOUT;
    if (!x && !y) return;
    do {
      scrollTo({ left: x, top: y, behavior: "instant" });
      if (Math.abs(scrollX - x) < 1 && Math.abs(scrollY - y) < 1) return;
      await new Promise(resolve => setTimeout(resolve, 50));
    } while (performance.now() < until);
  };
})(globalThis.tabwright);
