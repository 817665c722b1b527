// The popup of the toolbar button: this tab, the shared tabs, and the stop button.

import { byId, listItem, sendOrder, showStatus, watch } from "./worker_client.js";
import { hostname, objection } from "../sites.js";

const [current] = await chrome.tabs.query({ active: true, currentWindow: true });
let shared = false;

byId("share").addEventListener("click", () => run(shared ? "unshare" : "share", { tabId: current.id }));
byId("window").addEventListener("change", () => {
  run(byId("window").checked ? "shareWindow" : "unshareWindow", { windowId: current.windowId });
});
byId("reload").addEventListener("click", () => run("reload"));
byId("stop").addEventListener("click", () => run("stop"));
byId("start").addEventListener("click", () => run("start"));
byId("options").addEventListener("click", () => chrome.runtime.openOptionsPage());
watch(show);
sendOrder("connect").catch(() => {});

function show({ status, outdated, tabs, windows, excluded }) {
  showStatus(byId("status"), status);
  byId("outdated").hidden = !outdated;
  const stopped = status === "stopped";
  byId("running").hidden = stopped;
  byId("stop").hidden = stopped;
  byId("start").hidden = !stopped;
  byId("window").checked = windows.includes(current.windowId);
  showHere(
    tabs.some(tab => tab.id === current.id),
    objection(current.url, excluded),
  );
  byId("heading").hidden = !tabs.length;
  byId("tabs").replaceChildren(
    ...tabs.map(tab => listItem(tab.title || tab.url, detail(tab), "Stop", () => run("unshare", { tabId: tab.id }))),
  );
}

function showHere(isShared, why) {
  shared = isShared;
  byId("share").textContent = shared ? "Stop sharing this tab" : "Share this tab";
  byId("share").disabled = !shared && why !== "";
  byId("about").textContent = why
    ? `Agents cannot use this page: ${why}.`
    : "Agents can then read and use this tab as you can.";
  byId("about").hidden = shared && !why;
}

function detail(tab) {
  const use = tab.attached
    ? `in use${tab.holder ? ` by ${tab.holder}` : ""}`
    : tab.how === "opened"
      ? "opened by an agent"
      : "shared";
  return [hostname(tab.url), tab.reachable ? use : "not available on this page"].filter(Boolean).join(" · ");
}

async function run(name, given) {
  byId("error").textContent = "";
  try {
    await sendOrder(name, given);
  } catch (error) {
    byId("error").textContent = error.message;
  }
}
