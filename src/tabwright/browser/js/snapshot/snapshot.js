// Reads the flat tree of a frame: roles, names and states of visible nodes; hidden text is only counted. The result is
// one string: facts as JSON, then one row per node with fields separated by tabs, which cleaned text never contains.
// Row: depth, role, ref, flags, name, then "key=value" for states. A row without a role is text.
"use strict";
(tabwright => {
  const { dom, Place } = tabwright;
  const { CLICKABLE, INVISIBLE, OUTSIDE, EDITABLE, SCROLLS } = tabwright.FLAGS;
  const USES = CLICKABLE | EDITABLE | SCROLLS;
  const words = text => new Set(text.trim().split(/\s+/));
  const ROLES_WITH_REF =
    words(`alertdialog application audio banner canvas complementary contentinfo dialog embed figure form grid heading
    iframe image listbox main menu menubar navigation object radiogroup region search table tablist toolbar tree treegrid video`);
  // Their content is part of them unless it can be acted on.
  const LEAF_ROLES =
    words(`checkbox color date datetime image inputtime math menuitemcheckbox menuitemradio meter option progressbar
    radio scrollbar separator slider spinbutton switch`);
  // Hidden text may be part of their name.
  const CONTROLS = tabwright.INTERACTIVE_ROLES;
  // Another element may be drawn instead of them.
  const MAY_BE_DRAWN = words("button combobox textbox");
  const KEPT_OUTSIDE = words("heading iframe");
  const CELLS = words("cell columnheader gridcell rowheader");
  // Attributes that need a closer look at the element.
  const SPECIAL_ATTRIBUTES =
    "[aria-hidden],[inert],[aria-disabled],[aria-label],[aria-labelledby],[contenteditable],[tabindex],[onclick],[onmousedown],[draggable],[class*=drop]";
  const MAX_DEPTH = 900;
  const MAX_SUSPECTS = 200;
  const MAX_COVERS = 40;
  const MAX_NAME = 2000;

  tabwright.snapshot = function (options) {
    const root = options.root ? tabwright.nodeOf(options.root) : dom.root();
    const from = options.from ? tabwright.nodeOf(options.from) : null;
    if (!root || (options.from && !from)) return JSON.stringify({ gone: true });
    const walk = tabwright.walk(root, { ...options, from });
    const answer = walk.answer();
    tabwright.clearCaches(); // the caches of a large page are large
    if (options.root || from) return answer;
    tabwright.walked = true;
    if (!options.everything) tabwright.keepScene(walk);
    return answer;
  };

  // The walk of an element; its rows are in `rows`.
  tabwright.walk = function (root, options) {
    tabwright.clearCaches();
    const walk = walkOnce(root, options, new Set());
    const covered = walk.covered();
    // Rare: text behind an opaque box. Joined sentences cannot be split, so the page is read again without it.
    return (covered.size ? walkOnce(root, options, covered) : walk).orderRows();
  };

  function walkOnce(root, options, unseen) {
    tabwright.stripped = 0;
    tabwright.startCustomElements();
    const walk = new Walk(root, options, unseen);
    walk.run();
    return walk;
  }

  class Walk {
    constructor(root, options, unseen) {
      const { maxNodes = 200000, budgetMs = 1500, everything = false, records = false, skip = null } = options;
      const { maxVisited = Infinity, from = null } = options;
      this.root = root;
      this.everything = everything; // every element becomes a node with a ref
      this.cards = records ? tabwright.findCards(root) : null;
      this.unseen = unseen;
      this.skip = skip;
      this.texts = [];
      this.covers = [];
      this.fronts = []; // what may be in front of the page, with its rows
      this.most = maxNodes;
      this.mostVisited = maxVisited;
      this.from = from; // where the walk begins, until it is reached; what is before it is left out
      this.around = from === null ? null : ancestorsOf(from);
      this.stoppedAt = null;
      this.deadline = performance.now() + budgetMs;
      this.rows = new tabwright.Rows();
      this.visited = 0;
      this.over = false;
      this.truncated = false;
      this.deep = false; // something is nested too deep
      this.shadow = false;
      this.unseenControls = 0;
      this.hidden = new tabwright.HiddenTexts();
      this.unusual = 0;
      this.suspects = tabwright.suspects = [];
      this.focused = tabwright.focusedElement();
      this.modal = findModal();
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

    orderRows() {
      this.rows.numberAlike();
      if (this.fronts.length) tabwright.putCoversFirst(this.rows, this.fronts, this.texts, this.modal);
      return this;
    }

    answer() {
      const rows = this.rows.toString();
      const { truncated, shadow } = this;
      const hasFront = truncated || this.modal !== null || this.fronts.length > 0;
      const hidden = { nodes: this.hidden.nodes, characters: this.hidden.characters };
      const suspects = this.suspects.length;
      const title = tabwright.cut(tabwright.clean(document.title), 500);
      const facts = {
        hidden,
        stripped: tabwright.stripped,
        truncated,
        next: this.stoppedAt === null ? 0 : tabwright.refOf(this.stoppedAt),
        deep: this.deep,
        shadow,
        controls: this.unseenControls,
        suspects,
        custom: tabwright.newCustomElements(),
        url: document.URL,
        title,
        identity:
          this.root === dom.root() && this.around === null ? tabwright.identifyPage(this.rows.length, hasFront) : "",
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
    canContinue(element, treeDepth) {
      if (this.over) return false;
      this.visited++;
      const late = (this.visited & 127) === 0 && performance.now() > this.deadline;
      this.over = late || this.rows.length >= this.most || this.visited > this.mostVisited;
      if (this.over && this.visited > 1 && this.from === null) this.stoppedAt = element;
      this.deep ||= treeDepth > MAX_DEPTH;
      this.truncated ||= this.over || treeDepth > MAX_DEPTH;
      return !this.over && treeDepth <= MAX_DEPTH;
    }

    // Whether an element is neither where the walk begins nor around that, nor after it.
    isBefore(element) {
      if (element === this.from) this.from = null;
      return this.from !== null && !this.around.has(element);
    }

    element(element, place) {
      const kind = tabwright.tagFactsOf(dom.tag(element));
      if (this.from !== null && this.isBefore(element)) return;
      if (kind.skipped || !this.canContinue(element, place.treeDepth)) return this.noteUnusual(kind.tag);
      if (kind.tag === "br") return addText(" ", place);
      if (this.skip !== null && this.skip(element)) return;
      if (kind.frame && this.isCoveredFrame(element)) return this.hidden.count("", "faint");
      const style = tabwright.readStyle(element);
      const display = style.display;
      if (display === "none") {
        tabwright.noteHiddenCell(element, kind.tag);
        return this.hidden.countNode(element);
      }
      const inner = this.enter(element, kind, style, display, place);
      const before = this.rows.length;
      const separated = inner.outside !== place.outside;
      const block = display === "block" || isBlock(display);
      if (block) this.rows.startBox(place, startsLine(kind, display));
      else if (separated) this.rows.flushText(place);
      else if (display !== "inline") addText(" ", place);
      this.node(element, style, inner, place);
      if (inner.front !== null) inner.front.rows = this.rows.list.slice(before);
      if (kind.canHostShadow && (kind.custom || (this.rows.length === before && !place.buffer.text)))
        this.suspect(element, inner);
      if (separated) this.rows.flushText(inner);
      if (block) this.rows.startBox(place, startsLine(kind, display));
      else if (display !== "inline") addText(" ", place);
    }

    // Frames are noted with the texts, which may be behind a cover.
    isCoveredFrame(element) {
      this.texts.push({ node: element, parent: element, box: dom.rect(element) });
      return this.unseen.has(element);
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
      const empty = position === "static" && kind.mayBeEmpty && this.isEmpty(element);
      const view = empty
        ? place.view
        : tabwright.childView(element, style, place.view, position, kind.withoutContent ? "visible" : overflow);
      const inner = new Place(place, kind, place.depth, view, place.outside);
      inner.empty = empty;
      inner.element = element;
      inner.style = style;
      inner.contained = contained;
      inner.special = dom.hasAny(element) && dom.matches(element, SPECIAL_ATTRIBUTES);
      if (inner.special) this.enterSpecial(element, inner);
      if (element === this.modal) inner.outside = false;
      inner.scrolls = overflow !== "visible" && tabwright.scrolls(element, overflow);
      if (position !== "static") this.enterPositioned(element, style, inner, position);
      if (inner.scrolls) inner.scroller = tabwright.smallScroller(element);
      return inner;
    }

    isEmpty(element) {
      return dom.firstChild(element) === null && !tabwright.hasGeneratedText(element);
    }

    enterPositioned(element, style, inner, position) {
      inner.behindBackground ||= tabwright.isBehindBackground(element, style);
      if (position === "fixed") inner.scroller = null;
      if (tabwright.isCover(element, style, inner.view, position)) this.covers.push(element);
      if (this.root === dom.root() && tabwright.mayCover(element, style, position))
        this.fronts.push((inner.front = { element, rows: [] }));
    }

    enterSpecial(element, inner) {
      inner.outside ||= tabwright.isAriaHidden(element) || dom.has(element, "inert");
      inner.off ||= dom.attr(element, "aria-disabled") === "true";
      if (dom.matches(element, "[aria-label],[aria-labelledby]")) this.unusual++;
    }

    // An element becomes a node, or is only a wrapper of its children.
    node(element, style, inner, place) {
      if (inner.kind.custom) tabwright.noteCustomElement(element);
      let role = tabwright.roleOf(element);
      if (inner.outside && tabwright.isIdleField(element)) return;
      if (this.cards !== null) role = this.cards.roleOf(element, role);
      let flags = this.flagsOf(element, role, place, inner);
      if (inner.empty) {
        if (role === "" && !(flags & USES) && !this.everything) return;
        inner.view = tabwright.childView(element, style, place.view, "static");
      }
      if (needsBox(inner.kind, role) && !tabwright.isBoxVisible(element, style, inner.view, place.view)) {
        if (role === "image") tabwright.countHiddenName(this.hidden, element);
        if (!tabwright.isBehindStyledControl(element, place)) return this.skipNode(element, style, role, inner);
        flags |= INVISIBLE;
      }
      if (role === "none" || (inner.outside && !(flags & (CLICKABLE | EDITABLE)) && !isKeptOutside(role, place)))
        role = "";
      const shown = role !== "" || flags & USES || (this.everything && isContent(element));
      if (!shown || this.from !== null) this.children(element, style, inner);
      else this.emit(element, style, role || "generic", flags, inner, place);
    }

    skipNode(element, style, role, inner) {
      this.countUnseen(element, role);
      this.children(element, style, inner);
    }

    // Counts a control that is on the page without being seen: outside of what can be scrolled to, clipped, or empty.
    countUnseen(element, role) {
      if (CONTROLS.has(role) && role !== "option" && tabwright.isFocusable(element)) this.unseenControls++;
    }

    flagsOf(element, role, place, inner) {
      let flags = (inner.outside ? OUTSIDE : 0) | (inner.scrolls ? SCROLLS : 0);
      inner.pointer = null;
      if (tabwright.isUsable(element, role, place, inner)) flags |= CLICKABLE;
      if (inner.special && tabwright.isEditingHost(element)) flags |= EDITABLE | CLICKABLE;
      if (flags & CLICKABLE && tabwright.isWholeControl(role)) inner.inControl = true;
      inner.inLeaf ||= tabwright.isLeafControl(role);
      return flags;
    }

    // Leaves out a guess that does the same as the only control in it, or only holds controls.
    unwrap(at, row, inner) {
      if (inner.sure || !(row.flags & CLICKABLE) || row.flags & (EDITABLE | SCROLLS)) return false;
      if (!this.isSameAsContent(at, row, inner)) return false;
      if (row.role === "generic") {
        this.rows.remove(at);
        return true;
      }
      row.flags &= ~CLICKABLE;
      if (!this.needsRef(row.element, row.role, row.flags)) row.element = null;
      return false;
    }

    isSameAsContent(at, row, inner) {
      if (!inner.hasPointer() && this.rows.holdsOnly(at, CONTROLS)) return true;
      const only = this.rows.onlyControl(at);
      return only !== null && (CONTROLS.has(only.role) || tabwright.fills(only.element, row.element));
    }

    emit(element, style, role, flags, inner, place) {
      this.rows.flushText(place);
      const at = this.rows.length;
      const row = this.rows.node(place.depth, role, flags, this.needsRef(element, role, flags) ? element : null);
      row.source = element;
      const before = { clipped: this.hidden.clipped, faint: this.hidden.faint, unusual: this.unusual };
      inner.depth = place.depth + 1;
      inner.buffer = { text: "", source: null };
      this.content(element, style, role, inner);
      this.rows.flushText(inner);
      if (
        this.rows.length === at + 1 &&
        !needsBox(inner.kind, role) &&
        !tabwright.isBoxVisible(element, style, inner.view, place.view) &&
        !this.isDrawnElsewhere(element, row, place)
      ) {
        this.rows.list.pop();
        tabwright.noteHiddenCell(element, inner.kind.tag);
        return this.countUnseen(element, role);
      }
      if (!this.everything && this.unwrap(at, row, inner)) return;
      row.name = tabwright.cut(tabwright.shownName(this, element, row, inner.kind, at, before), MAX_NAME);
      if (inner.sure && !this.everything) this.rows.dropSameControl(at);
      const isNamed = role === "generic" || tabwright.namesFromContent(element, role);
      if (isNamed && (this.cards === null || this.rows.hasOnlyText(at))) this.rows.dropNamedText(at);
      const states = tabwright.statesOf(element, role, row.name, inner.off, element === this.focused);
      row.states = tabwright.completeStates(states, row, element, place, inner, this.rows.length === at + 1);
      if (this.cards !== null) this.cards.addStates(row, element);
    }

    isDrawnElsewhere(element, row, place) {
      if (!MAY_BE_DRAWN.has(row.role) || !tabwright.isBehindStyledControl(element, place)) return false;
      row.flags |= INVISIBLE;
      return true;
    }

    needsRef(element, role, flags) {
      if (this.everything || flags & USES) return true;
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
      if (inner.contained && style.contentVisibility === "hidden") return this.hidden.countChildren(element);
      const { tag, canHostShadow } = inner.kind;
      const isGenerated = tag === "q" || tabwright.hasGeneratedText(element);
      if (isGenerated && this.from === null) this.generated(element, "::before", style, inner);
      const assigned = tag === "slot" ? tabwright.assignedNodesOf(element) : null;
      if (assigned !== null) for (const child of assigned) this.child(child, element, style, inner);
      else if (tag === "details" && isClosed(element)) this.closedChildren(element, style, inner);
      else this.ownChildren(canHostShadow ? tabwright.contentRootOf(element) : element, element, style, inner);
      if (isGenerated) this.generated(element, "::after", style, inner);
    }

    ownChildren(holder, element, style, inner) {
      if (holder !== element) this.shadow = true;
      for (let at = dom.firstChild(holder); at !== null && !this.over; at = dom.nextSibling(at))
        this.child(at, element, style, inner);
    }

    closedChildren(details, style, inner) {
      for (let at = dom.firstChild(details); at !== null && !this.over; at = dom.nextSibling(at)) {
        if (dom.type(at) === 1 && dom.tag(at) === "summary") this.element(at, inner);
        else this.hidden.countNode(at);
      }
    }

    child(node, parent, style, place) {
      const type = dom.type(node);
      if (type === 3 && this.from === null) this.text(node, parent, style, place);
      else if (type === 1) this.element(node, place);
    }

    text(node, parent, style, place) {
      const data = dom.text(node);
      if (!/\S/.test(data)) return data === "" ? undefined : addText(" ", place);
      const reason = tabwright.textHiddenReason(node, parent, style, place);
      if (!reason) this.texts.push({ node, parent, box: place.box });
      if (reason || this.unseen.has(node)) return this.hidden.count(data, reason || "faint");
      if (place.kind.tag === "rt") this.unusual++;
      place.textTransform ??= style.textTransform;
      place.buffer.source ??= parent;
      addText(tabwright.squeeze(tabwright.transformText(data, place.textTransform)), place);
    }

    generated(element, pseudo, style, place) {
      const { text, hidden } = tabwright.generated(element, pseudo);
      if (hidden) this.hidden.count(hidden, "faint");
      if (text === "") return;
      this.unusual++;
      if (style.visibility !== "visible" || place.view.opacity < 0.1 || place.view.flow.nowhere)
        this.hidden.count(text, "clipped");
      else {
        place.buffer.source ??= element;
        addText(tabwright.squeeze(text), place);
      }
    }

    // Custom elements, and boxes without visible content, may have a closed shadow root, which only Python can find.
    suspect(element, place) {
      if (this.suspects.length >= MAX_SUSPECTS || place.view.flow.nowhere) return;
      if (!tabwright.shadowRootOf(element) && tabwright.needsExamining(element)) this.suspects.push(element);
    }
  }

  tabwright.Walk = Walk;

  // Chrome remembers collections by tag until the document changes, so few walks search all elements.
  const findModal = () =>
    dom.byTag("dialog").length || document.fullscreenElement ? ([...dom.documentAll(":modal")].pop() ?? null) : null;

  function ancestorsOf(element) {
    const ancestors = new Set();
    for (let at = tabwright.parentOf(element); at; at = tabwright.parentOf(at)) ancestors.add(at);
    return ancestors;
  }

  function addText(text, place) {
    const buffer = place.buffer;
    buffer.text += text.startsWith(" ") && buffer.text.endsWith(" ") ? text.trimStart() : text;
  }

  // Cells share a line, and so do words that are boxes only because their parent is a flex container.
  const startsLine = (kind, display) => !kind.phrasing && display !== "table-cell";

  const isBlock = display => !display.startsWith("inline") && display !== "contents" && !display.startsWith("ruby");

  // Replaced elements and leaves need a visible box; a wrapper without a size may have visible content.
  const needsBox = (kind, role) => kind.replaced || LEAF_ROLES.has(role);

  const isContent = element => element !== dom.root() && element !== dom.body();

  // A single cell that is hidden from assistive technology keeps its column.
  const isKeptOutside = (role, place) => KEPT_OUTSIDE.has(role) || (CELLS.has(role) && !place.outside);

  const isClosed = element => element instanceof HTMLDetailsElement && !element.open;
})(globalThis.tabwright);
