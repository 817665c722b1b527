// Shares and unshares tabs: each step is reported to the hub and shown to the user.

import { connect, disconnect, send } from "./hub.js";
import { detach, detachNow } from "./debugger.js";
import { excludedFrame } from "./frames.js";
import { addToGroup, updateIndicators, tidyGroups } from "./indicators.js";
import { saveState, state } from "./state.js";
import {
  missingTabs,
  storeTab,
  allTabs,
  forgetMissing,
  getTab,
  setHolder,
  inSharedWindow,
  objectionToFrames,
  objectionToTab,
  removeTab,
  describeTab,
  toolsOf,
} from "./tabs.js";

export async function share(id, more = {}) {
  const chromeTab = await chrome.tabs.get(id);
  if (!getTab(id) && isStillShared(chromeTab, more)) addTab(chromeTab, "shared", more);
}

// Whether a tab should still be shared: the user may have changed their mind during an await.
export function isStillShared(chromeTab, { byWindow = false } = {}) {
  return !state.stopped && (!byWindow || inSharedWindow(chromeTab));
}

// Stores a tab and reports it.
export function addTab(chromeTab, how, more = {}) {
  const tab = storeTab(chromeTab, how, more);
  send({ type: "tabCreated", tab: describeTab(tab) });
  updateIndicators();
  return tab;
}

// Stops sharing a tab. From now on nothing is done in it, not even earlier requests.
export function unshare(id, reason = "unshared") {
  const tab = getTab(id);
  if (!tab) return;
  removeTab(id);
  detachTab(tab, reason);
  send({ type: "tabClosed", tabId: tab.name, reason });
  updateIndicators();
}

// Detaches from a tab, and reports the reason if there is one.
export async function detachTab(tab, reason) {
  if (tab.attached) {
    const detaching = detachNow(tab);
    if (reason) send({ type: "detached", tabId: tab.name, reason });
    await detaching;
  }
  await tidyGroups();
  updateIndicators();
}

export async function releaseTab(tab) {
  await detach(tab);
  setHolder(tab, "");
  await detachTab(tab, "");
}

export function onAttached(tab) {
  addToGroup(tab);
  updateIndicators();
}

export async function shareWindow(windowId) {
  saveState({ windows: [...state.windows, windowId] });
  for (const chromeTab of await chrome.tabs.query({ windowId })) {
    if (!getTab(chromeTab.id) && isStillShared(chromeTab, { byWindow: true }))
      addTab(chromeTab, "shared", { byWindow: true });
  }
}

export function unshareWindow(windowId) {
  saveState({ windows: state.windows.filter(other => other !== windowId) });
  for (const tab of allTabs()) if (tab.byWindow && tab.windowId === windowId) unshare(tab.id);
}

// Stops sharing all tabs, including those that Chrome may restore.
export function unshareAll(reason = "unshared") {
  saveState({ windows: [] });
  forgetMissing(missingTabs());
  for (const tab of allTabs()) unshare(tab.id, reason);
}

// Stops everything at once, until the user starts it again.
export function stop() {
  saveState({ stopped: true });
  unshareAll("stopped");
  disconnect("stopped");
  connect();
  updateIndicators();
}

export function start() {
  saveState({ stopped: false });
  connect();
  updateIndicators();
}

// Checks whether a tab went to a page that agents may not use, or came back.
export async function updateReachable(tab) {
  if (tab.attached) tab.excludedFrameUrl ||= excludedFrame(tab.view, "");
  const reachable = !objectionToTab(tab);
  if (reachable === tab.reachable) return;
  tab.reachable = reachable;
  if (tab.attached && !reachable) {
    const reason = objectionToFrames(tab) ? "excluded frame" : "excluded";
    const detaching = detachNow(tab);
    // First, so that the reason arrives before the report that the tab is out of reach.
    send({ type: "detached", tabId: tab.name, reason });
    await detaching;
    tidyGroups();
  }
  if (getTab(tab.id) === tab && tab.reachable === reachable)
    send({ type: "toolsChanged", tabId: tab.name, tools: toolsOf(tab) });
  updateIndicators();
}
