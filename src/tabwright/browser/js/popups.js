// Chrome lets a page open one window for each act of a person, and leads on windows and frames that are there; its
// headless shell opens any number. This makes it the same, in the page's own world before any script of the page.
"use strict";
(open => {
  const HERE = /^_(self|parent|top)$/i;
  const ACTS = ["pointerdown", "pointerup", "mousedown", "touchend", "keydown"];
  const opened = new Map();
  let spent = false;

  const isThere = name => HERE.test(name) || opened.get(name)?.closed === false || window[name]?.window === window[name];

  function spend() {
    const active = navigator.userActivation.isActive;
    const allowed = active && !spent;
    spent = active;
    return allowed;
  }

  for (const type of ACTS) addEventListener(type, event => { if (event.isTrusted) spent = false; }, { capture: true, passive: true });
  window.open = new Proxy(open, {
    apply(target, self, given) {
      const name = given[1] === undefined ? "" : `${given[1]}`;
      if (!(name && isThere(name)) && !spend()) return null;
      const made = Reflect.apply(target, self, given);
      if (name && made) opened.set(name, made);
      return made;
    },
  });
})(window.open);
