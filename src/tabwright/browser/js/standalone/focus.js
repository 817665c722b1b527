// Tells that the window came to the front. Only what the browser itself says counts: a page cannot pretend it.
"use strict";
(() => {
  const told = event => {
    if (event.isTrusted && document.visibilityState === "visible") globalThis.__tabwrightFront?.("");
  };
  document.addEventListener("visibilitychange", told, true);
  globalThis.addEventListener(
    "focus",
    event => {
      if (event.target === globalThis.window) told(event);
    },
    true,
  );
})();
