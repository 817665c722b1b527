// While a call runs that a person approved, lets trusted input through only to what they approved. Runs in every
// document before the page's own scripts, so that its listeners come first; without an approval they do nothing.
"use strict";
(() => {
  if (globalThis.tabwrightShield) return;
  const ACTIVE = { capture: true, passive: false };
  // What it starts, such as a click, is stopped by the other listeners; an active one would slow down scrolling.
  const PASSIVE = { capture: true, passive: true };
  const EVENTS = {
    pointerdown: ACTIVE,
    pointerup: ACTIVE,
    mousedown: ACTIVE,
    mouseup: ACTIVE,
    click: ACTIVE,
    auxclick: ACTIVE,
    dblclick: ACTIVE,
    contextmenu: ACTIVE,
    touchstart: PASSIVE,
    touchend: PASSIVE,
    dragstart: ACTIVE,
    drop: ACTIVE,
    keydown: ACTIVE,
    keypress: ACTIVE,
    keyup: ACTIVE,
    beforeinput: ACTIVE,
  };
  // The ends of a press, which the page may have moved away from it by reacting to its begin.
  const ENDS = /up$|end$/;
  // The number of the approval; 0: none.
  let armed = 0;
  let passed = false;

  function judge(event) {
    if (!armed || !event.isTrusted) return;
    // A document that has shown nothing to the person has no scripts for approvals, or none of its elements in them.
    const other = globalThis.tabwright?.judgeInput?.(armed, event) ?? { label: "another page", around: false };
    if (!other.label) passed = true;
    const expected = passed && (ENDS.test(event.type) || other.around);
    if (!other.label || !expected) globalThis.__tabwrightInput?.(JSON.stringify([armed, other.label]));
    if (!other.label) return;
    if (event.cancelable) event.preventDefault();
    event.stopImmediatePropagation();
  }

  globalThis.tabwrightShield = {
    arm(number) {
      if (armed !== number) passed = false;
      armed = number;
      // document.open() removes all listeners, ours included.
      for (const [type, how] of Object.entries(EVENTS)) addEventListener(type, judge, how);
    },
    disarm(number) {
      if (armed === number) armed = 0;
      globalThis.tabwright?.forgetApproval?.(number);
    },
  };
  for (const [type, how] of Object.entries(EVENTS)) addEventListener(type, judge, how);
})();
