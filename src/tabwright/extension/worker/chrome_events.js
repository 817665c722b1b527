// Chrome's events about shared tabs.

import { filterEvent } from "./debugger.js";
import { connect, reconnect, send } from "./hub.js";
import { removeLogins } from "./logins.js";
import { whenOpened, onWindowFocused, inOrder } from "./hub_requests.js";
import { recogniseTab, rememberClosed, noteStartup } from "./restored_tabs.js";
import { detachTab, updateReachable, share, stop, addTab, unshare, isStillShared } from "./sharing.js";
import { updateIndicators } from "./indicators.js";
import { saveState, state } from "./state.js";
import {
  missingTabs,
  allTabs,
  forgetMissing,
  getTab,
  inSharedWindow,
  savePositionsSoon,
  refreshTab,
  removeTab,
  saveTabs,
  describeTab,
  toolsOf,
} from "./tabs.js";

// A tab that a page opens this soon after an action of the agent is the agent's, not the user's.
const ACTION_EFFECT_MS = 10_000;

export function listenToChrome(whenReady) {
  const logErrors =
    callback =>
    (...args) =>
      Promise.resolve(callback(...args)).catch(error => console.debug(error.message));
  const on = (event, callback) => event.addListener(logErrors(whenReady(callback)));
  on(chrome.runtime.onStartup, () => {
    noteStartup();
    connect();
  });
  on(chrome.runtime.onInstalled, connect);
  on(chrome.alarms.onAlarm, connect);
  on(chrome.tabs.onCreated, onCreated);
  on(chrome.webNavigation.onCreatedNavigationTarget, onOpened);
  on(chrome.webNavigation.onBeforeNavigate, details => onNavigation(details, { destination: details.url }));
  on(chrome.webNavigation.onCommitted, details => onNavigation(details, { destination: "", url: details.url }));
  on(chrome.webNavigation.onErrorOccurred, details => onNavigation(details, { destination: "" }));
  on(chrome.tabs.onUpdated, onUpdated);
  on(chrome.tabs.onRemoved, onRemoved);
  on(chrome.tabs.onReplaced, onReplaced);
  on(chrome.tabs.onActivated, onActivated);
  on(chrome.tabs.onAttached, onMoved);
  on(chrome.tabs.onMoved, savePositionsSoon);
  on(chrome.windows.onRemoved, id => saveState({ windows: state.windows.filter(other => other !== id) }));
  on(chrome.windows.onFocusChanged, id => {
    if (id !== chrome.windows.WINDOW_ID_NONE) onWindowFocused();
  });
  on(chrome.debugger.onEvent, onDebuggerEvent);
  on(chrome.debugger.onDetach, onDetached);
  on(chrome.commands.onCommand, onCommand);
}

function onCreated(chromeTab) {
  reconnect();
  savePositionsSoon();
  if (state.stopped || !inSharedWindow(chromeTab)) return recogniseTab(chromeTab);
  // A tab opened for an agent belongs to that agent, even in a shared window.
  return whenOpened().then(() => share(chromeTab.id, { byWindow: true }));
}

// A tab's openerTabId is the tab that was active, not the page that opened it.
async function onOpened({ sourceTabId, tabId }) {
  const opener = getTab(sourceTabId);
  if (!opener?.attached || Date.now() - opener.actedAt >= ACTION_EFFECT_MS) return;
  const chromeTab = await chrome.tabs.get(tabId);
  if (getTab(opener.id) === opener) addTab(chromeTab, "opened", { opener: opener.name, holder: opener.holder });
}

// A tab that navigates to an excluded site is detached before it gets there, so that no script of ours runs in it.
function onNavigation({ tabId, frameId, documentLifecycle }, where) {
  const tab = getTab(tabId);
  if (!tab || frameId !== 0 || documentLifecycle === "prerender") return undefined;
  Object.assign(tab, where, where.url ? { navigations: tab.navigations + 1, excludedFrameUrl: "" } : {});
  saveTabs();
  updateReachable(tab);
  return where.destination ? undefined : onUpdated(tabId);
}

async function onUpdated(id) {
  reconnect();
  const tab = getTab(id);
  if (!tab) return;
  const changed = await refreshTab(tab);
  if (getTab(id) !== tab) return;
  updateReachable(tab);
  savePositionsSoon();
  if (changed) send({ type: "tabUpdated", tab: describeTab(tab) });
}

function onRemoved(id, { isWindowClosing = false } = {}) {
  forgetMissing(missingTabs().filter(missing => missing.id === id && !isWindowClosing));
  const tab = getTab(id);
  if (!isWindowClosing) savePositionsSoon();
  if (!tab) return;
  if (isWindowClosing) rememberClosed(tab);
  removeTab(id);
  tab.attached = false;
  send({ type: "tabClosed", tabId: tab.name, ...(isWindowClosing ? { reason: "window" } : {}) });
  updateIndicators();
}

async function onReplaced(addedId, removedId) {
  const tab = getTab(removedId);
  if (!tab) return;
  onRemoved(removedId);
  const chromeTab = await chrome.tabs.get(addedId);
  const more = { holder: tab.holder, byWindow: tab.byWindow };
  if (isStillShared(chromeTab, more)) addTab(chromeTab, tab.how, more);
}

function onActivated({ tabId, windowId }) {
  reconnect();
  for (const tab of allTabs()) {
    const active = tab.windowId === windowId ? tab.id === tabId : tab.active;
    if (active === tab.active) continue;
    tab.active = active;
    send({ type: "tabUpdated", tab: describeTab(tab) });
  }
  const tab = getTab(tabId);
  if (tab) send({ type: "tabFocused", tabId: tab.name, tools: toolsOf(tab) });
}

async function onMoved(id, { newWindowId }) {
  savePositionsSoon();
  const tab = getTab(id);
  if (tab?.byWindow && !state.windows.includes(newWindowId)) unshare(id);
  else if (tab) onUpdated(id);
  else if (state.windows.includes(newWindowId)) share(id, { byWindow: true });
}

function onDebuggerEvent({ tabId, sessionId }, method, params = {}) {
  const tab = getTab(tabId);
  if (!tab?.attached) return;
  const visible = filterEvent(tab, sessionId, method, params);
  updateReachable(tab);
  if (!visible || !tab.attached) return;
  const event = { ...(sessionId ? { sessionId } : {}), method, params: removeLogins(method, visible) };
  inOrder(tab, () => send({ type: "cdpEvent", tabId: tab.name, ...event }));
}

function onDetached({ tabId, sessionId }, reason) {
  const tab = getTab(tabId);
  if (!tab?.attached || sessionId) return;
  tab.attached = false;
  send({ type: "detached", tabId: tab.name, reason });
  // The user pressed Cancel in Chrome's debugging bar.
  if (reason === "canceled_by_user") unshare(tabId, reason);
  else detachTab(tab, "");
}

async function onCommand(name) {
  if (name === "stop") stop();
  if (name !== "share" || state.stopped) return;
  const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  if (tab && getTab(tab.id)) unshare(tab.id);
  else if (tab) share(tab.id);
}
