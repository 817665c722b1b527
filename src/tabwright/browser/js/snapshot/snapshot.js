// One walk over the flat tree of a frame: what is there, what it is called, in which state, and what a person cannot
// see (left out and counted). The answer is one string: facts, then a row per node, fields parted by tabs, which no
// cleaned text contains. Row: depth, role, ref, marks, name, then "key=value" for states. A row without a role is text.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const { CLICKABLE, UNSEEN, OUTSIDE, EDITABLE, SCROLLS } = tabwright.FLAGS;
  const words = text => new Set(text.trim().split(/\s+/));
  const UNREAD = words("script style template noscript head meta link title base datalist param source track wbr");
  const REFERABLE =
    words(`alertdialog application audio banner canvas complementary contentinfo dialog embed figure form grid heading
    iframe image listbox main menu menubar navigation object radiogroup region search table tablist toolbar tree treegrid video`);
  // Nothing in them is a thing of its own unless it can be acted on.
  const LEAVES =
    words(`checkbox color date datetime image inputtime math menuitemcheckbox menuitemradio meter option progressbar
    radio scrollbar separator slider spinbutton switch`);
  // Nothing inside them is walked.
  const HOLLOW = words("canvas iframe img input textarea");
  const SOLID = words("input select textarea img iframe frame svg canvas video audio object embed meter progress");
  // Their name is what a person does with them; text hidden from sight may be part of it.
  const CONTROLS = tabwright.INTERACTIVE_ROLES;
  const SHOWN_OUTSIDE = words("heading iframe");
  const HIDEABLE_INPUTS = words("checkbox radio file range color");
  // Elements that nothing but their content names, unless an attribute does.
  const SIMPLE = words("a b button div dt em h1 h2 h3 h4 h5 h6 li p span strong summary td th");
  const NAMED = "[aria-label],[aria-labelledby],[aria-owns],[title]";
  // What makes an element more than its tag says.
  const SPECIAL =
    "[aria-hidden],[inert],[aria-disabled],[aria-label],[aria-labelledby],[contenteditable],[tabindex],[onclick],[onmousedown]";
  const UNHANDY = words("html body label");
  const DEEPEST = 900;
  const MOST_SUSPECTS = 200;
  const MOST_COVERS = 40;
  const LONGEST_NAME = 2000;

  tabwright.snapshot = function (options) {
    tabwright.clearCaches();
    const answer = read(options);
    tabwright.clearCaches(); // what was remembered of a large page is large
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
    // Rare: text under an opaque box. The pieces of a sentence cannot be taken apart, so it is read again.
    tabwright.stripped = 0;
    const again = new Walk(root, options, covered);
    again.run();
    return again.answer();
  }

  // What a tag says of its elements.
  class Kind {
    constructor(tag) {
      this.tag = tag;
      this.unread = UNREAD.has(tag);
      this.solid = SOLID.has(tag);
      this.hollow = HOLLOW.has(tag);
      this.simple = SIMPLE.has(tag);
      this.handy = !UNHANDY.has(tag);
      this.mayHost = tabwright.canHostShadow(tag);
      this.custom = tag.includes("-");
    }
  }

  const kinds = new Map();

  function kindOf(tag) {
    let kind = kinds.get(tag);
    if (kind === undefined) kinds.set(tag, (kind = new Kind(tag)));
    return kind;
  }

  // Where the walk is: how deep in the tree and in the document, what is seen from here, what surrounds it.
  class Place {
    constructor(outer, kind, depth, sight, outside) {
      this.outer = outer;
      this.kind = kind;
      this.depth = depth;
      this.deep = outer === null ? 0 : outer.deep + 1;
      this.sight = sight;
      this.outside = outside;
      this.pointer = false;
      this.inControl = outer !== null && outer.inControl;
      // Wrappers share the text that is being put together.
      this.buffer = outer === null ? { text: "" } : outer.buffer;
      this.style = null;
      this.ground = null;
      this.unread = null;
      this.box = null;
      this.sunk = outer !== null && outer.sunk;
      this.special = false;
      this.scrolls = false;
      this.contained = true;
      this.wording = null;
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
      this.odd = 0;
      this.suspects = tabwright.suspects = [];
      this.focused = tabwright.focusedElement();
      this.modal = [...dom.documentAll(":modal")].pop() ?? null;
    }

    run() {
      const parent = tabwright.parentOf(this.root);
      const sight = parent ? tabwright.viewOf(parent) : tabwright.rootView();
      const place = new Place(this.surroundings(parent), null, 0, sight, this.isOutside());
      this.element(this.root, place);
      this.rows.breakText(place); // what a part of a line leaves to those around it
    }

    // The places around the root, for what is painted behind it.
    surroundings(parent) {
      if (!parent) return null;
      const place = new Place(this.surroundings(tabwright.parentOf(parent)), null, 0, null, false);
      place.style = tabwright.styleOf(parent);
      place.deep = -1;
      place.off ||= dom.attr(parent, "aria-disabled") === "true";
      return place;
    }

    covered() {
      if (!this.covers.length || this.truncated) return this.unseen;
      return tabwright.coveredTexts(this.texts, this.covers.slice(0, MOST_COVERS));
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

    // False when the walk is over, or this branch is too deep for the stack.
    goesOn(deep) {
      if (this.over) return false;
      this.visited++;
      const late = (this.visited & 127) === 0 && performance.now() > this.deadline;
      this.over = late || this.rows.length >= this.most;
      this.truncated ||= this.over || deep > DEEPEST;
      return !this.over && deep <= DEEPEST;
    }

    element(element, place) {
      const kind = kindOf(dom.tag(element));
      if (kind.unread || !this.goesOn(place.deep)) return this.noteOdd(kind.tag);
      if (kind.tag === "br") return addText(" ", place);
      const style = tabwright.readStyle(element);
      const display = style.display;
      if (display === "none") return this.leaveOut(element);
      const inner = this.enter(element, kind, style, display, place);
      const before = this.rows.length;
      const parted = inner.outside !== place.outside;
      const block = display === "block" || isBlock(display);
      if (block) this.rows.breakLine(place);
      else if (parted) this.rows.breakText(place);
      else if (display !== "inline") addText(" ", place);
      this.node(element, style, inner, place);
      if (kind.mayHost && (kind.custom || (this.rows.length === before && !place.buffer.text)))
        this.suspect(element, inner);
      if (parted) this.rows.breakText(inner);
      if (block) this.rows.breakLine(place);
      else if (display !== "inline") addText(" ", place);
    }

    // A place for a line break, and what is told beside the text, make a name differ from the text that is seen.
    noteOdd(tag) {
      if (tag === "wbr") this.odd++;
    }

    enter(element, kind, style, display, place) {
      // A box that is part of a line neither clips nor scrolls nor skips what is inside.
      const contained = (display !== "inline" && display !== "contents") || kind.solid;
      const position = style.position;
      const overflow = contained ? style.overflow : "visible";
      const sight = tabwright.childView(element, style, place.sight, position, kind.hollow ? "visible" : overflow);
      const inner = new Place(place, kind, place.depth, sight, place.outside);
      inner.style = style;
      inner.contained = contained;
      inner.special = dom.hasAny(element) && dom.matches(element, SPECIAL);
      if (inner.special) this.enterSpecial(element, inner);
      if (element === this.modal) inner.outside = false;
      inner.scrolls = overflow !== "visible" && scrolls(element, overflow);
      if (position !== "static") this.enterPositioned(element, style, inner, position);
      return inner;
    }

    enterPositioned(element, style, inner, position) {
      inner.sunk ||= tabwright.isBehindBackground(element, style);
      if (tabwright.isCover(element, style, inner.sight, position)) this.covers.push(element);
    }

    enterSpecial(element, inner) {
      inner.outside ||= tabwright.isAriaHidden(element) || dom.has(element, "inert");
      inner.off ||= dom.attr(element, "aria-disabled") === "true";
      if (dom.matches(element, "[aria-label],[aria-labelledby]")) this.odd++;
    }

    // An element is a node of the tree, or a mere wrapper of what is inside.
    node(element, style, inner, place) {
      let role = tabwright.roleOf(element);
      let marks = this.marksOf(element, style, role, place, inner);
      if (isSolid(inner.kind, role) && !tabwright.isBoxVisible(element, style, inner.sight, place.sight)) {
        if (!isReplaced(element)) return this.children(element, style, inner);
        marks |= UNSEEN;
      }
      if (role === "none" || (inner.outside && !(marks & (CLICKABLE | EDITABLE)) && !SHOWN_OUTSIDE.has(role)))
        role = "";
      if (role === "" && !(marks & (CLICKABLE | EDITABLE | SCROLLS))) this.children(element, style, inner);
      else this.emit(element, style, role || "generic", marks, inner, place);
    }

    marksOf(element, style, role, place, inner) {
      let marks = (inner.outside ? OUTSIDE : 0) | (inner.scrolls ? SCROLLS : 0);
      if (CONTROLS.has(role) && role !== "gridcell") marks |= CLICKABLE;
      else if (inner.special && isHandle(element)) marks |= CLICKABLE;
      else if (!place.inControl && this.showsHand(style, place, inner)) marks |= CLICKABLE;
      if (inner.special && tabwright.isEditingHost(element)) marks |= EDITABLE | CLICKABLE;
      if (marks & CLICKABLE) inner.inControl = true;
      return marks;
    }

    // Whether the hand appears over an element and not yet around it. Within a control nobody asks.
    showsHand(style, place, inner) {
      inner.pointer = style.cursor === "pointer" && style.pointerEvents !== "none";
      return inner.pointer && !place.pointer && inner.kind.handy;
    }

    emit(element, style, role, marks, inner, place) {
      this.rows.breakText(place);
      const at = this.rows.length;
      const row = this.rows.node(place.depth, role, marks, this.needsRef(element, role, marks) ? element : null);
      const before = { clipped: this.clipped, faint: this.faint, odd: this.odd };
      inner.depth = place.depth + 1;
      inner.buffer = { text: "" };
      this.content(element, style, role, inner);
      this.rows.breakText(inner);
      if (
        this.rows.length === at + 1 &&
        !isSolid(inner.kind, role) &&
        !tabwright.isBoxVisible(element, style, inner.sight, place.sight)
      ) {
        return void this.rows.list.pop();
      }
      row.name = tabwright.cut(this.nameFor(element, inner.kind, row, at, before), LONGEST_NAME);
      if (role === "generic" || tabwright.namesFromContent(element, role)) this.rows.swallow(at);
      row.states = tabwright.statesOf(element, role, row.name, inner.off, element === this.focused);
    }

    needsRef(element, role, marks) {
      if (marks & (CLICKABLE | EDITABLE | SCROLLS)) return true;
      if (role === "image") return tabwright.nameOf(element).text !== "";
      return REFERABLE.has(role);
    }

    content(element, style, role, inner) {
      if (role === "iframe") return;
      const { tag } = inner.kind;
      if (tag === "input" || tag === "textarea") return;
      if (tag === "select" && role === "combobox")
        return element === this.root ? this.options(element, inner) : undefined;
      this.children(element, style, inner);
    }

    // The options of a closed list are not on the page until it opens; who asks for the list asks for them.
    options(select, place) {
      for (const option of select.options) {
        const row = this.rows.node(place.depth, "option", CLICKABLE, option);
        row.name = tabwright.nameOf(option).text;
        row.states = tabwright.statesOf(option, "option", row.name, false, false);
      }
    }

    children(element, style, inner) {
      if (inner.contained && style.contentVisibility === "hidden") return this.leaveOutChildren(element);
      const { tag, mayHost } = inner.kind;
      const generates = tag === "q" || tabwright.hasGeneratedText(element);
      if (generates) this.generated(element, "::before", style, inner);
      const given = tag === "slot" ? tabwright.assignedNodesOf(element) : null;
      if (given !== null) for (const child of given) this.child(child, element, style, inner);
      else if (tag === "details" && isClosed(element)) this.closedChildren(element, style, inner);
      else this.ownChildren(mayHost ? tabwright.contentRootOf(element) : element, element, style, inner);
      if (generates) this.generated(element, "::after", style, inner);
    }

    ownChildren(holder, element, style, inner) {
      for (let at = dom.firstChild(holder); at !== null && !this.over; at = dom.nextSibling(at))
        this.child(at, element, style, inner);
    }

    closedChildren(details, style, inner) {
      for (let at = dom.firstChild(details); at !== null && !this.over; at = dom.nextSibling(at)) {
        if (dom.type(at) === 1 && tabwright.roleOf(at) === "summary") this.element(at, inner);
        else this.leaveOut(at);
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
      if (reason || this.unseen.has(node)) return this.countUnseen(data, reason || "faint");
      this.texts.push({ node, parent, box: place.box });
      if (place.kind.tag === "rt") this.odd++;
      place.wording ??= style.textTransform;
      addText(tabwright.squeeze(tabwright.transformText(data, place.wording)), place);
    }

    generated(element, pseudo, style, place) {
      const text = tabwright.generatedText(element, pseudo);
      if (text === "") return;
      this.odd++;
      if (style.visibility !== "visible" || place.sight.opacity < 0.1 || place.sight.flow.nowhere)
        this.countUnseen(text, "clipped");
      else addText(tabwright.squeeze(text), place);
    }

    countUnseen(text, reason) {
      this.hidden.nodes++;
      this.hidden.characters += text.trim().length;
      if (reason === "faint") this.faint++;
      if (reason === "clipped") this.clipped++;
    }

    leaveOut(node) {
      const type = dom.type(node);
      if (type !== 3 && type !== 1) return;
      const text = type === 3 ? dom.text(node) : unseenText(node);
      if (/\S/.test(text)) this.countUnseen(text.replace(/\s+/g, " "), "absent");
    }

    leaveOutChildren(element) {
      for (const child of tabwright.childrenOf(element)) this.leaveOut(child);
    }

    // A name must agree with what is shown: an aria-label that has nothing of the visible text in it, or text in a
    // colour that nobody can read, does not replace what a person sees.
    nameFor(element, kind, row, at, before) {
      const { role, marks } = row;
      if (role === "generic")
        return marks & CLICKABLE && this.rows.holdsOnlyText(at) ? tabwright.cut(this.rows.shownSince(at), 200) : "";
      const byContent = tabwright.namesFromContent(element, role);
      if (byContent && role !== "row" && this.isSimple(element, kind, at, before)) return this.rows.shownSince(at);
      row.odd = true;
      const name = tabwright.nameOf(element);
      if (name.text === "" || name.from === "label") return name.text;
      if (role === "image") return hasNoPicture(element) ? this.withhold(name.text, "") : name.text;
      const lost = this.faint > before.faint || (!CONTROLS.has(role) && this.clipped > before.clipped);
      if (name.from === "content") return (lost && this.rows.shownSince(at)) || name.text;
      if (name.from !== "aria" || role === "math" || !byContent) return name.text;
      const shown = this.rows.shownSince(at);
      return shown === "" || tabwright.matchesVisibleText(name.text, shown)
        ? name.text
        : this.withhold(name.text, shown);
    }

    // Nothing but visible text inside, nothing else to be named by: the name is that text, computed already.
    isSimple(element, kind, at, before) {
      if (this.clipped > before.clipped || this.faint > before.faint || this.odd > before.odd) return false;
      if (this.rows.length === at + 1 || !kind.simple || (dom.hasAny(element) && dom.matches(element, NAMED)))
        return false;
      return this.rows.isPlain(at);
    }

    withhold(name, shown) {
      this.countUnseen(name, "absent");
      return shown;
    }

    // Custom elements, and elements whose box shows nothing that we can see, may have a closed shadow root, which only
    // Python can find.
    suspect(element, place) {
      if (this.suspects.length >= MOST_SUSPECTS || place.sight.flow.nowhere) return;
      if (tabwright.shadowRootOf(element) || dom.rect(element).height === 0 || tabwright.wasExamined(element)) return;
      this.suspects.push(element);
    }
  }

  function addText(text, place) {
    const buffer = place.buffer;
    buffer.text += text.startsWith(" ") && buffer.text.endsWith(" ") ? text.trimStart() : text;
  }

  const isBlock = display => !display.startsWith("inline") && display !== "contents" && !display.startsWith("ruby");

  // What is more than its content needs a box of its own; a wrapper may be flat while its content is not.
  const isSolid = (kind, role) => kind.solid || LEAVES.has(role);

  const isClosed = element => element instanceof HTMLDetailsElement && !element.open;

  // Handled by a script although no role says so: a tab stop or an inline handler gives it away.
  function isHandle(element) {
    if (UNHANDY.has(dom.tag(element)) && dom.tag(element) !== "label") return false;
    if (dom.has(element, "onclick") || dom.has(element, "onmousedown")) return true;
    return parseInt(dom.attr(element, "tabindex"), 10) >= 0 && dom.tag(element) !== "iframe";
  }

  function scrolls(element, way) {
    if (!way.includes("auto") && !way.includes("scroll")) return false;
    if (element === dom.body() || element === dom.root()) return false;
    return (
      dom.scrollHeight(element) > dom.clientHeight(element) + 8 ||
      dom.scrollWidth(element) > dom.clientWidth(element) + 8
    );
  }

  // The real control behind a drawn one: its label is on the page, or it lies transparent over the drawing.
  function isReplaced(element) {
    if (dom.tag(element) !== "input" || !HIDEABLE_INPUTS.has(tabwright.inputType(element))) return false;
    if (tabwright.styleOf(element).visibility !== "visible") return false;
    const box = dom.rect(element);
    if (box.width >= 8 && box.height >= 8 && box.right > -scrollX && box.bottom > -scrollY) return true;
    return tabwright.labelsOf(element).some(label => tabwright.isRendered(label) && dom.rect(label).width > 1);
  }

  // An address that can hold no picture: its alternative text stands for nothing on the page.
  const hasNoPicture = element =>
    element instanceof HTMLImageElement &&
    element.complete &&
    element.naturalWidth === 0 &&
    /^data:/i.test(element.currentSrc);

  function unseenText(element) {
    if (UNREAD.has(dom.tag(element))) return "";
    if (!dom.first(element, "script,style,template,noscript")) return dom.textContent(element);
    let text = "";
    for (let at = dom.firstChild(element); at; at = dom.nextSibling(at)) {
      if (dom.type(at) === 3) text += dom.text(at);
      else if (dom.type(at) === 1) text += unseenText(at);
    }
    return text;
  }
})(globalThis.tabwright);
