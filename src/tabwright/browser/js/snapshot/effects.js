// What an action changed: the page is read before it and again once it is quiet, and both scenes are compared.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const EVERYTHING = { subtree: true, childList: true, attributes: true, characterData: true };
  const SCROLLED = 40; // px
  const LARGE_CANVAS = 1 / 8; // of the viewport
  const OPEN_DELAY = 400; // ms; menus and tooltips open a while after the pointer came, most after 200 or 300
  const LEAD = 12; // ms before the page counts as quiet; a walk of an ordinary page takes less
  const REVEAL_TIME = 1000; // ms more, only for content that is being shown or hidden
  const MAX_PREPARED = 2; // waits for content that is there but cannot be seen yet
  const FRAMES_TIMEOUT = 300; // ms; a tab in the background paints no frames
  let watch = null;

  class Effects {
    constructor() {
      this.watch = new tabwright.Watch();
      this.calls = 0;
      this.revealing = false; // whether content was still appearing when the wait ended
    }

    // Resolves once nothing has been touched for a while; see `untilQuiet`.
    async settle(pace) {
      const { watch } = this;
      const started = performance.now();
      const first = watch.touched.size === 0 ? pace.first : pace.quiet;
      const listen = onChange => {
        // A call made after a dialog takes over from the one that the dialog interrupted.
        watch.onTouch = onChange;
        return () => {
          if (watch.onTouch === onChange) watch.onTouch = undefined;
        };
      };
      const isDone = async () =>
        !tabwright.hasScheduled(watch.scheduled) &&
        !tabwright.endsSoon(watch, pace.first) &&
        !(await tabwright.usesDatabase());
      const least = watch.touched.size === 0 ? pace.least : 0;
      await untilQuiet({ ...pace, first, least }, listen, () => watch.look(), pace.sure ? isDone : null);
      const left = () => pace.most + REVEAL_TIME - (performance.now() - started);
      if (watch.mayOpenLater()) await this.untilOpen(pace, listen, started + Math.min(OPEN_DELAY, pace.most));
      for (let rounds = 0; left() > 0; ) {
        const running = tabwright.revealingAnimations(watch);
        if (running.length) await endOf(running, left());
        else if (rounds === MAX_PREPARED || !tabwright.isRevealPrepared(watch)) break;
        else rounds++;
        watch.scene = null;
        const first = running.length ? pace.quiet : pace.first;
        // A busy computer paints late, and scripts start to fade content in when a frame is painted.
        await Promise.all([untilQuiet({ quiet: pace.quiet, first, most: left() }, listen), frames(2)]);
      }
      this.revealing = tabwright.revealingAnimations(watch).length > 0;
      if (tabwright.isAnimated(watch)) watch.scene = null; // what was read meanwhile is not true any more
    }

    // Waits for something new, whatever else changes meanwhile.
    async untilOpen({ quiet }, listen, end) {
      for (let left; (left = end - performance.now()) > 0 && !this.hasAdded(); )
        await untilQuiet({ quiet, first: left, most: left + quiet }, listen);
    }

    hasAdded() {
      return new tabwright.Comparison(this.watch.before, this.watch.look()).added().length > 0;
    }

    // What changed up to now. The observation continues, and can report again.
    report() {
      const { watch } = this;
      const scene = watch.look();
      const changes = new tabwright.Changes(new tabwright.Comparison(watch.before, scene), watch).answer;
      const report = {
        ...changes,
        mark: watch.mark,
        hasNewElements: [...watch.touched.values()].includes("added"),
        focus: this.focus(),
        focusOnTarget: tabwright.focusedElement() === watch.target,
        scrolled: this.scrolled(),
        refused: this.refused(),
        looks: changes.parts.length ? [] : this.looks(),
        canvas: changes.parts.length ? null : this.canvas(),
        title: tabwright.clean(document.title),
        revealing: this.revealing,
      };
      watch.keep();
      return report;
    }

    focus() {
      const focused = tabwright.focusedElement();
      if (focused === this.watch.focused || !focused || focused === dom.body()) return null;
      return this.unitAt(focused, 0)?.toString() ?? null;
    }

    // A field that keeps its form from being sent, and what Chrome says about it.
    refused() {
      const field = this.watch.refusing();
      const unit = field && this.unitAt(field, 0);
      return unit ? [unit.toString(), tabwright.clean(field.validationMessage)] : null;
    }

    // The unit of an element, or of an ancestor up to `levels` above, or the first one inside it.
    unitAt(element, levels) {
      const { units } = this.watch.scene;
      const lines = new Map(units.filter(unit => unit.hasLine).map(unit => [unit.source, unit]));
      for (let at = element, level = 0; at && level <= levels; at = tabwright.parentOf(at), level++)
        if (lines.has(at)) return lines.get(at);
      return units.find(unit => unit.hasLine && dom.contains(element, unit.source)) ?? null;
    }

    // The first thing in view, if the page was scrolled.
    scrolled() {
      const { place, scene, target } = this.watch;
      if (target === null) return null; // an action that scrolls says where to by itself
      if (Math.abs(scrollX - place.x) < SCROLLED && Math.abs(scrollY - place.y) < SCROLLED) return null;
      const anchor = dom.documentAll(":target")[0];
      if (anchor && isInView(anchor)) return this.unitAt(anchor, 0)?.toString() ?? "";
      return scene.units.find(unit => unit.hasLine && isInView(unit.source))?.toString() ?? "";
    }

    looks() {
      const units = this.watch.restyled().map(element => this.unitAt(element, 3));
      return [...new Set(units)].filter(unit => unit !== null).map(unit => unit.toString());
    }

    // A canvas that the action was on, or a large one: what it draws is not in the scene.
    canvas() {
      const { scene, target } = this.watch;
      const isConcerned = unit => {
        const box = dom.rect(unit.source);
        return unit.source === target || box.width * box.height > innerWidth * innerHeight * LARGE_CANVAS;
      };
      return scene.units.find(unit => unit.row.role === "canvas" && isConcerned(unit))?.toString() ?? null;
    }
  }

  // Resolves once that many frames were painted, or soon if none are.
  async function frames(count) {
    let timer;
    const limit = new Promise(resolve => {
      timer = setTimeout(resolve, FRAMES_TIMEOUT, false);
    });
    const painted = () => new Promise(resolve => requestAnimationFrame(() => resolve(true)));
    for (let left = count; left > 0 && !document.hidden; left--) if (!(await Promise.race([painted(), limit]))) break;
    clearTimeout(timer);
  }

  // Resolves when animations are at their end, or after `most` ms.
  async function endOf(animations, most) {
    let timer;
    const limit = new Promise(resolve => {
      timer = setTimeout(resolve, most);
    });
    await Promise.race([Promise.allSettled(animations.map(animation => animation.finished)), limit]);
    clearTimeout(timer);
  }

  const delay = ms => new Promise(resolve => setTimeout(resolve, ms));

  function isInView(element) {
    const box = dom.rect(element);
    return box.height > 0 && box.top >= -1 && box.top < innerHeight;
  }

  // Resolves once nothing has changed for `quiet` ms (before the first change: `first` ms), or after `most` ms.
  // `listen` is given the function to call at each change, and returns one that stops listening. `prepare` is called
  // shortly before the end, while nothing else is to be done. With `isDone`, it resolves as soon as the page is idle and
  // that is true, after `least` ms if nothing has changed.
  function untilQuiet({ quiet, first, most, least = 0 }, listen, prepare = null, isDone = null) {
    return new Promise(resolve => {
      const limit = setTimeout(finish, most);
      let timer, early;
      let changes = 0;
      let finished = false;
      const start = ms => {
        clearTimeout(timer);
        clearTimeout(early);
        timer = setTimeout(end, ms);
        if (prepare !== null) early = setTimeout(prepare, Math.max(0, ms - LEAD));
      };
      start(first);
      const stopListening = listen(() => {
        changes++;
        start(quiet);
      });
      if (isDone !== null) void finishWhenIdle();

      async function finishWhenIdle() {
        if (least > 0) await delay(least - LEAD);
        if (least > 0 && changes === 0) {
          prepare?.();
          await delay(LEAD);
        }
        for (let before = -1; !finished && before !== changes; ) {
          before = changes;
          const isIdle = await (least > 0 && changes === 0 ? tabwright.untilIdle() : tabwright.untilIdleFrame());
          if (!isIdle || !(await isDone())) return;
        }
        finish();
      }

      // A page that is still at work may be about to change.
      async function end() {
        const before = changes;
        if (before === 0) await tabwright.untilIdle();
        if (before === changes) finish();
      }

      function finish() {
        finished = true;
        for (const each of [timer, early, limit]) clearTimeout(each);
        stopListening();
        resolve(null);
      }
    });
  }

  // Starts to observe this document. Closed shadow roots are only known if it was walked before.
  tabwright.startObserving = function () {
    watch?.watch.stop();
    watch = new Effects();
    return { walked: tabwright.walked === true, title: tabwright.clean(document.title) };
  };

  tabwright.stopObserving = function () {
    watch?.watch.stop();
    watch = null;
  };

  // Waits for changes from now on only, whether or not the document is observed.
  tabwright.waitUntilQuiet = pace =>
    untilQuiet(pace, onChange => {
      const observer = new MutationObserver(onChange);
      for (const tree of tabwright.trees([document])) observer.observe(tree, EVERYTHING);
      return () => observer.disconnect();
    });

  // Waits until the document is quiet after what was observed so far.
  tabwright.settle = pace => (watch ? watch.settle(pace) : tabwright.waitUntilQuiet(pace));

  // As settle, then reports. Null in a document that is not observed, and for a call that another one took over from:
  // a report numbers nodes, and Python would not get to know the numbers.
  tabwright.settleAndReport = async function (pace) {
    const settling = watch;
    if (!settling) return null;
    const call = ++settling.calls;
    await settling.settle(pace);
    return settling === watch && settling.calls === call ? settling.report() : null;
  };

  // Reports once more, after new listeners were registered.
  tabwright.reportAgain = () => (watch ? watch.report() : null);

  // Reports and stops observing. Null in a document that is not observed.
  tabwright.reportEffects = function () {
    const report = watch && watch.report();
    tabwright.stopObserving();
    return report;
  };
})(globalThis.tabwright);
