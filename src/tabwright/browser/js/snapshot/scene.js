// What a walk showed, in units that can be compared with those of another walk: one for each node, one for each
// sentence. A sentence joins the text-level rows that the snapshot shows on one line.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const { CLICKABLE, OUTSIDE, EDITABLE, SCROLLS, SPACED, BLOCK } = tabwright.FLAGS;
  const NAMED_WITHIN = 3; // levels of the document
  const RAW_TAGS = new Set(["input", "textarea", "select"]);

  class Unit {
    constructor(index, row, parent) {
      this.index = index;
      this.row = row;
      this.parent = parent;
      this.source = row.source;
      this.last = index; // the index of the last unit inside
      /** @type {string | null} */
      this.text = null; // of a sentence
      /** @type {string | null} */
      this.content = null; // cached by contentOf
      /** @type {string | null} */
      this.raw = null; // what the row does not show whole: secrets, long values, the options of a select
    }

    // What a person sees of it, apart from the focus.
    get key() {
      if (this.text !== null) return this.text;
      return `${this.row.role}\t${this.row.name}\t${this.states}`;
    }

    // Whether the snapshot gives it a line, and not only its content.
    get hasLine() {
      if (this.text !== null) return this.text !== "";
      const { role, name, element, flags } = this.row;
      return name !== "" || element !== null || (flags & (CLICKABLE | EDITABLE | SCROLLS)) !== 0 || role === "row";
    }

    // Its states, apart from the focus and from where it is.
    get states() {
      return (this.row.states ?? []).filter(state => state !== "focused" && state !== "scrolled out").join("\t");
    }

    // Whether it is hidden from assistive technology, as a page behind a dialog is.
    get outside() {
      return (this.row.flags & OUTSIDE) !== 0;
    }

    get clickable() {
      return this.text === null && (this.row.flags & CLICKABLE) !== 0;
    }

    add(row) {
      if (this.text !== "" && row.flags & SPACED && !this.text.endsWith(" ")) this.text += " ";
      if (row.role === "") this.text += row.name;
    }

    toString(depth = 0, text = this.text) {
      return text === null ? this.row.toString(depth) : `${depth}\t\t\t${this.row.flags & OUTSIDE}\t${text}`;
    }
  }

  tabwright.Scene = class Scene {
    // `skipped` holds the elements that the walk left out, `truncated` says that it did not reach the end.
    constructor(walk, skipped) {
      this.skipped = skipped;
      this.truncated = walk.truncated;
      this.modal = walk.modal;
      this.covered = new Set([...walk.unseen].map(dom.parentNode)); // elements with text behind an opaque box
      this.rows = walk.rows.list;
      this.secrets = rawValues(this.rows);
    }

    // Built when it is compared: most scenes never are.
    get units() {
      const units = unitsOf(this.rows, this.secrets);
      Object.defineProperty(this, "units", { value: units });
      return units;
    }

    // By element.
    get nodes() {
      const nodes = new Map();
      for (const unit of this.units) if (unit.text === null) nodes.set(unit.source, unit);
      Object.defineProperty(this, "nodes", { value: nodes });
      return nodes;
    }

    // Whether a text is behind an opaque box, or part of the name of the element that it is in.
    hides({ text, source }) {
      if (text === null) return false;
      if (this.covered.has(source)) return true;
      for (let at = source, level = 0; at !== null && level < NAMED_WITHIN; at = tabwright.parentOf(at), level++)
        if (this.nodes.get(at)?.row.name.includes(text)) return true;
      return false;
    }

    // Whether text of an element is behind an opaque box, so that its name is not known.
    covers(element) {
      for (const parent of this.covered) if (dom.contains(element, parent)) return true;
      return false;
    }

    get outside() {
      return this.units.filter(unit => unit.outside).length;
    }

    // The units inside a unit, itself included.
    within(unit) {
      return this.units.slice(unit.index, unit.last + 1);
    }

    // Everything that a unit shows, as a key.
    contentOf(unit) {
      return (unit.content ??= this.within(unit)
        .map(inner => `${inner.row.depth - unit.row.depth}\t${inner.key}`)
        .join("\n"));
    }

    // The first line inside a unit, as a key; null if it has none.
    firstLineIn(unit) {
      for (let at = unit.index + 1; at <= unit.last; at++)
        if (this.units[at].hasLine) return `${unit.row.role}\t${this.units[at].key}`;
      return null;
    }
  };

  // By element: read at once, since the page may change before the units are built.
  function rawValues(rows) {
    const values = new Map();
    for (const { element, flags } of rows)
      if (element !== null && flags & CLICKABLE && RAW_TAGS.has(dom.tag(element)))
        values.set(element, rawValue(element));
    return values;
  }

  const rawValue = control =>
    control instanceof HTMLSelectElement ? dom.textContent(control) : /** @type {HTMLInputElement} */ (control).value;

  function unitsOf(rows, raw) {
    const units = [];
    const open = [];
    let sentence = null;
    let inlineEnd = 0; // the rows up to here are part of the sentence
    const add = row => {
      const unit = new Unit(units.length, row, open[row.depth - 1] ?? null);
      units.push(unit);
      for (let at = unit.parent; at !== null; at = at.parent) at.last = unit.index;
      return unit;
    };
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at];
      const end = at < inlineEnd ? inlineEnd : endOfInline(rows, at);
      if (end === at) {
        open.length = row.depth;
        sentence = null;
        const unit = (open[row.depth] = add(row));
        unit.raw = raw.get(row.element) ?? null;
        continue;
      }
      const joins = at < inlineEnd || (sentence !== null && sentence.row.depth === row.depth && !(row.flags & BLOCK));
      inlineEnd = end;
      if (!joins) {
        open.length = row.depth;
        sentence = add(row);
        sentence.text = "";
      }
      sentence.add(row);
    }
    return units;
  }

  // The end of a text or a text-level element with nothing but text in it; `at` if it is something else.
  function endOfInline(rows, at) {
    const { depth } = rows[at];
    let end = at;
    do {
      if (rows[end].element !== null || !tabwright.isTextLevel(rows[end].role)) return at;
      end++;
    } while (end < rows.length && rows[end].depth > depth);
    return end;
  }
})(globalThis.tabwright);
