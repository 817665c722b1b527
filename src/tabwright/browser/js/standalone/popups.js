// Chrome lets a page open one window per user action; its headless shell opens any number. This applies the same limit
// to `window.open`, in the page's own world and before any script of the page.
"use strict";
window.open = new Proxy(window.open, {
  apply(open, self, given) {
    const name = given[1] === undefined ? "" : `${given[1]}`;
    const isNew = name === "" || /^_blank$/i.test(name);
    return isNew && !navigator.userActivation.isActive ? null : Reflect.apply(open, self, given);
  },
});
