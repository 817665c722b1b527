// Counts the texts that a page hides; they are never shown.
"use strict";
(tabwright => {
  const { dom } = tabwright;

  tabwright.HiddenTexts = class {
    nodes = 0;
    characters = 0;
    faint = 0; // there, but not readable
    clipped = 0; // without space on the page

    count(text, reason) {
      this.nodes++;
      this.characters += text.trim().length;
      if (reason === "faint") this.faint++;
      if (reason === "clipped") this.clipped++;
    }

    countNode(node) {
      const type = dom.type(node);
      if (type !== 3 && type !== 1) return;
      const text = type === 3 ? dom.text(node) : textOf(node);
      if (/\S/.test(text)) this.count(text.replace(/\s+/g, " "), "absent");
    }

    countChildren(element) {
      for (const child of tabwright.childrenOf(element)) this.countNode(child);
    }
  };

  function textOf(element) {
    if (tabwright.tagFactsOf(dom.tag(element)).skipped) return "";
    if (!dom.first(element, "script,style,template,noscript")) return dom.textContent(element);
    let text = "";
    for (let at = dom.firstChild(element); at; at = dom.nextSibling(at)) {
      if (dom.type(at) === 3) text += dom.text(at);
      else if (dom.type(at) === 1) text += textOf(at);
    }
    return text;
  }
})(globalThis.tabwright);
