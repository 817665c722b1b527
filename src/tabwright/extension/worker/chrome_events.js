// Chrome's events, as far as they concern tabs that are an agent's.

import { follow } from "./debugger.js";
import { connect, nudge, send } from "./hub.js";
import { withoutLogins } from "./logins.js";
import { allOpened, focused, inTurn } from "./hub_requests.js";
import { back, part, started } from "./restored_tabs.js";
import { drop, judge, share, stop, take, unshare, wanted } from "./sharing.js";
import { show } from "./indicators.js";
import { keep, state } from "./state.js";
import { absent, all, forget, get, inSharedWindow, note, refresh, remove, save, told, toolsOf } from "./tabs.js";

// What a page opens this soon after an act of the agent is the agent's, not the person's.
const SOON = 10_000;

export function attend(once) {
  const attempt =
    act =>
    (...given) =>
      Promise.resolve(act(...given)).catch(error => console.debug(error.message));
  const on = (event, act) => event.addListener(attempt(once(act)));
  on(chrome.runtime.onStartup, () => {
    started();
    connect();
  });
  on(chrome.runtime.onInstalled, connect);
  on(chrome.alarms.onAlarm, connect);
  on(chrome.tabs.onCreated, created);
  on(chrome.webNavigation.onCreatedNavigationTarget, opened);
  on(chrome.webNavigation.onBeforeNavigate, details => heads(details, { heading: details.url }));
  on(chrome.webNavigation.onCommitted, details => heads(details, { heading: "", url: details.url }));
  on(chrome.webNavigation.onErrorOccurred, details => heads(details, { heading: "" }));
  on(chrome.tabs.onUpdated, updated);
  on(chrome.tabs.onRemoved, removed);
  on(chrome.tabs.onReplaced, replaced);
  on(chrome.tabs.onActivated, activated);
  on(chrome.tabs.onAttached, moved);
  on(chrome.tabs.onMoved, note);
  on(chrome.windows.onRemoved, id => keep({ windows: state.windows.filter(other => other !== id) }));
  on(chrome.windows.onFocusChanged, id => {
    if (id !== chrome.windows.WINDOW_ID_NONE) focused();
  });
  on(chrome.debugger.onEvent, happened);
  on(chrome.debugger.onDetach, detached);
  on(chrome.commands.onCommand, commanded);
}

function created(chromeTab) {
  nudge();
  note();
  if (state.stopped || !inSharedWindow(chromeTab)) return back(chromeTab);
  // One that is opened for an agent is that agent's, not whose turn it is in the window.
  return allOpened().then(() => share(chromeTab.id, { byWindow: true }));
}

// The tab's own word on who opened it is the tab that was in front, whichever page it was.
async function opened({ sourceTabId, tabId }) {
  const opener = get(sourceTabId);
  if (!opener?.attached || Date.now() - opener.acted >= SOON) return;
  const chromeTab = await chrome.tabs.get(tabId);
  if (get(opener.id) === opener) take(chromeTab, "opened", { opener: opener.name, holder: opener.holder });
}

// A tab that sets out for an excluded site is let go of before it is there: no script of ours gets into its pages.
function heads({ tabId, frameId, documentLifecycle }, where) {
  const tab = get(tabId);
  if (!tab || frameId !== 0 || documentLifecycle === "prerender") return undefined;
  Object.assign(tab, where, where.url ? { moves: tab.moves + 1, barred: "" } : {});
  save();
  judge(tab);
  return where.heading ? undefined : updated(tabId);
}

async function updated(id) {
  nudge();
  const tab = get(id);
  if (!tab) return;
  const changed = await refresh(tab);
  if (get(id) !== tab) return;
  judge(tab);
  note();
  if (changed) send({ type: "tabUpdated", tab: told(tab) });
}

function removed(id, { isWindowClosing = false } = {}) {
  forget(absent().filter(kept => kept.id === id && !isWindowClosing));
  const tab = get(id);
  if (!isWindowClosing) note();
  if (!tab) return;
  if (isWindowClosing) part(tab);
  remove(id);
  tab.attached = false;
  send({ type: "tabClosed", tabId: tab.name, ...(isWindowClosing ? { reason: "window" } : {}) });
  show();
}

async function replaced(added, gone) {
  const tab = get(gone);
  if (!tab) return;
  removed(gone);
  const chromeTab = await chrome.tabs.get(added);
  const more = { holder: tab.holder, byWindow: tab.byWindow };
  if (wanted(chromeTab, more)) take(chromeTab, tab.how, more);
}

function activated({ tabId, windowId }) {
  nudge();
  for (const tab of all()) {
    const active = tab.windowId === windowId ? tab.id === tabId : tab.active;
    if (active === tab.active) continue;
    tab.active = active;
    send({ type: "tabUpdated", tab: told(tab) });
  }
  const tab = get(tabId);
  if (tab) send({ type: "tabFocused", tabId: tab.name, tools: toolsOf(tab) });
}

async function moved(id, { newWindowId }) {
  note();
  const tab = get(id);
  if (tab?.byWindow && !state.windows.includes(newWindowId)) unshare(id);
  else if (tab) updated(id);
  else if (state.windows.includes(newWindowId)) share(id, { byWindow: true });
}

function happened({ tabId, sessionId }, method, params = {}) {
  const tab = get(tabId);
  if (!tab?.attached) return;
  const seen = follow(tab, sessionId, method, params);
  judge(tab);
  if (!seen || !tab.attached) return;
  const event = { ...(sessionId ? { sessionId } : {}), method, params: withoutLogins(method, seen) };
  inTurn(tab, () => send({ type: "cdpEvent", tabId: tab.name, ...event }));
}

function detached({ tabId, sessionId }, reason) {
  const tab = get(tabId);
  if (!tab?.attached || sessionId) return;
  tab.attached = false;
  send({ type: "detached", tabId: tab.name, reason });
  // The person pressed Cancel in the bar that says that tabs are being debugged.
  if (reason === "canceled_by_user") unshare(tabId, reason);
  else drop(tab, "");
}

async function commanded(name) {
  if (name === "stop") stop();
  if (name !== "share" || state.stopped) return;
  const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  if (tab && get(tab.id)) unshare(tab.id);
  else if (tab) share(tab.id);
}
