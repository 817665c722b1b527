// The role of an element, as in Chrome's accessibility tree: the role attribute where it is valid, else the role that
// HTML implies by tag, attributes and position. "" means generic; "none" means presentational.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const words = text => new Set(text.trim().split(/\s+/));
  const SVG = "http://www.w3.org/2000/svg";
  const MATHML = "http://www.w3.org/1998/Math/MathML";

  const KNOWN =
    words(`alert alertdialog application article banner blockquote button caption cell checkbox code columnheader
    combobox complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid
    gridcell group heading image img insertion link list listbox listitem log main mark marquee math menu menubar menuitem
    menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup
    region row rowgroup rowheader scrollbar search searchbox sectionfooter sectionheader separator slider spinbutton status
    strong subscript suggestion comment superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip
    tree treegrid treeitem graphics-document graphics-object graphics-symbol`);
  const SYNONYMS = {
    img: "image",
    presentation: "none",
    generic: "",
    directory: "list",
    "graphics-document": "graphics-document",
  };

  // biome-ignore format: a table of one-word pairs
  const BY_TAG = {
    article: "article", blockquote: "blockquote", button: "button", caption: "caption", code: "code", dd: "definition",
    del: "deletion", s: "deletion", details: "group", dfn: "term", dialog: "dialog", dl: "descriptionlist", dt: "term",
    em: "emphasis", fieldset: "group", figure: "figure", form: "form", h1: "heading", h2: "heading", h3: "heading",
    h4: "heading", h5: "heading", h6: "heading", hgroup: "group", hr: "separator", ins: "insertion", main: "main",
    mark: "mark", menu: "list", meter: "meter", nav: "navigation", ol: "list", optgroup: "group", option: "option",
    output: "status", p: "paragraph", progress: "progressbar", search: "search", strong: "strong", sub: "subscript",
    summary: "summary", sup: "superscript", textarea: "textbox", time: "time", ul: "list", address: "group", label: "label",
    legend: "legend", figcaption: "figcaption", canvas: "canvas", video: "video", audio: "audio", iframe: "iframe",
    frame: "iframe", object: "object", embed: "embed", abbr: "abbr", ruby: "ruby", math: "math",
  };
  // biome-ignore format: a table of one-word pairs
  const BY_INPUT_TYPE = {
    button: "button", submit: "button", reset: "button", image: "button", file: "button", checkbox: "checkbox",
    radio: "radio", range: "slider", number: "spinbutton", color: "color", date: "date", time: "inputtime",
    "datetime-local": "datetime", month: "datetime", week: "datetime", search: "searchbox",
  };
  const SECTIONING =
    "article,aside,main,nav,section,[role=article],[role=complementary],[role=main],[role=navigation],[role=region]";
  const GLOBAL_ARIA = [
    ...words(`aria-atomic aria-busy aria-controls aria-current aria-describedby aria-description aria-details aria-dropeffect
    aria-flowto aria-grabbed aria-keyshortcuts aria-label aria-labelledby aria-live aria-owns aria-relevant
    aria-roledescription`),
  ];
  // Roles that are valid only inside one of these roles.
  const NEEDS_OWNER = {
    listitem: words("list group"),
    option: words("listbox group combobox"),
    treeitem: words("tree group treeitem"),
  };
  const WIDGET_LISTS = words("listbox menu menubar radiogroup tablist tree");
  const PARTS = words("listitem row rowgroup cell gridcell columnheader rowheader");

  tabwright.INTERACTIVE_ROLES = words(`button checkbox color combobox date datetime gridcell inputtime link
    listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar searchbox slider spinbutton summary switch tab
    textbox treeitem`);

  let roles, dataTables, knownParent, knownPart, knownNone;
  tabwright.onClearCaches(() => {
    knownParent = null;
    roles = new Map();
    dataTables = new Map();
  });
  tabwright.clearCaches();

  tabwright.roleOf = function (element) {
    let role = roles.get(element);
    if (role === undefined) {
      roles.set(element, (role = computeRole(element)));
    }
    return role;
  };

  // Whether the keyboard can focus it.
  tabwright.isFocusable = function (element) {
    if (dom.has(element, "tabindex"))
      return !Number.isNaN(parseInt(dom.attr(element, "tabindex"), 10)) && !isDisabled(element);
    const tag = dom.tag(element);
    if (tag === "a" || tag === "area") return dom.has(element, "href");
    if (tag === "input") return inputType(element) !== "hidden" && !isDisabled(element);
    if (tag === "button" || tag === "select" || tag === "textarea") return !isDisabled(element);
    if (tag === "summary") return isSummary(element);
    if (tag === "iframe") return true;
    return isEditingHost(element);
  };

  const isEditingHost = (tabwright.isEditingHost = element => {
    const value = dom.attr(element, "contenteditable");
    return value !== null && value.toLowerCase() !== "false" && element instanceof HTMLElement;
  });

  const isDisabled = (tabwright.isDisabled = element => dom.matches(element, ":disabled"));

  const inputType = (tabwright.inputType = element => (dom.attr(element, "type") ?? "text").trim().toLowerCase());

  // The first summary of a details element opens it; any other is plain text.
  const isSummary = element => {
    const parent = dom.parentNode(element);
    if (!(parent instanceof HTMLDetailsElement)) return false;
    for (let at = dom.firstElement(parent); at; at = dom.nextElement(at))
      if (dom.tag(at) === "summary") return at === element;
    return false;
  };

  function computeRole(element) {
    const explicit = explicitRole(element);
    if (explicit === "none") return conflicts(element) ? implicitRole(element) : "none";
    const role = explicit ?? implicitRole(element);
    if (explicit === null && inheritsNone(element, role)) return "none";
    return requireOwner(element, role, explicit !== null);
  }

  function explicitRole(element) {
    const attribute = dom.attr(element, "role");
    if (attribute === null) return null;
    for (const token of attribute.toLowerCase().split(/\s+/)) {
      if (!KNOWN.has(token)) continue;
      // A region or form without a name has no role.
      if ((token === "region" || token === "form") && !hasAuthorName(element)) continue;
      return SYNONYMS[token] ?? token;
    }
    return null;
  }

  // role=none is ignored on focusable elements and on elements with global aria attributes.
  const conflicts = element => tabwright.isFocusable(element) || GLOBAL_ARIA.some(name => dom.has(element, name));

  // If a list or table has role=none, its parts have no role either.
  function inheritsNone(element, role) {
    if (!PARTS.has(role)) return false;
    const parent = dom.parentNode(element);
    // Most parts have the same parent as the part before.
    if (parent === knownParent && role === knownPart) return knownNone;
    const whole = tableOrList(element);
    knownParent = parent;
    knownPart = role;
    return (knownNone = whole !== null && /^\s*(none|presentation)\b/i.test(dom.attr(whole, "role") ?? ""));
  }

  const tableOrList = element => dom.closest(element, dom.tag(element) === "li" ? "ul,ol,menu" : "table");

  // An explicit role such as listitem is invalid outside a list; native elements keep their role.
  function requireOwner(element, role, explicit) {
    const owners = NEEDS_OWNER[role];
    if (!explicit || !owners || owners.has(ownerRole(element))) return role;
    return "";
  }

  function ownerRole(element) {
    let parent = tabwright.ariaOwnerOf(element) ?? tabwright.parentOf(element);
    while (parent && ["", "none"].includes(tabwright.roleOf(parent))) parent = tabwright.parentOf(parent);
    return parent ? tabwright.roleOf(parent) : "";
  }

  function implicitRole(element) {
    const space = dom.namespace(element);
    if (space === SVG) return svgRole(element);
    if (space === MATHML) return dom.tag(element) === "math" ? "math" : "";
    const tag = dom.tag(element);
    const special = SPECIAL[tag];
    if (special) return special(element);
    const role = BY_TAG[tag];
    if (role) return role;
    const internal = tag.includes("-") ? tabwright.internalRole(element).toLowerCase() : "";
    if (KNOWN.has(internal)) return SYNONYMS[internal] ?? internal;
    if (!dom.hasAny(element)) return "";
    if (!dom.matches(element, MORE_THAN_GENERIC)) return "";
    if (isEditingHost(element)) return "textbox";
    const drag = dom.attr(element, "draggable");
    return dom.matches(element, "[popover],[autofocus]") || (drag !== null && drag !== "false") ? "group" : "";
  }

  // A box with one of these may be more than generic; one call is faster than one for each.
  const MORE_THAN_GENERIC = "[contenteditable],[popover],[autofocus],[draggable]";

  const SPECIAL = {
    // Without an address it is a link if a script handles clicks; the pointer cursor shows it.
    a: element =>
      dom.has(element, "href") || dom.has(element, "onclick") || tabwright.styleOf(element).cursor === "pointer"
        ? "link"
        : "",
    p: element => {
      const { display } = tabwright.styleOf(element);
      return display !== "block" && /^(flex|grid|inline|contents|table)/.test(display) ? "" : "paragraph";
    },
    area: element => (dom.has(element, "href") ? "link" : ""),
    abbr: element => (dom.attr(element, "title") ? "abbr" : ""),
    img: imageRole,
    label: element => (isOneWithControl(element) ? "" : "label"),
    input: inputRole,
    select: element => (isListbox(element) ? "listbox" : "combobox"),
    header: element => (inSection(element) ? "sectionheader" : "banner"),
    footer: element => (inSection(element) ? "sectionfooter" : "contentinfo"),
    section: element => (hasAuthorName(element) ? "region" : ""),
    aside: element => (hasAuthorName(element) || !inSubsection(element) ? "complementary" : ""),
    li: element => (isInOtherWidget(element) ? "" : "listitem"),
    summary: element => (isSummary(element) ? "summary" : ""),
    table: element => (isDataTable(element) ? "table" : ""),
    thead: tablePart("rowgroup"),
    tfoot: tablePart("rowgroup"),
    tr: tablePart("row"),
    td: element => cellRole(element, "cell"),
    th: element => cellRole(element, headerRole(element)),
    object: element => (dom.has(element, "data") || dom.has(element, "usemap") ? "object" : ""),
  };

  // The items of a list that has the role of a widget, such as listbox, are only boxes around its options.
  const isInOtherWidget = item => {
    const list = dom.parentNode(item);
    const role = list instanceof Element && dom.has(list, "role") ? dom.attr(list, "role").trim().toLowerCase() : "";
    return WIDGET_LISTS.has(role) && dom.first(item, "[role]") !== null;
  };

  const hasAuthorName = element =>
    Boolean(
      (dom.attr(element, "aria-label") ?? "").trim() ||
        hasTarget(element, "aria-labelledby") ||
        (dom.attr(element, "title") ?? "").trim(),
    );

  const hasTarget = (element, name) =>
    (dom.attr(element, name) ?? "").split(/\s+/).some(id => id && dom.byId(dom.ownerRoot(element), id));

  function imageRole(element) {
    const alt = dom.attr(element, "alt");
    if (
      alt === "" &&
      !(dom.attr(element, "aria-label") ?? "").trim() &&
      !hasTarget(element, "aria-labelledby") &&
      !dom.attr(element, "title") &&
      !tabwright.isFocusable(element)
    ) {
      return "none";
    }
    return "image";
  }

  // A checkbox and a label with only text are one control.
  function isOneWithControl(label) {
    const control = label.control;
    if (!/^(checkbox|radio)$/.test(control?.type)) return false;
    for (let at = dom.firstElement(label); at; at = dom.nextElement(at)) if (at !== control) return false;
    return true;
  }

  function inputRole(element) {
    const type = inputType(element);
    const role = BY_INPUT_TYPE[type] ?? "textbox";
    if ((role === "textbox" || role === "searchbox") && type !== "password" && element.list) return "combobox";
    if (role === "checkbox" && dom.has(element, "switch") && "switch" in HTMLInputElement.prototype) return "switch";
    return role;
  }

  const isListbox = element => dom.has(element, "multiple") || parseInt(dom.attr(element, "size"), 10) > 1;

  const inSubsection = element => {
    const parent = dom.parentNode(element);
    return parent instanceof Element && dom.closest(parent, "article,aside,nav,section") !== null;
  };

  const inSection = element => {
    const parent = dom.parentNode(element);
    return parent instanceof Element && dom.closest(parent, SECTIONING) !== null;
  };

  function svgRole(element) {
    const tag = dom.tag(element);
    if (tag === "a") return dom.has(element, "href") || dom.has(element, "xlink:href") ? "link" : "";
    if (tag === "svg") return drawingRole(element);
    if (tag === "image") return "image";
    return hasAuthorName(element) || hasTitleChild(element) ? (tag === "g" ? "group" : "image") : "";
  }

  // An svg is one image unless parts of it can be read or used separately.
  function drawingRole(element) {
    if (dom.first(element, "text,a,foreignObject,[role],[tabindex],[aria-label],:scope > * title")) return "svg";
    return dom.firstElement(element) || hasAuthorName(element) ? "image" : "";
  }

  const hasTitleChild = element => {
    for (let at = dom.firstElement(element); at; at = dom.nextElement(at)) if (dom.tag(at) === "title") return true;
    return false;
  };

  function tablePart(role) {
    return element => {
      const table = dom.closest(element, "table");
      return table && isTableRole(tabwright.roleOf(table)) ? role : "";
    };
  }

  const isTableRole = role => role === "table" || role === "grid" || role === "treegrid";

  function cellRole(element, role) {
    const table = dom.closest(element, "table");
    const owner = table ? tabwright.roleOf(table) : "";
    if (!isTableRole(owner)) return "";
    return role === "cell" && owner !== "table" ? "gridcell" : role;
  }

  function headerRole(element) {
    const scope = (dom.attr(element, "scope") ?? "").toLowerCase();
    if (scope === "row" || scope === "rowgroup") return "rowheader";
    if (scope === "col" || scope === "colgroup") return "columnheader";
    const row = dom.parentNode(element);
    const inHead = row && dom.parentNode(row) instanceof Element && dom.tag(dom.parentNode(row)) === "thead";
    return inHead || !rowHasData(row) ? "columnheader" : "rowheader";
  }

  function rowHasData(row) {
    if (!(row instanceof Element)) return false;
    for (let at = dom.firstElement(row); at; at = dom.nextElement(at)) if (dom.tag(at) === "td") return true;
    return false;
  }

  // A layout table has no roles. Chrome guesses which tables are data; this uses the same criteria.
  function isDataTable(table) {
    let known = dataTables.get(table);
    if (known === undefined) dataTables.set(table, (known = guessDataTable(table)));
    return known;
  }

  function guessDataTable(table) {
    if (isEditingHost(table)) return true;
    if (["summary", "rules"].some(name => dom.attr(table, name))) return true;
    if (dom.first(table, ":scope > caption, :scope > thead, :scope > tfoot, :scope > colgroup, :scope > col"))
      return true;
    const rows = [...table.rows];
    const cells = rows.slice(0, 20).flatMap(row => [...row.cells]);
    if (cells.some(cell => dom.tag(cell) === "th" || ["headers", "abbr", "scope"].some(name => dom.has(cell, name))))
      return true;
    if (cells.length <= 1) return false;
    if (parseInt(dom.attr(table, "border"), 10) > 0) return true;
    return looksLikeData(table, rows, cells);
  }

  function looksLikeData(table, rows, cells) {
    const style = tabwright.styleOf(table);
    if (rows.length >= 20 && rows[0].cells.length > 1) return true;
    const bordered = cells.filter(cell => hasBorders(tabwright.styleOf(cell))).length;
    if (bordered >= cells.length / 2) return true;
    const painted = cells.filter(cell => differs(tabwright.styleOf(cell), style)).length;
    if (painted >= cells.length / 2) return true;
    return rows.length > 1 && zebra(rows);
  }

  const hasBorders = style => {
    const sides = ["Top", "Bottom", "Left", "Right"].filter(side => parseFloat(style[`border${side}Width`]) > 0).length;
    return sides > 0;
  };

  const differs = (cell, table) =>
    cell.backgroundColor !== "rgba(0, 0, 0, 0)" && cell.backgroundColor !== table.backgroundColor;

  function zebra(rows) {
    if (rows.length < 4) return false;
    const shade = row => tabwright.styleOf(row).backgroundColor;
    const [even, odd] = [shade(rows[2]), shade(rows[1])];
    return even !== odd && rows.slice(1, 5).every((row, index) => shade(row) === (index % 2 ? even : odd));
  }
})(globalThis.tabwright);
