// What the walk of a snapshot knows at one element: facts from its tag, and what the elements around it pass down.
"use strict";
(tabwright => {
  const words = text => new Set(text.trim().split(/\s+/));
  const SKIPPED_TAGS = words(
    "script style template noscript head meta link title base datalist param source track wbr",
  );
  // Their content is not read.
  const WITHOUT_CONTENT = words("canvas iframe img input textarea");
  const FRAMES = words("iframe frame object embed");
  const REPLACED = words("input select textarea img iframe frame svg canvas video audio object embed meter progress");
  // Named by their content, unless an attribute names them.
  const NAMED_BY_CONTENT = words("a b button div dt em h1 h2 h3 h4 h5 h6 li p span strong summary td th");
  const PHRASING = words(
    "a abbr b bdi bdo cite code data dfn em i kbd label mark q s samp small span strong sub sup time u var",
  );

  // What the tag alone says about an element.
  class TagFacts {
    constructor(tag) {
      this.tag = tag;
      this.skipped = SKIPPED_TAGS.has(tag);
      this.replaced = REPLACED.has(tag);
      this.frame = FRAMES.has(tag);
      this.withoutContent = WITHOUT_CONTENT.has(tag);
      this.simple = NAMED_BY_CONTENT.has(tag);
      this.mayBeClickable = tabwright.mayBeClickable(tag);
      this.canHostShadow = tabwright.canHostShadow(tag);
      this.custom = tag.includes("-");
      this.phrasing = PHRASING.has(tag);
      // Whether an element without children shows nothing, unless it has a role: most shapes of a drawing.
      this.mayBeEmpty = !this.replaced && !this.canHostShadow && tag !== "slot" && tag !== "q";
    }
  }

  const factsByTag = new Map();

  tabwright.tagFactsOf = function (tag) {
    let kind = factsByTag.get(tag);
    if (kind === undefined) factsByTag.set(tag, (kind = new TagFacts(tag)));
    return kind;
  };

  // The position of the walk: depth of the rows (`depth`) and of the document (`treeDepth`), view, and context.
  tabwright.Place = class {
    constructor(outer, kind, depth, view, outside) {
      this.outer = outer;
      this.kind = kind;
      this.depth = depth;
      this.treeDepth = outer === null ? 0 : outer.treeDepth + 1;
      this.view = view; // not yet known if it is empty
      this.outside = outside;
      this.pointer = false; // null: not known yet; see hasPointer
      this.inControl = outer !== null && outer.inControl;
      this.inLeaf = outer !== null && outer.inLeaf;
      // Whether the clicks on this content are handled by an element around it.
      this.handled = outer !== null && outer.handled;
      // Whether role or markup show that it can be used; else it is a guess from listeners and cursor.
      this.sure = false;
      // Wrappers share the buffer of the sentence.
      this.buffer = outer === null ? { text: "", source: null } : outer.buffer;
      this.empty = false;
      this.front = null;
      this.scroller = outer === null ? null : outer.scroller; // the box of a small scroller around it
      this.element = null;
      this.style = null;
      this.background = null;
      this.unread = null;
      this.box = null;
      this.behindBackground = outer !== null && outer.behindBackground;
      this.special = false;
      this.scrolls = false;
      this.contained = true;
      this.textTransform = null;
      this.off = outer !== null && outer.off;
    }

    // Whether the cursor shows that it can be clicked. Inside a button it shows nothing new. Read where it is asked for:
    // the roles of most controls say enough.
    hasPointer() {
      return (this.pointer ??=
        !this.outer.inControl && isHand(this.style.cursor) && this.style.pointerEvents !== "none");
    }
  };

  // The cursors over what is clicked or dragged.
  const isHand = cursor => cursor !== "auto" && /^(pointer|grab|move|.*-resize)$/.test(cursor);
})(globalThis.tabwright);
