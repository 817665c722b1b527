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
  const HIDEABLE_INPUTS = words("checkbox radio file range color");
  // Marks of a row. OUTSIDE: seen by a person, not part of Chrome's tree (aria-hidden, inert). SPACED: text before it
  // ends with white space.
  const CLICKABLE = 1, UNSEEN = 2, OUTSIDE = 4, EDITABLE = 8, SCROLLS = 16, SPACED = 32;
  const DEEPEST = 900;
  const MOST_SUSPECTS = 200;
  const LONGEST = { name: 2000, value: 2000, text: 20000, href: 2000, description: 500 };

  tabwright.snapshot = function (options) {
    tabwright.forget();
    tabwright.stripped = 0;
    tabwright.numbering.start(options.next);
    const root = options.root ? tabwright.nodeOf(options.root) : dom.root();
    if (!root) return JSON.stringify({ gone: true, next: tabwright.numbering.next });
    return new Walk(root, options).answer();
  };

  class Walk {
    constructor(root, { maxNodes = 200000, budgetMs = 1500 }) {
      this.root = root;
      this.most = maxNodes;
      this.deadline = performance.now() + budgetMs;
      this.rows = [];
      this.visited = 0;
      this.truncated = false;
      this.hidden = { nodes: 0, characters: 0 };
      this.faint = 0;
      this.suspects = tabwright.suspects = [];
      this.focused = tabwright.focused();
      this.modal = [...dom.documentAll(":modal")].pop() ?? null;
    }

    answer() {
      const parent = tabwright.parentOf(this.root);
      const sight = parent ? tabwright.sightOf(parent) : tabwright.openSight();
      this.element(this.root, parent, { depth: 0, sight, outside: this.isOutside(), pointer: false, preserved: false });
      const { hidden, truncated } = this;
      const suspects = this.suspects.length;
      const facts = { next: tabwright.numbering.next, hidden, stripped: tabwright.stripped, truncated, suspects, url: document.URL, title: tabwright.cut(tabwright.clean(document.title), 500) };
      return JSON.stringify(facts) + "\n" + this.rows.map(row => row.join("\t")).join("\n");
    }

    isOutside() {
      return (this.modal !== null && !this.within(this.modal)) || dom.closest(this.root, "[aria-hidden=true],[inert]") !== null;
    }

    within(ancestor) {
      for (let at = this.root; at; at = tabwright.parentOf(at)) if (at === ancestor) return true;
      return false;
    }

    // False when the walk is over.
    goesOn(depth) {
      if (this.truncated) return false;
      this.visited++;
      const late = (this.visited & 127) === 0 && performance.now() > this.deadline;
      this.truncated = late || this.rows.length >= this.most || depth > DEEPEST;
      return !this.truncated;
    }

    element(element, parent, place) {
      const tag = dom.tag(element);
      if (UNREAD.has(tag) || !this.goesOn((place.deep ?? 0))) return;
      if (tag === "br") return this.addText(" ", place);
      const style = tabwright.styleOf(element);
      if (style.display === "none") return this.leaveOut(element);
      const sight = tabwright.sightInside(element, style, place.sight);
      const inner = { ...place, deep: (place.deep ?? 0) + 1, sight, outside: this.outsideOf(element, place), block: isBlock(style) };
      if (inner.block) this.breakLine(place);
      const node = this.describe(element, style, place, inner);
      if (node) this.emit(element, style, node, inner, place);
      else this.children(element, style, inner);
      if (inner.block) this.breakLine(place);
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
      const marks = this.marksOf(element, style, role, place, inner);
      if (marks & UNSEEN && !this.keptUnseen(element, role, marks)) return null;
      if (inner.outside && !(marks & (CLICKABLE | EDITABLE)) && role !== "iframe" && role !== "heading") role = "";
      if (role === "none") role = "";
      if (role === "" && !(marks & (CLICKABLE | EDITABLE | SCROLLS))) return null;
      return { role: role || "generic", marks };
    }

    marksOf(element, style, role, place, inner) {
      let marks = inner.outside ? OUTSIDE : 0;
      const pointer = style.cursor === "pointer" && style.pointerEvents !== "none";
      inner.pointer = pointer;
      if (CONTROLS.has(role) && role !== "gridcell") marks |= CLICKABLE;
      else if (isHandle(element, pointer && !place.pointer, place)) marks |= CLICKABLE;
      if (tabwright.isEditingHost(element)) marks |= EDITABLE | CLICKABLE;
      if (style.overflow !== "visible" && scrolls(element, style)) marks |= SCROLLS;
      if (marks & CLICKABLE) inner.inControl = true;
      if ((role !== "" && role !== "none" && !TEXT_LEVEL.has(role)) || marks & CLICKABLE) {
        if (style.display !== "contents" && !tabwright.boxSeen(element, style, inner.sight, place.sight)) marks |= UNSEEN;
      }
      return marks;
    }

    // A styled checkbox hides the real one; a wrapper may be flat while its content is not.
    keptUnseen(element, role, marks) {
      if (dom.tag(element) === "input" && HIDEABLE_INPUTS.has(tabwright.inputType(element))) return isReplaced(element);
      if (tabwright.styleOf(element).visibility !== "visible") return false;
      return !CONTROLS.has(role) && !LEAVES.has(role) && role !== "heading" && role !== "iframe" && !(marks & (CLICKABLE | EDITABLE));
    }

    emit(element, style, node, inner, place) {
      const { role, marks } = node;
      this.breakText(place);
      const ref = this.needsRef(element, role, marks) ? tabwright.refOf(element) : "";
      const row = [place.depth, role, ref, marks | (this.spaced ? SPACED : 0), ""];
      this.spaced = false;
      const at = this.rows.length;
      this.rows.push(row);
      const before = { nodes: this.hidden.nodes, faint: this.faint };
      inner.depth = place.depth + 1;
      inner.text = undefined;
      this.content(element, style, role, inner);
      this.breakText(inner);
      row[4] = tabwright.cut(this.settleName(element, role, marks, at, before), LONGEST.name);
      if (this.isIdle(row, element, at)) return void this.rows.splice(at);
      this.swallow(element, row, at);
      for (const state of tabwright.statesOf(element, role, row[4], this.focused)) row.push(state);
    }

    needsRef(element, role, marks) {
      if (marks & (CLICKABLE | EDITABLE | SCROLLS)) return true;
      if (role === "image") return tabwright.nameOf(element).text !== "";
      return REFERABLE.has(role);
    }

    content(element, style, role, inner) {
      if (role === "combobox" && element instanceof HTMLSelectElement && element !== this.root) return;
      if (role === "iframe" || role === "textbox" && !tabwright.isEditingHost(element) && element.value !== undefined) return;
      this.children(element, style, inner);
    }

    children(element, style, inner) {
      if (style.contentVisibility === "hidden") return this.leaveOutChildren(element);
      this.suspect(element, style, inner);
      this.generated(element, "::before", style, inner);
      const closed = element instanceof HTMLDetailsElement && !element.open;
      for (const child of tabwright.childrenOf(element)) {
        const type = dom.type(child);
        if (closed && !(type === 1 && tabwright.roleOf(child) === "summary")) this.leaveOut(child);
        else if (type === 3) this.text(child, element, style, inner);
        else if (type === 1) this.element(child, element, this.childPlace(inner));
        if (this.truncated) break;
      }
      this.generated(element, "::after", style, inner);
    }

    // Wrappers share the text that is being put together; a node starts its own.
    childPlace(inner) {
      inner.buffer ??= { text: "" };
      return inner;
    }

    text(node, parent, style, place) {
      const data = dom.text(node);
      if (!/\S/.test(data)) return this.addText(data && " ", place);
      const reason = tabwright.textUnseen(node, parent, style, place.sight);
      if (reason) return this.countUnseen(data, reason);
      this.addText(tabwright.squeeze(tabwright.shownText(node, parent)), place);
    }

    generated(element, pseudo, style, place) {
      const text = tabwright.generatedText(element, pseudo);
      if (!text) return;
      if (style.visibility !== "visible" || place.sight.opacity < 0.1 || place.sight.flow.nowhere) this.countUnseen(text, "clipped");
      else this.addText(tabwright.squeeze(text), place);
    }

    addText(text, place) {
      const buffer = (place.buffer ??= { text: "" });
      if (!buffer.text.endsWith(" ") || !text.startsWith(" ")) buffer.text += text;
      else buffer.text += text.trimStart();
    }

    breakText(place) {
      const text = place.buffer?.text;
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
    }

    leaveOut(node) {
      if (dom.type(node) === 3 || dom.type(node) === 1) {
        const text = dom.type(node) === 3 ? dom.text(node) : unseenText(node);
        if (/\S/.test(text)) this.countUnseen(text.replace(/\s+/g, " "), "clipped");
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
      if (role === "image") return hasNoPicture(element) ? (this.countUnseen(name.text, "clipped"), "") : name.text;
      const lost = this.faint > before.faint || (!CONTROLS.has(role) && this.hidden.nodes > before.nodes);
      if (name.from === "content") return lost && this.shownSince(at) ? this.shownSince(at) : name.text;
      if (name.from !== "aria" || !tabwright.namesFromContent(element, role)) return name.text;
      const shown = this.shownSince(at);
      if (!shown || agrees(name.text, shown)) return name.text;
      this.countUnseen(name.text, "clipped");
      return shown;
    }

    // The visible text of the node whose row is at an index.
    shownSince(at) {
      let text = "";
      for (let i = at + 1; i < this.rows.length; i++) {
        const [, role, , marks, name] = this.rows[i];
        if (role === "" && !(marks & OUTSIDE)) text += (text && !text.endsWith(" ") ? " " : "") + name;
      }
      return tabwright.clean(text);
    }

    // A node that shows nothing: no box, no name, nothing inside.
    isIdle(row, element, at) {
      const [, role, , marks] = row;
      if (this.rows.length > at + 1) return false;
      if (marks & UNSEEN) return !(dom.tag(element) === "input");
      return false;
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
      this.rows.length = at + 1;
      for (const inner of rest) if (!this.isTold(inner, name)) this.rows.push(inner);
    }

    isTold([, role, , marks, text], name) {
      if (TEXT_LEVEL.has(role)) return true;
      if (role !== "") return false;
      return !(marks & OUTSIDE) || name.includes(text.trim()) || !/[\p{L}\p{N}]/u.test(text);
    }

    // Elements that may have a closed shadow root, which only Python can find.
    suspect(element, style, place) {
      if (this.suspects.length >= MOST_SUSPECTS || tabwright.wasExamined(element) || tabwright.shadowRootOf(element)) return;
      if (!mayHost(element) || place.sight.flow.nowhere) return;
      if (!looksHollow(element)) return;
      this.suspects.push(element);
    }
  }

  const HOSTS = words("article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span");

  const mayHost = element => HOSTS.has(dom.tag(element)) || dom.tag(element).includes("-");

  // A host shows something although it has nothing, or has something that is not shown.
  function looksHollow(element) {
    const first = dom.firstChild(element);
    if (first === null || dom.tag(element).includes("-")) return dom.rect(element).height > 0;
    const child = dom.firstElement(element);
    if (child === null) return !textHasBox(first) && /\S/.test(dom.textContent(element));
    return !UNREAD.has(dom.tag(child)) && tabwright.styleOf(child).display !== "none" && tabwright.styleOf(child).display !== "contents" && child.getClientRects().length === 0;
  }

  const range = new Range();

  function textHasBox(node) {
    range.selectNodeContents(dom.parentNode(node));
    return range.getClientRects().length > 0;
  }

  const isBlock = style => !style.display.startsWith("inline") && style.display !== "contents" && !style.display.startsWith("ruby");

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
    if (!tabwright.isRendered(element) || tabwright.styleOf(element).visibility !== "visible") return false;
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
