// The pairing page, opened from the terminal: an explanation and one button.

import { byId, sendOrder } from "./worker_client.js";

const given = new URLSearchParams(location.hash.slice(1));
const [port, first, code] = [Number(given.get("port")), Number(given.get("first")), given.get("code")];
// Keeps the code out of the history.
history.replaceState(null, "", location.pathname);

if (![port, first].every(one => one > 0 && one < 65536) || !/^[0-9a-f]{32}$/.test(code ?? "")) {
  byId("asking").hidden = true;
  byId("error").textContent = "This link is incomplete. Run again: tabwright extension pair";
}

byId("pair").addEventListener("click", async () => {
  byId("pair").disabled = true;
  byId("error").textContent = "";
  try {
    await sendOrder("pair", { port, first, code });
    byId("asking").hidden = true;
    byId("done").textContent = "This Chrome is paired. You can close this page.";
  } catch (error) {
    byId("error").textContent = `${error.message} Run again: tabwright extension pair`;
  }
});
