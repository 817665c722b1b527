// Getting an element ready to be acted on: attached, visible, enabled, in view, still, and not covered at the point
// where the pointer will go. Then, in the same call, what the act itself does in the page, if anything. The answer is
// {label, …}, with {x, y} in this frame's viewport where a pointer is to go there; or {fault, …}.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const scrollTo = Element.prototype.scrollIntoView;
  /** @type {ScrollLogicalPosition[]} */
  const ALIGNMENTS = ["center", "end", "start"];
  const HANDLES =
    "button,a[href],label,summary,[role=button],[role=link],[role=menuitem],[role=tab],[role=option],[role=checkbox],[role=radio],[role=switch]";
  // Where to try when the middle is covered, as parts of width and height.
  const SPOTS = [
    [0.5, 0.5],
    [0.2, 0.5],
    [0.8, 0.5],
    [0.5, 0.2],
    [0.5, 0.8],
    [0.1, 0.1],
    [0.9, 0.9],
  ];
  const FRAME = 15; // ms
  const SOON = 1200; // ms; a frame comes before: a tab behind another paints one in a second, unless it paints none

  // What an act does in the page once its element is ready: (element, args) => facts or {fault}.
  /** @type {Tabwright["acts"]} */
  const acts = (tabwright.acts = {});
  // Whom an act is for when it is given something that stands for it: (element) => element or null.
  const retargets = (tabwright.retargets = { press: pressable });

  // Remembers the element for the call that follows.
  let held = null;
  acts.hold = function (element) {
    held = element;
    return {};
  };

  // The number of the element held last; null in another document.
  tabwright.refOfHeld = function () {
    const number = held && tabwright.refOf(held);
    held = null;
    return number;
  };

  // how: {need: "attached" | "visible" | "pointer" | "point", enabled, position: [x, y] | null, guard, retarget, act, args}
  tabwright.prepare = function (spec, how) {
    tabwright.clearCaches();
    const found = tabwright.pick(spec);
    if (found.fault) return found;
    const element = how.retarget ? retargets[how.retarget](found.element) : found.element;
    if (!element) return { fault: "unfit", label: tabwright.describe(found.element) };
    const verdict = examine(element, how);
    if (verdict.fault) return verdict;
    const animations = how.need === "pointer" ? animationsOf(element) : [];
    if (animations.length) return whenStill(element, how, animations);
    return ready(element, verdict, how);
  };

  // The real box of a drawn checkbox is often not to be seen; its label takes the click.
  function pressable(element) {
    if (!(element instanceof HTMLInputElement) || !/^(checkbox|radio|file)$/.test(tabwright.inputType(element)))
      return element;
    if (!tabwright.unseenBecause(element)) return element;
    return tabwright.labelsOf(element).find(label => !tabwright.unseenBecause(label)) ?? element;
  }

  /** @returns {{ label: string, [fact: string]: any }} */
  function examine(element, how) {
    const label = tabwright.describe(element);
    if (how.need !== "attached") {
      const why = tabwright.unseenBecause(element);
      if (why) return { fault: "hidden", why, label };
    }
    if (how.enabled && tabwright.isOff(element)) return { fault: "disabled", label };
    if (how.need === "pointer") return aim(element, label, how.position);
    return how.need === "point" ? place(element, label, how.position) : { label };
  }

  function ready(element, verdict, how) {
    if (verdict.fault) return verdict;
    if (how.guard) guard(element);
    return how.act ? { ...verdict, ...acts[how.act](element, how.args) } : verdict;
  }

  // Compare two frames; only worth its time while something on the way to the element is being animated.
  async function whenStill(element, how, animations) {
    await begun(animations);
    const before = dom.rect(element);
    const painted = await nextFrame();
    const after = dom.rect(element);
    tabwright.clearCaches();
    if (painted && ["left", "top", "width", "height"].some(side => Math.abs(before[side] - after[side]) > 0.5)) {
      return { fault: "moving", label: tabwright.describe(element) };
    }
    return ready(element, examine(element, how), how);
  }

  // False where no frames are painted, so that nothing moves before anyone's eyes.
  function nextFrame() {
    if (document.hidden) return Promise.resolve(false);
    const now = Number(document.timeline.currentTime);
    return soon(
      new Promise(resolve => {
        // A page that is behind paints several frames of the same moment.
        const look = () =>
          Number(document.timeline.currentTime) - now >= FRAME ? resolve(true) : requestAnimationFrame(look);
        requestAnimationFrame(look);
      }),
    );
  }

  // An animation that is yet to begin moves nothing for a frame or two.
  function begun(animations) {
    const pending = document.hidden ? [] : animations.filter(animation => animation.pending);
    return pending.length ? soon(Promise.allSettled(pending.map(animation => animation.ready))) : null;
  }

  const soon = promise => Promise.race([promise, new Promise(resolve => setTimeout(resolve, SOON, false))]);

  const animationsOf = element =>
    document.getAnimations().filter(animation => {
      const target = animation.playState === "running" && /** @type {KeyframeEffect} */ (animation.effect)?.target;
      return target && holds(target, element);
    });

  // Whether an element is another one or is around it, as rendered.
  function holds(outer, inner) {
    for (let at = inner; at; at = tabwright.parentOf(at)) if (at === outer) return true;
    return false;
  }

  // Why a person cannot see an element at all, in words; "" when they can.
  tabwright.unseenBecause = function (element) {
    if (!dom.isConnected(element)) return "it is not in the document";
    const style = tabwright.styleOf(element);
    if (!tabwright.isRendered(element) && style.display !== "contents") return notRendered(element);
    if (style.visibility !== "visible") return `its visibility is ${style.visibility}`;
    const box = boxOf(element);
    if (box.width > 0 && box.height > 0) return "";
    return hasBoxInside(element) ? "" : "it has no size";
  };

  function notRendered(element) {
    for (let at = element; at; at = tabwright.parentOf(at)) {
      if (tabwright.styleOf(at).display === "none")
        return at === element ? "its display is none" : `${tabwright.describe(at)} around it has display none`;
      if (at !== element && at instanceof HTMLDetailsElement && !at.open) return "it is in a closed details element";
    }
    return "it is not rendered";
  }

  // A box without a size of its own may show what overflows it.
  function hasBoxInside(element) {
    for (const child of tabwright.childrenOf(element)) {
      if (dom.type(child) !== 1) continue;
      const box = dom.rect(child);
      if (box.width > 0 && box.height > 0 && tabwright.styleOf(child).visibility === "visible") return true;
    }
    return false;
  }

  function boxOf(element) {
    if (tabwright.styleOf(element).display !== "contents") return dom.rect(element);
    const range = new Range();
    range.selectNodeContents(element);
    return range.getBoundingClientRect();
  }

  // Whether it or what it is part of is switched off.
  tabwright.isOff = function (element) {
    for (let at = element; at; at = tabwright.parentOf(at)) {
      if (dom.matches(at, ":disabled") && !dom.matches(at, "fieldset,optgroup")) return true;
      if (dom.attr(at, "aria-disabled") === "true") return true;
    }
    return dom.matches(element, ":disabled");
  };

  // A point of the element that the pointer reaches, scrolled into view if need be.
  function aim(element, label, position) {
    if (position && !isInside(element, position)) return offside(element, label);
    let shot = tryAt(element, position);
    for (const block of ALIGNMENTS) {
      if (shot.hit) break;
      scrollTo.call(element, { block, inline: "nearest", behavior: "instant" });
      shot = tryAt(element, position);
    }
    if (shot.hit) return { ...asInput(shot.x, shot.y), label };
    if (shot.by) return { fault: "covered", by: coverer(shot.by, element), label };
    return shot.deaf ? { fault: "deaf", label } : { fault: "outside", label };
  }

  // A point of the element in view, whatever lies above it: what is being dragged may.
  function place(element, label, position) {
    if (position && !isInside(element, position)) return offside(element, label);
    const find = () =>
      (position ? [placed(element, position)] : [...spots(element)]).find(
        ([x, y]) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight,
      );
    if (!find()) scrollTo.call(element, { block: "center", inline: "nearest", behavior: "instant" });
    const point = find();
    return point ? { ...asInput(...point), label } : { fault: "outside", label };
  }

  function tryAt(element, position) {
    let miss = {};
    for (const [x, y] of position ? [placed(element, position)] : spots(element)) {
      if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
      const hit = tabwright.hitAt(x, y);
      if (hit && accepts(hit, element)) return { hit: true, x, y };
      if (hit && !miss.by && !miss.deaf) miss = holds(hit, element) ? { deaf: true } : { by: hit };
    }
    return miss;
  }

  function isInside(element, [x, y]) {
    const box = boxOf(element);
    return x >= 0 && y >= 0 && x < box.width && y < box.height;
  }

  function offside(element, label) {
    const box = boxOf(element);
    return { fault: "offside", label, width: Math.round(box.width), height: Math.round(box.height) };
  }

  function placed(element, [x, y]) {
    const box = boxOf(element);
    return [box.left + x, box.top + y];
  }

  // Points of the part of the element that is in the viewport, best first. A link over two lines has two boxes.
  function* spots(element) {
    const boxes = [...element.getClientRects()].filter(box => box.width > 0 && box.height > 0);
    const shown = (boxes.length ? boxes : [boxOf(element), ...insideBoxes(element)]).map(inView).filter(Boolean);
    for (const [across, down] of SPOTS) {
      for (const box of shown.slice(0, 4))
        yield [box.left + (box.right - box.left) * across, box.top + (box.bottom - box.top) * down];
    }
  }

  const insideBoxes = element =>
    tabwright
      .childrenOf(element)
      .filter(child => dom.type(child) === 1)
      .map(child => dom.rect(child));

  function inView(box) {
    const cut = {
      left: Math.max(box.left, 0),
      top: Math.max(box.top, 0),
      right: Math.min(box.right, innerWidth),
      bottom: Math.min(box.bottom, innerHeight),
    };
    return cut.right - cut.left > 0 && cut.bottom - cut.top > 0 ? cut : null;
  }

  // The innermost element at a point, looked up through shadow roots.
  tabwright.hitAt = function (x, y) {
    let hit = Document.prototype.elementFromPoint.call(document, x, y);
    for (let root; hit && (root = tabwright.shadowRootOf(hit)); ) {
      const inner = root.elementFromPoint(x, y);
      if (!inner || inner === hit || dom.ownerRoot(inner) !== root) break;
      hit = inner;
    }
    return hit;
  };

  // Whether a press on `hit` is a press on `element`.
  function accepts(hit, element) {
    if (holds(element, hit)) return true;
    if (tabwright.labelsOf(element).some(label => holds(label, hit))) return true;
    if (element instanceof HTMLLabelElement && element.control && holds(element.control, hit)) return true;
    // An icon that lets the pointer through is pressed by pressing the button it is on.
    const handle = dom.closest(element, HANDLES);
    return handle !== null && handle === hit;
  }

  // The whole thing that lies above, not the word in it that was hit.
  function coverer(hit, element) {
    let whole = hit;
    for (let at = hit; at && !holds(at, element); at = tabwright.parentOf(at)) {
      const style = tabwright.styleOf(at);
      if (style.position !== "static" || dom.tag(at) === "dialog") whole = at;
    }
    return /^(html|body)$/.test(dom.tag(whole)) ? "the bare page" : tabwright.describe(whole);
  }

  // The same point as the frame around this one sees it; `owner` is the element that holds the inner frame.
  tabwright.throughFrame = async function (owner, x, y, mustReach) {
    tabwright.clearCaches();
    const why = tabwright.unseenBecause(owner);
    if (why) return { fault: "hidden", why, label: tabwright.describe(owner) };
    let point = outerPoint(owner, x, y);
    if (!reaches(owner, point)) {
      reveal(owner, () => outerPoint(owner, x, y));
      // Chrome sends input to a frame of another process by where that was painted last.
      await nextFrame();
      tabwright.clearCaches();
      point = outerPoint(owner, x, y);
    }
    if (!mustReach || reaches(owner, point)) return asInput(...point);
    const hit = tabwright.hitAt(...point);
    if (!hit) return { fault: "outside", label: tabwright.describe(owner) };
    return { fault: "covered", by: coverer(hit, owner), label: tabwright.describe(owner) };
  };

  // Resolves once this frame has been painted, at once if it was before.
  let wasPainted = false;
  tabwright.painted = async function () {
    wasPainted ||= await nextFrame();
  };

  // A box of the inner frame, as the frame around sees it.
  tabwright.boxThroughFrame = function (owner, [x, y, width, height]) {
    tabwright.clearCaches();
    const [left, top] = outerPoint(owner, x, y);
    const [right, bottom] = outerPoint(owner, x + width, y + height);
    return [left, top, right - left, bottom - top];
  };

  const reaches = (owner, [x, y]) => tabwright.hitAt(x, y) === owner;

  /** @returns {[number, number]} */
  function outerPoint(owner, x, y) {
    const box = dom.rect(owner);
    const style = tabwright.styleOf(owner);
    const [across, down] = [box.width / owner.offsetWidth || 1, box.height / owner.offsetHeight || 1];
    return [
      box.left + (dom.clientLeft(owner) + parseFloat(style.paddingLeft) + x) * across,
      box.top + (dom.clientTop(owner) + parseFloat(style.paddingTop) + y) * down,
    ];
  }

  // Scroll all that can be scrolled around a frame until a point of it is in the middle.
  function reveal(owner, point) {
    for (let at = tabwright.parentOf(owner); at; at = tabwright.parentOf(at)) {
      const isPage = at === document.scrollingElement;
      const box = isPage ? { left: 0, top: 0, width: innerWidth, height: innerHeight } : dom.rect(at);
      const [x, y] = point();
      at.scrollBy({ left: x - box.left - box.width / 2, top: y - box.top - box.height / 2, behavior: "instant" });
    }
  }

  // A point as input events count it: the page's own from the corner of what is seen, which may be zoomed in.
  function asInput(x, y) {
    return parent === window ? { x: x - visualViewport.offsetLeft, y: y - visualViewport.offsetTop } : { x, y };
  }

  tabwright.viewport = () => [visualViewport.width, visualViewport.height];

  // Whether the page began a drag of its own since it was watched, and whether it has ended.
  let dragStart = null;
  let dragEnd = null;
  tabwright.watchDrag = function () {
    dragStart = dragEnd = null;
    addEventListener(
      "dragstart",
      event => {
        dragStart = event;
      },
      { capture: true, once: true },
    );
    addEventListener(
      "dragend",
      event => {
        dragEnd = event;
      },
      { capture: true, once: true },
    );
  };
  tabwright.dragBegan = () => dragStart !== null && !dragStart.defaultPrevented;
  tabwright.dragEnded = () => dragStart === null || dragEnd !== null;

  // The guard: between aiming and pressing, the page may move. A press that would land on something else is swallowed.
  let watched = null;
  const GUARDED = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu"];

  function guard(element) {
    watched = { element, result: "nothing", swallow: false, until: performance.now() + 5000, onJudged: null };
    // A page that writes itself anew drops all listeners, ours included.
    for (const type of GUARDED) addEventListener(type, onPress, { capture: true, passive: false });
  }

  function onPress(event) {
    if (!watched || !event.isTrusted) return;
    if (performance.now() > watched.until) watched = null;
    else {
      if (watched.result === "nothing" && (event.type === "pointerdown" || event.type === "mousedown")) judge(event);
      if (watched?.swallow) {
        event.preventDefault();
        event.stopImmediatePropagation();
      }
    }
  }

  function judge(event) {
    tabwright.clearCaches();
    const hit = tabwright.hitAt(event.clientX, event.clientY) ?? event.composedPath()[0];
    watched.swallow = hit instanceof Element && !accepts(hit, watched.element);
    watched.result = watched.swallow ? coverer(hit, watched.element) : "hit";
    watched.onJudged?.(watched.result);
    if (!watched.swallow) watched = null;
  }

  // Resolves once the guarded press arrives: "hit", or what it would have hit instead.
  tabwright.waitForPress = () =>
    new Promise(resolve => {
      if (!watched || watched.result !== "nothing") resolve(watched?.result ?? "hit");
      else watched.onJudged = resolve;
    });

  // Ends the guard: "hit", "nothing" if no press arrived, or what it would have hit instead.
  tabwright.endPressGuard = function () {
    const result = watched?.result ?? "hit";
    watched?.onJudged?.(result);
    watched = null;
    return result;
  };

  for (const type of GUARDED) addEventListener(type, onPress, { capture: true, passive: false });
})(globalThis.tabwright);
