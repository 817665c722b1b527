// Which running animations decide what is shown: those at whose end text or controls appear or disappear.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const FAINT = 0.1; // as in visibility.js
  const LONGEST = 600; // ms
  const MAX_TOUCHED = 100;
  const CONTROLS = "a,button,[role=button],[role=tab],[role=option],[role=menuitem],input,select,textarea";
  const SIZES = ["height", "maxHeight", "width", "maxWidth", "gridTemplateRows", "clipPath", "visibility"];
  const PLACES = ["transform", "translate", "left", "right", "top", "bottom"];
  const FAR = 50; // px or per cent; a box that moves less stays in view

  // Those that started while a watch was on.
  tabwright.revealingAnimations = watch => animations(watch).filter(animation => isRevealing(animation, watch.started));

  tabwright.isAnimated = watch => animations(watch).length > 0;

  // Whether an animation that started while a watch was on ends within `ms`: a script may wait for that.
  tabwright.endsSoon = (watch, ms) =>
    animations(watch).some(
      animation => isRecent(animation, watch.started) && Number(animation.effect?.getComputedTiming().endTime) <= ms,
    );

  // Whether an animation runs that a script has started, and may wait for.
  tabwright.hasScriptedAnimation = () =>
    document
      .getAnimations()
      .some(
        animation =>
          animation.playState === "running" &&
          !(animation instanceof CSSTransition || animation instanceof CSSAnimation),
      );

  const isRecent = ({ startTime }, since) => startTime === null || Number(startTime) >= since - 50;

  // Of the document, and of the shadow roots with touched elements.
  function animations({ touched }) {
    const roots = new Set([document]);
    for (const element of [...touched.keys()].slice(0, MAX_TOUCHED)) {
      for (const root of [dom.ownerRoot(element), tabwright.shadowRootOf(element)])
        if (root instanceof ShadowRoot) roots.add(/** @type {any} */ (root));
    }
    return [...roots].flatMap(root => root.getAnimations());
  }

  function isRevealing(animation, since) {
    const { effect, playState } = animation;
    if (playState !== "running" || !(effect instanceof KeyframeEffect) || !(effect.target instanceof Element))
      return false;
    if (!isRecent(animation, since)) return false;
    const { endTime } = effect.getComputedTiming();
    if (!(Number(endTime) <= LONGEST) || dom.closest(effect.target, CONTROLS) || !matters(effect.target)) return false;
    return effect
      .getKeyframes()
      .some((/** @type {any} */ frame) => fades(frame, effect.target) || unfolds(frame) || slides(frame));
  }

  const unfolds = frame => SIZES.some(name => name in frame);

  const slides = frame =>
    PLACES.some(name =>
      (String(frame[name] ?? "").match(/-?[\d.]+/g) ?? []).some(size => Math.abs(Number(size)) >= FAR),
    );

  // Whether content was rendered but cannot be seen yet: scripts often wait a few frames before they fade it in.
  tabwright.isRevealPrepared = ({ touched }) => [...touched.keys()].slice(0, MAX_TOUCHED).some(isPrepared);

  function isPrepared(element) {
    if (!dom.isConnected(element) || !tabwright.isRendered(element) || !hasContent(element)) return false;
    const style = getComputedStyle(element);
    if (parseFloat(style.opacity) < FAINT || style.visibility === "hidden") return true;
    const box = dom.rect(element);
    return box.width > FAR && box.height > 1 && (box.right < -FAR || box.bottom < -scrollY - FAR);
  }

  // Content, or a backdrop that comes before it.
  const matters = element => hasContent(element) || dom.rect(element).height >= innerHeight;

  const hasContent = element => /\S/.test(dom.textContent(element)) || dom.first(element, CONTROLS) !== null;

  // Text is seen as soon as it is not faint: a wait for the end is only needed where that is still to come.
  function fades({ opacity, computedOffset }, element) {
    if (opacity === undefined || computedOffset !== 1) return false;
    if (!hasContent(element)) return true;
    const shown = parseFloat(getComputedStyle(element).opacity) >= FAINT;
    return shown !== Number(opacity) >= FAINT;
  }
})(globalThis.tabwright);
