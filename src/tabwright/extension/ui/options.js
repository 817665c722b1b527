// The options page: connection, excluded sites and shared tabs.

import { byId, listItem, sendOrder, showStatus, watch } from "./worker_client.js";
import { hostname } from "../sites.js";

byId("unpair").addEventListener("click", () => run("unpair"));
byId("reload").addEventListener("click", () => run("reload"));
byId("stop").addEventListener("click", () => run("stop"));
byId("start").addEventListener("click", () => run("start"));
byId("exclude").addEventListener("submit", async event => {
  event.preventDefault();
  if (await run("exclude", { site: byId("site").value })) byId("site").value = "";
});
byId("shareAgain").addEventListener("change", () => run("shareAgain", { wanted: byId("shareAgain").checked }));
watch(show);
sendOrder("connect").catch(() => {});

function show({ status, outdated, tabs, excluded, shareAgain }) {
  showStatus(byId("status"), status);
  byId("outdated").hidden = !outdated;
  byId("unpair").hidden = status === "unpaired";
  byId("stop").hidden = status === "stopped";
  byId("start").hidden = status !== "stopped";
  byId("sites").replaceChildren(...excluded.map(site => listItem(site, "", "Remove", () => run("include", { site }))));
  byId("shareAgain").checked = shareAgain;
  byId("none").hidden = tabs.length > 0;
  byId("tabs").replaceChildren(
    ...tabs.map(tab =>
      listItem(tab.title || tab.url, hostname(tab.url), "Stop", () => run("unshare", { tabId: tab.id })),
    ),
  );
}

async function run(name, given) {
  byId("error").textContent = "";
  try {
    await sendOrder(name, given);
    return true;
  } catch (error) {
    byId("error").textContent = error.message;
    return false;
  }
}
