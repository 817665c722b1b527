// What a page holds that is worth keeping: its storage, where it is scrolled to, what was put into its fields; and
// putting it back. Passwords and chosen files are never kept.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const MOST_CHARACTERS = 1_000_000;
  const MOST_FIELDS = 500;
  const FIELDS =
    "input:not([type=hidden i],[type=password i],[type=file i],[type=submit i],[type=button i],[type=reset i],[type=image i]),textarea,select";
  const PATIENCE = 1000; // ms for a page to grow as long as it was
  const property = (kind, name) => Object.getOwnPropertyDescriptor(kind.prototype, name);
  /** @type {Map<Function, PropertyDescriptor>} */
  const VALUES = new Map();
  for (const kind of [HTMLInputElement, HTMLTextAreaElement]) VALUES.set(kind, property(kind, "value"));
  const CHECKED = property(HTMLInputElement, "checked");

  tabwright.held = function (whole) {
    const held = { origin: self.origin, local: entriesOf("localStorage"), session: entriesOf("sessionStorage") };
    return whole ? { ...held, scroll: [scrollX, scrollY], fields: fieldsOf() } : held;
  };

  // Half a character cannot be written down.
  const isText = value => typeof value !== "string" || value.isWellFormed();

  // An origin that is opaque, or that may not, has no storage.
  function entriesOf(kind) {
    try {
      const storage = globalThis[kind];
      const entries = [];
      let left = MOST_CHARACTERS;
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

  const controls = () => [...dom.documentAll(FIELDS)].slice(0, MOST_FIELDS);
  const isCheck = control => control instanceof HTMLInputElement && /^(checkbox|radio)$/.test(control.type);
  const nameOf = control => ({
    type: control.type,
    id: dom.attr(control, "id") ?? "",
    name: dom.attr(control, "name") ?? "",
  });

  function fieldsOf() {
    const fields = [];
    let left = MOST_CHARACTERS;
    for (const [place, control] of controls().entries()) {
      const value = tabwright.isSecret(control) ? undefined : changed(control);
      if (value === undefined || !isText(value) || (left -= JSON.stringify(value).length) < 0) continue;
      fields.push({ ...nameOf(control), place, value });
    }
    return fields;
  }

  // What a control holds other than what the page gave it.
  function changed(control) {
    if (isCheck(control)) return control.checked === control.defaultChecked ? undefined : control.checked;
    if (control instanceof HTMLSelectElement) {
      const options = [...control.options];
      const chosen = options.filter(option => option.selected).map(option => option.value);
      const given = options.filter(option => option.defaultSelected).map(option => option.value);
      if (!given.length && !control.multiple && options[0]) given.push(options[0].value);
      return JSON.stringify(chosen) === JSON.stringify(given) ? undefined : chosen;
    }
    return control.value === control.defaultValue ? undefined : control.value;
  }

  tabwright.putEntries = function (kind, entries) {
    const storage = kind === "local" ? localStorage : sessionStorage;
    for (const [key, value] of entries) storage.setItem(key, value);
  };

  tabwright.putFields = function (fields) {
    const known = controls();
    for (const field of fields) {
      const control = find(known, field);
      if (control) put(control, field.value);
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

  // As a framework sees it when a person does it.
  function put(control, value) {
    if (isCheck(control)) CHECKED.set.call(control, value);
    else if (control instanceof HTMLSelectElement)
      for (const option of control.options) option.selected = value.includes(option.value);
    else VALUES.get(control.constructor)?.set.call(control, value);
    control.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
    control.dispatchEvent(new Event("change", { bubbles: true }));
  }

  // A page may still be growing to the length that it had.
  tabwright.putScroll = async function (x, y) {
    const until = performance.now() + PATIENCE;
    if (!x && !y) return;
    do {
      scrollTo({ left: x, top: y, behavior: "instant" });
      if (Math.abs(scrollX - x) < 1 && Math.abs(scrollY - y) < 1) return;
      await new Promise(resolve => setTimeout(resolve, 50));
    } while (performance.now() < until);
  };
})(globalThis.tabwright);
