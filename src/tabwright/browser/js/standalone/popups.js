// Chrome lets a page open one window for each act of a person, which that uses up; its headless shell opens any number.
// This makes it the same for scripts that ask for a new one, in the page's own world before any script of the page.
"use strict";
window.open = new Proxy(window.open, {
  apply(open, self, given) {
    const name = given[1] === undefined ? "" : `${given[1]}`;
    const isNew = name === "" || /^_blank$/i.test(name);
    return isNew && !navigator.userActivation.isActive ? null : Reflect.apply(open, self, given);
  },
});
