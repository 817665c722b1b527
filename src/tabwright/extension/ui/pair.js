// The page that the terminal opens: what pairing means, and one button.

import { byId, order } from "./worker_client.js";

const given = new URLSearchParams(location.hash.slice(1));
const [port, first, code] = [Number(given.get("port")), Number(given.get("first")), given.get("code")];
// The code has no business in the history.
history.replaceState(null, "", location.pathname);

if (![port, first].every(one => one > 0 && one < 65536) || !/^[0-9a-f]{32}$/.test(code ?? "")) {
  byId("asking").hidden = true;
  byId("error").textContent = "This link is not whole. Run again: tabwright extension pair";
}

byId("pair").addEventListener("click", async () => {
  byId("pair").disabled = true;
  byId("error").textContent = "";
  try {
    await order("pair", { port, first, code });
    byId("asking").hidden = true;
    byId("done").textContent = "This Chrome is paired. You can close this page.";
  } catch (error) {
    byId("error").textContent = `${error.message} Run again: tabwright extension pair`;
  }
});
