// Reads the flat tree of a frame: roles, names and states of visible nodes; hidden text is only counted. The result is
// one string: facts as JSON, then one row per node with fields separated by tabs, which cleaned text never contains.
// Row: depth, role, ref, flags, name, then "key=value" for states. A row without a role is text.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const { CLICKABLE, INVISIBLE, OUTSIDE, EDITABLE, SCROLLS } = tabwright.FLAGS;
  const words = text => new Set(text.trim().split(/\s+/));
  const SKIPPED_TAGS = words(
    "script style template noscript head meta link title base datalist param source track wbr",
  );
  const ROLES_WITH_REF =
    words(`alertdialog application audio banner canvas complementary contentinfo dialog embed figure form grid heading
    iframe image listbox main menu menubar navigation object radiogroup region search table tablist toolbar tree treegrid video`);
  // Their content is part of them unless it can be acted on.
  const LEAF_ROLES =
    words(`checkbox color date datetime image inputtime math menuitemcheckbox menuitemradio meter option progressbar
    radio scrollbar separator slider spinbutton switch`);
  // Their content is not read.
  const WITHOUT_CONTENT = words("canvas iframe img input textarea");
  const REPLACED = words("input select textarea img iframe frame svg canvas video audio object embed meter progress");
  // Hidden text may be part of their name.
  const CONTROLS = tabwright.INTERACTIVE_ROLES;
  const KEPT_OUTSIDE = words("heading iframe");
  const HIDEABLE_INPUTS = words("checkbox radio file range color");
  // Named by their content, unless an attribute names them.
  const NAMED_BY_CONTENT = words("a b button div dt em h1 h2 h3 h4 h5 h6 li p span strong summary td th");
  const NAMING_ATTRIBUTES = "[aria-label],[aria-labelledby],[aria-owns],[title]";
  // Attributes that need a closer look at the element.
  const SPECIAL_ATTRIBUTES =
    "[aria-hidden],[inert],[aria-disabled],[aria-label],[aria-labelledby],[contenteditable],[tabindex],[onclick],[onmousedown]";
  const NEVER_CLICKABLE = words("html body label");
  const MAX_DEPTH = 900;
  const MAX_SUSPECTS = 200;
  const MAX_COVERS = 40;
  const MAX_NAME = 2000;

  tabwright.snapshot = function (options) {
    tabwright.clearCaches();
    const answer = read(options);
    tabwright.clearCaches(); // the caches of a large page are large
    return answer;
  };

  function read(options) {
    tabwright.stripped = 0;
    const root = options.root ? tabwright.nodeOf(options.root) : dom.root();
    if (!root) return JSON.stringify({ gone: true });
    if (!options.root) tabwright.walked = true;
    const walk = new Walk(root, options, new Set());
    walk.run();
    const covered = walk.covered();
    if (!covered.size) return walk.answer();
    // Rare: text behind an opaque box. Joined sentences cannot be split, so the page is read again without it.
    tabwright.stripped = 0;
    const again = new Walk(root, options, covered);
    again.run();
    return again.answer();
  }

  // What the tag alone says about an element.
  class TagFacts {
    constructor(tag) {
      this.tag = tag;
      this.skipped = SKIPPED_TAGS.has(tag);
      this.replaced = REPLACED.has(tag);
      this.withoutContent = WITHOUT_CONTENT.has(tag);
      this.simple = NAMED_BY_CONTENT.has(tag);
      this.mayBeClickable = !NEVER_CLICKABLE.has(tag);
      this.canHostShadow = tabwright.canHostShadow(tag);
      this.custom = tag.includes("-");
    }
  }

  const factsByTag = new Map();

  function factsOf(tag) {
    let kind = factsByTag.get(tag);
    if (kind === undefined) factsByTag.set(tag, (kind = new TagFacts(tag)));
    return kind;
  }

  // The position of the walk: depth of the rows (`depth`) and of the document (`treeDepth`), view, and context.
  class Place {
    constructor(outer, kind, depth, view, outside) {
      this.outer = outer;
      this.kind = kind;
      this.depth = depth;
      this.treeDepth = outer === null ? 0 : outer.treeDepth + 1;
      this.view = view;
      this.outside = outside;
      this.pointer = false;
      this.inControl = outer !== null && outer.inControl;
      // Wrappers share the buffer of the sentence.
      this.buffer = outer === null ? { text: "" } : outer.buffer;
      this.style = null;
      this.background = null;
      this.unread = null;
      this.box = null;
      this.behindBackground = outer !== null && outer.behindBackground;
      this.special = false;
      this.scrolls = false;
      this.contained = true;
      this.textTransform = null;
      this.off = outer !== null && outer.off;
    }
  }

  class Walk {
    constructor(root, { maxNodes = 200000, budgetMs = 1500 }, unseen) {
      this.root = root;
      this.unseen = unseen;
      this.texts = [];
      this.covers = [];
      this.most = maxNodes;
      this.deadline = performance.now() + budgetMs;
      this.rows = new tabwright.Rows();
      this.visited = 0;
      this.over = false;
      this.truncated = false;
      this.hidden = { nodes: 0, characters: 0 };
      this.faint = 0;
      this.clipped = 0;
      this.unusual = 0;
      this.suspects = tabwright.suspects = [];
      this.focused = tabwright.focusedElement();
      this.modal = [...dom.documentAll(":modal")].pop() ?? null;
    }

    run() {
      const parent = tabwright.parentOf(this.root);
      const view = parent ? tabwright.viewOf(parent) : tabwright.rootView();
      const place = new Place(this.surroundings(parent), null, 0, view, this.isOutside());
      this.element(this.root, place);
      this.rows.flushText(place); // an inline root leaves its text in the buffer
    }

    // The places of the root's ancestors, for the backgrounds behind it.
    surroundings(parent) {
      if (!parent) return null;
      const place = new Place(this.surroundings(tabwright.parentOf(parent)), null, 0, null, false);
      place.style = tabwright.styleOf(parent);
      place.treeDepth = -1;
      place.off ||= dom.attr(parent, "aria-disabled") === "true";
      return place;
    }

    covered() {
      if (!this.covers.length || this.truncated) return this.unseen;
      return tabwright.coveredTexts(this.texts, this.covers.slice(0, MAX_COVERS));
    }

    answer() {
      const rows = this.rows.toString();
      const { hidden, truncated } = this;
      const suspects = this.suspects.length;
      const title = tabwright.cut(tabwright.clean(document.title), 500);
      const facts = {
        hidden,
        stripped: tabwright.stripped,
        truncated,
        suspects,
        url: document.URL,
        title,
      };
      return `${JSON.stringify(facts)}\n${rows}`;
    }

    isOutside() {
      return (
        (this.modal !== null && !this.within(this.modal)) ||
        dom.closest(this.root, "[aria-hidden=true],[inert]") !== null
      );
    }

    within(ancestor) {
      for (let at = this.root; at; at = tabwright.parentOf(at)) if (at === ancestor) return true;
      return false;
    }

    // False if a limit is reached, or this branch is too deep for the stack.
    canContinue(treeDepth) {
      if (this.over) return false;
      this.visited++;
      const late = (this.visited & 127) === 0 && performance.now() > this.deadline;
      this.over = late || this.rows.length >= this.most;
      this.truncated ||= this.over || treeDepth > MAX_DEPTH;
      return !this.over && treeDepth <= MAX_DEPTH;
    }

    element(element, place) {
      const kind = factsOf(dom.tag(element));
      if (kind.skipped || !this.canContinue(place.treeDepth)) return this.noteUnusual(kind.tag);
      if (kind.tag === "br") return addText(" ", place);
      const style = tabwright.readStyle(element);
      const display = style.display;
      if (display === "none") return this.countHiddenNode(element);
      const inner = this.enter(element, kind, style, display, place);
      const before = this.rows.length;
      const separated = inner.outside !== place.outside;
      const block = display === "block" || isBlock(display);
      if (block) this.rows.startBox(place);
      else if (separated) this.rows.flushText(place);
      else if (display !== "inline") addText(" ", place);
      this.node(element, style, inner, place);
      if (kind.canHostShadow && (kind.custom || (this.rows.length === before && !place.buffer.text)))
        this.suspect(element, inner);
      if (separated) this.rows.flushText(inner);
      if (block) this.rows.startBox(place);
      else if (display !== "inline") addText(" ", place);
    }

    // A possible line break makes the name differ from the visible text.
    noteUnusual(tag) {
      if (tag === "wbr") this.unusual++;
    }

    enter(element, kind, style, display, place) {
      // An inline box neither clips nor scrolls its content.
      const contained = (display !== "inline" && display !== "contents") || kind.replaced;
      const position = style.position;
      const overflow = contained ? style.overflow : "visible";
      const view = tabwright.childView(
        element,
        style,
        place.view,
        position,
        kind.withoutContent ? "visible" : overflow,
      );
      const inner = new Place(place, kind, place.depth, view, place.outside);
      inner.style = style;
      inner.contained = contained;
      inner.special = dom.hasAny(element) && dom.matches(element, SPECIAL_ATTRIBUTES);
      if (inner.special) this.enterSpecial(element, inner);
      if (element === this.modal) inner.outside = false;
      inner.scrolls = overflow !== "visible" && scrolls(element, overflow);
      if (position !== "static") this.enterPositioned(element, style, inner, position);
      return inner;
    }

    enterPositioned(element, style, inner, position) {
      inner.behindBackground ||= tabwright.isBehindBackground(element, style);
      if (tabwright.isCover(element, style, inner.view, position)) this.covers.push(element);
    }

    enterSpecial(element, inner) {
      inner.outside ||= tabwright.isAriaHidden(element) || dom.has(element, "inert");
      inner.off ||= dom.attr(element, "aria-disabled") === "true";
      if (dom.matches(element, "[aria-label],[aria-labelledby]")) this.unusual++;
    }

    // An element becomes a node, or is only a wrapper of its children.
    node(element, style, inner, place) {
      let role = tabwright.roleOf(element);
      let flags = this.flagsOf(element, style, role, place, inner);
      if (needsBox(inner.kind, role) && !tabwright.isBoxVisible(element, style, inner.view, place.view)) {
        if (!isBehindStyledControl(element)) return this.children(element, style, inner);
        flags |= INVISIBLE;
      }
      if (role === "none" || (inner.outside && !(flags & (CLICKABLE | EDITABLE)) && !KEPT_OUTSIDE.has(role))) role = "";
      if (role === "" && !(flags & (CLICKABLE | EDITABLE | SCROLLS))) this.children(element, style, inner);
      else this.emit(element, style, role || "generic", flags, inner, place);
    }

    flagsOf(element, style, role, place, inner) {
      let flags = (inner.outside ? OUTSIDE : 0) | (inner.scrolls ? SCROLLS : 0);
      if (CONTROLS.has(role) && role !== "gridcell") flags |= CLICKABLE;
      else if (inner.special && hasClickHandler(element)) flags |= CLICKABLE;
      else if (!place.inControl && this.startsPointerCursor(style, place, inner)) flags |= CLICKABLE;
      if (inner.special && tabwright.isEditingHost(element)) flags |= EDITABLE | CLICKABLE;
      if (flags & CLICKABLE) inner.inControl = true;
      return flags;
    }

    // Whether the pointer cursor starts at this element. Not asked inside controls.
    startsPointerCursor(style, place, inner) {
      inner.pointer = style.cursor === "pointer" && style.pointerEvents !== "none";
      return inner.pointer && !place.pointer && inner.kind.mayBeClickable;
    }

    emit(element, style, role, flags, inner, place) {
      this.rows.flushText(place);
      const at = this.rows.length;
      const row = this.rows.node(place.depth, role, flags, this.needsRef(element, role, flags) ? element : null);
      const before = { clipped: this.clipped, faint: this.faint, unusual: this.unusual };
      inner.depth = place.depth + 1;
      inner.buffer = { text: "" };
      this.content(element, style, role, inner);
      this.rows.flushText(inner);
      if (
        this.rows.length === at + 1 &&
        !needsBox(inner.kind, role) &&
        !tabwright.isBoxVisible(element, style, inner.view, place.view)
      ) {
        return void this.rows.list.pop();
      }
      row.name = tabwright.cut(this.nameFor(element, inner.kind, row, at, before), MAX_NAME);
      if (role === "generic" || tabwright.namesFromContent(element, role)) this.rows.dropNamedText(at);
      row.states = tabwright.statesOf(element, role, row.name, inner.off, element === this.focused);
    }

    needsRef(element, role, flags) {
      if (flags & (CLICKABLE | EDITABLE | SCROLLS)) return true;
      if (role === "image") return tabwright.nameOf(element).text !== "";
      return ROLES_WITH_REF.has(role);
    }

    content(element, style, role, inner) {
      if (role === "iframe") return;
      const { tag } = inner.kind;
      if (tag === "input" || tag === "textarea") return;
      if (tag === "select" && role === "combobox")
        return element === this.root ? this.options(element, inner) : undefined;
      this.children(element, style, inner);
    }

    // The options of a closed select are not on the page; they are listed when the select is the root.
    options(select, place) {
      for (const option of select.options) {
        const row = this.rows.node(place.depth, "option", CLICKABLE, option);
        row.name = tabwright.nameOf(option).text;
        row.states = tabwright.statesOf(option, "option", row.name, false, false);
      }
    }

    children(element, style, inner) {
      if (inner.contained && style.contentVisibility === "hidden") return this.countHiddenChildren(element);
      const { tag, canHostShadow } = inner.kind;
      const isGenerated = tag === "q" || tabwright.hasGeneratedText(element);
      if (isGenerated) this.generated(element, "::before", style, inner);
      const assigned = tag === "slot" ? tabwright.assignedNodesOf(element) : null;
      if (assigned !== null) for (const child of assigned) this.child(child, element, style, inner);
      else if (tag === "details" && isClosed(element)) this.closedChildren(element, style, inner);
      else this.ownChildren(canHostShadow ? tabwright.contentRootOf(element) : element, element, style, inner);
      if (isGenerated) this.generated(element, "::after", style, inner);
    }

    ownChildren(holder, element, style, inner) {
      for (let at = dom.firstChild(holder); at !== null && !this.over; at = dom.nextSibling(at))
        this.child(at, element, style, inner);
    }

    closedChildren(details, style, inner) {
      for (let at = dom.firstChild(details); at !== null && !this.over; at = dom.nextSibling(at)) {
        if (dom.type(at) === 1 && tabwright.roleOf(at) === "summary") this.element(at, inner);
        else this.countHiddenNode(at);
      }
    }

    child(node, parent, style, place) {
      const type = dom.type(node);
      if (type === 3) this.text(node, parent, style, place);
      else if (type === 1) this.element(node, place);
    }

    text(node, parent, style, place) {
      const data = dom.text(node);
      if (!/\S/.test(data)) return data === "" ? undefined : addText(" ", place);
      const reason = tabwright.textHiddenReason(node, parent, style, place);
      if (reason || this.unseen.has(node)) return this.countHidden(data, reason || "faint");
      this.texts.push({ node, parent, box: place.box });
      if (place.kind.tag === "rt") this.unusual++;
      place.textTransform ??= style.textTransform;
      addText(tabwright.squeeze(tabwright.transformText(data, place.textTransform)), place);
    }

    generated(element, pseudo, style, place) {
      const text = tabwright.generatedText(element, pseudo);
      if (text === "") return;
      this.unusual++;
      if (style.visibility !== "visible" || place.view.opacity < 0.1 || place.view.flow.nowhere)
        this.countHidden(text, "clipped");
      else addText(tabwright.squeeze(text), place);
    }

    countHidden(text, reason) {
      this.hidden.nodes++;
      this.hidden.characters += text.trim().length;
      if (reason === "faint") this.faint++;
      if (reason === "clipped") this.clipped++;
    }

    countHiddenNode(node) {
      const type = dom.type(node);
      if (type !== 3 && type !== 1) return;
      const text = type === 3 ? dom.text(node) : hiddenText(node);
      if (/\S/.test(text)) this.countHidden(text.replace(/\s+/g, " "), "absent");
    }

    countHiddenChildren(element) {
      for (const child of tabwright.childrenOf(element)) this.countHiddenNode(child);
    }

    // A name must fit the visible text: an aria-label without any of the visible words, or unreadable text, does not
    // replace what is visible.
    nameFor(element, kind, row, at, before) {
      const { role, flags } = row;
      if (role === "generic")
        return flags & CLICKABLE && this.rows.hasOnlyText(at) ? tabwright.cut(this.rows.textInside(at), 200) : "";
      const byContent = tabwright.namesFromContent(element, role);
      if (byContent && role !== "row" && this.isNamedByText(element, kind, at, before)) return this.rows.textInside(at);
      row.unusual = true;
      const name = tabwright.nameOf(element);
      if (name.text === "" || name.from === "label") return name.text;
      if (role === "image") return hasBrokenImage(element) ? this.hideName(name.text, "") : name.text;
      const lost = this.faint > before.faint || (!CONTROLS.has(role) && this.clipped > before.clipped);
      if (name.from === "content") return (lost && this.rows.textInside(at)) || name.text;
      if (name.from !== "aria" || role === "math" || !byContent) return name.text;
      const shown = this.rows.textInside(at);
      return shown === "" || tabwright.matchesVisibleText(name.text, shown)
        ? name.text
        : this.hideName(name.text, shown);
    }

    // Whether the name is just the visible text inside, which is already known.
    isNamedByText(element, kind, at, before) {
      if (this.clipped > before.clipped || this.faint > before.faint || this.unusual > before.unusual) return false;
      if (
        this.rows.length === at + 1 ||
        !kind.simple ||
        (dom.hasAny(element) && dom.matches(element, NAMING_ATTRIBUTES))
      )
        return false;
      return this.rows.isPlain(at);
    }

    hideName(name, shown) {
      this.countHidden(name, "absent");
      return shown;
    }

    // Custom elements, and boxes without visible content, may have a closed shadow root, which only Python can find.
    suspect(element, place) {
      if (this.suspects.length >= MAX_SUSPECTS || place.view.flow.nowhere) return;
      if (tabwright.shadowRootOf(element) || dom.rect(element).height === 0 || tabwright.wasExamined(element)) return;
      this.suspects.push(element);
    }
  }

  tabwright.Walk = Walk;

  function addText(text, place) {
    const buffer = place.buffer;
    buffer.text += text.startsWith(" ") && buffer.text.endsWith(" ") ? text.trimStart() : text;
  }

  const isBlock = display => !display.startsWith("inline") && display !== "contents" && !display.startsWith("ruby");

  // Replaced elements and leaves need a visible box; a wrapper without a size may have visible content.
  const needsBox = (kind, role) => kind.replaced || LEAF_ROLES.has(role);

  const isClosed = element => element instanceof HTMLDetailsElement && !element.open;

  // Whether a tab stop or an inline handler shows that a script handles clicks.
  function hasClickHandler(element) {
    if (NEVER_CLICKABLE.has(dom.tag(element)) && dom.tag(element) !== "label") return false;
    if (dom.has(element, "onclick") || dom.has(element, "onmousedown")) return true;
    return parseInt(dom.attr(element, "tabindex"), 10) >= 0 && dom.tag(element) !== "iframe";
  }

  function scrolls(element, overflow) {
    if (!overflow.includes("auto") && !overflow.includes("scroll")) return false;
    if (element === dom.body() || element === dom.root()) return false;
    return (
      dom.scrollHeight(element) > dom.clientHeight(element) + 8 ||
      dom.scrollWidth(element) > dom.clientWidth(element) + 8
    );
  }

  // A native control behind a styled one: its label is visible, or it is transparent on top of the styled one.
  function isBehindStyledControl(element) {
    if (dom.tag(element) !== "input" || !HIDEABLE_INPUTS.has(tabwright.inputType(element))) return false;
    if (tabwright.styleOf(element).visibility !== "visible") return false;
    const box = dom.rect(element);
    if (box.width >= 8 && box.height >= 8 && box.right > -scrollX && box.bottom > -scrollY) return true;
    return tabwright.labelsOf(element).some(label => tabwright.isRendered(label) && dom.rect(label).width > 1);
  }

  // A data: address without an image: its alternative text is not on the page.
  const hasBrokenImage = (tabwright.hasBrokenImage = element =>
    element instanceof HTMLImageElement &&
    element.complete &&
    element.naturalWidth === 0 &&
    /^data:/i.test(element.currentSrc));

  function hiddenText(element) {
    if (SKIPPED_TAGS.has(dom.tag(element))) return "";
    if (!dom.first(element, "script,style,template,noscript")) return dom.textContent(element);
    let text = "";
    for (let at = dom.firstChild(element); at; at = dom.nextSibling(at)) {
      if (dom.type(at) === 3) text += dom.text(at);
      else if (dom.type(at) === 1) text += hiddenText(at);
    }
    return text;
  }
})(globalThis.tabwright);
