// The bytes of the document that a tab shows in Chrome's viewer, fetched as the page itself would: with its cookies,
// from the cache if they are there, within the rules of the session. Sent on demand.
"use strict";
(tabwright => {
  // null for an ordinary page; {fault} if the bytes cannot be fetched; {body} in base64.
  tabwright.documentBytes = async function (most) {
    if (document.contentType !== "application/pdf") return null;
    try {
      const response = await fetch(location.href, { cache: "force-cache", credentials: "include" });
      if (!response.ok) return { fault: `the server answered ${response.status}` };
      return await collect(response.body.getReader(), most);
    } catch (error) {
      return { fault: error instanceof TypeError ? "the request was refused" : "the connection was lost" };
    }
  };

  async function collect(reader, most) {
    const pieces = [];
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { body: await encode(new Blob(pieces)) };
      size += value.length;
      if (size > most) {
        await reader.cancel();
        return { fault: `it is larger than ${most >> 20} MB` };
      }
      pieces.push(value);
    }
  }

  const encode = blob =>
    new Promise((resolve, reject) => {
      const reader = new FileReader();
      reader.onload = () => resolve(String(reader.result).split(",")[1] ?? "");
      reader.onerror = () => reject(reader.error);
      reader.readAsDataURL(blob);
    });
})(globalThis.tabwright);
