// What an act changed: touched elements are noted while the page works, and described once it is quiet.
// "New" is what got its number after the watch began: everything visible before had one.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const MOST_PARTS = 12;
  const MOST_TOUCHED = 2000;
  const LONGEST_LINE = 120;
  // What says most about an element that was touched in several ways.
  const STRENGTH = { removed: 0, attributes: 1, text: 2, value: 3, added: 4 };
  const EVERYTHING = { subtree: true, childList: true, attributes: true, characterData: true };
  let watch = null;

  class Watch {
    constructor() {
      this.mark = tabwright.nextNumber();
      this.focused = tabwright.focusedElement();
      this.living = new Set();
      this.touched = new Map();
      /** @type {(() => void) | undefined} */
      this.heard = undefined;
      this.observer = new MutationObserver(records => this.note(records));
      this.observer.observe(document, EVERYTHING);
      const roots = new Set();
      for (const [number, node] of tabwright.numbered()) {
        if (tabwright.mayBeSeen(node)) this.living.add(number);
        const root = dom.ownerRoot(node);
        if (root instanceof ShadowRoot && !roots.has(root)) this.observer.observe(roots.add(root) && root, EVERYTHING);
      }
      this.edited = event => {
        const control = event.composedPath()[0];
        // A text field tells its changes as they are typed; "change" only says that the keyboard left it.
        if (event.type === "input" || !tabwright.isTextField(control)) this.touch(control, "value");
      };
      for (const type of ["input", "change"]) addEventListener(type, this.edited, true);
    }

    stop() {
      this.observer.disconnect();
      for (const type of ["input", "change"]) removeEventListener(type, this.edited, true);
    }

    note(records) {
      for (const record of records) {
        if (record.type !== "childList")
          this.touch(record.target, record.type === "attributes" ? "attributes" : "text");
        for (const node of record.addedNodes) this.touch(node, dom.type(node) === 1 ? "added" : "text");
        if (record.removedNodes.length) this.touch(record.target, "removed");
      }
    }

    touch(node, kind) {
      this.heard?.();
      const element = elementOf(node);
      const known = this.touched.get(element);
      if (!element || this.touched.size >= MOST_TOUCHED || STRENGTH[known] > STRENGTH[kind]) return;
      this.touched.set(element, kind);
    }

    // Resolves once nothing was touched for `quiet` ms (for `first` ms when nothing was touched at all), or after `most`.
    settled({ quiet, first, most }) {
      return new Promise(resolve => {
        const limit = setTimeout(done, most, false);
        let timer = setTimeout(done, this.touched.size ? quiet : first, true);
        const heard = () => {
          clearTimeout(timer);
          timer = setTimeout(done, quiet, true);
        };
        const watch = this;
        watch.heard = heard;
        function done(isQuiet) {
          clearTimeout(timer);
          clearTimeout(limit);
          // Whoever asks after a dialog listens in the place of who asked before it.
          if (watch.heard === heard) watch.heard = undefined;
          resolve(isQuiet);
        }
      });
    }

    report() {
      this.note(this.observer.takeRecords());
      this.stop();
      this.widen();
      const touched = [...this.touched.keys()].filter(element => dom.isConnected(element));
      const roots = this.outermost(touched.filter(tabwright.mayBeSeen));
      const parts = roots
        .slice(0, MOST_PARTS)
        .map(root => ({ kind: this.touched.get(root), rows: describe(root, 300) }));
      const focused = tabwright.focusedElement();
      const moved = focused !== this.focused && focused && focused !== dom.body();
      return {
        mark: this.mark,
        parts,
        more: roots.length - parts.length,
        gone: this.gone(touched),
        focus: moved ? describe(focused, 40) : null,
        title: tabwright.clean(document.title),
      };
    }

    // A word alone says little: what changed is the line that it is part of.
    widen() {
      for (const [element, kind] of [...this.touched]) {
        const line = kind === "text" ? lineOf(element) : element;
        if (line === element) continue;
        this.touched.delete(element);
        this.touch(line, kind);
      }
    }

    // Touched elements that are in no other touched element, in the order of the page.
    outermost(touched) {
      const all = new Set(touched);
      const outer = touched.filter(element => {
        for (let at = tabwright.parentOf(element); at; at = tabwright.parentOf(at)) {
          if (all.has(at) && this.touched.get(at) !== "removed") return false;
        }
        return this.touched.get(element) !== "removed";
      });
      return outer.sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
    }

    // Numbers of what was there before and is not any more: taken out, or hidden inside a touched element.
    gone(touched) {
      const isGone = number => {
        const node = tabwright.nodeOf(number);
        return !node || (!tabwright.mayBeSeen(node) && touched.some(element => dom.contains(element, node)));
      };
      return [...this.living].filter(isGone);
    }
  }

  function elementOf(node) {
    if (!node || node instanceof Element) return node;
    if (node instanceof ShadowRoot) return node.host;
    return elementOf(dom.parentNode(node));
  }

  // The nearest element that is more than a part of a line of text, unless the line is too long to be told.
  function lineOf(element) {
    let at = element;
    while (
      dom.isConnected(at) &&
      tabwright.isTextLevel(tabwright.roleOf(at)) &&
      getComputedStyle(at).display === "inline"
    ) {
      const parent = tabwright.parentOf(at);
      if (!parent || parent === dom.body() || dom.textContent(parent).length > LONGEST_LINE) break;
      at = parent;
    }
    return at;
  }

  const PICKED = new Set(["checkbox", "radio", "file", "range", "color"]);

  tabwright.isTextField = control =>
    control instanceof HTMLTextAreaElement || (control instanceof HTMLInputElement && !PICKED.has(control.type));

  // The rows of a walk over one element.
  const describe = (element, maxNodes) =>
    tabwright.snapshot({ root: tabwright.refOf(element), maxNodes, budgetMs: 40 });

  tabwright.mayBeSeen = element =>
    Element.prototype.checkVisibility.call(element, { visibilityProperty: true, opacityProperty: true });

  // Begins a watch; answers whether this document was ever walked, so that new can be told from old.
  tabwright.observe = function () {
    watch?.stop();
    watch = new Watch();
    return { walked: tabwright.walked === true, title: tabwright.clean(document.title) };
  };

  // Where nobody watches, only for as long as it takes.
  tabwright.settled = async function (pace) {
    const watching = watch ?? new Watch();
    const isQuiet = await watching.settled(pace);
    if (watching !== watch) watching.stop();
    return isQuiet;
  };

  // Null in a document that came after the watch began.
  tabwright.effects = function () {
    const report = watch && watch.report();
    watch = null;
    return report;
  };
})(globalThis.tabwright);
