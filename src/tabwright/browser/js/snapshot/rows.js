// The rows that a walk writes: nodes and pieces of text in the order of the page. Pieces of a sentence are put together
// here, names are held against what is shown, and what a name tells is not told again.
"use strict";
(tabwright => {
  const words = text => new Set(text.trim().split(/\s+/));
  // Marks of a row. OUTSIDE: seen by a person, not part of Chrome's tree (aria-hidden, inert). SPACED: white space
  // separates it from the text before.
  const MARKS = (tabwright.FLAGS = { CLICKABLE: 1, UNSEEN: 2, OUTSIDE: 4, EDITABLE: 8, SCROLLS: 16, SPACED: 32 });
  const { OUTSIDE, SPACED } = MARKS;
  const TEXT_LEVEL = words("abbr code deletion emphasis insertion mark ruby strong subscript superscript time");
  tabwright.isTextLevel = role => role === "" || TEXT_LEVEL.has(role);
  // They may hold much more than their name tells.
  const WIDE = words("cell columnheader gridcell row rowheader treeitem");
  const LONGEST_TEXT = 20000;

  class Row {
    constructor(depth, role, marks, name, element) {
      this.depth = depth;
      this.role = role;
      this.marks = marks;
      this.name = name;
      this.element = element; // whom the ref of the row names, null where it has none
      this.states = null;
      this.whole = false; // its name tells all the text in it
      this.odd = false; // its name is not simply the text in it
    }

    toString() {
      const ref = this.element === null ? "" : tabwright.refOf(this.element);
      const row = `${this.depth}\t${this.role}\t${ref}\t${this.marks}\t${this.name}`;
      return this.states === null || this.states.length === 0 ? row : `${row}\t${this.states.join("\t")}`;
    }
  }

  tabwright.Rows = class Rows {
    list = [];
    spaced = false;

    get length() {
      return this.list.length;
    }

    // Writes a node; its name and states come when what is inside is known.
    node(depth, role, marks, element) {
      const row = new Row(depth, role, this.spaced ? marks | SPACED : marks, "", element);
      this.spaced = false;
      this.list.push(row);
      return row;
    }

    // Writes the text that a place has gathered.
    breakText(place) {
      const text = place.buffer.text;
      if (text === "") return;
      place.buffer.text = "";
      const trimmed = text.trim();
      if (trimmed === "") return void (this.spaced = true);
      const marks = (place.outside ? OUTSIDE : 0) | (this.spaced || text.startsWith(" ") ? SPACED : 0);
      this.list.push(new Row(place.depth, "", marks, tabwright.cut(trimmed, LONGEST_TEXT), null));
      this.spaced = text.endsWith(" ");
    }

    // A new box begins: what follows is apart from the text before.
    breakLine(place) {
      this.breakText(place);
      this.spaced = true;
    }

    // The visible text inside the node whose row is at an index.
    shownSince(at) {
      if (this.list.length === at + 2 && this.list[at + 1].role === "" && !(this.list[at + 1].marks & OUTSIDE))
        return this.list[at + 1].name;
      let text = "";
      let told = Infinity; // the depth of a row whose name tells what is inside it
      for (let i = at + 1; i < this.list.length; i++) {
        const { depth, role, marks, name, whole } = this.list[i];
        if (depth > told) continue;
        told = whole ? depth : Infinity;
        if (marks & SPACED) text += " ";
        if ((role === "" || whole) && !(marks & OUTSIDE)) text += name;
      }
      return tabwright.clean(text);
    }

    // Whether there is nothing but text inside the node at an index.
    holdsOnlyText(at) {
      for (let i = at + 1; i < this.list.length; i++)
        if (this.list[i].role !== "" && !TEXT_LEVEL.has(this.list[i].role)) return false;
      return true;
    }

    // Whether the name of the node at an index is nothing but the text inside it.
    isPlain(at) {
      for (let i = at + 1; i < this.list.length; i++) {
        const { role, marks, odd, whole } = this.list[i];
        if (marks & OUTSIDE || odd || (role !== "" && !whole && !TEXT_LEVEL.has(role))) return false;
      }
      return true;
    }

    // Drops the text inside a node that its name tells.
    swallow(at) {
      const row = this.list[at];
      if (row.name === "" || (row.role === "generic" && row.name.endsWith("…"))) return;
      if (WIDE.has(row.role) && !this.holdsOnlyText(at)) return;
      row.whole = true;
      let kept = at + 1;
      for (let i = kept; i < this.list.length; i++)
        if (!isTold(this.list[i], row.name)) this.list[kept++] = this.list[i];
      while (this.list.length > kept) this.list.pop();
    }

    toString() {
      let text = "";
      for (const row of this.list) text += text === "" ? row.toString() : `\n${row.toString()}`;
      return text;
    }
  };

  function isTold({ role, marks, name }, told) {
    if (role !== "") return false;
    return !(marks & OUTSIDE) || told.toLowerCase().includes(name.toLowerCase()) || !/[\p{L}\p{N}]/u.test(name);
  }

  const tokens = text => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

  // Whether a name that is not shown goes with the words that are: at least half of them are in it.
  tabwright.matchesVisibleText = function (name, shown) {
    const visible = tokens(shown).filter(token => /\p{L}/u.test(token) && token !== "x");
    if (!visible.length) return true;
    const told = new Set(tokens(name));
    return visible.filter(token => told.has(token)).length * 2 >= visible.length;
  };
})(globalThis.tabwright);
