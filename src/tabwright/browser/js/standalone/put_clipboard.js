// Fills Chrome's clipboard, in a page that no session sees. Without contents, it is emptied.
"use strict";
globalThis.putClipboard = contents => {
  const once = { once: true };
  // Without a selection, there is something to copy only if a handler says so.
  addEventListener("beforecopy", event => event.preventDefault(), once);
  addEventListener(
    "copy",
    event => {
      event.preventDefault();
      for (const [type, text] of Object.entries({ "text/plain": "", ...contents }))
        event.clipboardData.setData(type, text);
    },
    once,
  );
  return document.execCommand("copy");
};
