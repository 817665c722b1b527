// Reports what a page copies, and gives it the clipboard of its session instead of Chrome's, which all sessions share.
// Runs in the page's own world, before any script of the page.
"use strict";
(() => {
  const call = globalThis.__tabwrightClipboard;
  delete globalThis.__tabwrightClipboard;
  if (!call) return;
  const { stringify } = JSON;
  const report = contents => call(`copied ${stringify(contents)}`);

  // What Chrome copies if the page does not decide: the selection of a field, but not of a password, or of the document.
  function selectedText(target) {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return `${getSelection()}`;
    return target.type === "password" ? "" : target.value.slice(target.selectionStart ?? 0, target.selectionEnd ?? 0);
  }

  function onCopied(event) {
    if (!event.isTrusted) return;
    const types = event.defaultPrevented ? event.clipboardData.types : [];
    const contents = Object.fromEntries([...types].map(type => [type, event.clipboardData.getData(type)]));
    if (!event.defaultPrevented) contents["text/plain"] = selectedText(event.composedPath()[0]);
    if (Object.values(contents).some(Boolean)) report(contents);
  }
  for (const type of ["copy", "cut"])
    addEventListener(
      type,
      () => {
        // Added now, it runs after the handlers of the page.
        removeEventListener(type, onCopied);
        addEventListener(type, onCopied, { once: true });
      },
      true,
    );

  if (!globalThis.Clipboard) return; // the page is not secure
  const replace = (name, apply) => {
    Clipboard.prototype[name] = new Proxy(Clipboard.prototype[name], { apply });
  };
  // As in a Chrome with windows, a page may write after a user action. Otherwise Chrome decides.
  replace("writeText", async (native, self, given) => {
    if (!given.length || !navigator.userActivation.isActive) await Reflect.apply(native, self, given);
    report({ "text/plain": `${given[0]}` });
  });
  replace("write", async (native, self, given) => {
    if (!navigator.userActivation.isActive) await Reflect.apply(native, self, given);
    const contents = {};
    for (const item of given[0] ?? [])
      for (const type of item.types)
        if (type.startsWith("text/")) contents[type] = await (await item.getType(type)).text();
    report(contents);
  });

  // The contents, or null if the page may not read them. Chrome then gives the reason.
  const ask = () =>
    new Promise(resolve => {
      const reply = `__tabwrightReply${Math.random()}`;
      Object.defineProperty(globalThis, reply, {
        configurable: true,
        value: contents => {
          delete globalThis[reply];
          resolve(contents);
        },
      });
      call(`read ${reply}`);
    });
  replace("readText", async (native, self, given) => {
    const contents = await ask();
    return contents ? (contents["text/plain"] ?? "") : Reflect.apply(native, self, given);
  });
  replace("read", async (native, self, given) => {
    const contents = await ask();
    if (!contents) return Reflect.apply(native, self, given);
    const blobs = Object.entries(contents).map(([type, text]) => [type, new Blob([text], { type })]);
    return blobs.length ? [new ClipboardItem(Object.fromEntries(blobs))] : [];
  });
})();
