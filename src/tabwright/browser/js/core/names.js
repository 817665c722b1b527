// The accessible name and description of an element, in the order of the accname specification and with the spacing
// that Chrome uses.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const words = text => new Set(text.trim().split(/\s+/));
  const FROM_CONTENT = words(`button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox
    menuitemradio option radio rowheader summary switch tab term tooltip treeitem`);
  // Only an aria attribute names them; a title is their description.
  const NAMED_BY_ARIA =
    words(`caption code definition deletion emphasis figcaption insertion label legend mark none paragraph ruby
    strong subscript suggestion superscript time`);
  // Shown inside an item, but not part of its name.
  const NOT_IN_ITEM_NAME = words("group menu menubar tree list listbox");
  const TABLES = words("table grid treegrid");
  const ITEMS = words("treeitem menuitem menuitemcheckbox menuitemradio");
  const SKIPPED_TAGS = words("script style template noscript head meta link title base datalist rt rp");
  const MAX_DEPTH = 400;
  const VALUE_ROLES = words("textbox searchbox combobox listbox slider spinbutton progressbar meter scrollbar");
  const isSvg = element => dom.namespace(element) === "http://www.w3.org/2000/svg";
  const NO_ELEMENTS = Object.freeze([]);
  // Unlike trim(), this takes a no-break space for text, as the specification does.
  const hasText = text => text !== null && /[^\t\n\f\r ]/.test(text);

  let names, owners;
  tabwright.onClearCaches(() => {
    names = new Map();
    owners = new Map();
  });
  tabwright.clearCaches();

  tabwright.namesFromContent = (element, role) =>
    FROM_CONTENT.has(role) ||
    (role === "row" && (tabwright.isFocusable(element) || inGrid(element))) ||
    (role === "math" && dom.has(element, "role"));

  const inGrid = element =>
    dom.closest(element, "table,[role=table],[role=grid],[role=treegrid]")?.matches("[role=grid],[role=treegrid]") ??
    false;

  // {text, from}: from is "content", "label", "aria", "native", "title", "placeholder" or "".
  tabwright.nameOf = function (element) {
    let name = names.get(element);
    if (!name) {
      names.set(element, { text: "", from: "" });
      const found = computeName(element, tabwright.roleOf(element));
      names.set(element, (name = { text: tabwright.clean(found.text), from: found.from }));
    }
    return name;
  };

  function computeName(element, role) {
    if (role === "none") return { text: "", from: "" };
    if (role === "" || NAMED_BY_ARIA.has(role)) return byAria(element) ?? { text: "", from: "" };
    return (
      byAria(element) ??
      byNative(element, role) ??
      byContent(element, role) ??
      byTitle(element, role) ?? { text: "", from: "" }
    );
  }

  function byAria(element) {
    const labelled = namesItself(element) ? labelText(element) || byLabelledBy(element) : byLabelledBy(element);
    if (labelled) return { text: labelled, from: "aria" };
    const label = dom.attr(element, "aria-label");
    return hasText(label) ? { text: label, from: "aria" } : null;
  }

  // Whether a combobox is labelled by what it shows or by its option, which is its value.
  const namesItself = element =>
    dom.attr(element, "role") === "combobox" &&
    dom.has(element, "aria-labelledby") &&
    referenced(element, "aria-labelledby").every(
      target => dom.contains(element, target) || dom.attr(target, "role") === "option",
    );

  // `seen`: what the name contains already by reference; it is not repeated.
  function byLabelledBy(element, seen = null) {
    const targets = referenced(element, "aria-labelledby");
    if (!targets.length) return "";
    const named = seen ?? new Set([element]);
    const parts = targets.map(target => referencedText(target, named).trim());
    return parts.filter(Boolean).join(" ");
  }

  // The target of aria-labelledby counts even if it is hidden.
  function referencedText(target, seen) {
    return textOf(target, {
      root: target,
      hidden: !tabwright.isRendered(target) || isHidden(target),
      labelling: true,
      seen,
      depth: 0,
    });
  }

  function referenced(element, attribute) {
    const ids = dom.attr(element, attribute);
    if (!ids) return NO_ELEMENTS;
    const root = dom.ownerRoot(element);
    return ids
      .split(/\s+/)
      .map(id => (id ? dom.byId(root, id) : null))
      .filter(Boolean);
  }

  function byNative(element, role) {
    const text = nativeText(element, role);
    if (text?.trim()) return { text, from: "native" };
    const labels = labelText(element);
    return labels ? { text: labels, from: "label" } : null;
  }

  const NATIVE = {
    img: element => dom.attr(element, "alt"),
    area: element => dom.attr(element, "alt"),
    input: inputText,
    fieldset: element => childText(element, "legend"),
    table: element => childText(element, "caption") || dom.attr(element, "summary"),
    optgroup: element => dom.attr(element, "label"),
    option: element => dom.attr(element, "label"),
  };

  const nativeText = (element, role) =>
    isSvg(element) ? svgText(element) : (NATIVE[dom.tag(element)]?.(element, role) ?? null);

  const BUTTON_TEXT = { submit: "Submit", reset: "Reset", image: "Submit" };

  function inputText(element) {
    const type = tabwright.inputType(element);
    if (type === "submit" || type === "reset" || type === "button") {
      return labelText(element) || (dom.has(element, "value") ? element.value : (BUTTON_TEXT[type] ?? ""));
    }
    if (type === "image")
      return (
        labelText(element) ||
        dom.attr(element, "alt") ||
        element.value ||
        dom.attr(element, "title") ||
        BUTTON_TEXT.image
      );
    if (type === "file") return labelText(element) || (element.multiple ? "Choose Files" : "Choose File");
    return null;
  }

  function svgText(element) {
    for (let at = dom.firstElement(element); at; at = dom.nextElement(at))
      if (dom.tag(at) === "title") return dom.textContent(at);
    return dom.attr(element, "xlink:title");
  }

  function childText(element, tag) {
    for (let at = dom.firstElement(element); at; at = dom.nextElement(at)) {
      if (dom.tag(at) === tag) return textOf(at, { root: at, seen: new Set(), depth: 0 });
    }
    return null;
  }

  function labelText(element, inName = null) {
    const labels = tabwright.labelsOf(element);
    if (labels.length === 0) return "";
    const seen = inName ?? new Set();
    const parts = labels
      .filter(label => !seen.has(label))
      .map(label => (byLabelledBy(label, seen) || textOfLabel(label, element, seen)).trim());
    return parts.filter(Boolean).join(" ");
  }

  const textOfLabel = (label, control, seen) =>
    textOf(label, { root: label, control, labelling: true, seen, depth: 0 });

  function byContent(element, role) {
    if (!tabwright.namesFromContent(element, role)) return null;
    const actions = referenced(element, "aria-actions");
    const seen = new Set([element, ...actions]);
    const text = contentOf(element, { root: element, item: ITEMS.has(role), cells: role === "row", seen, depth: 0 });
    return text.trim() ? { text, from: "content" } : null;
  }

  function byTitle(element, role) {
    const title = dom.attr(element, "title");
    // An empty alternative says that the image means nothing.
    if (dom.tag(element) === "img" && dom.attr(element, "alt") === "") return null;
    if (title?.trim()) return { text: title, from: "title" };
    const hint = dom.attr(element, "placeholder") || dom.attr(element, "aria-placeholder");
    if (hint?.trim() && (role === "textbox" || role === "searchbox" || role === "combobox" || role === "spinbutton")) {
      return { text: hint, from: "placeholder" };
    }
    return null;
  }

  tabwright.isAriaHidden = element => dom.attr(element, "aria-hidden") === "true";

  const isHidden = element => tabwright.isAriaHidden(element) || tabwright.styleOf(element).visibility !== "visible";

  // The text that an element adds to the name of another element, or to its own if it is the root.
  function textOf(element, query) {
    if (query.depth > MAX_DEPTH || SKIPPED_TAGS.has(dom.tag(element))) return "";
    const isRoot = element === query.root;
    if (!isRoot && query.seen.has(element)) return "";
    if (query.labelling || dom.tag(element) === "label") query.seen.add(element);
    const role = tabwright.roleOf(element);
    if (!isRoot && TABLES.has(role)) return dom.attr(element, "aria-label") ?? "";
    if (query.item && NOT_IN_ITEM_NAME.has(role)) return dom.attr(element, "aria-label") ?? "";
    if (!isRoot || query.labelling) {
      const given = ownText(element, role, query, isRoot);
      if (given !== null) return given;
    }
    const content = contentOf(element, query);
    if (content.trim() || (!isRoot && role === "")) return content;
    return dom.attr(element, "title") ?? "";
  }

  const isExcluded = element => tabwright.isAriaHidden(element) || tabwright.styleOf(element).display === "none";

  const isClosed = element => element instanceof HTMLDetailsElement && !element.open;

  // Text that replaces the content of an element: a label, an alternative, the value of a control inside a label.
  function ownText(element, role, query, isRoot) {
    if (dom.tag(element) === "slot") return null; // it cannot be named
    const isReferenced = query.labelling && !query.control;
    if (!isRoot && !isReferenced) {
      const labelled = byLabelledBy(element, query.seen);
      if (labelled) return labelled;
    }
    if (element === query.control) return "";
    if (VALUE_ROLES.has(role)) {
      const value = valueText(element, role);
      if (value || !isRoot) return value;
    }
    const label = dom.attr(element, "aria-label");
    if (hasText(label)) return label;
    const native = nativeText(element, role);
    if (native?.trim()) return native;
    const labelled = isRoot ? dom.tag(element) !== "label" : !query.labelling;
    return (labelled && labelText(element, query.seen)) || null;
  }

  function valueText(element, role) {
    if (element instanceof HTMLSelectElement) {
      return [...element.selectedOptions].map(option => dom.attr(option, "label") || dom.textContent(option)).join(" ");
    }
    if (element instanceof HTMLInputElement) return tabwright.isSecret(element) ? "" : element.value;
    if (element instanceof HTMLTextAreaElement) return element.value;
    if (element instanceof HTMLMeterElement || element instanceof HTMLProgressElement) return String(element.value);
    if (role === "listbox" || role === "combobox")
      return selectedText(element) ?? (role === "combobox" ? dom.textContent(element) : "");
    if (role === "textbox" || role === "searchbox") return dom.textContent(element);
    return dom.attr(element, "aria-valuetext") ?? dom.attr(element, "aria-valuenow") ?? "";
  }

  // The selected options of a list; null without a list.
  function selectedText(element) {
    const options = [...dom.all(element, "[role=option]")];
    if (!options.length) return null;
    const selected = options.filter(option => dom.attr(option, "aria-selected") === "true");
    return selected.map(option => dom.textContent(option)).join(" ");
  }

  // The text of the content, with a space between boxes.
  function contentOf(element, query) {
    const inner = { ...query, depth: query.depth + 1 };
    const parts = new NameText();
    const before = tabwright.generated(element, "::before");
    parts.add(before.text, before.separate);
    for (const child of tabwright.childrenOf(element)) addChild(parts, child, element, inner);
    for (const owned of ownedBy(element))
      if (owned !== query.root && !isExcluded(owned)) parts.add(textOf(owned, inner), true);
    const after = tabwright.generated(element, "::after");
    parts.add(after.text, after.separate);
    return parts.text;
  }

  function addChild(parts, child, parent, query) {
    const type = dom.type(child);
    if (!query.hidden && isClosed(parent) && !(type === 1 && dom.tag(child) === "summary")) return;
    if (type === 3) addText(parts, dom.text(child), tabwright.styleOf(parent), query);
    else if (type === 1) {
      if (dom.tag(child) === "br" || dom.tag(child) === "wbr") parts.add(" ", false);
      else if (query.hidden || !(isExcluded(child) || isOwnedElsewhere(child)))
        parts.add(textOf(child, query), isSeparateBox(child));
    }
  }

  function addText(parts, text, style, query) {
    // Inside an invisible element, another one may be visible.
    if (!query.hidden && style.visibility !== "visible") return;
    if (!query.cells || /\S/.test(text)) parts.add(tabwright.transformText(text, style.textTransform), false);
  }

  // aria-owns moves elements: to the first that names them, unless either is hidden.
  const ownedBy = owner => (dom.has(owner, "aria-owns") ? (ownersIn(dom.ownerRoot(owner)).lists.get(owner) ?? []) : []);

  const isOwnedElsewhere = element => tabwright.ariaOwnerOf(element) !== null;

  tabwright.ariaOwnerOf = element =>
    (dom.has(element, "id") && ownersIn(dom.ownerRoot(element)).owned.get(element)) || null;

  function ownersIn(root) {
    let known = owners.get(root);
    if (!known) owners.set(root, (known = findOwners(root)));
    return known;
  }

  function findOwners(root) {
    const lists = new Map();
    const owned = new Map();
    for (const owner of tabwright.allIn(root, "[aria-owns]")) {
      if (dom.closest(owner, "[aria-hidden=true]") || !tabwright.isRendered(owner)) continue;
      const free = target => !owned.has(target) && !dom.contains(target, owner) && tabwright.isRendered(target);
      lists.set(owner, referenced(owner, "aria-owns").filter(free));
      for (const target of lists.get(owner)) owned.set(target, owner);
    }
    return { lists, owned };
  }

  // Line breaks mark where a box starts or ends; cleaning turns them into one space.
  class NameText {
    text = "";
    add(part, separate) {
      this.text += separate ? `\n${part}\n` : part;
    }
  }

  const SEPARATE_TAGS = words("button img input select svg textarea");

  // Whether an element separates the text before it from the text after it.
  function isSeparateBox(element) {
    return (
      (SEPARATE_TAGS.has(dom.tag(element)) && !/^(none)?$/.test(tabwright.roleOf(element))) ||
      dom.has(element, "aria-label") ||
      !tabwright.isInline(tabwright.styleOf(element).display)
    );
  }

  // Text with the CSS text-transform applied.
  tabwright.transformText = function (text, textTransform) {
    switch (textTransform) {
      case "uppercase":
        return text.toUpperCase();
      case "lowercase":
        return text.toLowerCase();
      case "capitalize":
        return text.replace(/(^|[\s\-–—("“/.])(\p{L})/gu, (whole, before, letter) => before + letter.toUpperCase());
      default:
        return text;
    }
  };

  // The description of an element as far as it is visible: referenced text, or the title of an element without words.
  tabwright.descriptionOf = function (element, name) {
    const targets = referenced(element, "aria-describedby").filter(tabwright.isVisible);
    const text = targets
      .map(target => tabwright.clean(textOf(target, { root: target, seen: new Set(), depth: 0 })))
      .filter(Boolean)
      .join(" ");
    const shown = text || (/\p{L}/u.test(name) ? "" : tabwright.clean(dom.attr(element, "title") ?? ""));
    return name.includes(shown) ? "" : shown;
  };
})(globalThis.tabwright);
