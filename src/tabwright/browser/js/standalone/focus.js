// Reports that the window was focused. Only trusted events count, so a page cannot fake it.
"use strict";
(() => {
  const report = event => {
    if (event.isTrusted && document.visibilityState === "visible") globalThis.__tabwrightFront?.("");
  };
  document.addEventListener("visibilitychange", report, true);
  globalThis.addEventListener(
    "focus",
    event => {
      if (event.target === globalThis.window) report(event);
    },
    true,
  );
})();
