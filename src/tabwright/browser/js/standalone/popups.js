// Chrome lets a page open one window per user action; its headless shell opens any number. This applies the same limit
// to `window.open`, in the page's own world and before any script of the page.
"use strict";
{
  // A name may belong to a window that exists, so such calls are let through. A script that tries many names without a
  // pause only opens windows, each of which keeps the page from answering for a while.
  const MAX_NAMED = 20;
  const { apply } = Reflect;
  const later = setTimeout.bind(window);
  let named = 0;

  const mayOpenNamed = () => {
    if (named === 0) later(() => (named = 0), 0);
    return ++named <= MAX_NAMED;
  };

  window.open = new Proxy(window.open, {
    apply(open, self, given) {
      const name = given[1] === undefined ? "" : `${given[1]}`;
      const isNew = name === "" || /^_blank$/i.test(name);
      const isAllowed = navigator.userActivation.isActive || (!isNew && mayOpenNamed());
      return isAllowed ? apply(open, self, given) : null;
    },
  });
}
