// The states of an element, as "key=value" fields of its row.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const MASK = "••••";
  const MAX_LENGTH = { value: 2000, href: 2000, text: 300 };
  const words = text => new Set(text.trim().split(/\s+/));
  const CHECKABLE = words("checkbox radio switch menuitemcheckbox menuitemradio");
  const SELECTABLE = words("button option tab treeitem row gridcell columnheader rowheader");
  const EXPANDABLE =
    words(`application button checkbox combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio row
    rowheader columnheader tab treeitem switch summary`);
  // Most nodes are structure and have no states.
  const ROLES_WITHOUT_STATES =
    words(`banner blockquote caption code complementary contentinfo definition deletion descriptionlist emphasis
    figcaption insertion label legend list listitem main mark math navigation paragraph region search sectionfooter
    sectionheader status strong subscript superscript svg term time`);
  const TABLE_PARTS = words("cell columnheader gridcell row rowgroup rowheader");
  const FIELD_ROLES = words(
    "textbox searchbox combobox spinbutton checkbox radio radiogroup slider switch listbox date inputtime datetime",
  );

  tabwright.statesOf = function (element, role, name, off, focused) {
    if (ROLES_WITHOUT_STATES.has(role)) return focused ? ["focused"] : null;
    const tag = dom.tag(element);
    const states = [];
    const add = (key, value) => {
      if (value !== "" && value !== false && value !== null) states.push(value === true ? key : `${key}=${value}`);
    };
    if (role === "heading") add("level", levelOf(element, tag));
    if (role === "row" || role === "treeitem") add("level", parseInt(dom.attr(element, "aria-level"), 10) || "");
    if (TABLE_PARTS.has(role)) addTablePlace(add, element, role);
    // One DOM call saves a dozen for the many elements without further states.
    const more = !TAGS_WITHOUT_STATES.has(tag) || (dom.hasAny(element) && dom.matches(element, STATE_ATTRIBUTES));
    if (more) addStates(add, element, role);
    const disabled =
      role !== "generic" &&
      (off ||
        tabwright.internalState(element, "disabled") === "true" ||
        (mayBeDisabled(tag) && dom.matches(element, ":disabled")));
    add("disabled", disabled);
    if (focused) add("focused", true);
    for (const state of tabwright.guessStates(element, role, disabled)) add(state, true);
    if (role === "link") add("href", hrefOf(element));
    if (more) {
      const placeholder = placeholderOf(element, name);
      const description = tabwright.cut(tabwright.descriptionOf(element, name), MAX_LENGTH.text);
      add("placeholder", placeholder);
      if (description !== placeholder) add("description", description);
    }
    if (name === "") add("looks like", tabwright.guessName(element, role));
    return states;
  };

  const TAGS_WITHOUT_STATES = words(
    "a h1 h2 h3 h4 h5 h6 div span li td th tr thead tfoot table ul ol img svg section article main nav button p form",
  );
  const STATE_ATTRIBUTES = [
    "title",
    "contenteditable",
    ...words(`aria-level aria-checked aria-pressed aria-selected aria-expanded aria-required
    aria-readonly aria-invalid aria-multiline aria-haspopup aria-current aria-placeholder aria-describedby aria-valuenow
    aria-valuetext aria-sort`),
  ]
    .map(name => `[${name}]`)
    .join();

  const DISABLED = words("button fieldset input optgroup option select textarea");
  const mayBeDisabled = tag => DISABLED.has(tag) || tag.includes("-");

  function addStates(add, element, role) {
    add("value", tabwright.cut(currentValue(element, role), MAX_LENGTH.value));
    add("checked", checkedOf(element, role));
    add(
      "pressed",
      role === "button" ? flag(element, "aria-pressed") || tabwright.internalState(element, "pressed") : "",
    );
    add("selected", SELECTABLE.has(role) && isSelected(element));
    add("expanded", EXPANDABLE.has(role) ? expandedOf(element, role) : "");
    add("required", role !== "generic" && (element.required === true || dom.attr(element, "aria-required") === "true"));
    add("readonly", isReadOnly(element, role));
    add("invalid", FIELD_ROLES.has(role) && isInvalid(element));
    add(
      "multiline",
      role === "textbox" && (dom.tag(element) === "textarea" || dom.attr(element, "aria-multiline") === "true"),
    );
    add("haspopup", popupOf(element));
    add("current", currentOf(element));
    add("sorted", /^(ascending|descending)$/.exec(dom.attr(element, "aria-sort") ?? "")?.[0] ?? "");
    add("options", role === "combobox" && element instanceof HTMLSelectElement ? element.length : "");
  }

  // Columns are counted from 1, and stated only where the number of cells before does not give them.
  function addTablePlace(add, element, role) {
    if (role === "rowgroup") return add("section", tabwright.sectionOf(element));
    if (role === "row") {
      const columns = tabwright.columnsFromAbove(element);
      return columns.length ? add("above", columns.map(column => column + 1).join(",")) : undefined;
    }
    const slot = tabwright.slotOf(element);
    if (slot === null) return;
    if (slot.moved) add("column", slot.column + 1);
    if (slot.colspan > 1) add("colspan", slot.colspan);
    if (slot.rowspan > 1) add("rowspan", slot.rowspan);
  }

  const flag = (element, attribute) => {
    const value = dom.attr(element, attribute);
    return value === "true" || value === "false" || value === "mixed" ? value : "";
  };

  function levelOf(element, tag) {
    const level = parseInt(dom.attr(element, "aria-level"), 10);
    return level > 0 ? level : /^h[1-6]$/.test(tag) ? tag[1] : 2;
  }

  function currentValue(element, role) {
    if (element instanceof HTMLInputElement)
      return inputValue(element) || (role === "combobox" ? tabwright.shownInBox(element).value : "");
    if (element instanceof HTMLTextAreaElement) return tabwright.clean(element.value);
    if (element instanceof HTMLSelectElement) return role === "combobox" ? selectedLabels(element) : "";
    if (element instanceof HTMLMeterElement || element instanceof HTMLProgressElement)
      return dom.has(element, "value") ? String(element.value) : "";
    if (tabwright.isEditingHost(element)) return tabwright.clean(innerText.call(element));
    return ariaValue(element, role);
  }

  const innerText = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "innerText").get;
  const VALUELESS = words("button submit reset image checkbox radio hidden");

  function inputValue(element) {
    const type = tabwright.inputType(element);
    if (VALUELESS.has(type)) return "";
    if (type === "file") return [...element.files].map(file => tabwright.clean(file.name)).join(", ");
    if (tabwright.isSecret(element)) return element.value ? MASK : "";
    return tabwright.clean(element.value);
  }

  // Also fields that show dots, and fields for passwords shown in clear text, one-time codes and card numbers.
  tabwright.isSecret = function (element) {
    if (!(element instanceof HTMLInputElement)) return false;
    if (tabwright.inputType(element) === "password") return true;
    if (tabwright.styleOf(element).webkitTextSecurity !== "none") return true;
    const purpose = (dom.attr(element, "autocomplete") ?? "").toLowerCase();
    // Component libraries keep autofill out of a combobox that way.
    if (purpose === "new-password" && dom.attr(element, "role") === "combobox") return false;
    return /\b((current|new)-password|one-time-code|cc-number|cc-csc)\b/.test(purpose);
  };

  // The value, or a mask if it is secret.
  tabwright.maskSecret = (element, value) => (value && tabwright.isSecret(element) ? MASK : value);

  const selectedLabels = select =>
    [...select.selectedOptions]
      .map(option => tabwright.clean(dom.attr(option, "label") || dom.textContent(option)))
      .join(", ");

  function ariaValue(element, role) {
    if (role === "combobox" || role === "textbox" || role === "searchbox") return "";
    return tabwright.clean(dom.attr(element, "aria-valuetext") ?? dom.attr(element, "aria-valuenow") ?? "");
  }

  function checkedOf(element, role) {
    if (!CHECKABLE.has(role)) return SELECTABLE.has(role) ? flag(element, "aria-checked") : "";
    if (element instanceof HTMLInputElement && CHECKABLE.has(tabwright.inputType(element)))
      return element.indeterminate ? "mixed" : String(element.checked);
    return flag(element, "aria-checked") || tabwright.internalState(element, "checked") || "false";
  }

  const isSelected = element =>
    element instanceof HTMLOptionElement
      ? element.selected
      : (dom.attr(element, "aria-selected") ?? tabwright.internalState(element, "selected")) === "true";

  function expandedOf(element, role) {
    if (role === "summary") return String(dom.parentNode(element).open);
    return flag(element, "aria-expanded") || tabwright.internalState(element, "expanded");
  }

  function isReadOnly(element, role) {
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
      return (
        element.readOnly && (role === "textbox" || role === "searchbox" || role === "spinbutton" || role === "combobox")
      );
    return dom.attr(element, "aria-readonly") === "true" && FIELD_ROLES.has(role);
  }

  // A wrong value counts at once, as in Chrome; a missing one only after the user has touched the field.
  function isInvalid(element) {
    const stated = dom.attr(element, "aria-invalid");
    if (stated !== null) return stated !== "false" && stated !== "";
    return (
      (isControl(element) && dom.matches(element, ":invalid") && !element.validity.valueMissing) ||
      dom.matches(element, ":user-invalid")
    );
  }

  const isControl = element =>
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement;

  function popupOf(element) {
    const popup = dom.attr(element, "aria-haspopup");
    return popup && popup !== "false" && /^(true|menu|listbox|tree|grid|dialog)$/.test(popup)
      ? popup === "true"
        ? "menu"
        : popup
      : "";
  }

  function currentOf(element) {
    const current = dom.attr(element, "aria-current");
    if (!current || current === "false") return "";
    return /^(page|step|location|date|time)$/.test(current) ? current : true;
  }

  // A path or fragment without anything to resolve or encode.
  const SIMPLE_ADDRESS = /^(?:\/(?![/.])|#)(?:[\w\-~=&+,;:@!$*()?#]|\.|\/(?!\.))*$/;
  let base;
  tabwright.onClearCaches(() => {
    base = null;
  });
  tabwright.clearCaches();

  // The address of most links. Chrome parses `href` on every read, which takes as long as seven other DOM calls.
  function simpleAddress(link) {
    const attribute = dom.tag(link) === "a" && link instanceof HTMLElement ? dom.attr(link, "href") : null;
    if (attribute === null || !SIMPLE_ADDRESS.test(attribute)) return null;
    base ??= baseOf(new URL(document.baseURI));
    if (!base.plain) return null;
    return (attribute[0] === "#" ? base.page : base.origin) + attribute;
  }

  const baseOf = ({ href, origin, protocol }) => ({
    page: href.split("#")[0],
    origin,
    plain: protocol === "https:" || protocol === "http:",
  });

  function hrefOf(element) {
    const address = simpleAddress(element) ?? (element instanceof SVGAElement ? element.href.baseVal : element.href);
    if (!address) return "";
    if (/^javascript:/i.test(address)) return "";
    return tabwright.cut(tabwright.clean(address), /^(data|blob):/i.test(address) ? 40 : MAX_LENGTH.href);
  }

  const isEmptyCombobox = element =>
    element instanceof HTMLInputElement && dom.attr(element, "role") === "combobox" && element.value === "";

  function placeholderOf(element, name) {
    const hint = dom.attr(element, "placeholder") ?? dom.attr(element, "aria-placeholder");
    if (!hint) return isEmptyCombobox(element) ? tabwright.shownInBox(element).placeholder : "";
    const text = tabwright.cut(tabwright.clean(hint), MAX_LENGTH.text);
    return text === name ? "" : text;
  }
})(globalThis.tabwright);
