// For page tools: all elements of a kind in the order of the page, whether a person can use them, and where they are.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const LANDS = {
    main: "main",
    navigation: "nav",
    banner: "header",
    contentinfo: "footer",
    complementary: "aside",
    dialog: "dialog",
    alertdialog: "dialog",
    search: "search",
  };
  const REPLACED = new Set(["checkbox", "radio", "file", "range", "color"]);
  const CONSENT = /cookie|consent|gdpr|onetrust|didomi|usercentrics|\bcmp\b|cmp-|privacy/i;
  const TRAP = /\b(leave|keep) (this|it)( field| input)? (blank|empty|alone)|\bdo(n.t| not) fill|\bhoney ?pot\b/i;
  const MOST_SUSPECTS = 100;
  const LONGEST_LOOK = 2000; // ms; numbers bound a look, and time only where the computer is busy beyond use

  const offers = (tabwright.offers = /** @type {PageOffers} */ ({}));
  let sights, usable, places, modal, roots;
  tabwright.onClearCaches(() => {
    sights = new Map();
    usable = new Map();
    places = new Map();
    modal = undefined;
    roots = null;
  });
  tabwright.clearCaches();

  // Every element that a selector names, shadow roots included, in the order of the page.
  offers.all = function (selector) {
    roots ??= hostsByTree();
    return [...inTree(document, selector)];
  };

  function hostsByTree() {
    const hosts = new Map();
    for (const tree of tabwright.trees([document])) {
      if (!(tree instanceof ShadowRoot)) continue;
      const outer = dom.ownerRoot(tree.host);
      if (!hosts.has(outer)) hosts.set(outer, []);
      hosts.get(outer).push(tree);
    }
    return hosts;
  }

  function* inTree(tree, selector) {
    const find =
      tree instanceof ShadowRoot ? DocumentFragment.prototype.querySelectorAll : Document.prototype.querySelectorAll;
    const found = [...find.call(tree, selector)];
    const inner = roots.get(tree) ?? [];
    if (!inner.length) return yield* found;
    const rest = inner.map(root => root.host);
    const merged = [...new Set([...found, ...rest])].sort((a, b) => (a.compareDocumentPosition(b) & 4 ? -1 : 1));
    const known = new Set(found);
    for (const element of merged) {
      if (known.has(element)) yield element;
      const root = tabwright.shadowRootOf(element);
      if (root && rest.includes(element)) yield* inTree(root, selector);
    }
  }

  // The usable ones of some elements, as many as can be looked at in time: a page may have any number of them.
  offers.take = function (elements, most, fits) {
    const taken = [];
    const deadline = performance.now() + LONGEST_LOOK;
    for (const element of elements) {
      if (taken.length >= most || performance.now() > deadline) break;
      if (fits(element)) taken.push(element);
    }
    return taken;
  };

  // The elements around one, as rendered, innermost first.
  offers.around = function* (element) {
    for (let at = tabwright.parentOf(element); at; at = tabwright.parentOf(at)) yield at;
  };

  offers.within = function (element, container) {
    for (let at = element; at; at = tabwright.parentOf(at)) if (at === container) return true;
    return false;
  };

  // How what is inside an element is seen; remembered, because its neighbours are asked for as well.
  function sightIn(element) {
    const chain = [];
    let at = element;
    while (at && !sights.has(at)) {
      chain.push(at);
      at = tabwright.parentOf(at);
    }
    let sight = at ? sights.get(at) : tabwright.rootView();
    while (chain.length) {
      const next = chain.pop();
      sight = tabwright.childView(next, tabwright.styleOf(next), sight);
      sights.set(next, sight);
    }
    return sight;
  }

  // Whether a person sees the box of an element.
  offers.seen = function (element) {
    if (!tabwright.isRendered(element)) return false;
    const parent = tabwright.parentOf(element);
    const outer = parent ? sightIn(parent) : tabwright.rootView();
    const style = tabwright.styleOf(element);
    return (
      tabwright.isBoxVisible(element, style, sightIn(element), outer) && !tabwright.isBehindBackground(element, style)
    );
  };

  // Whether a person could use a control: seen, or drawn by its label; not switched off for everyone around it.
  offers.usable = function (element) {
    let known = usable.get(element);
    if (known === undefined) usable.set(element, (known = isUsable(element)));
    return known;
  };

  function isUsable(element) {
    if (isOutside(element)) return false;
    return offers.seen(element) || isDrawnOtherwise(element);
  }

  function isOutside(element) {
    for (let at = element; at; at = tabwright.parentOf(at)) {
      if (dom.hasAny(at) && (tabwright.isAriaHidden(at) || dom.has(at, "inert"))) return true;
    }
    const blocking = modalOf();
    return blocking !== null && !offers.within(element, blocking);
  }

  // The dialog that keeps a person from the rest of the page. A banner that only asks for consent does not count.
  function modalOf() {
    if (modal !== undefined) return modal;
    modal = [...dom.documentAll(":modal")].filter(element => dom.tag(element) === "dialog").pop() ?? null;
    if (modal) return modal;
    const claimed = offers
      .all("[aria-modal=true]")
      .filter(element => offers.seen(element) && !offers.asksConsent(element));
    return (modal = claimed.pop() ?? null);
  }

  // The real box behind a drawn one: its label is to be seen, or it lies transparent over the drawing.
  function isDrawnOtherwise(element) {
    if (dom.tag(element) !== "input" || !REPLACED.has(tabwright.inputType(element))) return false;
    if (tabwright.styleOf(element).visibility !== "visible" && !tabwright.labelsOf(element).length) return false;
    if (tabwright.labelsOf(element).some(label => offers.seen(label))) return true;
    const box = dom.rect(element);
    const parent = tabwright.parentOf(element);
    return (
      box.width >= 8 &&
      box.height >= 8 &&
      parent !== null &&
      offers.seen(parent) &&
      tabwright.isRendered(element) &&
      tabwright.nameOf(element).text !== ""
    );
  }

  // A field that only a program would fill in.
  offers.isTrap = function (element, label) {
    if (TRAP.test(label)) return true;
    const box = dom.rect(element);
    return (
      dom.attr(element, "tabindex") === "-1" &&
      dom.attr(element, "autocomplete") === "off" &&
      (box.width < 8 || box.height < 8)
    );
  };

  // What part of the page an element is in, and whether a person sees it without scrolling.
  offers.place = function (element) {
    let place = places.get(element);
    if (!place) places.set(element, (place = placeOf(element)));
    return place;
  };

  function placeOf(element) {
    const box = dom.rect(element);
    const place = { land: "", view: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth };
    for (const at of [element, ...offers.around(element)]) {
      const land = LANDS[tabwright.roleOf(at)];
      if (land && land !== "search" && (!place.land || land === "dialog")) place.land = land;
    }
    if (asked(element)) place.consent = true;
    return place;
  }

  const asked = element => [element, ...offers.around(element)].some(offers.asksConsent);

  // Whether an element is a banner that asks to be allowed cookies and the like.
  offers.asksConsent = function (element) {
    if (/^(html|body|main|form|button|a|input)$/.test(dom.tag(element))) return false;
    const told = `${dom.attr(element, "id") ?? ""} ${dom.attr(element, "class") ?? ""} ${dom.attr(element, "aria-label") ?? ""}`;
    if (!CONSENT.test(told)) return false;
    const style = tabwright.styleOf(element);
    return style.position === "fixed" || style.position === "sticky" || /dialog/.test(tabwright.roleOf(element));
  };

  // Elements that may hide a closed shadow root, which only Python can find.
  offers.suspects = function () {
    const suspects = [];
    for (const element of offers.all("*")) {
      if (tabwright.mayHide(element) && suspects.push(element) >= MOST_SUSPECTS) break;
    }
    return suspects;
  };

  // The words of an element as far as they are of use in a name.
  offers.words = (text, most = 120) => tabwright.cut(tabwright.clean(text ?? ""), most);

  const innerText = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "innerText").get;
  offers.shown = (element, most) =>
    offers.words(element instanceof HTMLElement ? innerText.call(element) : dom.textContent(element), most);

  // What a person calls it: a long aria-label that has nothing of what is shown does not replace it.
  offers.called = function (element, most) {
    const name = tabwright.nameOf(element);
    if (!/[\p{L}\p{N}]/u.test(name.text)) return offers.words(dom.attr(element, "title") || name.text, most);
    if (name.from !== "aria" || name.text.split(/\s+/).length <= 6) return offers.words(name.text, most);
    const shown = offers.shown(element, most);
    return !/\p{L}{3}/u.test(shown) || tabwright.matchesVisibleText(name.text, shown)
      ? offers.words(name.text, most)
      : shown;
  };
})(globalThis.tabwright);
