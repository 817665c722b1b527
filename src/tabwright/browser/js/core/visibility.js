// What a person can see. A `Sight` is carried down the walk: how opaque the ancestors are and which part of the page
// can be brought before the eye; text is then judged by its own box, size and colour.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const FAINT = 0.1; // opacity below which text is not read
  const TINY = 3; // px; a font of that size is a smear
  const SLIVER = 1.5; // px; what is left of a box that is clipped away
  const FAR = 3; // viewport widths; nobody scrolls that far sideways
  const NOWHERE = Object.freeze({ left: 0, top: 0, right: 0, bottom: 0, nowhere: true });
  const PAINTED = new Set(["img", "video", "canvas", "iframe", "object", "embed", "svg", "picture", "input", "image"]);
  const range = new Range();
  const reader = Document.prototype.createTreeWalker.call(document, document, NodeFilter.SHOW_TEXT);
  const AHEAD = 200; // texts

  let styles, grounds, boxes, viewport, lately, latest;

  // Facts are remembered during one call from Python and must not outlive it: the page changes in between.
  const forgetters = [];
  tabwright.onClearCaches = forgetter => forgetters.push(forgetter);
  tabwright.clearCaches = function () {
    for (const forgetter of forgetters) forgetter();
  };
  tabwright.onClearCaches(() => {
    styles = new Map();
    grounds = new Map();
    boxes = new Map();
    viewport = null;
    lately = null;
  });
  tabwright.clearCaches();

  // The style of an element that a walk has come to: whoever asks for it next gets the same one.
  tabwright.readStyle = function (element) {
    lately = element;
    return (latest = getComputedStyle(element));
  };

  tabwright.styleOf = function (element) {
    if (element === lately) return latest;
    let style = styles.get(element);
    if (!style) styles.set(element, (style = getComputedStyle(element)));
    return style;
  };

  // How the document itself is seen.
  tabwright.rootView = function () {
    const reach = reachOfDocument();
    return { opacity: 1, flow: reach, positioned: reach };
  };

  // How the children of an element are seen, given how the element's parent sees.
  tabwright.childView = function (element, style, sight, position = style.position, overflow = style.overflow) {
    const opacity = sight.opacity * ownOpacity(style);
    const outer = position === "static" || position === "relative" ? sight.flow : outerReach(element, position, sight);
    let inner = outer;
    if (clippedAway(style, position)) inner = NOWHERE;
    else if (overflow !== "visible" && clips(element, style)) inner = reachInside(element, style, outer);
    const anchored = position !== "static" ? inner : sight.positioned;
    if (opacity === sight.opacity && inner === sight.flow && anchored === sight.positioned) return sight;
    return { opacity, flow: inner, positioned: anchored };
  };

  // Why a text node cannot be seen: "" when it can, "clipped" for what has no place on the page (the way labels for
  // screen readers are hidden), "faint" for what is there and cannot be read.
  tabwright.textHiddenReason = function (node, parent, style, place) {
    if (place.sight.flow.nowhere) return "clipped";
    if (place.sight.opacity < FAINT || place.sunk) return "faint";
    const box = (place.box = boxes.get(node) ?? measureFrom(node));
    if (box.width < 1 || box.height === 0 || !meets(box, place.sight.flow)) return "clipped";
    if (box.height < SLIVER) return "faint";
    // All texts of one element are set alike.
    return (place.unread ??= unreadable(parent, style, place, box));
  };

  // The box of a text; those of the texts after it are read in the same go. Between other questions to the browser
  // each of them costs twice as much (measured).
  function measureFrom(node) {
    reader.currentNode = node;
    for (let at = node, ahead = 0; at !== null && ahead < AHEAD; at = reader.nextNode()) {
      if (!/\S/.test(dom.text(at))) continue;
      range.selectNodeContents(at);
      boxes.set(at, range.getBoundingClientRect());
      ahead++;
    }
    return boxes.get(node);
  }

  function unreadable(element, style, place, box) {
    if (style.visibility !== "visible") return "clipped";
    if (parseFloat(style.fontSize) <= TINY) return "faint";
    return inkShows(element, style, place, box) ? "" : "faint";
  }

  // Whether an element's own box can be seen: used for what is more than text.
  tabwright.isBoxVisible = function (element, style, sight, outerSight) {
    if (style.visibility !== "visible" || sight.opacity < FAINT) return false;
    const box = dom.rect(element);
    if (box.width < SLIVER || box.height < SLIVER) return false;
    return !sight.flow.nowhere && meets(box, outerReach(element, style.position, outerSight));
  };

  // The way an element is seen from the document, computed from its ancestors.
  tabwright.viewOf = function (element) {
    const chain = [];
    for (let at = element; at; at = tabwright.parentOf(at)) chain.push(at);
    let sight = tabwright.rootView();
    while (chain.length) {
      const at = chain.pop();
      sight = tabwright.childView(at, tabwright.styleOf(at), sight);
    }
    return sight;
  };

  // Whether an element hides what lies under it and moves with the page, so that no scrolling uncovers it.
  tabwright.isCover = function (element, style, sight, position) {
    if (position !== "absolute" && (position !== "relative" || style.zIndex === "auto")) return false;
    if (sight.opacity < 0.95 || style.visibility !== "visible" || style.mixBlendMode !== "normal") return false;
    return ownGround(element)?.owner === element;
  };

  // The texts ({node, parent, box}) that lie wholly under one of the covers.
  tabwright.coveredTexts = function (texts, covers) {
    const areas = covers
      .map(cover => ({ cover, box: dom.rect(cover) }))
      .filter(({ box }) => box.width > 8 && box.height > 8);
    const covered = new Set();
    for (const text of areas.length ? texts : []) {
      for (const area of areas)
        if (contains(area.box, text.box) && isAbove(area.cover, text.parent)) covered.add(text.node);
    }
    return covered;
  };

  const contains = (area, box) =>
    area.left <= box.left + 1 &&
    area.right >= box.right - 1 &&
    area.top <= box.top + 1 &&
    area.bottom >= box.bottom - 1;

  // Paint order as far as it can be told without painting: the higher z-index wins, then what comes later.
  function isAbove(cover, element) {
    if (dom.contains(cover, element)) return false;
    const [mine, other] = [layerOf(cover), layerOf(element)];
    if (mine !== other) return mine > other;
    return Boolean(Node.prototype.compareDocumentPosition.call(element, cover) & 4);
  }

  // The z-index of the outermost positioned box that an element is in.
  function layerOf(element) {
    let layer = 0;
    for (let at = element; at; at = tabwright.parentOf(at)) {
      const style = tabwright.styleOf(at);
      if (style.position !== "static") layer = style.zIndex === "auto" ? layer || 0.5 : parseInt(style.zIndex, 10);
    }
    return layer;
  }

  // Whether a negative z-index puts an element behind the background of something around it: that is so unless the
  // one who paints it, or one in between, is the bottom of a stack of its own.
  tabwright.isBehindBackground = function (element, style) {
    if (!style.zIndex.startsWith("-")) return false;
    for (
      let at = tabwright.parentOf(element);
      at && at !== dom.body() && at !== dom.root();
      at = tabwright.parentOf(at)
    ) {
      const around = tabwright.styleOf(at);
      const stacks =
        (around.position !== "static" && around.zIndex !== "auto") ||
        around.opacity !== "1" ||
        around.transform !== "none" ||
        around.isolation === "isolate";
      if (stacks) return false;
      if (ownGround(at) !== undefined) return true;
    }
    return false;
  };

  // Whether a person can see the box of an element.
  tabwright.isVisible = function (element) {
    const parent = tabwright.parentOf(element);
    if (!tabwright.isRendered(element)) return false;
    const outer = parent ? tabwright.viewOf(parent) : tabwright.rootView();
    const style = tabwright.styleOf(element);
    return tabwright.isBoxVisible(element, style, tabwright.childView(element, style, outer), outer);
  };

  // For Python: the same for many. A null, or a part of a control that the browser draws, is not seen.
  tabwright.areVisible = function (...elements) {
    tabwright.clearCaches();
    return elements.map(
      element => element instanceof Element && !isDrawnByBrowser(element) && tabwright.isVisible(element),
    );
  };

  const isDrawnByBrowser = element =>
    dom.ownerRoot(element) instanceof ShadowRoot && dom.tag(dom.ownerRoot(element).host) === "input";

  // Whether an element is rendered at all: it or an ancestor may take it out of the page.
  tabwright.isRendered = element => Element.prototype.checkVisibility.call(element);

  function ownOpacity(style) {
    let opacity = style.opacity === "1" ? 1 : parseFloat(style.opacity);
    const filter = style.filter;
    if (filter !== "none") {
      const faded = /opacity\(([\d.]+)(%?)\)/.exec(filter);
      if (faded) opacity *= Number(faded[1]) / (faded[2] ? 100 : 1);
    }
    return opacity;
  }

  function reachOfDocument() {
    const root = dom.root();
    const width = dom.clientWidth(root) || innerWidth;
    const locked = isLocked(root) || (dom.body() && isLocked(dom.body()));
    const right = locked ? width : width * FAR;
    const rightToLeft = getComputedStyle(root).direction === "rtl";
    return {
      left: (rightToLeft ? width - right : 0) - scrollX,
      right: (rightToLeft ? width : right) - scrollX,
      top: -scrollY,
      bottom: Infinity,
    };
  }

  const isLocked = element => /^(hidden|clip)/.test(tabwright.styleOf(element).overflowX);

  // A fixed box stays with the viewport unless an ancestor with a transform takes it along.
  function outerReach(element, position, sight) {
    if (position === "absolute") return sight.positioned;
    if (position !== "fixed") return sight.flow;
    if (carried(element)) return sight.positioned;
    return (viewport ??= { left: 0, top: 0, right: innerWidth, bottom: innerHeight });
  }

  function carried(element) {
    for (let at = tabwright.parentOf(element); at; at = tabwright.parentOf(at)) {
      const style = tabwright.styleOf(at);
      if (style.transform !== "none" || style.filter !== "none" || style.willChange === "transform") return true;
    }
    return false;
  }

  function clippedAway(style, position) {
    if (style.clipPath !== "none" && emptyClipPath(style.clipPath)) return true;
    if (position !== "absolute" && position !== "fixed") return false;
    const sides = /^rect\((-?[\d.]+)px,? (-?[\d.]+)px,? (-?[\d.]+)px,? (-?[\d.]+)px\)/.exec(style.clip);
    if (sides === null) return false;
    const [top, right, bottom, left] = sides.slice(1).map(Number);
    return right - left <= SLIVER || bottom - top <= SLIVER;
  }

  function emptyClipPath(path) {
    const inset = /^inset\(([^)]*)\)/.exec(path);
    if (inset) return emptyInset(inset[1].split(" round ")[0].trim().split(/\s+/));
    if (/^(circle|ellipse)\(0(px|%)?\b/.test(path)) return true;
    const polygon = /^polygon\(([^)]*)\)/.exec(path);
    return polygon !== null && new Set(polygon[1].split(",").map(point => point.trim())).size < 3;
  }

  function emptyInset(/** @type {string[]} */ [top, right = top, bottom = top, left = right]) {
    const percent = side => (side.endsWith("%") ? parseFloat(side) : parseFloat(side) ? 0.001 : 0);
    return percent(top) + percent(bottom) >= 100 || percent(left) + percent(right) >= 100;
  }

  // The overflow of the root and the body is the viewport's: what is outside can be scrolled to.
  function clips(element, style) {
    if (element === dom.root() || element === dom.body()) return false;
    return style.display !== "inline" && style.display !== "contents";
  }

  // A scroller shows all it holds, bit by bit; a box that hides its overflow shows only what is in it.
  function reachInside(element, style, outer) {
    const box = dom.rect(element);
    if (!meets(box, outer) && box.width > 0 && box.height > 0) return NOWHERE;
    if (box.width <= SLIVER || box.height <= SLIVER) return NOWHERE;
    const across = scrollSpan(
      style.overflowX,
      style.direction === "rtl",
      box.left + dom.clientLeft(element),
      dom.clientWidth(element),
      dom.scrollLeft(element),
      dom.scrollWidth(element),
    );
    const down = scrollSpan(
      style.overflowY,
      false,
      box.top + dom.clientTop(element),
      dom.clientHeight(element),
      dom.scrollTop(element),
      dom.scrollHeight(element),
    );
    const left = across?.[0] ?? Math.max(box.left, outer.left);
    const right = across?.[1] ?? Math.min(box.right, outer.right);
    const top = down?.[0] ?? Math.max(box.top, outer.top);
    const bottom = down?.[1] ?? Math.min(box.bottom, outer.bottom);
    return { left, top, right, bottom };
  }

  function scrollSpan(overflow, backwards, start, size, offset, whole) {
    if (overflow === "visible") return [-Infinity, Infinity];
    if (overflow !== "auto" && overflow !== "scroll") return null;
    const from = backwards ? start + size - whole - offset : start - offset;
    return [from, from + whole];
  }

  const meets = (box, reach) =>
    box.right > reach.left + 1 &&
    box.left < reach.right - 1 &&
    box.bottom > reach.top + 1 &&
    box.top < reach.bottom - 1;

  function inkShows(element, style, place, box) {
    const ink = inkOf(element, style);
    if (ink.alpha < FAINT) return hasOtherInk(style);
    if (!alike(ink, plainGroundOf(place)) && !isOwnGradient(ink, style)) return true;
    const ground = groundOf(element);
    if (!ground || !alike(ink, ground.colour)) return true;
    return hasOtherInk(style) || somethingBehind(element, ground.owner, box);
  }

  const inkOf = (element, style) => colour(element instanceof SVGElement ? style.fill : style.webkitTextFillColor);

  const hasOtherInk = style =>
    style.backgroundClip.includes("text") ||
    style.textShadow !== "none" ||
    (parseFloat(style.webkitTextStrokeWidth) > 0 && colour(style.webkitTextStrokeColor).alpha > FAINT);

  const colours = new Map();
  const PAPER = Object.freeze({ red: 255, green: 255, blue: 255, alpha: 1 });

  function colour(text) {
    let parsed = colours.get(text);
    if (!parsed) colours.set(text, (parsed = parseColour(text)));
    return parsed;
  }

  function parseColour(text) {
    const parts = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(text);
    // Colour spaces other than sRGB are left alone: they are never taken for the colour of their ground.
    if (!parts) return { red: -999, green: -999, blue: -999, alpha: /\/ 0(\.0\d*)?\)$/.test(text) ? 0 : 1 };
    return { red: +parts[1], green: +parts[2], blue: +parts[3], alpha: parts[4] === undefined ? 1 : +parts[4] };
  }

  const alike = (one, other) =>
    Math.abs(one.red - other.red) + Math.abs(one.green - other.green) + Math.abs(one.blue - other.blue) <= 24;

  // The nearest opaque background colour around a place of the walk, pictures aside: one property of each element is
  // read, and almost always settles that text and ground differ.
  function plainGroundOf(place) {
    if (place.ground !== null) return place.ground;
    const own = place.style ? colour(place.style.backgroundColor) : PAPER;
    return (place.ground =
      own.alpha > 0.95 || place.outer === null ? (own.alpha > 0.95 ? own : PAPER) : plainGroundOf(place.outer));
  }

  const isOwnGradient = (ink, style) => {
    const picture = style.backgroundImage;
    const plain = picture === "none" ? null : plainGradient(picture);
    return plain !== null && alike(ink, plain);
  };

  // The plain colour behind an element and who paints it; null when it is a picture or a mixture.
  function groundOf(element) {
    if (grounds.has(element)) return grounds.get(element);
    const ground = ownGround(element);
    const found = ground === undefined ? groundOfParent(element) : ground;
    grounds.set(element, found);
    return found;
  }

  function ownGround(element) {
    const style = tabwright.styleOf(element);
    const picture = style.backgroundImage;
    const painted = picture === "none" ? colour(style.backgroundColor) : plainGradient(picture);
    if (painted === null) return null;
    if (painted.alpha === 0) return undefined;
    return painted.alpha > 0.95 ? { colour: painted, owner: element } : null;
  }

  // A gradient from one colour to itself is that colour.
  function plainGradient(picture) {
    if (!/^[a-z-]*gradient\(/.test(picture) || picture.includes("url(")) return null;
    const stops = (picture.match(/rgba?\([^)]*\)/g) ?? []).map(colour);
    return stops.length && stops.every(stop => alike(stop, stops[0]) && stop.alpha > 0.95) ? stops[0] : null;
  }

  function groundOfParent(element) {
    const parent = tabwright.parentOf(element);
    if (parent) return groundOf(parent);
    const dark =
      getComputedStyle(dom.root()).colorScheme.includes("dark") && matchMedia("(prefers-color-scheme: dark)").matches;
    return { colour: colour(dark ? "rgb(18, 18, 18)" : "rgb(255, 255, 255)"), owner: null };
  }

  // White text on a white page is readable when a picture or a coloured box lies between the two.
  function somethingBehind(element, owner, box) {
    const x = (box.left + box.right) / 2;
    const y = (box.top + box.bottom) / 2;
    for (let at = element; at && at !== owner; at = tabwright.parentOf(at)) {
      if (paintsGenerated(at, "::before") || paintsGenerated(at, "::after")) return true;
    }
    const around = owner && owner !== dom.body() && owner !== dom.root() ? owner : dom.body();
    return around !== null && paintedAt(around, element, x, y);
  }

  function paintsGenerated(element, pseudo) {
    const style = getComputedStyle(element, pseudo);
    if (style.content === "none" || style.content === "normal") return false;
    return style.backgroundImage !== "none" || colour(style.backgroundColor).alpha > FAINT;
  }

  function paintedAt(around, element, x, y) {
    let looked = 0;
    for (const other of dom.all(around, "*")) {
      if (++looked > 2000) return true;
      if (dom.contains(element, other) || dom.contains(other, element) || !covers(dom.rect(other), x, y)) continue;
      if (PAINTED.has(dom.tag(other))) return true;
      const style = tabwright.styleOf(other);
      if (style.visibility !== "visible" || style.opacity === "0") continue;
      if (style.backgroundImage !== "none") return true;
      const painted = colour(style.backgroundColor);
      if (painted.alpha > FAINT && !alike(painted, inkOf(element, tabwright.styleOf(element)))) return true;
    }
    return false;
  }

  const covers = (box, x, y) => box.left <= x && box.right >= x && box.top <= y && box.bottom >= y;
})(globalThis.tabwright);
