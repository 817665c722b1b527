// The accessible name and description of an element: labels, aria attributes, native text and content, in the order of
// the accname specification and with the spacing that Chrome uses.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const words = text => new Set(text.trim().split(/\s+/));
  const FROM_CONTENT = words(`button cell checkbox columnheader comment gridcell heading link menuitem menuitemcheckbox
    menuitemradio option radio rowheader summary switch tab term tooltip treeitem`);
  const NO_NAME = words(`"" none caption code definition deletion emphasis insertion paragraph strong subscript superscript mark time
    label legend figcaption ruby suggestion`);
  const UNREAD = words("script style template noscript head meta link title base datalist");
  const DEEPEST = 400;
  const VALUE_ROLES = words("textbox searchbox combobox listbox slider spinbutton");

  let names, generatedBy;
  tabwright.onForget(() => {
    names = new Map();
    generatedBy = new Map();
  });
  tabwright.forget();

  tabwright.namesFromContent = (element, role) =>
    FROM_CONTENT.has(role) || (role === "row" && tabwright.isFocusable(element));

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
    if (NO_NAME.has(role) || role === "") return { text: "", from: "" };
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

  // What a label's id points to counts even when it is hidden.
  function referencedText(target) {
    return textOf(target, { root: target, hidden: !tabwright.isRendered(target) || isHidden(target), labelling: true, depth: 0 });
  }

  function referenced(element, attribute) {
    const ids = dom.attr(element, attribute);
    if (!ids) return [];
    const root = dom.ownerRoot(element);
    return ids.split(/\s+/).map(id => (id ? dom.byId(root, id) : null)).filter(Boolean);
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
    svg: svgText, a: svgText, g: svgText, path: svgText, rect: svgText, circle: svgText, image: svgText,
  };

  const BUTTON_TEXT = { submit: "Submit", reset: "Reset", image: "Submit" };

  function inputText(element) {
    const type = tabwright.inputType(element);
    if (type === "submit" || type === "reset" || type === "button") {
      return labelText(element) || (dom.has(element, "value") ? element.value : BUTTON_TEXT[type] ?? "");
    }
    if (type === "image") return labelText(element) || dom.attr(element, "alt") || element.value || dom.attr(element, "title") || BUTTON_TEXT.image;
    if (type === "file") return labelText(element) || (element.multiple ? "Choose Files" : "Choose File");
    return null;
  }

  function svgText(element) {
    if (dom.namespace(element) !== "http://www.w3.org/2000/svg") return null;
    for (let at = dom.firstElement(element); at; at = dom.nextElement(at)) if (dom.tag(at) === "title") return dom.textContent(at);
    return dom.attr(element, "xlink:title");
  }

  function childText(element, tag) {
    for (let at = dom.firstElement(element); at; at = dom.nextElement(at)) {
      if (dom.tag(at) === tag) return textOf(at, { root: at, depth: 0 });
    }
    return null;
  }

  const labelsOf = {
    get: ["HTMLInputElement", "HTMLButtonElement", "HTMLSelectElement", "HTMLTextAreaElement", "HTMLMeterElement", "HTMLProgressElement", "HTMLOutputElement"]
      .map(name => [globalThis[name], Object.getOwnPropertyDescriptor(globalThis[name].prototype, "labels").get]),
  };

  tabwright.labelsOf = function (element) {
    for (const [kind, read] of labelsOf.get) if (element instanceof kind) return [...(read.call(element) ?? [])];
    return [];
  };

  function labelText(element) {
    const parts = tabwright.labelsOf(element).map(label => textOf(label, { root: label, control: element, labelling: true, depth: 0 }).trim());
    return parts.filter(Boolean).join(" ");
  }

  function byContent(element, role) {
    if (!tabwright.namesFromContent(element, role)) return null;
    const text = contentOf(element, { root: element, depth: 0 });
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

  // The text that an element gives to the name of another (or of itself when it is the root).
  function textOf(element, quest) {
    if (quest.depth > DEEPEST || UNREAD.has(dom.tag(element))) return "";
    const isRoot = element === quest.root;
    if (!isRoot && !quest.hidden && leftOut(element)) return "";
    const role = tabwright.roleOf(element);
    if (!isRoot || quest.labelling) {
      const given = ownText(element, role, quest, isRoot);
      if (given !== null) return given;
    }
    const content = contentOf(element, quest);
    if (content.trim() || isRoot) return content || (isRoot ? dom.attr(element, "title") ?? "" : "");
    return dom.attr(element, "title") ?? content;
  }

  const leftOut = element => isHidden(element) || tabwright.styleOf(element).display === "none" || isClosed(element);

  const isClosed = element => {
    const parent = dom.parentNode(element);
    return parent instanceof HTMLDetailsElement && !parent.open && dom.tag(element) !== "summary";
  };

  // Text that stands for the whole element: a label, an alternative, the value of a control inside a label.
  function ownText(element, role, quest, isRoot) {
    if (!isRoot || quest.labelling) {
      const label = dom.attr(element, "aria-label");
      if (!isRoot) {
        const labelled = quest.labelling ? "" : byLabelledBy(element);
        if (labelled) return labelled;
      }
      if (VALUE_ROLES.has(role) && !isRoot) return element === quest.control ? "" : valueText(element, role);
      if (label?.trim()) return label;
    }
    if (element === quest.control) return "";
    const native = (NATIVE[dom.tag(element)] ?? (() => null))(element, role);
    if (native?.trim()) return native;
    if (!isRoot && tabwright.labelsOf(element).length && !quest.labelling) return labelText(element);
    return null;
  }

  function valueText(element, role) {
    if (element instanceof HTMLSelectElement) {
      return [...element.selectedOptions].map(option => dom.attr(option, "label") || dom.textContent(option)).join(" ");
    }
    if (element instanceof HTMLInputElement) return element.type === "password" ? "" : element.value;
    if (element instanceof HTMLTextAreaElement) return element.value;
    if (role === "slider" || role === "spinbutton") return dom.attr(element, "aria-valuetext") ?? dom.attr(element, "aria-valuenow") ?? "";
    if (role === "listbox") return [...dom.all(element, "[role=option][aria-selected=true]")].map(option => dom.textContent(option)).join(" ");
    return dom.textContent(element);
  }

  // The text of all that is inside, with a space wherever one box ends and the next begins.
  function contentOf(element, quest) {
    const inner = { ...quest, depth: quest.depth + 1 };
    const pieces = new Pieces();
    pieces.add(generated(element, "::before"), false);
    for (const child of tabwright.childrenOf(element)) addChild(pieces, child, element, inner);
    for (const owned of referenced(element, "aria-owns")) if (owned !== quest.root) pieces.add(textOf(owned, inner), true);
    pieces.add(generated(element, "::after"), false);
    return pieces.text;
  }

  function addChild(pieces, child, parent, quest) {
    const type = dom.type(child);
    if (type === 3) pieces.add(tabwright.shownText(child, parent), false);
    else if (type === 1) {
      if (dom.tag(child) === "br") pieces.add(" ", false);
      else pieces.add(textOf(child, quest), standsApart(child));
    }
  }

  class Pieces {
    text = "";
    apart = false;
    add(piece, apart) {
      if (!piece) {
        this.apart ||= apart;
        return;
      }
      if ((apart || this.apart) && this.text && !/\s$/.test(this.text) && !/^\s/.test(piece)) this.text += " ";
      this.text += piece;
      this.apart = apart;
    }
  }

  // Whether text before or after an element is in another box.
  function standsApart(element) {
    if (dom.tag(element) === "img" || tabwright.labelsOf(element).length || dom.has(element, "aria-label")) return true;
    const display = tabwright.styleOf(element).display;
    return !(display.startsWith("inline") || display === "contents" || display.startsWith("ruby")) || display === "inline-table";
  }

  // Text as it is shown: in the case that the style gives it.
  tabwright.shownText = function (node, parent) {
    const text = dom.text(node);
    switch (tabwright.styleOf(parent).textTransform) {
      case "uppercase": return text.toUpperCase();
      case "lowercase": return text.toLowerCase();
      case "capitalize": return text.replace(/(^|[\s\p{P}])(\p{L})/gu, (whole, before, letter) => before + letter.toUpperCase());
      default: return text;
    }
  };

  // Words that the style sheet writes before or after an element.
  function generated(element, pseudo) {
    if (dom.tag(element) === "q") return pseudo === "::before" ? "“" : "”";
    if (!mayGenerate(element, pseudo)) return "";
    return generatedText(getComputedStyle(element, pseudo));
  }
  tabwright.generatedText = generated;

  function generatedText(style) {
    const content = style.content;
    if (content === "none" || content === "normal" || style.display === "none" || style.visibility !== "visible") return "";
    const [shown, alternative] = splitAlternative(content);
    const strings = (alternative ?? shown).match(/"(?:[^"\\]|\\.)*"/g) ?? [];
    return strings.map(string => string.slice(1, -1).replace(/\\(.)/g, "$1")).join("");
  }

  function splitAlternative(content) {
    const at = content.search(/"\s*\/\s*"|\)\s*\/\s*"/);
    return at < 0 ? [content, null] : [content.slice(0, at + 1), content.slice(content.indexOf("/", at) + 1)];
  }

  // Asking for the style of a pseudo-element costs a style computation (75 µs measured), so the rules are asked first
  // which elements could have one.
  function mayGenerate(element, pseudo) {
    const root = dom.ownerRoot(element);
    let candidates = generatedBy.get(root);
    if (!candidates) generatedBy.set(root, (candidates = candidatesIn(root)));
    return candidates[pseudo].has(element);
  }

  function candidatesIn(root) {
    const selectors = { "::before": new Set(), "::after": new Set() };
    for (const sheet of [...dom.sheets(root), ...dom.adopted(root)]) for (const [pseudo, selector] of rulesOf(sheet)) selectors[pseudo].add(selector);
    return { "::before": matching(root, selectors["::before"]), "::after": matching(root, selectors["::after"]) };
  }

  function matching(root, selectors) {
    const found = new Set();
    const find = (root instanceof ShadowRoot ? DocumentFragment : Document).prototype.querySelectorAll;
    for (const selector of selectors) {
      try {
        for (const element of find.call(root, selector)) found.add(element);
      } catch {} // a selector that means nothing outside its rule
    }
    return found;
  }

  const sheetRules = new WeakMap();

  function rulesOf(sheet) {
    let rules;
    try {
      rules = sheet.cssRules;
    } catch {
      return []; // a sheet of another origin keeps its rules to itself
    }
    const known = sheetRules.get(sheet);
    if (known && known.length === rules.length) return known.found;
    const found = [...generatingRules(rules, "")];
    sheetRules.set(sheet, { length: rules.length, found });
    return found;
  }

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
      if (found) yield [`::${found[2]}`, hostless(found[1].trim() || "*")];
    }
  }

  const hostless = selector => (/[\s>+~]$/.test(selector) ? `${selector} *` : selector);

  function splitSelector(selector) {
    if (!selector.includes(",")) return [selector];
    return selector.match(/(?:[^,()[\]]|\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\])+/g) ?? [];
  }

  // What describes an element beyond its name, as far as it is shown.
  tabwright.descriptionOf = function (element, name) {
    const described = referenced(element, "aria-describedby").filter(target => tabwright.isRendered(target));
    const text = described.map(target => tabwright.clean(textOf(target, { root: target, depth: 0 }))).filter(Boolean).join(" ");
    const title = name.from === "title" ? "" : dom.attr(element, "title") ?? "";
    const shown = text || tabwright.clean(title);
    return shown && !name.text.includes(shown) ? shown : "";
  };
})(globalThis.tabwright ??= {});
