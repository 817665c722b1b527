// Reads the DOM without trusting the page: a form field can shadow any property of its form or of the document, so
// properties are read through their prototypes. Also the flat tree, with slots and shadow roots resolved.
"use strict";
(tabwright => {
  const getterOf = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
  const getter = (prototype, name) => {
    const get = getterOf(prototype, name);
    return node => get.call(node);
  };
  const method = (prototype, name) => {
    const run = prototype[name];
    return (node, argument) => run.call(node, argument);
  };
  // The most frequent ones are written out: shared closures are several times slower (measured).
  const { getAttribute, hasAttribute, hasAttributes, matches, getBoundingClientRect } = Element.prototype;
  const nodeType = getterOf(Node.prototype, "nodeType");
  const parentNode = getterOf(Node.prototype, "parentNode");
  const firstChild = getterOf(Node.prototype, "firstChild");
  const nextSibling = getterOf(Node.prototype, "nextSibling");
  const data = getterOf(CharacterData.prototype, "data");
  const localName = getterOf(Element.prototype, "localName");
  const namespaceURI = getterOf(Element.prototype, "namespaceURI");
  const assignedSlot = getterOf(Element.prototype, "assignedSlot");

  const dom = (tabwright.dom = {
    type: node => nodeType.call(node),
    text: node => data.call(node),
    textContent: getter(Node.prototype, "textContent"),
    parentNode: node => parentNode.call(node),
    firstChild: node => firstChild.call(node),
    nextSibling: node => nextSibling.call(node),
    isConnected: getter(Node.prototype, "isConnected"),
    ownerRoot: method(Node.prototype, "getRootNode"),
    contains: method(Node.prototype, "contains"),
    tag: element => localName.call(element),
    namespace: element => namespaceURI.call(element),
    firstElement: getter(Element.prototype, "firstElementChild"),
    nextElement: getter(Element.prototype, "nextElementSibling"),
    previousElement: getter(Element.prototype, "previousElementSibling"),
    openRoot: getter(Element.prototype, "shadowRoot"),
    slot: element => assignedSlot.call(element),
    attr: (element, name) => getAttribute.call(element, name),
    has: (element, name) => hasAttribute.call(element, name),
    hasAny: element => hasAttributes.call(element),
    matches: (element, selector) => matches.call(element, selector),
    closest: method(Element.prototype, "closest"),
    all: method(Element.prototype, "querySelectorAll"),
    first: method(Element.prototype, "querySelector"),
    rect: element => getBoundingClientRect.call(element),
    scrollLeft: getter(Element.prototype, "scrollLeft"),
    scrollTop: getter(Element.prototype, "scrollTop"),
    scrollWidth: getter(Element.prototype, "scrollWidth"),
    scrollHeight: getter(Element.prototype, "scrollHeight"),
    clientLeft: getter(Element.prototype, "clientLeft"),
    clientTop: getter(Element.prototype, "clientTop"),
    clientWidth: getter(Element.prototype, "clientWidth"),
    clientHeight: getter(Element.prototype, "clientHeight"),
    editable: getter(HTMLElement.prototype, "isContentEditable"),
    root: () => documentElement(document),
    body: () => bodyOf(document),
    readyState: () => documentState(document),
    byTag: tag => Document.prototype.getElementsByTagName.call(document, tag),
    documentAll: selector => Document.prototype.querySelectorAll.call(document, selector),
    byId: (root, id) => (root instanceof ShadowRoot ? fragmentById : documentById).call(root, id),
    active: root => (root instanceof ShadowRoot ? shadowActive : documentActive)(root),
    sheets: root => (root instanceof ShadowRoot ? shadowSheets : documentSheets)(root),
    adopted: root => (root instanceof ShadowRoot ? shadowAdopted : documentAdopted)(root),
  });
  const documentElement = getter(Document.prototype, "documentElement");
  const documentState = getter(Document.prototype, "readyState");
  const bodyOf = getter(Document.prototype, "body");
  const documentById = Document.prototype.getElementById;
  const fragmentById = DocumentFragment.prototype.getElementById;
  const documentActive = getter(Document.prototype, "activeElement");
  const shadowActive = getter(ShadowRoot.prototype, "activeElement");
  const documentSheets = getter(Document.prototype, "styleSheets");
  const shadowSheets = getter(ShadowRoot.prototype, "styleSheets");
  const documentAdopted = getter(Document.prototype, "adoptedStyleSheets");
  const shadowAdopted = getter(ShadowRoot.prototype, "adoptedStyleSheets");
  const assignedNodes = HTMLSlotElement.prototype.assignedNodes;

  // Tags that can have a shadow root, besides custom elements.
  const HOSTS = new Set(
    "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "),
  );
  tabwright.canHostShadow = tag => HOSTS.has(tag) || tag.includes("-");

  // The shadow root of an element. Closed ones are known once Python has registered them.
  tabwright.shadowRootOf = element => dom.openRoot(element) ?? tabwright.closedRootOf(element);

  const listeners = [];
  tabwright.onShadowRoot = listener => listeners.push(listener);

  // The node whose children an element renders: its shadow root, or itself.
  tabwright.contentRootOf = function (element) {
    const shadow = tabwright.shadowRootOf(element);
    if (!shadow) return element;
    for (const listener of listeners) listener(shadow);
    return shadow;
  };

  // The nodes assigned to a slot; null if it shows its own children.
  tabwright.assignedNodesOf = function (slot) {
    const nodes = slot instanceof HTMLSlotElement ? assignedNodes.call(slot) : null;
    return nodes !== null && nodes.length ? nodes : null;
  };

  // The children of an element in the flat tree: of its shadow root, assigned to a slot, or its own.
  tabwright.childrenOf = function (element) {
    const tag = dom.tag(element);
    if (tag === "slot") return tabwright.assignedNodesOf(element) ?? childList(element);
    return childList(tabwright.canHostShadow(tag) ? tabwright.contentRootOf(element) : element);
  };

  // The parent of an element in the flat tree.
  tabwright.parentOf = function (element) {
    const slot = dom.slot(/** @type {Element} */ (element));
    if (slot) return slot;
    const parent = dom.parentNode(element);
    if (parent instanceof ShadowRoot) return parent.host;
    return parent instanceof Element ? parent : null;
  };

  // The focused element, inside shadow roots too.
  tabwright.focusedElement = function () {
    let element = dom.active(document);
    for (let root; element && (root = tabwright.shadowRootOf(element)); ) {
      const inner = dom.active(root);
      if (!inner) break;
      element = inner;
    }
    return element;
  };

  function childList(parent) {
    const list = [];
    for (let child = dom.firstChild(parent); child; child = dom.nextSibling(child)) list.push(child);
    return list;
  }
})(globalThis.tabwright);
