// What happens in the document: touched elements, input, scrolling. Between actions it only notices that the scene of
// the last walk is no longer true, so that a still page need not be walked again before the next action.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const EVERYTHING = {
    subtree: true,
    childList: true,
    attributes: true,
    attributeOldValue: true,
    characterData: true,
  };
  const MAX_TOUCHED = 2000;
  const MAX_IDLE_RECORDS = 500;
  // For an element that was touched in several ways, the highest rank says most.
  const RANK = { removed: 0, attributes: 1, text: 2, value: 3, added: 4 };
  // A page with more elements is only walked near the viewport: a walk takes about 6 ms for 1,000 (measured).
  const MANY = 2000;
  const BUDGET = 120; // ms; only a page whose shadow roots hold most of it, or a busy computer, comes near
  const MARGIN = 200; // px around the viewport

  let watch = null;
  let known = null; // the scene of the last walk, while it is true
  let inSnapshot = new Set(); // numbers of elements: to fill a WeakSet with them takes longer
  let large = false;
  let observed = new WeakSet();
  let idleRecords = 0;
  const unrelated = new WeakSet(); // elements that change without an action

  const observer = new MutationObserver(records => note(records));
  tabwright.onShadowRoot(root => {
    if (!observed.has(root)) observer.observe(observed.add(root) && root, EVERYTHING);
  });

  function note(records) {
    if (watch !== null) return watch.note(records);
    if (!records.length) return;
    known = null;
    for (const { type, target } of records) if (type !== "attributes") unrelated.add(elementOf(target) ?? target);
    idleRecords += records.length;
    if (idleRecords > MAX_IDLE_RECORDS) disconnect();
  }

  function connect() {
    idleRecords = 0;
    if (observed.has(document)) return;
    observed.add(document);
    observer.observe(document, EVERYTHING);
  }

  function disconnect() {
    observer.disconnect();
    observed = new WeakSet();
    known = null;
  }

  const forget = () => {
    if (watch === null) known = null;
  };
  for (const type of ["input", "change", "load", "transitionend", "animationend", "resize", "scroll"])
    addEventListener(type, forget, true);

  // Called when what was read is not true any more, although nothing in the document shows it.
  tabwright.forgetScene = () => {
    known = null;
    if (watch !== null) watch.scene = null;
  };

  // What listens to clicks is part of a scene.
  tabwright.onListeners(() => {
    if (watch === null) known = null;
    else watch.scene = null;
  });

  // Whether the last snapshot showed an element.
  tabwright.wasInSnapshot = element => inSnapshot.has(tabwright.numberOf(element));

  // Called after each walk of the whole document.
  tabwright.keepScene = function (walk) {
    inSnapshot = new Set();
    for (const { element } of walk.rows.list) if (element !== null) inSnapshot.add(tabwright.refOf(element));
    if (watch !== null) return;
    connect();
    observer.takeRecords();
    known = walk.truncated ? null : new tabwright.Scene(walk, new Set());
  };

  // The scene of the document now. `before` is the scene to compare it with: what it left out is left out again,
  // unless it was touched.
  function readScene(before, touched) {
    const skipped = new Set();
    const root = dom.root();
    if (root === null)
      return new tabwright.Scene({ rows: { list: [] }, truncated: false, modal: null, unseen: new Set() }, skipped);
    const walk = tabwright.walk(root, {
      budgetMs: BUDGET,
      skip: before !== null ? skipAgain(before.skipped, touched, skipped) : isLarge() ? skipFarAway(skipped) : null,
    });
    if (walk.truncated && before === null && !large) {
      large = true;
      return readScene(before, touched);
    }
    tabwright.clearCaches();
    return new tabwright.Scene(walk, skipped);
  }

  const isLarge = () => (large ||= Document.prototype.getElementsByTagName.call(document, "*").length > MANY);

  // A scene of the whole page would have to be compared with another one.
  const isFit = scene => scene !== null && (scene.skipped.size > 0 || !isLarge());

  function skipFarAway(skipped) {
    return element => {
      const box = dom.rect(element);
      const far = box.height > 0 && (box.bottom < -MARGIN || box.top > innerHeight + MARGIN);
      if (far) skipped.add(element);
      return far;
    };
  }

  // Elements that are left out again: those that were, and what is around touched ones inside them.
  function skipAgain(before, touched, skipped) {
    if (!before.size) return null;
    const around = new Set();
    for (const element of touched.keys())
      for (let at = element; at !== null && !around.has(at); at = tabwright.parentOf(at)) around.add(at);
    const entered = new Set();
    return element => {
      if (!before.has(element) && !entered.has(tabwright.parentOf(element))) return false;
      if (RANK[touched.get(element)] >= RANK.text) return false;
      (around.has(element) ? entered : skipped).add(element);
      return !around.has(element);
    };
  }

  tabwright.Watch = class Watch {
    constructor() {
      note(observer.takeRecords());
      connect();
      this.before = isFit(known) ? known : readScene(null, new Map());
      known = null;
      observer.takeRecords();
      this.mark = tabwright.nextNumber();
      this.focused = tabwright.focusedElement();
      this.started = performance.now();
      this.scheduled = tabwright.scheduled();
      this.touched = new Map();
      this.looks = new Map(); // by element: attributes and their first values
      this.scene = null; // of the page now
      this.target = null;
      this.hovered = null; // the element that the pointer came to
      /** @type {(() => void) | undefined} */
      this.onTouch = undefined;
      this.place = { x: scrollX, y: scrollY };
      this.key = "";
      this.refusals = []; // of fields whose value keeps their form from being sent
      this.heard = event => this.hear(event);
      for (const type of HEARD) addEventListener(type, this.heard, true);
      watch = this;
    }

    stop() {
      for (const type of HEARD) removeEventListener(type, this.heard, true);
      if (watch === this) watch = null;
    }

    hear(event) {
      const element = event.composedPath()[0];
      if (event.type === "mouseover") return void (this.hovered = element);
      if (event.type === "invalid") return void this.refusals.push(event);
      if (event.type === "input" || event.type === "change") return this.hearEdit(event.type, element);
      // What the tab did before the input, such as scrolling to the target, is not an effect of it.
      if (this.target === null) this.place = { x: scrollX, y: scrollY };
      this.key = event.key ?? "";
      if (element instanceof Element) this.target = element;
    }

    // A text field fires "input" while it is edited; "change" only means that it lost focus.
    hearEdit(type, control) {
      if (type === "input" || !tabwright.isTextField(control)) this.touch(control, "value");
    }

    note(records) {
      for (const record of records) {
        const { type, target } = record;
        if (type === "attributes") this.noteAttribute(target, record.attributeName, record.oldValue);
        if (type !== "childList") this.touch(target, type === "attributes" ? "attributes" : "text");
        for (const node of record.addedNodes) this.touch(node, dom.type(node) === 1 ? "added" : "text");
        if (record.removedNodes.length) this.touch(target, "removed");
      }
    }

    noteAttribute(element, name, value) {
      if (!/^(class|style|src|srcset|fill|stroke|d|data-.*)$/.test(name) || this.looks.size >= MAX_TOUCHED) return;
      let values = this.looks.get(element);
      if (values === undefined) this.looks.set(element, (values = new Map()));
      if (!values.has(name)) values.set(name, value);
    }

    touch(node, kind) {
      this.scene = null;
      this.onTouch?.();
      const element = elementOf(node);
      const before = this.touched.get(element);
      if (!element || this.touched.size >= MAX_TOUCHED || RANK[before] > RANK[kind]) return;
      this.touched.set(element, kind);
    }

    // Reads the page as it is now, unless that was done since the last change.
    look() {
      this.note(observer.takeRecords());
      return (this.scene ??= readScene(this.before, this.touched));
    }

    // The scene can be the one before the next action, if nothing happens until then.
    keep() {
      if (this.scene !== null && !this.scene.truncated) known = this.scene;
    }

    isUnrelated(element) {
      return unrelated.has(element) && !this.isNear(element, 3);
    }

    // Whether an element is within the ancestor that many levels above the target, the body excluded.
    isNear(element, levels) {
      let around = this.target;
      for (let level = 0; around !== null && level < levels; level++) {
        const parent = tabwright.parentOf(around);
        if (parent === null || parent === dom.body()) break;
        around = parent;
      }
      return around !== null && dom.contains(around, element);
    }

    // Whether an element was not walked in a scene.
    isUnknown(element, scene) {
      if (scene.truncated) return true;
      if (!scene.skipped.size) return false;
      for (let at = element; at !== null; at = tabwright.parentOf(at)) if (scene.skipped.has(at)) return true;
      return false;
    }

    isAdded(element) {
      for (let at = element; at !== null; at = tabwright.parentOf(at))
        if (this.touched.get(at) === "added") return true;
      return false;
    }

    // Whether the pointer only moved, or came to what opens a menu: that may take longer than other effects.
    mayOpenLater() {
      const pointed = this.hovered;
      if (!(pointed instanceof Element)) return false;
      if (this.target === null) return true;
      return dom.closest(pointed, "[aria-haspopup]:not([aria-haspopup=false],[aria-expanded=true])") !== null;
    }

    // The field at which Chrome shows why it did not send a form: the first one, which has the focus. A script that only
    // checks what is typed gets the same event, but not after a press elsewhere or the Enter key.
    refusing() {
      const refusal = this.refusals.find(event => !event.defaultPrevented)?.target;
      if (!refusal || refusal !== tabwright.focusedElement()) return null;
      return refusal !== this.target || this.key === "Enter" ? refusal : null;
    }

    // Visible elements whose attributes may have changed how they look.
    restyled() {
      const differs = ([element, values]) =>
        [...values].some(([name, value]) => dom.attr(element, name) !== value) &&
        dom.isConnected(element) &&
        tabwright.mayBeSeen(element);
      return [...this.looks].filter(differs).map(([element]) => element);
    }
  };

  const HEARD = ["mouseover", "input", "change", "mousedown", "keydown", "beforeinput", "touchstart", "invalid"];

  function elementOf(node) {
    if (!node || node instanceof Element) return node;
    if (node instanceof ShadowRoot) return node.host;
    return elementOf(dom.parentNode(node));
  }

  const NOT_TEXT = new Set(["checkbox", "radio", "file", "range", "color"]);

  tabwright.isTextField = control =>
    control instanceof HTMLTextAreaElement || (control instanceof HTMLInputElement && !NOT_TEXT.has(control.type));

  tabwright.mayBeSeen = element =>
    Element.prototype.checkVisibility.call(element, { visibilityProperty: true, opacityProperty: true });
})(globalThis.tabwright);
