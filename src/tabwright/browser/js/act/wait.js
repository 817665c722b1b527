// Waiting in the page for what the page does: mutations, ended animations, loads, scrolls. A slow glance catches what
// no event tells, such as a changed style sheet.
"use strict";
(tabwright => {
  const SIGNS =
    `animationend animationcancel transitionend transitioncancel load error scroll scrollend resize input change
    focusin focusout toggle hashchange popstate visibilitychange slotchange`
      .trim()
      .split(/\s+/);
  const GLANCE = 250; // ms
  const REST = 3; // times as long as the last look took, so that the page keeps its thread
  const PASSING = new Set(["none", "hidden", "disabled", "covered", "moving", "deaf", "outside", "readonly"]);

  // Like prepare, but waits for up to `ms` until the element is ready.
  tabwright.prepareWithin = (spec, how, ms) =>
    until(
      () => tabwright.prepare(spec, how),
      verdict => !PASSING.has(verdict.fault),
      ms,
    );

  // Resolves when something may have changed, at the latest after `ms`.
  tabwright.nextChange = ms => change(ms, 30);

  async function until(check, done, ms) {
    const deadline = performance.now() + ms;
    for (;;) {
      const begun = performance.now();
      const answer = await check();
      const now = performance.now();
      if (done(answer) || now >= deadline) return answer;
      await change(Math.min(deadline - now, GLANCE), (now - begun) * REST);
    }
  }

  // Whether the elements of a spec are in a state in this frame.
  tabwright.look = function (spec, state) {
    tabwright.clearCaches();
    const found = tabwright.find(spec);
    if (found.fault === "gone") return { reached: state === "hidden" || state === "detached", fault: "gone" };
    if (found.fault) return found;
    const matches = spec.nth === null ? found.matches : [found.matches.at(spec.nth)].filter(Boolean);
    return { reached: STATES[state](matches), count: matches.length };
  };

  const seen = element => tabwright.unseenBecause(element) === "";
  const STATES = {
    attached: matches => matches.length > 0,
    detached: matches => matches.length === 0,
    visible: matches => matches.some(seen),
    hidden: matches => !matches.some(seen),
    enabled: matches => matches.some(element => seen(element) && !tabwright.isOff(element)),
  };

  function change(ms, rest) {
    return new Promise(resolve => {
      const observer = new MutationObserver(happened);
      const from = performance.now() + rest;
      let settled = null;
      const timer = setTimeout(finish, Math.max(ms, rest));
      for (const tree of tabwright.trees([document]))
        observer.observe(tree, { subtree: true, childList: true, attributes: true, characterData: true });
      for (const sign of SIGNS) addEventListener(sign, happened, true);

      function happened() {
        settled ??= setTimeout(finish, Math.max(0, from - performance.now()));
      }

      function finish() {
        clearTimeout(timer);
        clearTimeout(settled);
        observer.disconnect();
        for (const sign of SIGNS) removeEventListener(sign, happened, true);
        resolve(null);
      }
    });
  }
})(globalThis.tabwright);
