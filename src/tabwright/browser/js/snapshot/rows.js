// The rows of a snapshot: nodes and texts in page order. Parts of a sentence are joined here, names are compared with
// the visible text, and text that a name repeats is dropped.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const words = text => new Set(text.trim().split(/\s+/));
  // Flags of a row; nodes.py has the same. OUTSIDE: visible, but not in Chrome's accessibility tree (aria-hidden, inert).
  // SPACED: white space separates it from the text before. BLOCK: it starts a new line.
  const FLAGS = (tabwright.FLAGS = {
    CLICKABLE: 1,
    INVISIBLE: 2,
    OUTSIDE: 4,
    EDITABLE: 8,
    SCROLLS: 16,
    SPACED: 32,
    BLOCK: 64,
  });
  const { CLICKABLE, INVISIBLE, OUTSIDE, SCROLLS, SPACED, BLOCK } = FLAGS;
  const TEXT_LEVEL = words("abbr code deletion emphasis insertion mark ruby strong subscript superscript time");
  tabwright.isTextLevel = role => role === "" || TEXT_LEVEL.has(role);
  // They may hold much more than their name.
  const CONTAINERS = words("cell columnheader gridcell row rowheader treeitem");
  const CONTENT = words("generic heading image paragraph listitem cell").add("");
  const NUMBERED = words("button radio");
  const MIN_ALIKE = 3;
  const MAX_TEXT = 20000;

  class Row {
    constructor(depth, role, flags, name, element) {
      this.depth = depth;
      this.role = role;
      this.flags = flags;
      this.name = name;
      this.element = element; // the element of the row's ref, null if it has none
      this.states = null;
      this.whole = false; // its name contains all the text in it
      this.unusual = false; // its name is not just the text in it
      this.source = element; // the element that it shows; for text, the parent of the first piece
    }

    toString(depth = this.depth) {
      const ref = this.element === null ? "" : tabwright.refOf(this.element);
      const row = `${depth}\t${this.role}\t${ref}\t${this.flags}\t${this.name}`;
      return this.states === null || this.states.length === 0 ? row : `${row}\t${this.states.join("\t")}`;
    }
  }

  tabwright.Rows = class Rows {
    list = [];
    spaced = false;
    block = false;

    get length() {
      return this.list.length;
    }

    // Adds a node; name and states are set once its content is known.
    node(depth, role, flags, element) {
      const row = new Row(depth, role, flags | this.separation(), "", element);
      this.spaced = this.block = false;
      this.list.push(row);
      return row;
    }

    // Adds a row for the text collected at a place.
    flushText(place) {
      const text = place.buffer.text;
      if (text === "") return;
      const source = place.buffer.source;
      place.buffer.text = "";
      place.buffer.source = null;
      const trimmed = text.trim();
      if (trimmed === "") return void (this.spaced = true);
      if (text.startsWith(" ")) this.spaced = true;
      const flags = (place.outside ? OUTSIDE : 0) | this.separation();
      const row = new Row(place.depth, "", flags, tabwright.cut(trimmed, MAX_TEXT), null);
      row.source = source;
      this.list.push(row);
      this.spaced = text.endsWith(" ");
      this.block = false;
    }

    separation() {
      return (this.spaced ? SPACED : 0) | (this.block ? BLOCK : 0);
    }

    // Starts or ends a box: the text before it is separated from the text after it. A block starts a new line.
    startBox(place, isBlock) {
      this.flushText(place);
      this.spaced = true;
      this.block ||= isBlock;
    }

    // The visible text inside the node at an index.
    textInside(at) {
      if (this.list.length === at + 2 && this.list[at + 1].role === "" && !(this.list[at + 1].flags & OUTSIDE))
        return this.list[at + 1].name;
      let text = "";
      let namedDepth = Infinity; // the depth of a row whose name contains the text in it
      for (let i = at + 1; i < this.list.length; i++) {
        const { depth, role, flags, name, whole } = this.list[i];
        if (depth > namedDepth) continue;
        namedDepth = whole ? depth : Infinity;
        if (flags & SPACED) text += " ";
        if ((role === "" || whole) && !(flags & OUTSIDE)) text += name;
      }
      return tabwright.clean(text);
    }

    // The one control that is all the node at an index contains; null if there is more, or something else is drawn for it.
    onlyControl(at) {
      const depth = this.list[at].depth + 1;
      const first = this.list[at + 1];
      if (first === undefined || !(first.flags & CLICKABLE) || first.flags & INVISIBLE) return null;
      for (let i = at + 2; i < this.list.length; i++) if (this.list[i].depth <= depth) return null;
      return first;
    }

    // Whether the node at an index has no content except nodes with these roles, or around such nodes.
    holdsOnly(at, roles) {
      const depth = this.list[at].depth + 1;
      let found = false;
      for (let i = at + 1; i < this.list.length; i++) {
        const { role, flags, depth: own } = this.list[i];
        if (flags & INVISIBLE || (own === depth && CONTENT.has(role))) return false;
        found ||= roles.has(role);
      }
      return found;
    }

    // Drops what is inside a control, has the same name and is all it contains: a guess, or a link within the page.
    dropSameControl(at) {
      const outer = this.list[at];
      const only = this.onlyControl(at);
      if (only === null || only.name !== outer.name || only.flags & SCROLLS) return;
      if (only.role === "generic" || (only.role === "link" && isSamePress(only.element, outer.element)))
        this.remove(at + 1);
    }

    // Removes the node at an index; what it contains takes its place.
    remove(at) {
      const [removed] = this.list.splice(at, 1);
      for (let i = at; i < this.list.length; i++) this.list[i].depth--;
      if (at < this.list.length) this.list[at].flags |= removed.flags & (SPACED | BLOCK);
    }

    // Numbers controls in a row that have the same name, such as the stars of a rating.
    numberAlike() {
      let first = null;
      let others = []; // the rows like it
      for (const row of this.list) {
        if (first !== null) {
          if (row.depth > first.depth || isItemAround(row, first)) continue;
          if (isAlike(first, row)) {
            others.push(row);
            continue;
          }
          if (others.length) {
            addPositions([first, ...others]);
            others = [];
          }
        }
        first = NUMBERED.has(row.role) && row.states !== null ? row : null;
      }
      if (others.length) addPositions([first, ...others]);
    }

    // Whether the node at an index contains only text.
    hasOnlyText(at) {
      for (let i = at + 1; i < this.list.length; i++)
        if (this.list[i].role !== "" && !TEXT_LEVEL.has(this.list[i].role)) return false;
      return true;
    }

    // Whether the name of the node at an index is just the text inside it.
    isPlain(at) {
      for (let i = at + 1; i < this.list.length; i++) {
        const { role, flags, unusual, whole } = this.list[i];
        if (flags & OUTSIDE || unusual || (role !== "" && !whole && !TEXT_LEVEL.has(role))) return false;
      }
      return true;
    }

    // Drops the text inside a node that its name repeats.
    dropNamedText(at) {
      const row = this.list[at];
      if (row.name === "") return;
      const isContainer = CONTAINERS.has(row.role);
      // A name that was cut is not the whole text.
      if ((isContainer || row.role === "generic") && row.name.endsWith("…")) return;
      if (isContainer && !this.hasOnlyText(at)) return;
      row.whole = true;
      let kept = at + 1;
      for (let i = kept; i < this.list.length; i++)
        if (!isInName(this.list[i], row.name)) this.list[kept++] = this.list[i];
      while (this.list.length > kept) this.list.pop();
    }

    toString() {
      let text = "";
      for (const row of this.list) text += text === "" ? row.toString() : `\n${row.toString()}`;
      return text;
    }
  };

  function addPositions(group) {
    if (group.length < MIN_ALIKE) return;
    for (const [at, row] of group.entries()) row.states.push(`position=${at + 1} of ${group.length}`);
  }

  const isItemAround = (row, inner) => row.role === "listitem" && row.depth === inner.depth - 1;

  const isAlike = (one, other) =>
    one.role === other.role && one.depth === other.depth && one.name === other.name && other.states !== null;

  // Whether a click on a control is one on the link in it, which leads nowhere else.
  function isSamePress(link, outer) {
    if (!/^#|^javascript:/i.test(dom.attr(link, "href") ?? "#")) return false;
    const [small, large] = [dom.rect(link), dom.rect(outer)];
    const [x, y] = [(large.left + large.right) / 2, (large.top + large.bottom) / 2];
    return x > small.left && x < small.right && y > small.top && y < small.bottom;
  }

  function isInName({ role, flags, name }, nodeName) {
    if (role !== "") return false;
    return !(flags & OUTSIDE) || nodeName.toLowerCase().includes(name.toLowerCase()) || !/[\p{L}\p{N}]/u.test(name);
  }

  const tokens = text => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

  // Whether an invisible name fits the visible text: at least half of the visible words are in it.
  tabwright.matchesVisibleText = function (name, shown) {
    const visible = tokens(shown).filter(token => /\p{L}/u.test(token) && token !== "x");
    if (!visible.length) return true;
    const inName = new Set(tokens(name));
    return visible.filter(token => inName.has(token)).length * 2 >= visible.length;
  };
})(globalThis.tabwright);
