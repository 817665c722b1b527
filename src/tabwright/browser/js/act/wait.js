// Waits in the page for changes: mutations, ended animations, loads, scrolls. A slow poll catches what fires no event,
// such as a changed style sheet.
"use strict";
(tabwright => {
  const EVENTS =
    `animationend animationcancel transitionend transitioncancel load error scroll scrollend resize input change
    focusin focusout toggle hashchange popstate visibilitychange slotchange`
      .trim()
      .split(/\s+/);
  const POLL_INTERVAL = 250; // ms
  const PAUSE_FACTOR = 3; // times as long as the last check took, so that the page can use its thread

  // Like prepare, but waits for up to `ms` while the fault is one of the `temporary` ones.
  tabwright.prepareWithin = (spec, how, ms, temporary) =>
    until(
      () => tabwright.prepare(spec, how),
      answer => !temporary.includes(answer.fault),
      ms,
    );

  // Resolves when something may have changed, at the latest after `ms`.
  tabwright.nextChange = ms => change(ms, 30);

  async function until(check, done, ms) {
    const deadline = performance.now() + ms;
    for (;;) {
      const start = performance.now();
      const answer = await check();
      const now = performance.now();
      if (done(answer) || now >= deadline) return answer;
      await change(Math.min(deadline - now, POLL_INTERVAL), (now - start) * PAUSE_FACTOR);
    }
  }

  // Whether the elements of a selector have reached a state in this frame.
  tabwright.checkState = function (spec, state) {
    tabwright.clearCaches();
    const found = tabwright.find(spec);
    if (found.fault === "gone") return { reached: state === "hidden" || state === "detached", fault: "gone" };
    if (found.fault) return found;
    const matches = spec.nth === null ? found.matches : [found.matches.at(spec.nth)].filter(Boolean);
    return { reached: STATES[state](matches), count: matches.length };
  };

  const isShown = element => tabwright.hiddenReason(element) === "";
  const STATES = {
    attached: matches => matches.length > 0,
    detached: matches => matches.length === 0,
    visible: matches => matches.some(isShown),
    hidden: matches => !matches.some(isShown),
    enabled: matches => matches.some(element => isShown(element) && !tabwright.isInactive(element)),
  };

  function change(ms, pause) {
    return new Promise(resolve => {
      const observer = new MutationObserver(onChange);
      const from = performance.now() + pause;
      let last = null;
      const timer = setTimeout(finish, Math.max(ms, pause));
      for (const tree of tabwright.trees([document]))
        observer.observe(tree, { subtree: true, childList: true, attributes: true, characterData: true });
      for (const type of EVENTS) addEventListener(type, onChange, true);

      function onChange() {
        last ??= setTimeout(finish, Math.max(0, from - performance.now()));
      }

      function finish() {
        clearTimeout(timer);
        clearTimeout(last);
        observer.disconnect();
        for (const type of EVENTS) removeEventListener(type, onChange, true);
        resolve(null);
      }
    });
  }
})(globalThis.tabwright);
