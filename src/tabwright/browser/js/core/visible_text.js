// The text of an element as a person sees it, with line breaks, without text that is hidden. It is judged by the same
// rules as the text of a snapshot.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const innerText = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "innerText").get;
  const SKIPPED = new Set(["script", "style", "template", "noscript", "head", "title", "datalist"]);
  const MAX_DEPTH = 900;

  // {text, hidden}: how many texts were left out.
  tabwright.visibleText = function (element) {
    const whole = element instanceof HTMLElement ? innerText.call(element) : dom.textContent(element);
    if (!/\S/.test(whole)) return { text: whole, hidden: 0 };
    if (!tabwright.isRendered(element)) return { text: "", hidden: 1 };
    const reader = new Reader();
    reader.read(element);
    reader.leaveOutCovered();
    const hidden = reader.hidden.size;
    // Chrome knows best how text is laid out; only what is hidden must be left out by hand.
    return { text: hidden ? reader.text() : whole, hidden };
  };

  class Reader {
    hidden = new Set();
    pieces = []; // text nodes, and the separators between them
    texts = [];
    covers = [];

    read(element) {
      const parent = tabwright.parentOf(element);
      const outer = { view: parent ? tabwright.viewOf(parent) : tabwright.rootView(), outer: null };
      this.element(element, { ...outer, style: null, behindBackground: false, background: null }, 0);
    }

    element(element, outer, depth) {
      if (depth > MAX_DEPTH || SKIPPED.has(dom.tag(element))) return;
      const style = tabwright.styleOf(element);
      const { display, position } = style;
      if (display === "none") return;
      const view = tabwright.childView(element, style, outer.view);
      const behindBackground =
        outer.behindBackground || (position !== "static" && tabwright.isBehindBackground(element, style));
      const place = { view, outer, style, behindBackground, background: null, unread: null, box: null };
      if (tabwright.isCover(element, style, view, position)) this.covers.push(element);
      const separator = separatorOf(dom.tag(element), display);
      this.pieces.push(separator);
      if (style.contentVisibility !== "hidden")
        for (const child of tabwright.childrenOf(element)) this.child(child, element, style, place, depth);
      this.pieces.push(separator);
    }

    child(node, parent, style, place, depth) {
      if (dom.type(node) === 1) return this.element(node, place, depth + 1);
      if (dom.type(node) !== 3) return;
      this.pieces.push(node);
      if (!/\S/.test(dom.text(node))) return;
      if (tabwright.textHiddenReason(node, parent, style, place)) this.hidden.add(node);
      else this.texts.push({ node, parent, box: place.box });
    }

    leaveOutCovered() {
      for (const node of tabwright.coveredTexts(this.texts, this.covers.slice(0, 40))) this.hidden.add(node);
    }

    text() {
      let text = "";
      for (const piece of this.pieces) {
        if (typeof piece === "string") text += text === "" || text.endsWith(piece) ? "" : piece;
        else if (!this.hidden.has(piece)) text += dom.text(piece).replace(/[ \t\n\r\f]+/g, " ");
      }
      return text
        .replace(/[ \t]*\n[\s]*/g, "\n")
        .replace(/ *\t */g, "\t")
        .trim();
    }
  }

  function separatorOf(tag, display) {
    if (tag === "br") return "\n";
    if (display === "table-cell") return "\t";
    return display.startsWith("inline") || display === "contents" || display.startsWith("ruby") ? "" : "\n";
  }
})(globalThis.tabwright);
