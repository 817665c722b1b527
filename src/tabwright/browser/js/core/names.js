// The accessible name and description of an element, in the order of the accname specification and with the spacing
// that Chrome uses.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const words = text => new Set(text.trim().split(/\s+/));
  const FROM_CONTENT = words(`button cell checkbox columnheader comment gridcell heading link menuitem menuitemcheckbox
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
  const VALUE_ROLES = words("textbox searchbox combobox listbox slider spinbutton");

  let names, labels, searchedRoots, generators, hasGenerators;
  tabwright.onClearCaches(() => {
    names = new Map();
    labels = new Map();
    searchedRoots = new Set();
    hasGenerators = false;
    generators = { "::before": new Set(), "::after": new Set() };
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
    if (role === "" || role === "none") return { text: "", from: "" };
    if (NAMED_BY_ARIA.has(role)) return byAria(element) ?? { text: "", from: "" };
    return (
      byAria(element) ??
      byNative(element, role) ??
      byContent(element, role) ??
      byTitle(element, role) ?? { text: "", from: "" }
    );
  }

  function byAria(element) {
    const labelled = byLabelledBy(element);
    if (labelled) return { text: labelled, from: "aria" };
    const label = dom.attr(element, "aria-label");
    return label?.trim() ? { text: label, from: "aria" } : null;
  }

  function byLabelledBy(element) {
    const targets = referenced(element, "aria-labelledby");
    const parts = targets.map(target => referencedText(target)).filter(part => part.trim());
    return parts.map(part => part.trim()).join(" ");
  }

  // The target of aria-labelledby counts even if it is hidden.
  function referencedText(target) {
    return textOf(target, {
      root: target,
      hidden: !tabwright.isRendered(target) || isHidden(target),
      labelling: true,
      depth: 0,
    });
  }

  function referenced(element, attribute) {
    const ids = dom.attr(element, attribute);
    if (!ids) return [];
    const root = dom.ownerRoot(element);
    return ids
      .split(/\s+/)
      .map(id => (id ? dom.byId(root, id) : null))
      .filter(Boolean);
  }

  function byNative(element, role) {
    const text = (NATIVE[dom.tag(element)] ?? (() => null))(element, role);
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
    svg: svgText,
    a: svgText,
    g: svgText,
    path: svgText,
    rect: svgText,
    circle: svgText,
    image: svgText,
  };

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
    if (dom.namespace(element) !== "http://www.w3.org/2000/svg") return null;
    for (let at = dom.firstElement(element); at; at = dom.nextElement(at))
      if (dom.tag(at) === "title") return dom.textContent(at);
    return dom.attr(element, "xlink:title");
  }

  function childText(element, tag) {
    for (let at = dom.firstElement(element); at; at = dom.nextElement(at)) {
      if (dom.tag(at) === tag) return textOf(at, { root: at, depth: 0 });
    }
    return null;
  }

  const LABELLED = words("input button select textarea meter progress output");

  // Chrome searches the whole tree for the labels of each control; this searches once for all controls.
  tabwright.labelsOf = function (element) {
    if (!LABELLED.has(dom.tag(element)) || !(element instanceof HTMLElement)) return [];
    const root = dom.ownerRoot(element);
    if (!labels.has(root)) labels.set(root, labelsIn(root));
    return labels.get(root).get(element) ?? [];
  };

  /** @returns {NodeListOf<any>} */
  const allIn = (root, selector) =>
    (root instanceof Document
      ? Document
      : root instanceof Element
        ? Element
        : DocumentFragment
    ).prototype.querySelectorAll.call(root, selector);

  function labelsIn(root) {
    const byControl = new Map();
    for (const label of allIn(root, "label")) {
      const control = label.control;
      if (!control) continue;
      if (!byControl.has(control)) byControl.set(control, []);
      byControl.get(control).push(label);
    }
    return byControl;
  }

  function labelText(element) {
    const parts = tabwright
      .labelsOf(element)
      .map(label => textOf(label, { root: label, control: element, labelling: true, depth: 0 }).trim());
    return parts.filter(Boolean).join(" ");
  }

  function byContent(element, role) {
    if (!tabwright.namesFromContent(element, role)) return null;
    const text = contentOf(element, { root: element, item: ITEMS.has(role), cells: role === "row", depth: 0 });
    return text.trim() ? { text, from: "content" } : null;
  }

  function byTitle(element, role) {
    const title = dom.attr(element, "title");
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

  const isExcluded = element => isHidden(element) || tabwright.styleOf(element).display === "none" || isClosed(element);

  const isClosed = element => {
    const parent = dom.parentNode(element);
    return parent instanceof HTMLDetailsElement && !parent.open && dom.tag(element) !== "summary";
  };

  // Text that replaces the content of an element: a label, an alternative, the value of a control inside a label.
  function ownText(element, role, query, isRoot) {
    if (!isRoot || query.labelling) {
      const label = dom.attr(element, "aria-label");
      if (!isRoot) {
        const labelled = query.labelling ? "" : byLabelledBy(element);
        if (labelled) return labelled;
      }
      if (VALUE_ROLES.has(role) && !isRoot) return element === query.control ? "" : valueText(element, role);
      if (label?.trim()) return label;
    }
    if (element === query.control) return "";
    const native = (NATIVE[dom.tag(element)] ?? (() => null))(element, role);
    if (native?.trim()) return native;
    if (!isRoot && tabwright.labelsOf(element).length && !query.labelling) return labelText(element);
    return null;
  }

  function valueText(element, role) {
    if (element instanceof HTMLSelectElement) {
      return [...element.selectedOptions].map(option => dom.attr(option, "label") || dom.textContent(option)).join(" ");
    }
    if (element instanceof HTMLInputElement) return element.type === "password" ? "" : element.value;
    if (element instanceof HTMLTextAreaElement) return element.value;
    if (role === "slider" || role === "spinbutton")
      return dom.attr(element, "aria-valuetext") ?? dom.attr(element, "aria-valuenow") ?? "";
    if (role === "listbox")
      return [...dom.all(element, "[role=option][aria-selected=true]")]
        .map(option => dom.textContent(option))
        .join(" ");
    return dom.textContent(element);
  }

  // The text of the content, with a space between boxes.
  function contentOf(element, query) {
    const inner = { ...query, depth: query.depth + 1 };
    const parts = new NameText();
    const before = generated(element, "::before");
    parts.add(before.text, before.separate);
    for (const child of tabwright.childrenOf(element)) addChild(parts, child, element, inner);
    for (const owned of referenced(element, "aria-owns"))
      if (owned !== query.root && !isExcluded(owned)) parts.add(textOf(owned, inner), true);
    const after = generated(element, "::after");
    parts.add(after.text, after.separate);
    return parts.text;
  }

  function addChild(parts, child, parent, query) {
    const type = dom.type(child);
    if (type === 3) {
      if (!query.cells || /\S/.test(dom.text(child)))
        parts.add(tabwright.transformText(dom.text(child), tabwright.styleOf(parent).textTransform), false);
    } else if (type === 1) {
      if (dom.tag(child) === "br" || dom.tag(child) === "wbr") parts.add(" ", false);
      else if (query.hidden || !isExcluded(child)) parts.add(textOf(child, query), isSeparateBox(child));
    }
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
      SEPARATE_TAGS.has(dom.tag(element)) ||
      dom.has(element, "aria-label") ||
      !isInline(tabwright.styleOf(element).display)
    );
  }

  const isInline = display => display === "inline" || display === "contents" || display.startsWith("ruby");

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

  // The text of ::before or ::after.
  tabwright.generatedText = (element, pseudo) => generated(element, pseudo).text;

  tabwright.onShadowRoot(root => collectGenerators(root));

  const NO_TEXT = Object.freeze({ text: "", separate: false });

  function generated(element, pseudo) {
    if (!mayGenerate(element, pseudo))
      return dom.tag(element) === "q" ? { text: pseudo === "::before" ? "“" : "”", separate: false } : NO_TEXT;
    const style = getComputedStyle(element, pseudo);
    if (style.display === "none" || style.visibility !== "visible") return NO_TEXT;
    return { text: writtenIn(style.content), separate: !isInline(style.display) || style.content.startsWith("url(") };
  }

  function writtenIn(content) {
    const strings = [];
    // Images are not text; the string after a slash is the alternative text.
    for (const [token, string] of content
      .replace(/url\("(?:[^"\\]|\\.)*"\)/g, "")
      .matchAll(/"((?:[^"\\]|\\.)*)"|\//g)) {
      if (token === "/") strings.length = 0;
      else strings.push(string.replace(/\\(.)/g, "$1"));
    }
    return strings.join("");
  }

  // Whether ::before or ::after may have text. Reading the style of a pseudo-element takes 75 µs (measured), so the
  // style sheets are searched first for rules that match.
  tabwright.hasGeneratedText = function (element) {
    if (searchedRoots.size === 0) collectGenerators(document);
    return hasGenerators && (generators["::before"].has(element) || generators["::after"].has(element));
  };

  function mayGenerate(element, pseudo) {
    return tabwright.hasGeneratedText(element) && generators[pseudo].has(element);
  }

  // Collects the elements of a document or shadow root that may have generated text.
  function collectGenerators(root) {
    if (searchedRoots.has(root)) return;
    if (searchedRoots.size === 0 && root !== document) collectGenerators(document);
    searchedRoots.add(root);
    for (const sheet of dom.sheets(root)) addGenerators(root, rulesOf(sheet));
    for (const sheet of dom.adopted(root)) addGenerators(root, rulesOf(sheet));
  }

  function addGenerators(root, rules) {
    if (rules.length === 0) return;
    const find = (root instanceof ShadowRoot ? DocumentFragment : Document).prototype.querySelectorAll;
    for (const [pseudo, selector] of rules) {
      try {
        for (const element of find.call(root, selector)) generators[pseudo].add(element);
      } catch {} // a selector that is only valid inside its rule
    }
    hasGenerators = generators["::before"].size + generators["::after"].size > 0;
  }

  const sheetRules = new WeakMap();

  function rulesOf(sheet) {
    let rules;
    try {
      rules = sheet.cssRules;
    } catch {
      return []; // the rules of another origin cannot be read
    }
    const known = sheetRules.get(sheet);
    if (known && known.length === rules.length) return known.found;
    const found = distinct(generatingRules(rules, ""));
    sheetRules.set(sheet, { length: rules.length, found });
    return found;
  }

  const distinct = rules => [...new Map([...rules].map(rule => [rule.join(" "), rule])).values()];

  function* generatingRules(rules, outer) {
    for (const rule of rules) {
      const selector = rule.selectorText;
      if (selector && rule.style.content) yield* generatingSelectors(selector, rule.style.content, outer);
      if (rule.styleSheet) yield* rulesOf(rule.styleSheet);
      else if (rule.cssRules?.length) yield* generatingRules(rule.cssRules, selector ? nested(selector, outer) : outer);
    }
  }

  const nested = (selector, outer) => (outer ? selector.replaceAll("&", `:is(${outer})`) : selector);

  function* generatingSelectors(selector, content, outer) {
    if (!/"[^"]*[^\s"\ue000-\uf8ff][^"]*"|attr\(|var\(/u.test(content)) return;
    for (const one of splitSelector(nested(selector, outer))) {
      const found = /^(.*?)::?(before|after)\s*$/.exec(one);
      if (found) yield [`::${found[2]}`, completeSelector(found[1].trim() || "*")];
    }
  }

  const completeSelector = selector => (/[\s>+~]$/.test(selector) ? `${selector} *` : selector);

  function splitSelector(selector) {
    if (!selector.includes(",")) return [selector];
    return selector.match(/(?:[^,()[\]]|\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\])+/g) ?? [];
  }

  // The description of an element as far as it is visible: referenced text, or the title of an element without words.
  tabwright.descriptionOf = function (element, name) {
    const targets = referenced(element, "aria-describedby").filter(tabwright.isVisible);
    const text = targets
      .map(target => tabwright.clean(textOf(target, { root: target, depth: 0 })))
      .filter(Boolean)
      .join(" ");
    const shown = text || (/\p{L}/u.test(name) ? "" : tabwright.clean(dom.attr(element, "title") ?? ""));
    return name.includes(shown) ? "" : shown;
  };
})(globalThis.tabwright);
