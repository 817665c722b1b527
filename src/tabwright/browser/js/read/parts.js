// A light copy of the page that the search for the main text may change: elements and texts that are rendered, with
// counts of what is inside each element. The page itself is never changed.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const words = text => new Set(text.trim().split(/\s+/));
  const SKIPPED = words("script style noscript template head link meta base title datalist param source track");
  const HEADINGS = words("h1 h2 h3 h4 h5 h6");
  const EMBEDS = words("object embed iframe");
  const TEXTUAL = words("span li td blockquote dl div img ol p pre table ul");
  const COMMAS = /[\u002C\u060C\uFE50\uFE10\uFE11\u2E41\u2E34\u2E32\uFF0C]/g;
  // Beyond them, the search takes longer than reading the whole page.
  const MAX_ELEMENTS = 50000;
  const MAX_DEPTH = 200;
  const checkVisibility = Element.prototype.checkVisibility;

  class TextPart {
    constructor(node, text) {
      this.node = node;
      this.text = text;
      this.tag = "";
      this.parent = null;
      this.blank = text.trim() === "";
      this.known = null;
    }

    get counts() {
      return (this.known ??= countText(this.text));
    }

    remove() {
      this.parent?.replace(this);
    }
  }

  // What is inside a part, added up from its children. `length` counts runs of white space once.
  class Counts {
    length = 0;
    starts = false; // with white space
    ends = false;
    commas = 0;
    plainCommas = 0;
    links = 0; // characters in links
    headings = 0; // characters in headings
    lists = 0; // characters in lists, those of an inner list twice
    p = 0;
    img = 0;
    li = 0;
    input = 0;
    embeds = 0;
    textual = false;

    get size() {
      return Math.max(0, this.length - (this.starts ? 1 : 0) - (this.ends && this.length > 1 ? 1 : 0));
    }

    add(inner) {
      if (inner.length) {
        const merged = this.ends && inner.starts;
        if (!this.length) this.starts = inner.starts;
        this.length += inner.length - (merged ? 1 : 0);
        this.ends = inner.ends;
      }
      for (const key of ADDED) this[key] += inner[key];
      this.textual ||= inner.textual;
    }
  }
  const ADDED = ["commas", "plainCommas", "links", "headings", "lists", "p", "img", "li", "input", "embeds"];

  function countText(text) {
    const counts = new Counts();
    const plain = text.replace(/\s+/g, " ");
    counts.length = plain.length;
    counts.starts = plain.startsWith(" ");
    counts.ends = plain.endsWith(" ");
    counts.commas = plain.match(COMMAS)?.length ?? 0;
    counts.plainCommas = counts.commas ? plain.split(",").length - 1 : 0;
    return counts;
  }

  class ElementPart {
    constructor(tag, element = null, label = " ") {
      this.tag = tag;
      this.element = element;
      this.label = label; // class and id
      this.parts = [];
      this.parent = null;
      this.score = null;
      this.known = null;
      this.isDataTable = false;
    }

    get counts() {
      if (this.known !== null) return this.known;
      const counts = new Counts();
      for (const part of this.parts) counts.add(part.counts);
      this.countItself(counts);
      return (this.known = counts);
    }

    // What the tag adds to the counts of the ancestors.
    countItself(counts) {
      const { tag } = this;
      if (tag === "a") counts.links += counts.size * (this.isAnchor() ? 0.3 : 1);
      else if (tag === "p" || tag === "img" || tag === "li" || tag === "input") counts[tag]++;
      else if (HEADINGS.has(tag)) counts.headings += counts.size;
      else if (tag === "ul" || tag === "ol") counts.lists += counts.size;
      else if (EMBEDS.has(tag)) counts.embeds++;
      if (TEXTUAL.has(tag) && counts.size) counts.textual = true;
    }

    isAnchor() {
      return this.element !== null && /^#./.test(dom.attr(this.element, "href") ?? "");
    }

    get size() {
      return this.counts.size;
    }

    get linkDensity() {
      return this.size ? this.counts.links / this.size : 0;
    }

    get text() {
      return this.parts.map(part => part.text).join("");
    }

    get elements() {
      return this.parts.filter(part => part.tag !== "");
    }

    attr(name) {
      return this.element === null ? null : dom.attr(this.element, name);
    }

    forget() {
      for (let at = this; at !== null && at.known !== null; at = at.parent) at.known = null;
    }

    append(part) {
      if (part.parent) part.remove();
      this.adopt(part);
      this.forget();
    }

    // Like append, for a part without a parent, before anything is counted.
    adopt(part) {
      part.parent = this;
      this.parts.push(part);
    }

    // Puts parts into the place of a child.
    replace(child, ...parts) {
      this.parts.splice(this.parts.indexOf(child), 1, ...parts);
      child.parent = null;
      for (const part of parts) part.parent = this;
      this.forget();
    }

    remove() {
      this.parent?.replace(this);
    }

    // The ancestors, the nearest first, without the root.
    *ancestors() {
      for (let at = this.parent; at?.parent; at = at.parent) yield at;
    }

    hasAncestor(test, most = Infinity) {
      for (let at = this.parent, depth = 0; at?.parent && depth <= most; at = at.parent, depth++)
        if (test(at)) return true;
      return false;
    }

    // All elements inside, in page order.
    all() {
      const found = [];
      collect(this, null, found);
      return found;
    }

    withTags(...tags) {
      const found = [];
      collect(this, new Set(tags), found);
      return found;
    }

    // Its only element, if it has that tag and nothing but blank text is around it.
    onlyElement(tag) {
      const elements = this.elements;
      return elements.length === 1 && elements[0].tag === tag && this.parts.every(part => part.tag !== "" || part.blank)
        ? elements[0]
        : null;
    }
  }

  function collect(part, tags, found) {
    for (const inner of part.parts) {
      if (inner.tag === "") continue;
      if (tags === null || tags.has(inner.tag)) found.push(inner);
      collect(inner, tags, found);
    }
  }

  // Copies what is rendered below an element of the page; null if the page is too large to search.
  function build(root) {
    const limit = { elements: MAX_ELEMENTS };
    const part = buildPart(root, true, 0, limit);
    return limit.elements < 0 ? null : part;
  }

  function buildPart(element, visible, depth, limit) {
    const tag = dom.tag(element);
    const part = new ElementPart(tag === "font" ? "span" : tag, element, labelOf(element));
    if (depth > MAX_DEPTH) limit.elements = 0;
    if (limit.elements-- <= 0) return part;
    for (const child of tabwright.childrenOf(element)) {
      const type = dom.type(child);
      if (type === 3) {
        if (visible && dom.text(child) !== "") part.adopt(new TextPart(child, dom.text(child)));
      } else if (type === 1 && !SKIPPED.has(dom.tag(child)) && dom.attr(child, "aria-hidden") !== "true") {
        const shown = checkVisibility.call(child, VISIBLE) || visibilityOf(child);
        if (shown !== null) part.adopt(buildPart(child, shown, depth + 1, limit));
      }
    }
    return part;
  }

  const VISIBLE = { visibilityProperty: true };

  // Whether the text of an element without a visible box can be seen; null if nothing inside it is rendered.
  function visibilityOf(element) {
    const { display, visibility } = getComputedStyle(element);
    return display === "none" ? null : visibility === "visible" && display === "contents";
  }

  const labelOf = element =>
    dom.has(element, "class") || dom.has(element, "id")
      ? `${dom.attr(element, "class") ?? ""} ${dom.attr(element, "id") ?? ""}`
      : " ";

  function copy(part) {
    if (part.tag === "") return new TextPart(part.node, part.text);
    const twin = new ElementPart(part.tag, part.element, part.label);
    for (const inner of part.parts) twin.adopt(copy(inner));
    return twin;
  }

  tabwright.parts = { ElementPart, build, copy, EMBEDS };
})(globalThis.tabwright);
