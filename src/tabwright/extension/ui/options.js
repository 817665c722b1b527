// The options: the connection, the sites that are excluded, and the tabs in use.

import { byId, item, order, showStatus, watch } from "./worker_client.js";
import { hostname } from "../sites.js";

byId("unpair").addEventListener("click", () => press("unpair"));
byId("reload").addEventListener("click", () => press("reload"));
byId("stop").addEventListener("click", () => press("stop"));
byId("start").addEventListener("click", () => press("start"));
byId("exclude").addEventListener("submit", async event => {
  event.preventDefault();
  if (await press("exclude", { site: byId("site").value })) byId("site").value = "";
});
byId("again").addEventListener("change", () => press("again", { wanted: byId("again").checked }));
watch(show);
order("connect").catch(() => {});

function show({ status, outdated, tabs, excluded, again }) {
  showStatus(byId("status"), status);
  byId("outdated").hidden = !outdated;
  byId("unpair").hidden = status === "unpaired";
  byId("stop").hidden = status === "stopped";
  byId("start").hidden = status !== "stopped";
  byId("sites").replaceChildren(...excluded.map(site => item(site, "", "Remove", () => press("include", { site }))));
  byId("again").checked = again;
  byId("none").hidden = tabs.length > 0;
  byId("tabs").replaceChildren(
    ...tabs.map(tab =>
      item(tab.title || tab.url, hostname(tab.url), "Stop", () => press("unshare", { tabId: tab.id })),
    ),
  );
}

async function press(name, given) {
  byId("error").textContent = "";
  try {
    await order(name, given);
    return true;
  } catch (error) {
    byId("error").textContent = error.message;
    return false;
  }
}
