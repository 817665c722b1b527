// What is visible to a person. A `View` is passed down the tree: the opacity of the ancestors, and the region of the
// page that can be scrolled into view. Text is then judged by its own box, size and colour.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const {
    FAINT,
    WHITE,
    colour,
    isSimilar,
    plainGradient,
    ink: inkOf,
    hasOtherPaint,
    effectOf,
    isMaskedAway,
  } = tabwright.paint;
  const TINY = 3; // px; a font of that size is unreadable
  const SLIVER = 1.5; // px; a box of that size counts as clipped away
  const MAX_BLUR = 0.3; // of the font size; text is unreadable beyond it
  const MAX_BOX_BLUR = 6; // px; the same for fields and frames
  const FAR = 3; // viewport widths that a page can be scrolled sideways
  const AWAY = 500; // px outside of its place
  const NOWHERE = Object.freeze({ left: 0, top: 0, right: 0, bottom: 0, nowhere: true });
  const UNDRAWN = new Set(["defs", "symbol", "clipPath", "mask", "pattern", "marker", "filter"]);
  const PICTURES = new Set(["img", "video", "canvas", "svg", "picture", "image"]);
  const PAINTED = new Set(["img", "video", "canvas", "iframe", "object", "embed", "svg", "image", "input", "image"]);
  const range = new Range();
  const reader = Document.prototype.createTreeWalker.call(document, document, NodeFilter.SHOW_TEXT);
  const AHEAD = 200; // texts

  let styles, backgrounds, boxes, viewport, used, lastElement, lastStyle;

  tabwright.onClearCaches(() => {
    styles = new Map();
    backgrounds = new Map();
    boxes = new Map();
    viewport = null;
    used = null;
    lastElement = null;
  });
  tabwright.clearCaches();

  // Reads the style of the current element of a walk; styleOf returns the same object for it.
  tabwright.readStyle = function (element) {
    lastElement = element;
    return (lastStyle = getComputedStyle(element));
  };

  tabwright.styleOf = function (element) {
    if (element === lastElement) return lastStyle;
    let style = styles.get(element);
    if (!style) styles.set(element, (style = getComputedStyle(element)));
    return style;
  };

  // The view of the document.
  tabwright.rootView = function () {
    const region = documentRegion();
    return { opacity: 1, blur: 0, flat: null, flow: region, positioned: region, undrawn: null };
  };

  // The view of an element's children, given the view that the element is in.
  tabwright.childView = function (element, style, view, position = style.position, overflow = style.overflow) {
    if (element instanceof SVGElement) view = drawnView(element, view);
    const { filter, opacity: ownOpacity } = style;
    const isPlain = filter === "none" && ownOpacity === "1" && style.clipPath === "none" && style.maskImage === "none";
    if (isPlain && position === "static" && overflow === "visible") return view;
    return changedView(element, style, view, position, overflow, isPlain);
  };

  function changedView(element, style, view, position, overflow, isPlain) {
    const effect = effectOf(isPlain ? "none" : style.filter);
    const opacity = isPlain ? view.opacity : view.opacity * effect.opacity * parseFloat(style.opacity);
    const outer = position === "static" || position === "relative" ? view.flow : outerRegion(element, position, view);
    let inner = outer;
    if (isClippedAway(style, position) || (!isPlain && isMaskedAway(style))) inner = NOWHERE;
    else if (overflow !== "visible" && clips(element, style)) inner = innerRegion(element, style, outer);
    const anchored = position !== "static" ? inner : view.positioned;
    const isSame = opacity === view.opacity && inner === view.flow && anchored === view.positioned;
    if (isSame && effect.blur === 0 && effect.flat === null) return view;
    const flat = effect.flat === null ? view.flat : { ink: effect.flat, owner: element };
    return { ...view, opacity, blur: view.blur + effect.blur, flat, flow: inner, positioned: anchored };
  }

  // Definitions of SVG are drawn only where something uses them.
  function drawnView(element, view) {
    if (view.undrawn !== null && isUsed(element)) return view.undrawn;
    if (!UNDRAWN.has(dom.tag(element)) || view.undrawn !== null || isUsed(element)) return view;
    return { ...view, flow: NOWHERE, positioned: NOWHERE, undrawn: view };
  }

  function isUsed(element) {
    const id = dom.attr(element, "id");
    if (!id) return false;
    const hrefOf = use => dom.attr(use, "href") ?? dom.attr(use, "xlink:href");
    used ??= new Set(Array.from(dom.documentAll("use"), hrefOf));
    return used.has(`#${id}`);
  }

  // Why a text node is hidden: "" if it is visible, "clipped" if it takes no space on the page (as labels for screen
  // readers do), "faint" if it is there but cannot be read.
  tabwright.textHiddenReason = function (node, parent, style, place) {
    if (place.view.flow.nowhere) return "clipped";
    if (place.view.opacity < FAINT || place.behindBackground) return "faint";
    const box = (place.box = boxes.get(node) ?? measureFrom(node));
    if (box.width < 1 || box.height === 0 || !overlaps(box, place.view.flow)) return "clipped";
    if (box.height < SLIVER) return "faint";
    // All texts of one element have the same style.
    return (place.unread ??= unreadable(parent, style, place, box));
  };

  // The box of a text. The boxes of the texts after it are measured in the same loop: mixed with other DOM calls,
  // each would take twice as long (measured).
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
    const size = parseFloat(style.fontSize);
    if (size <= TINY || place.view.blur > size * MAX_BLUR) return "faint";
    return isTextReadable(element, style, place, box) ? "" : "faint";
  }

  // Whether an element's own box is visible.
  tabwright.isBoxVisible = function (element, style, view, outerView) {
    if (style.visibility !== "visible" || view.opacity < FAINT) return false;
    if (view.blur > MAX_BOX_BLUR && !PICTURES.has(dom.tag(element))) return false;
    const box = dom.rect(element);
    if (box.width < SLIVER || box.height < SLIVER) return false;
    return !view.flow.nowhere && overlaps(box, outerRegion(element, style.position, outerView));
  };

  // The view inside an element, computed from its ancestors.
  tabwright.viewOf = function (element) {
    const chain = [];
    for (let at = element; at; at = tabwright.parentOf(at)) chain.push(at);
    let view = tabwright.rootView();
    while (chain.length) {
      const at = chain.pop();
      view = tabwright.childView(at, tabwright.styleOf(at), view);
    }
    return view;
  };

  // Whether an element covers what is behind it and scrolls with the page, so that scrolling cannot uncover it.
  tabwright.isCover = function (element, style, view, position) {
    if (position !== "absolute" && (position !== "relative" || style.zIndex === "auto")) return false;
    if (view.opacity < 0.95 || style.visibility !== "visible" || style.mixBlendMode !== "normal") return false;
    return ownBackground(element)?.owner === element || effectOf(style.backdropFilter).blur > MAX_BOX_BLUR;
  };

  // The texts ({node, parent, box}) that are entirely behind one of the covers.
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

  // An estimate of the paint order: the higher z-index wins, then the later element.
  function isAbove(cover, element) {
    if (dom.contains(cover, element)) return false;
    const [mine, other] = [layerOf(cover), layerOf(element)];
    if (mine !== other) return mine > other;
    return isAfter(cover, element);
  }

  // Whether an element comes after another on the page. In different shadow trees, the document gives no order.
  function isAfter(later, earlier) {
    const order = Node.prototype.compareDocumentPosition.call(earlier, later);
    if (!(order & 1)) return Boolean(order & 4);
    const [one, other] = [ancestors(earlier), ancestors(later)];
    const at = one.findIndex((node, index) => node !== other[index]);
    if (at <= 0 || other[at] === undefined) return other[at] !== undefined;
    const siblings = tabwright.childrenOf(one[at - 1]);
    return siblings.indexOf(other[at]) > siblings.indexOf(one[at]);
  }

  // From the root down to the element, in the flat tree.
  function ancestors(element) {
    const chain = [];
    for (let at = element; at; at = tabwright.parentOf(at)) chain.unshift(at);
    return chain;
  }

  // The z-index of the outermost positioned ancestor.
  function layerOf(element) {
    let layer = 0;
    for (let at = element; at; at = tabwright.parentOf(at)) {
      const style = tabwright.styleOf(at);
      if (style.position !== "static") layer = style.zIndex === "auto" ? layer || 0.5 : parseInt(style.zIndex, 10);
    }
    return layer;
  }

  // Whether a negative z-index puts an element behind the background of an ancestor: yes, unless that ancestor, or one
  // in between, creates a stacking context.
  tabwright.isBehindBackground = function (element, ownStyle) {
    if (!ownStyle.zIndex.startsWith("-")) return false;
    for (
      let at = tabwright.parentOf(element);
      at && at !== dom.body() && at !== dom.root();
      at = tabwright.parentOf(at)
    ) {
      const style = tabwright.styleOf(at);
      const stacks =
        (style.position !== "static" && style.zIndex !== "auto") ||
        style.opacity !== "1" ||
        style.transform !== "none" ||
        style.isolation === "isolate";
      if (stacks) return false;
      if (ownBackground(at) !== undefined) return true;
    }
    return false;
  };

  // Whether the box of an element is visible.
  tabwright.isVisible = function (element) {
    const parent = tabwright.parentOf(element);
    if (!tabwright.isRendered(element)) return false;
    const outer = parent ? tabwright.viewOf(parent) : tabwright.rootView();
    const style = tabwright.styleOf(element);
    return tabwright.isBoxVisible(element, style, tabwright.childView(element, style, outer), outer);
  };

  // For Python: the same for many elements. False for null and for inner parts of native controls.
  tabwright.areVisible = function (...elements) {
    tabwright.clearCaches();
    return elements.map(
      element => element instanceof Element && !isPartOfInput(element) && tabwright.isVisible(element),
    );
  };

  const isPartOfInput = element =>
    dom.ownerRoot(element) instanceof ShadowRoot && dom.tag(dom.ownerRoot(element).host) === "input";

  // Whether an element is rendered: neither it nor an ancestor has display none or the like.
  tabwright.isRendered = element => Element.prototype.checkVisibility.call(element);

  function documentRegion() {
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

  // A fixed box is relative to the viewport, unless an ancestor has a transform.
  function outerRegion(element, position, view) {
    if (position === "absolute") return view.positioned;
    if (position !== "fixed") return view.flow;
    if (isInTransformed(element)) return view.positioned;
    return (viewport ??= { left: 0, top: 0, right: innerWidth, bottom: innerHeight });
  }

  function isInTransformed(element) {
    for (let at = tabwright.parentOf(element); at; at = tabwright.parentOf(at)) {
      const style = tabwright.styleOf(at);
      if (style.transform !== "none" || style.filter !== "none" || style.willChange === "transform") return true;
    }
    return false;
  }

  function isClippedAway(style, position) {
    if (style.clipPath !== "none" && isEmptyClipPath(style.clipPath)) return true;
    if (position !== "absolute" && position !== "fixed") return false;
    const sides = /^rect\((-?[\d.]+)px,? (-?[\d.]+)px,? (-?[\d.]+)px,? (-?[\d.]+)px\)/.exec(style.clip);
    if (sides === null) return false;
    const [top, right, bottom, left] = sides.slice(1).map(Number);
    return right - left <= SLIVER || bottom - top <= SLIVER;
  }

  function isEmptyClipPath(path) {
    const inset = /^inset\(([^)]*)\)/.exec(path);
    if (inset) return isEmptyInset(inset[1].split(" round ")[0].trim().split(/\s+/));
    if (/^(circle|ellipse)\(0(px|%)?\b/.test(path)) return true;
    const polygon = /^polygon\(([^)]*)\)/.exec(path);
    return polygon !== null && new Set(polygon[1].split(",").map(point => point.trim())).size < 3;
  }

  function isEmptyInset(/** @type {string[]} */ [top, right = top, bottom = top, left = right]) {
    const percent = side => (side.endsWith("%") ? parseFloat(side) : parseFloat(side) ? 0.001 : 0);
    return percent(top) + percent(bottom) >= 100 || percent(left) + percent(right) >= 100;
  }

  // The overflow of root and body applies to the viewport, which can be scrolled.
  function clips(element, style) {
    if (element === dom.root() || element === dom.body()) return false;
    return style.display !== "inline" && style.display !== "contents";
  }

  // All content of a scroller can be scrolled into view; a box with hidden overflow shows only what fits.
  function innerRegion(element, style, outer) {
    const box = dom.rect(element);
    if (!overlaps(box, outer) && box.width > 0 && box.height > 0) return NOWHERE;
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

  const overlaps = (box, region) =>
    box.right > region.left + 1 &&
    box.left < region.right - 1 &&
    box.bottom > region.top + 1 &&
    box.top < region.bottom - 1;

  function isTextReadable(element, style, place, box) {
    const { flat } = place.view;
    const own = inkOf(element, style);
    if (own.alpha < FAINT) return hasOtherPaint(element, style);
    const ink = flat === null ? own : flat.ink;
    if (flat === null && !isSimilar(ink, plainBackgroundOf(place)) && !isOwnGradient(ink, style)) return true;
    const background = backgroundOf(element);
    // A filter that leaves one colour does so to the background inside it, too.
    const flattened = flat !== null && background?.owner && dom.contains(flat.owner, background.owner);
    if (!flattened && (!background || !isSimilar(ink, background.colour))) return true;
    return (!flat && hasOtherPaint(element, style)) || hasPaintBehind(element, background.owner, box);
  }

  // The nearest opaque background colour, ignoring images. It reads one property per element and almost always shows
  // that text and background differ.
  function plainBackgroundOf(place) {
    if (place.background !== null) return place.background;
    const own = place.style ? colour(place.style.backgroundColor) : WHITE;
    return (place.background =
      own.alpha > 0.95 || place.outer === null ? (own.alpha > 0.95 ? own : WHITE) : plainBackgroundOf(place.outer));
  }

  const isOwnGradient = (ink, style) => {
    const image = style.backgroundImage;
    const plain = image === "none" ? null : plainGradient(image);
    return plain !== null && isSimilar(ink, plain);
  };

  // The plain colour behind an element and the element that paints it; null for images and mixed colours.
  function backgroundOf(element) {
    if (backgrounds.has(element)) return backgrounds.get(element);
    const background = ownBackground(element);
    const found = background === undefined ? parentBackground(element) : background;
    backgrounds.set(element, found);
    return found;
  }

  function ownBackground(element) {
    const style = tabwright.styleOf(element);
    const image = style.backgroundImage;
    const painted = image === "none" ? colour(style.backgroundColor) : plainGradient(image);
    if (painted === null) return null;
    if (painted.alpha === 0) return undefined;
    return painted.alpha > 0.95 ? { colour: painted, owner: element } : null;
  }

  function parentBackground(element) {
    const parent = tabwright.parentOf(element);
    if (parent) return backgroundOf(parent);
    const dark =
      getComputedStyle(dom.root()).colorScheme.includes("dark") && matchMedia("(prefers-color-scheme: dark)").matches;
    return { colour: colour(dark ? "rgb(18, 18, 18)" : "rgb(255, 255, 255)"), owner: null };
  }

  // White text on a white page is readable if an image or a coloured box is between them.
  function hasPaintBehind(element, owner, box) {
    const x = (box.left + box.right) / 2;
    const y = (box.top + box.bottom) / 2;
    for (let at = element; at && at !== owner; at = tabwright.parentOf(at)) {
      if (paintsGenerated(at, "::before") || paintsGenerated(at, "::after")) return true;
    }
    const around = owner && owner !== dom.body() && owner !== dom.root() ? owner : dom.body();
    return around !== null && isPaintedAt(around, element, x, y);
  }

  // Whether the text of ::before or ::after cannot be seen. Its box cannot be measured, only its style is known.
  tabwright.isGeneratedHidden = function (element, style) {
    const effect = effectOf(style.filter);
    const size = parseFloat(style.fontSize);
    const positioned = style.position === "absolute" || style.position === "fixed";
    if (parseFloat(style.opacity) * effect.opacity < FAINT || size <= TINY || effect.blur > size * MAX_BLUR)
      return true;
    if (isClippedAway(style, style.position) || isMaskedAway(style) || isMovedAway(style, positioned)) return true;
    const ink = colour(style.webkitTextFillColor);
    if (ink.alpha < FAINT) return !hasOtherPaint(element, style);
    if (positioned || style.backgroundImage !== "none") return false;
    const own = colour(style.backgroundColor);
    const background = own.alpha > 0.95 ? own : backgroundOf(element)?.colour;
    return background !== undefined && isSimilar(ink, background) && !hasOtherPaint(element, style);
  };

  function isMovedAway(style, positioned) {
    if (/^matrix\(0, 0, 0, 0,/.test(style.transform) || parseFloat(style.textIndent) < -AWAY) return true;
    if (positioned && [style.left, style.top].some(side => parseFloat(side) < -AWAY)) return true;
    const sizes = [style.width, style.height].map(parseFloat);
    return /^(hidden|clip)/.test(style.overflow) && sizes.some(size => size <= SLIVER);
  }

  function paintsGenerated(element, pseudo) {
    const style = getComputedStyle(element, pseudo);
    if (style.content === "none" || style.content === "normal") return false;
    return style.backgroundImage !== "none" || colour(style.backgroundColor).alpha > FAINT;
  }

  function isPaintedAt(around, element, x, y) {
    let checked = 0;
    for (const other of dom.all(around, "*")) {
      if (++checked > 2000) return true;
      if (dom.contains(element, other) || dom.contains(other, element) || !containsPoint(dom.rect(other), x, y))
        continue;
      if (PAINTED.has(dom.tag(other))) return true;
      const style = tabwright.styleOf(other);
      if (style.visibility !== "visible" || style.opacity === "0") continue;
      if (style.backgroundImage !== "none") return true;
      const painted = colour(style.backgroundColor);
      if (painted.alpha > FAINT && !isSimilar(painted, inkOf(element, tabwright.styleOf(element)))) return true;
    }
    return false;
  }

  const containsPoint = (box, x, y) => box.left <= x && box.right >= x && box.top <= y && box.bottom >= y;
})(globalThis.tabwright);
