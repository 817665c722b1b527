// Requests of the extension's pages (popup, options, pairing).

import { pauseDocuments } from "./debugger.js";
import { connect, disconnect, pair } from "./hub.js";
import { describeBrowser } from "./hub_requests.js";
import { updateReachable, share, unshareAll, shareWindow, start, stop, unshare, unshareWindow } from "./sharing.js";
import { updateIndicators, watchOverview } from "./indicators.js";
import { parseSite } from "../sites.js";
import { saveState, state } from "./state.js";
import { allTabs } from "./tabs.js";

const ORDERS = {
  share: ({ tabId }) => share(tabId),
  unshare: ({ tabId }) => unshare(tabId),
  shareWindow: ({ windowId }) => shareWindow(windowId),
  unshareWindow: ({ windowId }) => unshareWindow(windowId),
  stop,
  start,
  connect,
  reload: () => chrome.runtime.reload(),
  async pair(given) {
    await pair(given, describeBrowser());
    updateIndicators();
  },
  async unpair() {
    unshareAll();
    disconnect("unpaired");
    await saveState({ hub: null });
    connect();
  },
  async exclude({ site }) {
    const host = parseSite(site);
    if (!host) throw new Error("That is not the address of a site.");
    await setExcluded([...new Set([...state.excluded, host])].sort());
  },
  async shareAgain({ wanted }) {
    await saveState({ shareAgain: Boolean(wanted) });
    updateIndicators();
  },
  include: ({ site }) => setExcluded(state.excluded.filter(other => other !== site)),
};

export function listenToPages(whenReady) {
  const run = whenReady((order, given) => ORDERS[order](given));
  chrome.runtime.onMessage.addListener((message, sender, reply) => {
    if (sender.id !== chrome.runtime.id || !(message.order in ORDERS)) return false;
    Promise.resolve()
      .then(() => run(message.order, message))
      .then(
        () => reply({}),
        error => reply({ error: error.message }),
      );
    return true;
  });
  chrome.runtime.onConnect.addListener(
    whenReady(port => {
      port.onDisconnect.addListener(watchOverview(overview => port.postMessage(overview)));
    }),
  );
}

async function setExcluded(excluded) {
  await saveState({ excluded });
  for (const tab of allTabs()) {
    updateReachable(tab);
    pauseDocuments(tab);
  }
  updateIndicators();
}
