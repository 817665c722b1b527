// Reads a page as text: the same walk as a snapshot, so that the same text is hidden, but with rows for what Markdown
// has: headings, lists, tables, code, links and line breaks. Names are the text itself; controls are left out.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const words = text => new Set(text.trim().split(/\s+/));
  // Not in cleaned text, which has neither of them. markdown.py has the same.
  const LINE_BREAK = "\u2028";
  const TAB = "\u2029";
  // The row begins a new box: markdown.py begins a new block there.
  const { SPACED } = tabwright.FLAGS;
  const BREAK = 64;
  const LANDMARKS = words(
    "main article banner navigation complementary contentinfo search menu menubar toolbar dialog alertdialog",
  );
  const CONTROLS =
    words(`button checkbox color combobox date datetime inputtime label listbox menuitem menuitemcheckbox menuitemradio
    option radio radiogroup scrollbar searchbox slider spinbutton switch tab textbox`);
  const STRUCTURE =
    words(`blockquote caption cell code columnheader definition deletion emphasis figcaption grid gridcell heading link list listitem
    paragraph row rowgroup rowheader strong summary table term treegrid`);
  // Their text may be a control that opens or sorts.
  const HEADINGS = words("heading columnheader rowheader");
  const KEPT_EMPTY = words("cell columnheader gridcell rowheader");
  const ROLES_BY_TAG = { b: "strong", i: "emphasis", pre: "codeblock" };
  const EDGES = /^[ \u2028]+|[ \u2028]+$/g;
  const FILE_NAME = /^\S+\.(avif|bmp|gif|jpe?g|png|svg|webp)$/i;
  const MAX_NAME = 2000;
  // Parts around an article, by the names that a reader would use.
  const AROUND = {
    header: "header,[role=banner]",
    menus: "nav,[role=navigation]",
    sidebars: "aside,[role=complementary]",
    comments: "[id*=comment i],[class*=comment i]",
    footer: "footer,[role=contentinfo]",
  };
  const MIN_WORDS = 5;
  const innerText = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "innerText").get;
  const { checkVisibility } = Element.prototype;
  const KEEPS_BREAKS = /^(pre|pre-line|pre-wrap|break-spaces)$/;

  class ReadingRows extends tabwright.Rows {
    broken = false;
    verbatim = false; // inside a code block, which is one row

    node(depth, role, flags, element) {
      const row = super.node(depth, role, this.broken ? flags | BREAK : flags, element);
      this.broken = false;
      return row;
    }

    flushText(place) {
      const { text } = place.buffer;
      if (text === "" || this.verbatim) return;
      place.buffer.text = "";
      const trimmed = text.replace(EDGES, "");
      if (trimmed === "") return void (this.spaced = true);
      this.spaced ||= text[0] !== trimmed[0];
      this.node(place.depth, "", 0, null).name = trimmed;
      this.spaced = text.at(-1) !== trimmed.at(-1);
    }

    startBox(place) {
      if (this.verbatim) return startLine(place);
      super.startBox(place, false);
      this.broken = true;
    }

    // Removes the last row, which has no content.
    drop() {
      const { flags } = this.list.pop();
      this.spaced ||= Boolean(flags & SPACED);
      this.broken ||= Boolean(flags & BREAK);
    }
  }

  class ReadingWalk extends tabwright.Walk {
    // `kept` are the nodes of the article; null for the whole root.
    constructor(root, options, unseen, kept) {
      super(root, options, unseen);
      this.rows = new ReadingRows();
      this.kept = kept;
      this.landmarks = kept === null && !options.root;
      this.headings = 0;
    }

    element(element, place) {
      if (dom.tag(element) === "br") place.buffer.text += LINE_BREAK;
      else if (this.kept === null || this.kept.has(element)) super.element(element, place);
    }

    isEmpty() {
      return false; // its nodes need the view of every element
    }

    text(node, parent, style, place) {
      if (this.kept !== null && !this.kept.has(node)) return;
      const data = dom.text(node);
      const { verbatim } = this.rows;
      if (!verbatim && !(data.includes("\n") && KEEPS_BREAKS.test(style.whiteSpace)))
        return super.text(node, parent, style, place);
      if (/\S/.test(data)) {
        const reason = tabwright.textHiddenReason(node, parent, style, place);
        if (reason || this.unseen.has(node)) return this.hidden.count(data, reason || "faint");
        this.texts.push({ node, parent, box: place.box });
      }
      place.buffer.text += verbatim ? encodeCode(data) : data.split("\n").map(tabwright.squeeze).join(LINE_BREAK);
    }

    node(element, style, inner, place) {
      const { tag, withoutContent } = inner.kind;
      if (this.rows.verbatim) return withoutContent ? undefined : this.children(element, style, inner);
      const role = ROLES_BY_TAG[tag] ?? tabwright.roleOf(element);
      if (role === "image" || role === "iframe") this.box(element, style, role, inner, place);
      else if (CONTROLS.has(role) && !this.headings) return;
      else if (role === "codeblock") this.code(element, style, inner, place);
      else if (STRUCTURE.has(role) || (this.landmarks && LANDMARKS.has(role)))
        this.structure(element, style, role, inner, place);
      else if (!withoutContent) this.children(element, style, inner);
    }

    // In an article, the caption describes an image, and frames are advertisements and embedded posts.
    box(element, style, role, inner, place) {
      if (this.kept !== null || !tabwright.isBoxVisible(element, style, inner.view, place.view)) return;
      const name = role === "image" && !tabwright.hasBrokenImage(element) ? tabwright.nameOf(element).text : "";
      if (role === "image" && (name === "" || FILE_NAME.test(name))) return;
      this.rows.flushText(place);
      this.rows.node(place.depth, role, 0, role === "iframe" ? element : null).name = tabwright.cut(name, MAX_NAME);
    }

    structure(element, style, role, inner, place) {
      this.rows.flushText(place);
      const at = this.rows.length;
      const row = this.rows.node(place.depth, role, 0, null);
      inner.depth = place.depth + 1;
      inner.buffer = { text: "" };
      this.headings += HEADINGS.has(role) ? 1 : 0;
      this.children(element, style, inner);
      this.headings -= HEADINGS.has(role) ? 1 : 0;
      this.rows.flushText(inner);
      if (this.rows.length === at + 1 && !KEPT_EMPTY.has(role)) return this.rows.drop();
      row.states = role === "list" ? listStates(element) : tabwright.statesOf(element, role, "", false, false);
    }

    code(element, style, inner, place) {
      this.rows.flushText(place);
      inner.buffer = { text: "" };
      this.rows.verbatim = true;
      this.children(element, style, inner);
      this.rows.verbatim = false;
      const text = inner.buffer.text.replace(/^\u2028|[\s\u2028]+$/g, "");
      if (text === "") return;
      const row = this.rows.node(place.depth, "codeblock", 0, null);
      row.name = text;
      const language = languageOf(element);
      if (language) row.states = [`language=${language}`];
    }
  }

  function startLine(place) {
    const { buffer } = place;
    if (buffer.text !== "" && !buffer.text.endsWith(LINE_BREAK)) buffer.text += LINE_BREAK;
  }

  // Only white space is kept as it is; what is invisible is removed as everywhere.
  const encodeCode = data =>
    data
      .split(/([\s\u0085]+)/)
      .map((piece, at) =>
        at % 2 ? piece.replace(/\r\n?|[\n\u2028\u2029]/g, LINE_BREAK).replace(/\t/g, TAB) : tabwright.squeeze(piece),
      )
      .join("");

  function languageOf(pre) {
    const code = dom.first(pre, "code");
    const names = `${dom.attr(pre, "class") ?? ""} ${code ? (dom.attr(code, "class") ?? "") : ""}`;
    return /(?:^|\s)lang(?:uage)?-([\w+#-]{1,30})/.exec(names)?.[1] ?? "";
  }

  function listStates(list) {
    if (dom.tag(list) !== "ol") return null;
    const start = parseInt(dom.attr(list, "start") ?? "1", 10);
    return [`start=${Number.isNaN(start) ? 1 : start}`];
  }

  // The nodes of an article and everything around them.
  function nodesOf(article) {
    const kept = new Set();
    const add = part => {
      if (part.tag === "") return void kept.add(part.node);
      for (let at = part.element; at !== null && !kept.has(at); at = tabwright.parentOf(at)) kept.add(at);
      part.parts.forEach(add);
    };
    add(article);
    return kept;
  }

  // Answers as a snapshot does. Without a root, the article of the page is read, else the whole page.
  tabwright.readPage = function (options) {
    tabwright.clearCaches();
    tabwright.stripped = 0;
    const root = options.root ? tabwright.nodeOf(options.root) : dom.root();
    if (!root) return JSON.stringify({ gone: true });
    const article = options.article ? tabwright.findArticle() : null;
    const kept = article === null ? null : nodesOf(article);
    let walk = new ReadingWalk(root, options, new Set(), kept);
    walk.run();
    const covered = walk.covered();
    if (covered.size) {
      tabwright.stripped = 0;
      walk = new ReadingWalk(root, options, covered, kept);
      walk.run();
    }
    const leftOut = kept === null ? "" : describeRest(kept);
    tabwright.clearCaches();
    const [head, ...rows] = walk.answer().split("\n");
    return [JSON.stringify({ ...JSON.parse(head), aroundArticle: leftOut }), ...rows].join("\n");
  };

  // What of a page is not in its article: "120 words, 34 links (header, menus, comments)"; "" if nothing.
  function describeRest(kept) {
    const isOutside = element =>
      !kept.has(element) && checkVisibility.call(element) && dom.textContent(element).trim() !== "";
    const parts = Object.entries(AROUND)
      .filter(([, selector]) => [...dom.documentAll(selector)].some(isOutside))
      .map(([name]) => name);
    const links = [...dom.documentAll("a[href]")].filter(isOutside).length;
    const words = countWords(kept);
    if (words < MIN_WORDS && !links && !parts.length) return "";
    const counts = [words > 0 ? count(words, "word") : "", links ? count(links, "link") : ""]
      .filter(Boolean)
      .join(", ");
    return [counts, parts.length ? `(${parts.join(", ")})` : ""].filter(Boolean).join(" ");
  }

  const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

  // The number of words of the page that are not in the article.
  function countWords(kept) {
    const all = innerText.call(dom.body()).split(/\s+/).filter(Boolean).length;
    let inside = "";
    for (const node of kept) if (dom.type(node) === 3) inside += ` ${dom.text(node)}`;
    return Math.max(0, all - inside.split(/\s+/).filter(Boolean).length);
  }
})(globalThis.tabwright);
