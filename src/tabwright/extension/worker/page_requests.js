// What our own pages (popup, options, pairing) ask for on behalf of the person.

import { guard } from "./debugger.js";
import { connect, leave, pair } from "./hub.js";
import { browser } from "./hub_requests.js";
import { judge, share, shareNone, shareWindow, start, stop, unshare, unshareWindow } from "./sharing.js";
import { show, watch } from "./indicators.js";
import { siteOf } from "../sites.js";
import { keep, state } from "./state.js";
import { all } from "./tabs.js";

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
    await pair(given, browser());
    show();
  },
  async unpair() {
    shareNone();
    leave("unpaired");
    await keep({ hub: null });
    connect();
  },
  async exclude({ site }) {
    const host = siteOf(site);
    if (!host) throw new Error("That is no address of a site.");
    await excluding([...new Set([...state.excluded, host])].sort());
  },
  async again({ wanted }) {
    await keep({ again: Boolean(wanted) });
    show();
  },
  include: ({ site }) => excluding(state.excluded.filter(other => other !== site)),
};

export function obey(once) {
  const act = once((order, given) => ORDERS[order](given));
  chrome.runtime.onMessage.addListener((message, sender, reply) => {
    if (sender.id !== chrome.runtime.id || !(message.order in ORDERS)) return false;
    Promise.resolve()
      .then(() => act(message.order, message))
      .then(
        () => reply({}),
        error => reply({ error: error.message }),
      );
    return true;
  });
  chrome.runtime.onConnect.addListener(
    once(port => {
      port.onDisconnect.addListener(watch(seen => port.postMessage(seen)));
    }),
  );
}

async function excluding(excluded) {
  await keep({ excluded });
  for (const tab of all()) {
    judge(tab);
    guard(tab);
  }
  show();
}
