// Which tabs become an agent's and which cease to be: each step is told to the hub and shown to the person.

import { connect, leave, send } from "./hub.js";
import { detach, letGo } from "./debugger.js";
import { excludedWithin } from "./frames.js";
import { gather, show, tidy } from "./indicators.js";
import { keep, state } from "./state.js";
import {
  absent,
  add,
  all,
  forget,
  get,
  hold,
  inSharedWindow,
  objectionToFrames,
  objectionToTab,
  remove,
  told,
  toolsOf,
} from "./tabs.js";

export async function share(id, more = {}) {
  const chromeTab = await chrome.tabs.get(id);
  if (!get(id) && wanted(chromeTab, more)) take(chromeTab, "shared", more);
}

// Whether a tab is still to be shared, after a moment in which the person may have thought better of it.
export function wanted(chromeTab, { byWindow = false } = {}) {
  return !state.stopped && (!byWindow || inSharedWindow(chromeTab));
}

// Takes a tab in and tells of it.
export function take(chromeTab, how, more = {}) {
  const tab = add(chromeTab, how, more);
  send({ type: "tabCreated", tab: told(tab) });
  show();
  return tab;
}

// Takes a tab from the agent. From this moment nothing more is done in it, whatever was asked before.
export function unshare(id, reason = "unshared") {
  const tab = get(id);
  if (!tab) return;
  remove(id);
  drop(tab, reason);
  send({ type: "tabClosed", tabId: tab.name, reason });
  show();
}

// Lets go of a tab, and tells why if there is anything to tell.
export async function drop(tab, reason) {
  if (tab.attached) {
    const gone = letGo(tab);
    if (reason) send({ type: "detached", tabId: tab.name, reason });
    await gone;
  }
  await tidy();
  show();
}

export async function giveBack(tab) {
  await detach(tab);
  hold(tab, "");
  await drop(tab, "");
}

export function taken(tab) {
  gather(tab);
  show();
}

export async function shareWindow(windowId) {
  keep({ windows: [...state.windows, windowId] });
  for (const chromeTab of await chrome.tabs.query({ windowId })) {
    if (!get(chromeTab.id) && wanted(chromeTab, { byWindow: true })) take(chromeTab, "shared", { byWindow: true });
  }
}

export function unshareWindow(windowId) {
  keep({ windows: state.windows.filter(other => other !== windowId) });
  for (const tab of all()) if (tab.byWindow && tab.windowId === windowId) unshare(tab.id);
}

// Shares nothing any more, neither what is there nor what Chrome may bring back.
export function shareNone(reason = "unshared") {
  keep({ windows: [] });
  forget(absent());
  for (const tab of all()) unshare(tab.id, reason);
}

// Ends everything at once; nothing begins again before the person says so.
export function stop() {
  keep({ stopped: true });
  shareNone("stopped");
  leave("stopped");
  connect();
  show();
}

export function start() {
  keep({ stopped: false });
  connect();
  show();
}

// Looks whether a tab went where agents may not be, or came back.
export async function judge(tab) {
  if (tab.attached) tab.barred ||= excludedWithin(tab.view, "");
  const reachable = !objectionToTab(tab);
  if (reachable === tab.reachable) return;
  tab.reachable = reachable;
  if (tab.attached && !reachable) {
    const reason = objectionToFrames(tab) ? "excluded frame" : "excluded";
    const gone = letGo(tab);
    // Before anything else is told of the tab, which would be that it is out of reach, and not why.
    send({ type: "detached", tabId: tab.name, reason });
    await gone;
    tidy();
  }
  if (get(tab.id) === tab && tab.reachable === reachable)
    send({ type: "toolsChanged", tabId: tab.name, tools: toolsOf(tab) });
  show();
}
