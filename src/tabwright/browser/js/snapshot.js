// One walk over the flat tree of a frame: what is there, what it is called, in which state, and what a person cannot
// see (left out and counted). The answer is one string: a row per node, fields parted by tabs, which no cleaned text
// contains. Row: depth, role, ref, marks, name, then "key=value" for states. A row without a role is text.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const words = text => new Set(text.trim().split(/\s+/));
  const UNREAD = words("script style template noscript head meta link title base datalist param source track wbr");
  const TEXT_LEVEL = words("code deletion emphasis insertion mark strong subscript superscript time abbr ruby");
  const REFERABLE = words(`alertdialog application audio banner canvas complementary contentinfo dialog embed figure form grid heading
    iframe image main menu menubar navigation object region search table tablist toolbar tree treegrid video listbox radiogroup`);
  // Their content is their name: nothing in them is a thing of its own unless it can be acted on.
  const LEAVES = words(`checkbox color date datetime image inputtime math menuitemcheckbox menuitemradio meter option progressbar
    radio scrollbar separator slider spinbutton switch`);
  // Their name is what a person does with them; text hidden from sight may be part of it.
  const CONTROLS = tabwright.INTERACTIVE_ROLES;
  const WIDE = words("cell columnheader gridcell row rowheader treeitem");
  const SHOWN_OUTSIDE = words("heading iframe");
  const HIDEABLE_INPUTS = words("checkbox radio file range color");
  // Marks of a row. OUTSIDE: seen by a person, not part of Chrome's tree (aria-hidden, inert). SPACED: text before it
  // ends with white space.
  const CLICKABLE = 1, UNSEEN = 2, OUTSIDE = 4, EDITABLE = 8, SCROLLS = 16, SPACED = 32;
  const DEEPEST = 900;
  const MOST_SUSPECTS = 200;
  const MOST_COVERS = 40;
  const LONGEST = { name: 2000, value: 2000, text: 20000, href: 2000, description: 500 };

  tabwright.snapshot = function (options) {
    tabwright.forget();
    tabwright.stripped = 0;
    tabwright.numbering.start(options.next);
    const root = options.root ? tabwright.nodeOf(options.root) : dom.root();
    if (!root) return JSON.stringify({ gone: true, next: tabwright.numbering.next });
    const walk = new Walk(root, options, new Set());
    walk.run();
    const covered = walk.covered();
    if (!covered.size) return walk.answer();
    // Rare: text under an opaque box. The pieces of a sentence cannot be taken apart, so it is read again.
    tabwright.stripped = 0;
    const again = new Walk(root, options, covered);
    again.run();
    return again.answer();
  };

  // Where the walk is: how deep in the tree and in the document, what is seen from here, what surrounds it.
  class Place {
    constructor(depth, deep, sight, outside) {
      this.depth = depth;
      this.deep = deep;
      this.sight = sight;
      this.outside = outside;
      this.pointer = false;
      this.inControl = false;
      this.buffer = { text: "" };
    }

    // Wrappers share the text that is being put together.
    inside(sight, outside) {
      const inner = new Place(this.depth, this.deep + 1, sight, outside);
      inner.inControl = this.inControl;
      inner.buffer = this.buffer;
      return inner;
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
      this.rows = [];
      this.visited = 0;
      this.over = false;
      this.truncated = false;
      this.spaced = false;
      this.hidden = { nodes: 0, characters: 0 };
      this.faint = 0;
      this.clipped = 0;
      this.suspects = tabwright.suspects = [];
      this.focused = tabwright.focused();
      this.modal = [...dom.documentAll(":modal")].pop() ?? null;
    }

    run() {
      const parent = tabwright.parentOf(this.root);
      const sight = parent ? tabwright.sightOf(parent) : tabwright.openSight();
      this.element(this.root, new Place(0, 0, sight, this.isOutside()));
    }

    covered() {
      if (!this.covers.length || this.truncated) return this.unseen;
      return tabwright.coveredTexts(this.texts, this.covers.slice(0, MOST_COVERS));
    }

    answer() {
      const { hidden, truncated } = this;
      const suspects = this.suspects.length;
      const title = tabwright.cut(tabwright.clean(document.title), 500);
      const facts = { next: tabwright.numbering.next, hidden, stripped: tabwright.stripped, truncated, suspects, url: document.URL, title };
      return JSON.stringify(facts) + "\n" + this.rows.map(row => row.join("\t")).join("\n");
    }

    isOutside() {
      return (this.modal !== null && !this.within(this.modal)) || dom.closest(this.root, "[aria-hidden=true],[inert]") !== null;
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
      const tag = dom.tag(element);
      if (UNREAD.has(tag) || !this.goesOn(place.deep)) return;
      if (tag === "br") return this.addText(" ", place);
      const style = tabwright.styleOf(element);
      const display = style.display;
      if (display === "none") return this.leaveOut(element);
      const inner = place.inside(tabwright.sightInside(element, style, place.sight), this.outsideOf(element, place));
      if (tabwright.isCover(element, style, inner.sight)) this.covers.push(element);
      const block = !display.startsWith("inline") && display !== "contents" && !display.startsWith("ruby");
      const parted = inner.outside !== place.outside;
      if (block) this.breakLine(place);
      else if (parted) this.breakText(place);
      const node = this.describe(element, style, place, inner);
      const before = this.rows.length;
      if (node) this.emit(element, style, node, inner, place);
      else this.children(element, style, inner);
      if (tag.includes("-") || (this.rows.length === before && !place.buffer.text)) this.suspect(element, inner);
      if (parted) this.breakText(inner);
      if (block) this.breakLine(place);
    }

    // A new box begins: what follows is apart from the text before.
    breakLine(place) {
      this.breakText(place);
      this.spaced = true;
    }

    outsideOf(element, place) {
      if (element === this.modal) return false;
      return place.outside || tabwright.isAriaHidden(element) || dom.has(element, "inert");
    }

    // Decide whether an element is a node of the tree: {role, marks} or null for a mere wrapper.
    describe(element, style, place, inner) {
      let role = tabwright.roleOf(element);
      let marks = this.marksOf(element, style, role, place, inner);
      if (this.mustBeSeen(role, marks) && !tabwright.boxSeen(element, style, inner.sight, place.sight)) {
        if (style.display !== "contents") marks |= UNSEEN;
      }
      if (marks & UNSEEN && !isReplaced(element)) return null;
      if (role === "none" || (inner.outside && !(marks & (CLICKABLE | EDITABLE)) && !SHOWN_OUTSIDE.has(role))) role = "";
      if (role === "" && !(marks & (CLICKABLE | EDITABLE | SCROLLS))) return null;
      return { role: role || "generic", marks };
    }

    marksOf(element, style, role, place, inner) {
      let marks = inner.outside ? OUTSIDE : 0;
      inner.pointer = style.cursor === "pointer" && style.pointerEvents !== "none";
      if (CONTROLS.has(role) && role !== "gridcell") marks |= CLICKABLE;
      else if (isHandle(element, inner.pointer && !place.pointer, place)) marks |= CLICKABLE;
      if (tabwright.isEditingHost(element)) marks |= EDITABLE | CLICKABLE;
      if (style.overflow !== "visible" && scrolls(element, style)) marks |= SCROLLS;
      if (marks & CLICKABLE) inner.inControl = true;
      return marks;
    }

    // What is more than its content needs a box; a wrapper may be flat while its content is not.
    mustBeSeen(role, marks) {
      return Boolean(marks & (CLICKABLE | EDITABLE)) || LEAVES.has(role) || role === "iframe";
    }

    emit(element, style, node, inner, place) {
      const { role, marks } = node;
      this.breakText(place);
      const ref = this.needsRef(element, role, marks) ? tabwright.refOf(element) : "";
      const row = [place.depth, role, ref, marks | (this.spaced ? SPACED : 0), ""];
      this.spaced = false;
      const at = this.rows.length;
      this.rows.push(row);
      const before = { clipped: this.clipped, faint: this.faint };
      inner.depth = place.depth + 1;
      inner.buffer = { text: "" };
      this.content(element, style, role, inner);
      this.breakText(inner);
      if (this.showsNothing(element, style, role, at, inner, place)) return void (this.rows.length = at);
      row[4] = tabwright.cut(this.settleName(element, role, marks, at, before), LONGEST.name);
      this.swallow(element, row, at);
      for (const state of tabwright.statesOf(element, role, row[4], this.focused)) row.push(state);
    }

    needsRef(element, role, marks) {
      if (marks & (CLICKABLE | EDITABLE | SCROLLS)) return true;
      if (role === "image") return tabwright.nameOf(element).text !== "";
      return REFERABLE.has(role);
    }

    content(element, style, role, inner) {
      if (role === "iframe") return;
      if (role === "combobox" && element instanceof HTMLSelectElement) return element === this.root ? this.options(element, inner) : undefined;
      if (dom.tag(element) === "input" || dom.tag(element) === "textarea") return;
      this.children(element, style, inner);
    }

    // The options of a closed list are not on the page until it opens; who asks for the list asks for them.
    options(select, place) {
      for (const option of select.options) {
        const row = [place.depth, "option", tabwright.refOf(option), CLICKABLE, tabwright.nameOf(option).text];
        this.rows.push(row.concat(tabwright.statesOf(option, "option", row[4], this.focused)));
      }
    }

    // A node with nothing visible inside counts only if its own box is seen.
    showsNothing(element, style, role, at, inner, place) {
      if (this.rows.length > at + 1 || this.mustBeSeen(role, this.rows[at][3])) return false;
      return !tabwright.boxSeen(element, style, inner.sight, place.sight);
    }

    children(element, style, inner) {
      if (style.contentVisibility === "hidden") return this.leaveOutChildren(element);
      this.generated(element, "::before", style, inner);
      const closed = element instanceof HTMLDetailsElement && !element.open;
      for (const child of tabwright.childrenOf(element)) {
        const type = dom.type(child);
        if (closed && !(type === 1 && tabwright.roleOf(child) === "summary")) this.leaveOut(child);
        else if (type === 3) this.text(child, element, style, inner);
        else if (type === 1) this.element(child, inner);
        if (this.over) break;
      }
      this.generated(element, "::after", style, inner);
    }

    text(node, parent, style, place) {
      const data = dom.text(node);
      if (!/\S/.test(data)) return this.addText(data && " ", place);
      const reason = tabwright.textUnseen(node, parent, style, place.sight);
      if (reason || this.unseen.has(node)) return this.countUnseen(data, reason || "faint");
      this.texts.push([node, parent]);
      this.addText(tabwright.squeeze(tabwright.shownText(node, parent)), place);
    }

    generated(element, pseudo, style, place) {
      const text = tabwright.generatedText(element, pseudo);
      if (!text) return;
      if (style.visibility !== "visible" || place.sight.opacity < 0.1 || place.sight.flow.nowhere) this.countUnseen(text, "clipped");
      else this.addText(tabwright.squeeze(text), place);
    }

    addText(text, place) {
      const buffer = place.buffer;
      if (!buffer.text.endsWith(" ") || !text.startsWith(" ")) buffer.text += text;
      else buffer.text += text.trimStart();
    }

    breakText(place) {
      const text = place.buffer.text;
      if (!text) return;
      place.buffer.text = "";
      if (!text.trim()) return void (this.spaced = true);
      const marks = (place.outside ? OUTSIDE : 0) | (this.spaced || text.startsWith(" ") ? SPACED : 0);
      this.rows.push([place.depth, "", "", marks, tabwright.cut(text.trim(), LONGEST.text)]);
      this.spaced = text.endsWith(" ");
    }

    countUnseen(text, reason) {
      this.hidden.nodes++;
      this.hidden.characters += text.trim().length;
      if (reason === "faint") this.faint++;
      if (reason === "clipped") this.clipped++;
    }

    leaveOut(node) {
      if (dom.type(node) === 3 || dom.type(node) === 1) {
        const text = dom.type(node) === 3 ? dom.text(node) : unseenText(node);
        if (/\S/.test(text)) this.countUnseen(text.replace(/\s+/g, " "), "absent");
      }
    }

    leaveOutChildren(element) {
      for (const child of tabwright.childrenOf(element)) this.leaveOut(child);
    }

    // A name must agree with what is shown: an aria-label that has nothing of the visible text in it, or text in a
    // colour that nobody can read, does not replace what a person sees.
    settleName(element, role, marks, at, before) {
      const name = tabwright.nameOf(element);
      if (role === "generic") return marks & SCROLLS && !(marks & CLICKABLE) ? "" : tabwright.cut(this.shownSince(at), 200);
      if (!name.text || name.from === "label") return name.text;
      if (role === "image") return hasNoPicture(element) ? (this.countUnseen(name.text, "absent"), "") : name.text;
      const lost = this.faint > before.faint || (!CONTROLS.has(role) && this.clipped > before.clipped);
      if (name.from === "content") return lost && this.shownSince(at) ? this.shownSince(at) : name.text;
      if (name.from !== "aria" || role === "math" || !tabwright.namesFromContent(element, role)) return name.text;
      const shown = this.shownSince(at);
      if (!shown || agrees(name.text, shown)) return name.text;
      this.countUnseen(name.text, "absent");
      return shown;
    }

    // The visible text of the node whose row is at an index.
    shownSince(at) {
      let text = "";
      for (let i = at + 1; i < this.rows.length; i++) {
        const [, role, , marks, name] = this.rows[i];
        if (marks & SPACED) text += " ";
        if ((role === "" || this.rows[i].whole) && !(marks & OUTSIDE)) text += name;
      }
      return tabwright.clean(text);
    }

    // Text that the name already tells is not told again.
    swallow(element, row, at) {
      const [, role, , marks, name] = row;
      if (!name) return;
      const rest = this.rows.slice(at + 1);
      const told = role === "generic" || tabwright.namesFromContent(element, role);
      if (!told) return;
      if (WIDE.has(role) && rest.some(([, inner]) => inner && !TEXT_LEVEL.has(inner))) return;
      if (role === "generic" && name.endsWith("…")) return;
      row.whole = true;
      this.rows.length = at + 1;
      for (const inner of rest) if (!this.isTold(inner, name)) this.rows.push(inner);
    }

    isTold([, role, , marks, text], name) {
      if (role !== "") return false;
      return !(marks & OUTSIDE) || name.includes(text.trim()) || !/[\p{L}\p{N}]/u.test(text);
    }

    // Custom elements, and elements whose box shows nothing that we can see, may have a closed shadow root, which only
    // Python can find.
    suspect(element, place) {
      if (this.suspects.length >= MOST_SUSPECTS || !mayHost(element) || place.sight.flow.nowhere) return;
      if (tabwright.shadowRootOf(element) || dom.rect(element).height === 0 || tabwright.wasExamined(element)) return;
      this.suspects.push(element);
    }
  }

  const HOSTS = words("article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span");

  const mayHost = element => HOSTS.has(dom.tag(element)) || dom.tag(element).includes("-");

  // Handled by a script although no role says so: the cursor, a tab stop or an inline handler gives it away.
  function isHandle(element, pointerBegins, place) {
    const tag = dom.tag(element);
    if (tag === "html" || tag === "body") return false;
    if (dom.has(element, "onclick") || dom.has(element, "onmousedown")) return true;
    if (dom.has(element, "tabindex") && parseInt(dom.attr(element, "tabindex"), 10) >= 0 && dom.tag(element) !== "iframe") return true;
    return pointerBegins && !place.inControl && tag !== "label";
  }

  function scrolls(element, style) {
    const way = style.overflow;
    if (!way.includes("auto") && !way.includes("scroll")) return false;
    if (element === dom.body() || element === dom.root()) return false;
    return dom.scrollHeight(element) > dom.clientHeight(element) + 8 || dom.scrollWidth(element) > dom.clientWidth(element) + 8;
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
    element instanceof HTMLImageElement && element.complete && element.naturalWidth === 0 && /^data:/i.test(element.currentSrc);

  const tokens = text => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

  function agrees(name, shown) {
    const visible = tokens(shown).filter(token => /\p{L}/u.test(token) && token !== "x");
    if (!visible.length) return true;
    const told = new Set(tokens(name));
    return visible.filter(token => told.has(token)).length * 2 >= visible.length;
  }

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
})(globalThis.tabwright ??= {});
