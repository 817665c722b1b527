// For page tools: finds elements in page order; whether a user can see and use them, and where they are.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const LANDMARKS = {
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
  const HONEYPOT =
    /\b(leave|keep) (this|it)( field| input)? (blank|empty|alone)|\bdo(n.t| not) fill|\bhoney ?pot\b|\bfake(user|pass|email)|captcha-?response\b/i;
  const MIN_LINKS = 3;
  const MAX_SUSPECTS = 100;
  const MAX_SCAN_TIME = 2000; // ms; counts limit a scan, time only on an overloaded computer

  const finder = (tabwright.finder = /** @type {PageFinder} */ ({}));
  let visibility, usable, inSight, positions, modal, roots;
  tabwright.onClearCaches(() => {
    visibility = new Map();
    usable = new Map();
    inSight = new Map();
    positions = new Map();
    modal = undefined;
    roots = null;
  });
  tabwright.clearCaches();

  // Every element that matches a selector, also in shadow roots, in page order.
  finder.all = function (selector) {
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

  // The elements that pass a check, up to a number and a time limit: a page may have any number of them.
  finder.take = function (elements, most, fits) {
    const taken = [];
    const deadline = performance.now() + MAX_SCAN_TIME;
    for (const element of elements) {
      if (taken.length >= most || performance.now() > deadline) break;
      if (fits(element)) taken.push(element);
    }
    return taken;
  };

  // The ancestors of an element as rendered, innermost first.
  finder.ancestors = function* (element) {
    for (let at = tabwright.parentOf(element); at; at = tabwright.parentOf(at)) yield at;
  };

  finder.isWithin = function (element, container) {
    for (let at = element; at; at = tabwright.parentOf(at)) if (at === container) return true;
    return false;
  };

  // The visibility of an element's content; cached, because its siblings need it as well.
  function visibilityIn(element) {
    const chain = [];
    let at = element;
    while (at && !visibility.has(at)) {
      chain.push(at);
      at = tabwright.parentOf(at);
    }
    let sight = at ? visibility.get(at) : tabwright.rootView();
    while (chain.length) {
      const next = chain.pop();
      sight = tabwright.childView(next, tabwright.styleOf(next), sight);
      visibility.set(next, sight);
    }
    return sight;
  }

  // Whether a user sees the box of an element.
  finder.isVisible = function (element) {
    if (!tabwright.isRendered(element)) return false;
    const parent = tabwright.parentOf(element);
    const outer = parent ? visibilityIn(parent) : tabwright.rootView();
    const style = tabwright.styleOf(element);
    return (
      tabwright.isBoxVisible(element, style, visibilityIn(element), outer) &&
      !tabwright.isBehindBackground(element, style)
    );
  };

  // Whether a user could use a control: it is visible, or drawn by its label, and not inert.
  finder.isUsable = function (element) {
    let known = usable.get(element);
    if (known === undefined) usable.set(element, (known = isUsable(element)));
    return known;
  };

  function isUsable(element) {
    if (isInert(element)) return false;
    return finder.isVisible(element) || isDrawnOtherwise(element);
  }

  function isInert(element) {
    for (let at = element; at; at = tabwright.parentOf(at)) {
      if (dom.hasAny(at) && ((tabwright.isAriaHidden(at) && !isInPlainSight(at)) || dom.has(at, "inert"))) return true;
    }
    const blocking = modalOf();
    return blocking !== null && !finder.isWithin(element, blocking);
  }

  // Whether a part of the page is marked as hidden although anybody can see and press the links in it.
  function isInPlainSight(element) {
    if (!inSight.has(element)) {
      const links = dom.first(element, "input:not([type=hidden i]),select,textarea")
        ? []
        : [...dom.all(element, "a[href]")].filter(link => finder.isVisible(link)).slice(0, MIN_LINKS);
      inSight.set(element, links.length >= MIN_LINKS && links.every(isOnTop));
    }
    return inSight.get(element);
  }

  function isOnTop(link) {
    const box = dom.rect(link);
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return top !== null && (finder.isWithin(top, link) || finder.isWithin(link, top));
  }

  // The modal dialog that blocks the rest of the page, if any. A consent banner does not count.
  function modalOf() {
    if (modal !== undefined) return modal;
    modal = [...dom.documentAll(":modal")].filter(element => dom.tag(element) === "dialog").pop() ?? null;
    if (modal) return modal;
    const claimed = finder
      .all("[aria-modal=true]")
      .filter(element => finder.isVisible(element) && !finder.isConsentBanner(element));
    return (modal = claimed.pop() ?? null);
  }

  // Whether an invisible input is styled: its label is visible, or it lies transparent over the drawing.
  function isDrawnOtherwise(element) {
    if (dom.tag(element) !== "input" || !REPLACED.has(tabwright.inputType(element))) return false;
    if (tabwright.styleOf(element).visibility !== "visible" && !tabwright.labelsOf(element).length) return false;
    if (tabwright.labelsOf(element).some(label => finder.isVisible(label))) return true;
    const box = dom.rect(element);
    const parent = tabwright.parentOf(element);
    return (
      box.width >= 8 &&
      box.height >= 8 &&
      parent !== null &&
      finder.isVisible(parent) &&
      tabwright.isRendered(element) &&
      tabwright.nameOf(element).text !== ""
    );
  }

  // Whether it is a honeypot or a script's own field: one that only a program would fill in.
  finder.isHoneypot = function (element, label) {
    if (HONEYPOT.test(label)) return true;
    const box = dom.rect(element);
    return (
      dom.attr(element, "tabindex") === "-1" &&
      dom.attr(element, "autocomplete") === "off" &&
      (box.width < 8 || box.height < 8)
    );
  };

  // The landmark of an element, and whether it is in view without scrolling.
  finder.position = function (element) {
    let place = positions.get(element);
    if (!place) positions.set(element, (place = positionOf(element)));
    return place;
  };

  function positionOf(element) {
    const box = dom.rect(element);
    const place = {
      landmark: "",
      onscreen: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    };
    for (const at of [element, ...finder.ancestors(element)]) {
      const landmark = LANDMARKS[tabwright.roleOf(at)];
      if (landmark && landmark !== "search" && (!place.landmark || landmark === "dialog")) place.landmark = landmark;
    }
    if (inConsentBanner(element)) place.consent = true;
    return place;
  }

  const inConsentBanner = element => [element, ...finder.ancestors(element)].some(finder.isConsentBanner);

  // Whether an element is a banner that asks for consent to cookies.
  finder.isConsentBanner = function (element) {
    if (/^(html|body|main|form|button|a|input)$/.test(dom.tag(element))) return false;
    const attributes = `${dom.attr(element, "id") ?? ""} ${dom.attr(element, "class") ?? ""} ${dom.attr(element, "aria-label") ?? ""}`;
    if (!CONSENT.test(attributes)) return false;
    const style = tabwright.styleOf(element);
    return style.position === "fixed" || style.position === "sticky" || /dialog/.test(tabwright.roleOf(element));
  };

  // Elements that may hide a closed shadow root, which only Python can find.
  finder.suspects = function () {
    const suspects = [];
    for (const element of finder.all("*")) {
      if (tabwright.mayHaveClosedRoot(element) && suspects.push(element) >= MAX_SUSPECTS) break;
    }
    return suspects;
  };

  // A text on one line, shortened.
  finder.cleanText = (text, most = 120) => tabwright.cut(tabwright.clean(text ?? ""), most);

  finder.visibleText = (element, most) => finder.cleanText(tabwright.visibleText(element).text, most);

  // The text of a heading without links to itself ("¶", "Permanent link").
  finder.headingText = function (heading, most = 80) {
    const marks = [...dom.all(heading, "a[href^='#']")].filter(link => isMark(link, heading));
    const name = finder.displayName(heading, most);
    if (!marks.length) return name.replace(/\s*[¶#§]\s*$/u, "");
    const copy = /** @type {Element} */ (heading.cloneNode(true));
    const copies = [...dom.all(copy, "a[href^='#']")];
    for (const link of copies.filter(one => isMark(one, copy))) link.remove();
    return finder.cleanText(dom.textContent(copy), most) || name;
  };

  const isMark = (link, heading) =>
    /^\W*$|^\W*perma|^\W*(direct |anchor )?link\b/iu.test(dom.textContent(link)) ||
    (/(^|\s)(headerlink|permalink|anchor\S*)($|\s)/i.test(dom.attr(link, "class") ?? "") &&
      dom.textContent(link).length < dom.textContent(heading).length / 2);

  // The name that a user sees: a long aria-label does not replace a visible text that it does not contain.
  finder.displayName = function (element, most) {
    const name = tabwright.nameOf(element);
    if (!/[\p{L}\p{N}]/u.test(name.text))
      return (
        finder.cleanText(dom.attr(element, "title") || name.text, most) || finder.visibleText(element, most ?? 120)
      );
    if (name.from !== "aria" || name.text.split(/\s+/).length <= 6) return finder.cleanText(name.text, most);
    const shown = finder.visibleText(element, most);
    return !/\p{L}{3}/u.test(shown) || tabwright.matchesVisibleText(name.text, shown)
      ? finder.cleanText(name.text, most)
      : shown;
  };
})(globalThis.tabwright);
