// Checks that an element is ready for an action: attached, visible, enabled, in view, still, and not covered at the
// point where the pointer will go. Then, in the same call, does what the action does in the page, if anything. Returns
// {label, …}, with {x, y} in this frame's viewport if the pointer is to go there; or {fault, …}.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const scrollTo = Element.prototype.scrollIntoView;
  /** @type {ScrollLogicalPosition[]} */
  const ALIGNMENTS = ["center", "end", "start"];
  const HANDLES =
    "button,a[href],label,summary,[role=button],[role=link],[role=menuitem],[role=tab],[role=option],[role=checkbox],[role=radio],[role=switch]";
  // Points to try in turn, as fractions of width and height: the middle may be covered.
  const POINTS = [
    [0.5, 0.5],
    [0.2, 0.5],
    [0.8, 0.5],
    [0.5, 0.2],
    [0.5, 0.8],
    [0.1, 0.1],
    [0.9, 0.9],
  ];
  const CHECK_ROLES = /^(checkbox|switch|radio|menuitemcheckbox|menuitemradio)$/;
  const NO_SIZE = "it has no size";
  // Operations that only need the focus.
  const KEYBOARD = new Set(["fill", "focus", "caretToEnd", "holdForSecret"]);
  const FRAME = 15; // ms
  // ms; a tab in the background paints one frame per second, or none.
  const FRAME_TIMEOUT = 1200;

  // What actions do in the page once the element is ready: (element, args) => facts or {fault}.
  /** @type {Tabwright["operations"]} */
  const operations = (tabwright.operations = {});
  // The element that is meant if the given one stands for another: (element) => element or null.
  const retargets = (tabwright.retargets = {});

  // Stores the element for the next call.
  let held = null;
  operations.hold = function (element) {
    held = element;
    return {};
  };

  // The element stored by `hold`, or its number; null in another document.
  tabwright.takeHeld = function () {
    const element = held;
    held = null;
    return element;
  };
  tabwright.refOfHeld = function () {
    const number = held && tabwright.refOf(held);
    held = null;
    return number;
  };

  // how: {need: "attached" | "visible" | "pointer" | "point", enabled, position: [x, y] | null, guard, retarget, operation,
  // args, approval}
  tabwright.prepare = function (spec, how) {
    tabwright.clearCaches();
    const found = tabwright.pick(spec);
    if (found.fault) return found;
    const element = how.retarget ? retargets[how.retarget](found.element) : found.element;
    if (!element) return { fault: "not_a_field", label: tabwright.describe(found.element) };
    const usable = reachable(element, how);
    const result = check(usable, how);
    if (result.fault) return result;
    if (how.retarget === "press" && element !== found.element) result.label = tabwright.describe(found.element);
    const changed = tabwright.approvalFault(how, [element, usable]);
    if (changed) return changed;
    const animations = how.need === "pointer" ? animationsOf(usable) : [];
    if (animations.length) return checkWhenStill(usable, how, animations);
    return finish(usable, result, how);
  };

  // The label of a checkbox that is covered, such as one that is drawn by its label.
  function reachable(element, how) {
    if (how.need !== "pointer" || how.position || !tabwright.isCheckInput(element)) return element;
    if (!check(element, how).fault) return element;
    return tabwright.visibleLabels(element).find(label => !check(label, how).fault) ?? element;
  }

  // A checkbox may be drawn by another element, which takes the click; an editor may take the keyboard with an element
  // without a size.
  function isUsableUnseen(element, how, why) {
    if (how.operation === "fill" && CHECK_ROLES.test(tabwright.roleOf(element))) return true;
    return KEYBOARD.has(how.operation) && why === NO_SIZE && tabwright.takesKeyboard(element) && isShownAround(element);
  }

  function isShownAround(element) {
    let around = tabwright.parentOf(element);
    while (around && boxOf(around).width * boxOf(around).height === 0) around = tabwright.parentOf(around);
    return around !== null && !/^(body|html)$/.test(dom.tag(around));
  }

  /** @returns {{ label: string, [fact: string]: any }} */
  function check(element, how) {
    const label = tabwright.describe(element);
    if (how.need !== "attached") {
      const why = tabwright.hiddenReason(element);
      if (why && !isUsableUnseen(element, how, why)) return { fault: "hidden", why, label };
    }
    if (how.enabled && tabwright.isInactive(element)) return { fault: "disabled", label };
    if (how.need === "pointer") return aim(element, label, how.position);
    return how.need === "point" ? findPoint(element, label, how.position) : { label };
  }

  function finish(element, result, how) {
    if (result.fault) return result;
    if (how.guard) guard(element);
    return how.operation ? { ...result, ...operations[how.operation](element, how.args) } : result;
  }

  // Compares two animation frames; only needed while the element or something around it is animated.
  async function checkWhenStill(element, how, animations) {
    await started(animations);
    const before = dom.rect(element);
    const painted = await nextFrame();
    const after = dom.rect(element);
    tabwright.clearCaches();
    if (painted && ["left", "top", "width", "height"].some(side => Math.abs(before[side] - after[side]) > 0.5)) {
      return { fault: "moving", label: tabwright.describe(element) };
    }
    return tabwright.approvalFault(how, [element]) ?? finish(element, check(element, how), how);
  }

  // Resolves after a frame was painted; with false if none is painted, so that nothing visibly moves.
  function nextFrame() {
    if (document.hidden) return Promise.resolve(false);
    const now = Number(document.timeline.currentTime);
    return withTimeout(
      new Promise(resolve => {
        // A slow page paints several frames with the same timestamp.
        const check = () =>
          Number(document.timeline.currentTime) - now >= FRAME ? resolve(true) : requestAnimationFrame(check);
        requestAnimationFrame(check);
      }),
    );
  }

  // A pending animation moves nothing for a frame or two.
  function started(animations) {
    const pending = document.hidden ? [] : animations.filter(animation => animation.pending);
    return pending.length ? withTimeout(Promise.allSettled(pending.map(animation => animation.ready))) : null;
  }

  const withTimeout = promise =>
    Promise.race([promise, new Promise(resolve => setTimeout(resolve, FRAME_TIMEOUT, false))]);

  const animationsOf = element =>
    document.getAnimations().filter(animation => {
      const target = animation.playState === "running" && /** @type {KeyframeEffect} */ (animation.effect)?.target;
      return target && includes(target, element);
    });

  // Whether `outer` is `inner` or contains it, in the rendered tree.
  function includes(outer, inner) {
    for (let at = inner; at; at = tabwright.parentOf(at)) if (at === outer) return true;
    return false;
  }

  // Why an element is not visible at all, as a phrase; "" if it is.
  tabwright.hiddenReason = function (element) {
    if (!dom.isConnected(element)) return "it is not in the document";
    const style = tabwright.styleOf(element);
    if (!tabwright.isRendered(element) && style.display !== "contents") return notRendered(element);
    if (style.visibility !== "visible") return `its visibility is ${style.visibility}`;
    const box = boxOf(element);
    if (box.width > 0 && box.height > 0) return "";
    return hasBoxInside(element) ? "" : NO_SIZE;
  };

  function notRendered(element) {
    for (let at = element; at; at = tabwright.parentOf(at)) {
      if (tabwright.styleOf(at).display === "none")
        return at === element ? "its display is none" : `${tabwright.describe(at)} around it has display none`;
      if (at !== element && at instanceof HTMLDetailsElement && !at.open) return "it is in a closed details element";
    }
    return "it is not rendered";
  }

  // An element without a size may still show overflowing content.
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

  // Whether an element or something around it is disabled.
  tabwright.isInactive = function (element) {
    for (let at = element; at; at = tabwright.parentOf(at)) {
      if (dom.matches(at, ":disabled") && !dom.matches(at, "fieldset,optgroup")) return true;
      if (dom.attr(at, "aria-disabled") === "true") return true;
    }
    return dom.matches(element, ":disabled");
  };

  // A point of the element that the pointer reaches, scrolled into view if needed.
  function aim(element, label, position) {
    if (position && !isInside(element, position)) return positionOutside(element, label);
    let attempt = tryPoints(element, position);
    for (const block of ALIGNMENTS) {
      if (attempt.hit) break;
      scrollTo.call(element, { block, inline: "nearest", behavior: "instant" });
      attempt = tryPoints(element, position);
    }
    if (attempt.hit) return { ...toInputPoint(attempt.x, attempt.y), label };
    if (attempt.by) return { fault: "covered", by: describeCover(attempt.by, element), label };
    return attempt.ignores ? { fault: "ignores_pointer", label } : { fault: "out_of_view", label };
  }

  // A point of the element in view, even if it is covered: by the dragged element, for example.
  function findPoint(element, label, position) {
    if (position && !isInside(element, position)) return positionOutside(element, label);
    const find = () =>
      (position ? [pointAt(element, position)] : [...pointsOf(element)]).find(
        ([x, y]) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight,
      );
    if (!find()) scrollTo.call(element, { block: "center", inline: "nearest", behavior: "instant" });
    const point = find();
    return point ? { ...toInputPoint(...point), label } : { fault: "out_of_view", label };
  }

  function tryPoints(element, position) {
    let miss = {};
    for (const [x, y] of position ? [pointAt(element, position)] : pointsOf(element)) {
      if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
      const hit = tabwright.elementAt(x, y);
      if (hit && accepts(hit, element)) return { hit: true, x, y };
      if (hit && !miss.by && !miss.ignores) miss = includes(hit, element) ? { ignores: true } : { by: hit };
    }
    return miss;
  }

  function isInside(element, [x, y]) {
    const box = boxOf(element);
    return x >= 0 && y >= 0 && x < box.width && y < box.height;
  }

  function positionOutside(element, label) {
    const box = boxOf(element);
    return { fault: "position_outside", label, width: Math.round(box.width), height: Math.round(box.height) };
  }

  function pointAt(element, [x, y]) {
    const box = boxOf(element);
    return [box.left + x, box.top + y];
  }

  // Points of the visible part of the element, best first. A link that wraps over two lines has two boxes.
  function* pointsOf(element) {
    const boxes = [...element.getClientRects()].filter(box => box.width > 0 && box.height > 0);
    const shown = (boxes.length ? boxes : [boxOf(element), ...insideBoxes(element)]).map(inView).filter(Boolean);
    for (const [across, down] of POINTS) {
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

  // The innermost element at a point, inside shadow roots too.
  tabwright.elementAt = function (x, y) {
    let hit = Document.prototype.elementFromPoint.call(document, x, y);
    for (let root; hit && (root = tabwright.shadowRootOf(hit)); ) {
      const inner = root.elementFromPoint(x, y);
      if (!inner || inner === hit || dom.ownerRoot(inner) !== root) break;
      hit = inner;
    }
    return hit;
  };

  // Whether a click on `hit` counts as a click on `element`.
  function accepts(hit, element) {
    if (includes(element, hit)) return true;
    if (tabwright.labelsOf(element).some(label => includes(label, hit))) return true;
    if (element instanceof HTMLLabelElement && element.control && includes(element.control, hit)) return true;
    // An icon that ignores the pointer is clicked by clicking its button.
    const handle = dom.closest(element, HANDLES);
    return (handle !== null && handle === hit) || drawsFor(element, hit);
  }

  // Whether an element is only the drawing of the custom element that was hit, which takes the clicks of its inside.
  function drawsFor(element, hit) {
    const root = dom.ownerRoot(element);
    if (!(root instanceof ShadowRoot) || root.host !== hit) return false;
    return tabwright.styleOf(element).pointerEvents === "none";
  }

  // Describes the whole covering element, not the word in it that was hit.
  function describeCover(hit, element) {
    let whole = hit;
    for (let at = hit; at && !includes(at, element); at = tabwright.parentOf(at)) {
      const style = tabwright.styleOf(at);
      if (style.position !== "static" || dom.tag(at) === "dialog") whole = at;
    }
    return /^(html|body)$/.test(dom.tag(whole)) ? "the bare page" : tabwright.describe(whole);
  }

  // Maps a point of an inner frame into this one; `owner` is the <iframe> element.
  tabwright.throughFrame = async function (owner, x, y, mustReach) {
    tabwright.clearCaches();
    const why = tabwright.hiddenReason(owner);
    if (why) return { fault: "hidden", why, label: tabwright.describe(owner) };
    let point = outerPoint(owner, x, y);
    if (!reaches(owner, point)) {
      scrollToPoint(owner, () => outerPoint(owner, x, y));
      // Chrome routes input to a frame of another process by where it was last painted.
      await nextFrame();
      tabwright.clearCaches();
      point = outerPoint(owner, x, y);
    }
    if (!mustReach || reaches(owner, point)) return toInputPoint(...point);
    const hit = tabwright.elementAt(...point);
    if (!hit) return { fault: "out_of_view", label: tabwright.describe(owner) };
    return { fault: "covered", by: describeCover(hit, owner), label: tabwright.describe(owner) };
  };

  // Resolves once this frame was painted at least once.
  let wasPainted = false;
  tabwright.waitForPaint = async function () {
    wasPainted ||= await nextFrame();
  };

  // Maps a box of an inner frame into this one.
  tabwright.boxThroughFrame = function (owner, [x, y, width, height]) {
    tabwright.clearCaches();
    const [left, top] = outerPoint(owner, x, y);
    const [right, bottom] = outerPoint(owner, x + width, y + height);
    return [left, top, right - left, bottom - top];
  };

  const reaches = (owner, [x, y]) => tabwright.elementAt(x, y) === owner;

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

  // Scrolls everything around a frame until a point of it is in the middle.
  function scrollToPoint(owner, point) {
    for (let at = tabwright.parentOf(owner); at; at = tabwright.parentOf(at)) {
      const isPage = at === document.scrollingElement;
      const box = isPage ? { left: 0, top: 0, width: innerWidth, height: innerHeight } : dom.rect(at);
      const [x, y] = point();
      at.scrollBy({ left: x - box.left - box.width / 2, top: y - box.top - box.height / 2, behavior: "instant" });
    }
  }

  // A point in the coordinates of input events: in the main frame, relative to the visual viewport, which may be zoomed.
  function toInputPoint(x, y) {
    return parent === window ? { x: x - visualViewport.offsetLeft, y: y - visualViewport.offsetTop } : { x, y };
  }

  tabwright.viewport = () => [visualViewport.width, visualViewport.height];

  // The guard: the page may move between the check and the press. A press that would hit another element is swallowed.
  let guarded = null;
  const GUARDED_EVENTS = [
    "pointerdown",
    "mousedown",
    "pointerup",
    "mouseup",
    "click",
    "auxclick",
    "dblclick",
    "contextmenu",
  ];

  function guard(element) {
    guarded = { element, result: "nothing", swallow: false, until: performance.now() + 5000, onJudged: null };
    // document.open() removes all listeners, ours included.
    for (const type of GUARDED_EVENTS) addEventListener(type, onPress, { capture: true, passive: false });
  }

  function onPress(event) {
    if (!guarded || !event.isTrusted) return;
    if (performance.now() > guarded.until) guarded = null;
    else {
      if (guarded.result === "nothing" && (event.type === "pointerdown" || event.type === "mousedown")) judge(event);
      if (guarded?.swallow) {
        event.preventDefault();
        event.stopImmediatePropagation();
      }
    }
  }

  function judge(event) {
    tabwright.clearCaches();
    const target = event.composedPath()[0];
    const shown = tabwright.elementAt(event.clientX, event.clientY) ?? target;
    // The event was sent to what was there a moment before: an icon may have no size while the pointer comes.
    const hit = isMissed(target, guarded.element) ? target : shown;
    guarded.swallow = hit instanceof Element && !accepts(hit, guarded.element);
    guarded.result = guarded.swallow ? describeCover(hit, guarded.element) : "hit";
    guarded.onJudged?.(guarded.result);
    if (!guarded.swallow) guarded = null;
  }

  // Whether an event is for something else than an element; one inside a closed shadow root is sent to its host.
  function isMissed(target, element) {
    if (!(target instanceof Element) || accepts(target, element)) return false;
    for (let root = dom.ownerRoot(element); root instanceof ShadowRoot; root = dom.ownerRoot(root.host))
      if (root.host === target) return false;
    return true;
  }

  // Resolves once the guarded press arrives: "hit", or what it would have hit instead.
  tabwright.waitForPress = () =>
    new Promise(resolve => {
      if (!guarded || guarded.result !== "nothing") resolve(guarded?.result ?? "hit");
      else guarded.onJudged = resolve;
    });

  // Ends the guard: "hit", "nothing" if no press arrived, or what it would have hit instead.
  tabwright.endPressGuard = function () {
    const result = guarded?.result ?? "hit";
    guarded?.onJudged?.(result);
    guarded = null;
    return result;
  };

  for (const type of GUARDED_EVENTS) addEventListener(type, onPress, { capture: true, passive: false });
})(globalThis.tabwright);
