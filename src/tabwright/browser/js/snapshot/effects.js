// What an action changed. Touched elements are collected while the page works, and described once it is quiet.
// An element is new if it got its number after the observation started: everything visible before had one.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const MAX_PARTS = 12;
  const MAX_TOUCHED = 2000;
  const MAX_LINE_LENGTH = 120;
  // For an element that was touched in several ways, the highest rank says most.
  const RANK = { removed: 0, attributes: 1, text: 2, value: 3, added: 4 };
  const EVERYTHING = { subtree: true, childList: true, attributes: true, characterData: true };
  let watch = null;

  class Watch {
    constructor() {
      this.mark = tabwright.nextNumber();
      this.focused = tabwright.focusedElement();
      this.visible = new Set();
      this.touched = new Map();
      /** @type {(() => void) | undefined} */
      this.heard = undefined;
      this.observer = new MutationObserver(records => this.note(records));
      this.observer.observe(document, EVERYTHING);
      const roots = new Set();
      for (const [number, node] of tabwright.numbered()) {
        if (tabwright.mayBeSeen(node)) this.visible.add(number);
        const root = dom.ownerRoot(node);
        if (root instanceof ShadowRoot && !roots.has(root)) this.observer.observe(roots.add(root) && root, EVERYTHING);
      }
      this.edited = event => {
        const control = event.composedPath()[0];
        // A text field fires "input" while it is edited; "change" only means that it lost focus.
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
      this.onTouch?.();
      const element = elementOf(node);
      const known = this.touched.get(element);
      if (!element || this.touched.size >= MAX_TOUCHED || RANK[known] > RANK[kind]) return;
      this.touched.set(element, kind);
    }

    // Resolves once nothing has been touched for a while; see `untilQuiet`.
    settle(pace) {
      const untouched = this.touched.size === 0;
      return untilQuiet({ ...pace, first: untouched ? pace.first : pace.quiet }, onChange => {
        // A call made after a dialog takes over from the one that the dialog interrupted.
        this.onTouch = onChange;
        return () => {
          if (this.onTouch === onChange) this.onTouch = undefined;
        };
      });
    }

    // What changed up to now. The observation continues, and can report again.
    report() {
      this.note(this.observer.takeRecords());
      this.widen();
      const touched = [...this.touched.keys()].filter(element => dom.isConnected(element));
      const roots = this.outermost(touched.filter(tabwright.mayBeSeen));
      const parts = roots
        .slice(0, MAX_PARTS)
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

    // For a changed word, report the line that it is part of.
    widen() {
      for (const [element, kind] of [...this.touched]) {
        const line = kind === "text" ? lineOf(element) : element;
        if (line === element) continue;
        this.touched.delete(element);
        this.touch(line, kind);
      }
    }

    // Touched elements that are not inside another touched element, in document order.
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

    // Numbers of elements that were visible before: removed since, or hidden inside a touched element.
    gone(touched) {
      const isGone = number => {
        const node = tabwright.nodeOf(number);
        return !node || (!tabwright.mayBeSeen(node) && touched.some(element => dom.contains(element, node)));
      };
      return [...this.visible].filter(isGone);
    }
  }

  function elementOf(node) {
    if (!node || node instanceof Element) return node;
    if (node instanceof ShadowRoot) return node.host;
    return elementOf(dom.parentNode(node));
  }

  // The nearest element that is more than a part of a line of text, unless that line is too long to report.
  function lineOf(element) {
    let at = element;
    while (
      dom.isConnected(at) &&
      tabwright.isTextLevel(tabwright.roleOf(at)) &&
      getComputedStyle(at).display === "inline"
    ) {
      const parent = tabwright.parentOf(at);
      if (!parent || parent === dom.body() || dom.textContent(parent).length > MAX_LINE_LENGTH) break;
      at = parent;
    }
    return at;
  }

  const NOT_TEXT = new Set(["checkbox", "radio", "file", "range", "color"]);

  tabwright.isTextField = control =>
    control instanceof HTMLTextAreaElement || (control instanceof HTMLInputElement && !NOT_TEXT.has(control.type));

  // The snapshot rows of one element.
  const describe = (element, maxNodes) =>
    tabwright.snapshot({ root: tabwright.refOf(element), maxNodes, budgetMs: 40 });

  tabwright.mayBeSeen = element =>
    Element.prototype.checkVisibility.call(element, { visibilityProperty: true, opacityProperty: true });

  // Resolves once nothing has changed for `quiet` ms (before the first change: `first` ms), or after `most` ms.
  // `listen` is given the function to call at each change, and returns one that stops listening.
  function untilQuiet({ quiet, first, most }, listen) {
    return new Promise(resolve => {
      const limit = setTimeout(finish, most);
      let timer = setTimeout(finish, first);
      const stopListening = listen(() => {
        clearTimeout(timer);
        timer = setTimeout(finish, quiet);
      });
      function finish() {
        clearTimeout(timer);
        clearTimeout(limit);
        stopListening();
        resolve(null);
      }
    });
  }

  // Starts to observe this document. Only if it was walked before, new elements differ from old ones.
  tabwright.startObserving = function () {
    watch?.stop();
    watch = new Watch();
    return { walked: tabwright.walked === true, title: tabwright.clean(document.title) };
  };

  tabwright.stopObserving = function () {
    watch?.stop();
    watch = null;
  };

  // Waits for changes from now on only, whether or not the document is observed.
  tabwright.waitUntilQuiet = pace =>
    untilQuiet(pace, onChange => {
      const observer = new MutationObserver(onChange);
      for (const tree of tabwright.trees([document])) observer.observe(tree, EVERYTHING);
      return () => observer.disconnect();
    });

  // Waits until the document is quiet after what was observed so far.
  tabwright.settle = pace => (watch ? watch.settle(pace) : tabwright.waitUntilQuiet(pace));

  // As settle, then reports. Null in a document that is not observed, and for a call that another one took over from:
  // a report numbers nodes, and Python would not get to know the numbers.
  tabwright.settleAndReport = async function (pace) {
    const settling = watch;
    if (!settling) return null;
    settling.calls = (settling.calls ?? 0) + 1;
    const call = settling.calls;
    await settling.settle(pace);
    return settling === watch && settling.calls === call ? settling.report() : null;
  };

  // Reports and stops observing. Null in a document that is not observed.
  tabwright.reportEffects = function () {
    const report = watch && watch.report();
    tabwright.stopObserving();
    return report;
  };
})(globalThis.tabwright);
