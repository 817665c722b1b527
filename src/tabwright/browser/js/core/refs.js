// Numbers nodes: a node has one number for its whole life, and no number is used twice. Python owns the counter and
// passes it in; see Refs.call. Also stores the closed shadow roots that Python found.
"use strict";
(tabwright => {
  const numbers = new WeakMap();
  const nodes = new Map();
  const closedRoots = new WeakMap();
  const examined = new WeakMap();
  let nextFree = 1;

  // Calls a function that may number nodes, from `next` on: [its result, the next free number].
  tabwright.countFrom = function (next, name, ...args) {
    nextFree = Math.max(nextFree, next);
    const result = tabwright[name](...args);
    return result instanceof Promise ? result.then(value => [value, nextFree]) : [result, nextFree];
  };

  tabwright.nextNumber = () => nextFree;

  // The number of a node, a new one if it has none.
  tabwright.refOf = function (node) {
    let number = numbers.get(node);
    if (number === undefined) {
      number = nextFree++;
      numbers.set(node, number);
      nodes.set(number, new WeakRef(node));
    }
    return number;
  };

  // The number of a node, 0 if it has none.
  tabwright.numberOf = node => numbers.get(node) ?? 0;

  // Whether a node has a number below a limit.
  tabwright.hasRef = (node, limit) => numbers.get(node) < limit;

  // The node of a number while it is in the document, else null.
  tabwright.nodeOf = function (number) {
    const node = nodes.get(number)?.deref();
    if (node === undefined) nodes.delete(number);
    return node && tabwright.dom.isConnected(node) ? node : null;
  };

  // All numbers whose nodes are in the document, with the nodes.
  tabwright.numbered = function* () {
    for (const number of nodes.keys()) {
      const node = tabwright.nodeOf(number);
      if (node) yield [number, node];
    }
  };

  tabwright.isAlive = number => tabwright.nodeOf(number) !== null;

  // Lets the number of a removed node name its replacement too, which keeps its own number.
  tabwright.replaceNode = function (from, to) {
    const replacement = tabwright.nodeOf(to);
    if (replacement) nodes.set(from, new WeakRef(replacement));
    return replacement !== null;
  };

  tabwright.closedRootOf = host => closedRoots.get(host) ?? null;

  tabwright.registerRoot = function (host, root) {
    closedRoots.set(host, root);
    tabwright.forgetTrees();
  };

  // An element is examined once, and again if its size changes: a root may have been attached.
  // One without a height shows nothing. One look at the box: it takes as long as four reads of a style.
  tabwright.needsExamining = function (element) {
    const { width, height } = tabwright.dom.rect(element);
    if (height === 0) return false;
    const before = examined.get(element);
    return before === undefined || before.width !== width || before.height !== height;
  };

  // Whether an element may have a closed shadow root: a custom element, or one with a box but no children.
  tabwright.mayHaveClosedRoot = function (element) {
    const tag = tabwright.dom.tag(element);
    if (!tabwright.canHostShadow(tag) || (!tag.includes("-") && tabwright.dom.firstChild(element))) return false;
    return !tabwright.shadowRootOf(element) && tabwright.needsExamining(element);
  };

  // The elements that may have a closed shadow root.
  tabwright.suspects = [];

  tabwright.examineSuspects = function () {
    for (const element of tabwright.suspects) examined.set(element, tabwright.dom.rect(element));
    return tabwright.suspects;
  };
})(globalThis.tabwright);
