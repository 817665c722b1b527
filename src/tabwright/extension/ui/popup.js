// The popup of the button: this tab, the tabs that agents can use, and the way to end it all.

import { byId, item, order, showStatus, watch } from "./worker_client.js";
import { hostname, objection } from "../sites.js";

const [here] = await chrome.tabs.query({ active: true, currentWindow: true });
let shared = false;

byId("share").addEventListener("click", () => press(shared ? "unshare" : "share", { tabId: here.id }));
byId("window").addEventListener("change", () => {
  press(byId("window").checked ? "shareWindow" : "unshareWindow", { windowId: here.windowId });
});
byId("reload").addEventListener("click", () => press("reload"));
byId("stop").addEventListener("click", () => press("stop"));
byId("start").addEventListener("click", () => press("start"));
byId("options").addEventListener("click", () => chrome.runtime.openOptionsPage());
watch(show);
order("connect").catch(() => {});

function show({ status, outdated, tabs, windows, excluded }) {
  showStatus(byId("status"), status);
  byId("outdated").hidden = !outdated;
  const stopped = status === "stopped";
  byId("running").hidden = stopped;
  byId("stop").hidden = stopped;
  byId("start").hidden = !stopped;
  byId("window").checked = windows.includes(here.windowId);
  showHere(
    tabs.some(tab => tab.id === here.id),
    objection(here.url, excluded),
  );
  byId("heading").hidden = !tabs.length;
  byId("tabs").replaceChildren(
    ...tabs.map(tab => item(tab.title || tab.url, detail(tab), "Stop", () => press("unshare", { tabId: tab.id }))),
  );
}

function showHere(isShared, why) {
  shared = isShared;
  byId("share").textContent = shared ? "Stop sharing this tab" : "Share this tab";
  byId("share").disabled = !shared && why !== "";
  byId("about").textContent = why
    ? `Agents cannot use this page: ${why}.`
    : "Agents can then read this tab and act in it, as you could.";
  byId("about").hidden = shared && !why;
}

function detail(tab) {
  const use = tab.attached
    ? `in use${tab.holder ? ` by ${tab.holder}` : ""}`
    : tab.how === "opened"
      ? "opened by an agent"
      : "shared";
  return [hostname(tab.url), tab.reachable ? use : "out of reach here"].filter(Boolean).join(" · ");
}

async function press(name, given) {
  byId("error").textContent = "";
  try {
    await order(name, given);
  } catch (error) {
    byId("error").textContent = error.message;
  }
}
