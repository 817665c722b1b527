// The service worker: connects Chrome's events, the hub's requests and our own pages.

import { listenToChrome } from "./chrome_events.js";
import { detachNow } from "./debugger.js";
import { connect, setListeners } from "./hub.js";
import { onHubMessage } from "./hub_requests.js";
import { listenToPages } from "./page_requests.js";
import { whenRestored, awaitRestoredTabs } from "./restored_tabs.js";
import { detachTab, unshareAll } from "./sharing.js";
import { updateIndicators } from "./indicators.js";
import { loadState } from "./state.js";
import { allTabs, restoreTabs } from "./tabs.js";

// Chrome requires listeners to be registered at once; events wait until the saved state is loaded.
let started = false;
const starting = start();
const whenReady =
  callback =>
  (...args) =>
    started ? callback(...args) : starting.then(() => callback(...args));

setListeners({
  lost: detachAll,
  unpaired: unshareAll,
  message: onHubMessage,
  changed: updateIndicators,
  ready: whenRestored,
});
listenToChrome(whenReady);
listenToPages(whenReady);

async function start() {
  await loadState();
  await restoreTabs();
  awaitRestoredTabs();
  // An earlier worker may have been stopped while attached: detach until the hub attaches again.
  await Promise.all(allTabs().map(detachNow));
  started = true;
  connect();
  updateIndicators();
}

// A page must not wait for a hub that is gone. The tabs stay shared for when it is back.
function detachAll() {
  for (const tab of allTabs()) detachTab(tab, "");
}
