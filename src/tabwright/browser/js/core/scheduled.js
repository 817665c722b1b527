// Whether the page has scheduled something: a timer, a frame, an idle callback. Chrome numbers them by document, not by
// world, so a gap between two numbers of ours belongs to the page. The page is not changed, and cannot notice.
"use strict";
(tabwright => {
  const IDLE_TIMEOUT = 60; // ms; a page that needs longer is busy, or not rendered
  const world = /** @type {any} */ (globalThis);
  const SCHEDULERS = /** @type {[string, any][]} */ ([
    ["setTimeout", clearTimeout], // intervals have the same numbers
    ["requestAnimationFrame", cancelAnimationFrame],
    ["requestIdleCallback", cancelIdleCallback],
  ]).map(([name, cancel]) => ({ name, cancel, own: 0 }));

  // Our own scripts schedule things too.
  for (const each of SCHEDULERS) {
    const schedule = world[each.name];
    world[each.name] = (...args) => {
      each.own++;
      return schedule(...args);
    };
  }

  // What was scheduled up to now, for `hasScheduled`.
  tabwright.scheduled = () =>
    SCHEDULERS.map(each => {
      const { name, cancel } = each;
      const number = world[name](() => {});
      cancel(number);
      return number - each.own;
    }).join();

  tabwright.hasScheduled = mark => tabwright.scheduled() !== mark;

  // Resolves when no other task waits to be run: true, or false if that takes too long. Idle callbacks would wait for a
  // frame, and a still page has none.
  tabwright.untilIdle = () =>
    new Promise(resolve => {
      const limit = setTimeout(resolve, IDLE_TIMEOUT, false);
      const finish = () => {
        clearTimeout(limit);
        resolve(true);
      };
      void world.scheduler.postTask(finish, { priority: "background" });
    });

  // The same, after the next frame.
  tabwright.untilIdleFrame = () =>
    new Promise(resolve => {
      const limit = setTimeout(resolve, IDLE_TIMEOUT, false);
      requestAnimationFrame(() => {
        clearTimeout(limit);
        resolve(tabwright.untilIdle());
      });
    });

  // Whether the page may wait for a database, which has no number. The question also takes the way through the browser
  // process that short answers to the page take, such as that of the clipboard.
  tabwright.usesDatabase = async function () {
    if (!mayUseDatabase()) return false;
    try {
      return (await indexedDB.databases()).length > 0;
    } catch {
      return false;
    }
  };

  // Where storage is refused, Chrome also reports the question as an error of the page: origins without a name, and
  // frames of other sites.
  function mayUseDatabase() {
    try {
      return origin !== "null" && top?.origin === origin;
    } catch {
      return false;
    }
  }
})(globalThis.tabwright);
