// Numbers for nodes: a node keeps its number as long as it lives, and no number is given twice. Python owns the
// counter; this side only remembers who has which. Also remembers the closed shadow roots that Python found.
"use strict";
(tabwright => {
  const numbers = new WeakMap();
  const nodes = new Map();
  const closedRoots = new WeakMap();
  const examined = new WeakMap();
  let upcoming = 1;

  // Calls a function that may number nodes, from `next` on: [its result, the next free number].
  tabwright.countFrom = function (next, name, ...args) {
    upcoming = Math.max(upcoming, next);
    const result = tabwright[name](...args);
    return result instanceof Promise ? result.then(value => [value, upcoming]) : [result, upcoming];
  };

  tabwright.nextNumber = () => upcoming;

  // The number of a node, given now if it has none.
  tabwright.refOf = function (node) {
    let number = numbers.get(node);
    if (number === undefined) {
      number = upcoming++;
      numbers.set(node, number);
      nodes.set(number, new WeakRef(node));
    }
    return number;
  };

  // The node of a number while it is in the document, else null.
  tabwright.nodeOf = function (number) {
    const node = nodes.get(number)?.deref();
    if (node === undefined) nodes.delete(number);
    return node && tabwright.dom.isConnected(node) ? node : null;
  };

  // Every number whose node is in the document, with the node.
  tabwright.numbered = function* () {
    for (const number of nodes.keys()) {
      const node = tabwright.nodeOf(number);
      if (node) yield [number, node];
    }
  };

  tabwright.isAlive = number => tabwright.nodeOf(number) !== null;

  // Lets the number of a node that is gone name the one that took its place, beside the heir's own number.
  tabwright.handOver = function (from, to) {
    const heir = tabwright.nodeOf(to);
    if (heir) nodes.set(from, new WeakRef(heir));
    return heir !== null;
  };

  tabwright.closedRootOf = host => closedRoots.get(host) ?? null;

  tabwright.registerRoot = function (host, root) {
    closedRoots.set(host, root);
    tabwright.forgetTrees();
  };

  // An element is looked at once, and again when it has another size: its root may have come since.
  tabwright.wasExamined = element => examined.get(element) === sizeOf(element);

  // Whether an element may hide a closed shadow root: a custom one, or one whose box shows nothing of its own.
  tabwright.mayHide = function (element) {
    const tag = tabwright.dom.tag(element);
    if (!tabwright.canHostShadow(tag) || (!tag.includes("-") && tabwright.dom.firstChild(element))) return false;
    return (
      !tabwright.shadowRootOf(element) && tabwright.dom.rect(element).height !== 0 && !tabwright.wasExamined(element)
    );
  };

  tabwright.suspects = [];

  tabwright.examineSuspects = function () {
    for (const element of tabwright.suspects) examined.set(element, sizeOf(element));
    return tabwright.suspects;
  };

  function sizeOf(element) {
    const box = tabwright.dom.rect(element);
    return `${box.width}x${box.height}`;
  }
})(globalThis.tabwright);
