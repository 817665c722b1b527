// Holds tabs by chrome.debugger: attaches, passes allowed commands on, and lets go.

import { acts, objectionTo } from "./allowed.js";
import { changingNone } from "./cookies.js";
import { objection, objectionToSite } from "./sites.js";
import { state } from "./state.js";
import { get, hold, notShared, objectionToTab, refresh, STOPPED } from "./tabs.js";

const VERSION = "1.3";
const MOST_REQUESTS = 5000;
// What a page gets to load before it is used as it is.
const WAKING = 5000;
// With these the hub asks for what the page tells; the second is answered by what became of the page so far.
const PAGED = ["Page.enable", "Page.setLifecycleEventsEnabled"];
// A frame of an excluded site goes on, unseen.
const FOR_ALL = ["Runtime.runIfWaitingForDebugger"];

export async function attach(tab, holder) {
  await admit(tab);
  if (await wake(tab)) await admit(tab);
  // An attachment may have outlived the worker that made it: begin anew, with nothing of the old set up.
  await chrome.debugger.detach({ tabId: tab.id }).catch(() => {});
  await chrome.debugger.attach({ tabId: tab.id }, VERSION);
  Object.assign(tab, { attached: true, paged: false, streams: new Set(), sessions: new Map(), requests: new Map() });
  try {
    // From here on the page itself tells where it goes, and what it tells comes before what is seen there.
    await chrome.debugger.sendCommand({ tabId: tab.id }, "Page.enable");
    await admit(tab);
    const told = await chrome.debugger.sendCommand({ tabId: tab.id }, "Target.getTargetInfo");
    hold(tab, holder);
    return told;
  } catch (error) {
    await letGo(tab);
    throw error;
  }
}

async function admit(tab) {
  await refresh(tab);
  requireUse(tab);
}

// A tab that Chrome brought back has no page before somebody looks at it, and answers nothing. Whether it was such a one.
async function wake({ id }) {
  if ((await chrome.tabs.get(id)).status !== "unloaded") return false;
  const loaded = Promise.withResolvers();
  const look = (tabId, { status }) => { if (tabId === id && status === "complete") loaded.resolve(); };
  const late = setTimeout(loaded.resolve, WAKING);
  chrome.tabs.onUpdated.addListener(look);
  await chrome.tabs.reload(id);
  await loaded.promise;
  chrome.tabs.onUpdated.removeListener(look);
  clearTimeout(late);
  return true;
}

export async function letGo(tab) {
  tab.attached = false;
  await chrome.debugger.detach({ tabId: tab.id }).catch(() => {});
}

// Nothing is awaited before Chrome has the command: those of a tab reach it in the order they came.
export function command(tab, { method, params = {}, sessionId }) {
  requireUse(tab);
  const why = objectionTo(method, params, tab, state.excluded) || objectionToFrame(tab, sessionId, method);
  if (why) throw new Error(why);
  if (acts(method, params)) tab.acted = Date.now();
  if (!sessionId && PAGED.includes(method)) tab.paged = true;
  const target = sessionId ? { tabId: tab.id, sessionId } : { tabId: tab.id };
  return chrome.debugger.sendCommand(target, method, changingNone(method, params)).then(result => answered(tab, method, result));
}

function objectionToFrame(tab, sessionId, method) {
  const why = FOR_ALL.includes(method) ? "" : objection(tab.sessions.get(sessionId), state.excluded);
  return why && `the extension does not allow this frame: ${why}`;
}

function answered(tab, method, result) {
  if (method === "Page.printToPDF" && result?.stream) tab.streams.add(result.stream);
  return result ?? {};
}

// Follows what events tell of where a tab and its frames are; whether the hub may know of the event.
export function follow(tab, sessionId, method, params) {
  if (method === "Page.frameNavigated" && !params.frame.parentId) {
    if (sessionId) tab.sessions.set(sessionId, params.frame.url);
    else Object.assign(tab, { url: params.frame.url + (params.frame.urlFragment ?? ""), moves: tab.moves + 1 });
  } else if (method === "Target.attachedToTarget") {
    tab.sessions.set(params.sessionId, params.targetInfo.url);
  } else if (method === "Target.detachedFromTarget") {
    tab.sessions.delete(params.sessionId);
  }
  if (!sessionId && method.startsWith("Page.") && !tab.paged) return false;
  if (!state.excluded.length) return true;
  return !objection(tab.sessions.get(sessionId), state.excluded) && open(tab, method, params) && !leads(method, params);
}

// Whether an event tells of the way to an excluded site, before anything is there.
function leads(method, params) {
  return method.startsWith("Page.") && Boolean(params.url && objectionToSite(params.url, state.excluded));
}

// Requests to excluded sites carry their cookies: nothing of them is told, nor of one whose address is not known yet.
function open(tab, method, params) {
  if (!method.startsWith("Network.") || !params.requestId) return true;
  const url = params.request?.url ?? params.url;
  if (url) tab.requests.set(params.requestId, !objectionToSite(url, state.excluded));
  if (tab.requests.size > MOST_REQUESTS) tab.requests.delete(tab.requests.keys().next().value);
  return tab.requests.get(params.requestId) ?? false;
}

// Throws what the hub is told when a tab may not be used now.
export function requireUse(tab) {
  if (state.stopped) throw new Error(STOPPED);
  if (get(tab.id) !== tab) throw new Error(notShared(tab.name));
  const why = objectionToTab(tab);
  if (why) throw new Error(`the extension does not allow this page: ${why}`);
}
