// Attaches to tabs with chrome.debugger, passes allowed commands on, filters events, and detaches.

import { isAction, objectionTo } from "./allowed_commands.js";
import {
  excludedFrame,
  fetchCommand,
  isFrame,
  objectionToSession,
  continueCommand,
  trackFrames,
  pendingLocation,
  newView,
} from "./frames.js";
import { protectLogins, tokensOf } from "./logins.js";
import { objectionToSite } from "../sites.js";
import { state } from "./state.js";
import { getTab, setHolder, notShared, objectionToTab, refreshTab, STOPPED } from "./tabs.js";

const VERSION = "1.3";
const MAX_REQUESTS = 5000;
// How long to wait for an unloaded page.
const LOAD_MS = 5000;
// With these commands the hub subscribes to page events; the second one also replays past ones.
const PAGE_EVENT_COMMANDS = ["Page.enable", "Page.setLifecycleEventsEnabled"];
const UNWANTED = "the hub that requested it disconnected";
// A frame of an excluded site must still start, unseen.
const ALLOWED_IN_ALL_FRAMES = ["Runtime.runIfWaitingForDebugger"];

// Attaches to a tab while `wanted()` is true: the hub may disconnect while the page loads.
export function attach(tab, holder, wanted) {
  return enqueue(tab, () => attachNow(tab, holder, wanted));
}

export function detach(tab) {
  return enqueue(tab, () => detachNow(tab));
}

// One after the other, so that the last request counts.
function enqueue(tab, action) {
  tab.line = (tab.line ?? Promise.resolve()).then(action, action);
  return tab.line;
}

async function attachNow(tab, holder, wanted) {
  await refreshAndCheck(tab);
  if (await loadIfUnloaded(tab)) await refreshAndCheck(tab);
  if (!wanted()) throw new Error(UNWANTED);
  // An attachment may have outlived the worker that made it: start again without its settings.
  await chrome.debugger.detach({ tabId: tab.id }).catch(() => {});
  await chrome.debugger.attach({ tabId: tab.id }, VERSION);
  try {
    /** @type {any} */
    const target = await chrome.debugger.sendCommand({ tabId: tab.id }, "Target.getTargetInfo");
    const view = newView(target.targetInfo.targetId, {});
    Object.assign(tab, { attached: true, view, streams: new Set(), requests: new Map(), tokens: new Map() });
    // From here on the page reports its navigations before any event of the new document.
    await chrome.debugger.sendCommand({ tabId: tab.id }, "Page.enable");
    await pauseDocuments(tab);
    const { frameTree } = await chrome.debugger.sendCommand({ tabId: tab.id }, "Page.getFrameTree");
    for (const [id, frame] of newView("", frameTree).frames) view.frames.set(id, frame);
    tab.excludedFrameUrl ||= excludedFrame(view, "");
    await refreshAndCheck(tab);
    if (!wanted()) throw new Error(UNWANTED);
    setHolder(tab, holder);
    return target;
  } catch (error) {
    await detachNow(tab);
    throw error;
  }
}

async function refreshAndCheck(tab) {
  await refreshTab(tab);
  requireUsable(tab);
}

// Loads a tab that Chrome restored without a page: it would not answer. Returns whether it was unloaded.
async function loadIfUnloaded({ id }) {
  if ((await chrome.tabs.get(id)).status !== "unloaded") return false;
  const loaded = /** @type {PromiseWithResolvers<void>} */ (Promise.withResolvers());
  const onUpdated = (tabId, /** @type {chrome.tabs.OnUpdatedInfo} */ { status }) => {
    if (tabId === id && status === "complete") loaded.resolve();
  };
  const timer = setTimeout(loaded.resolve, LOAD_MS);
  chrome.tabs.onUpdated.addListener(onUpdated);
  try {
    await chrome.tabs.reload(id);
    await loaded.promise;
  } finally {
    chrome.tabs.onUpdated.removeListener(onUpdated);
    clearTimeout(timer);
  }
  return true;
}

export async function detachNow(tab) {
  tab.attached = false;
  await chrome.debugger.detach({ tabId: tab.id }).catch(() => {});
}

// Nothing is awaited before Chrome has the command, so that the commands of a tab keep their order. Commands for a frame
// whose address is not known yet wait for it, also in order.
export function command(tab, { method, params = {}, sessionId = "" }) {
  requireUsable(tab);
  if (!tab.attached) throw new Error(`Debugger is not attached to the tab with id: ${tab.name}.`);
  const inAllFrames = ALLOWED_IN_ALL_FRAMES.includes(method);
  const located = inAllFrames ? null : pendingLocation(tab, sessionId);
  const request = { method, params, sessionId };
  if (located) return located.then(() => command(tab, request));
  const refusal =
    objectionTo(method, params, tab, state.excluded) || (inAllFrames ? "" : objectionToFrame(tab, sessionId));
  if (refusal) throw new Error(refusal);
  if (isAction(method, params)) tab.actedAt = Date.now();
  if (PAGE_EVENT_COMMANDS.includes(method)) tab.view.pageEvents.add(sessionId);
  return sendCommand(tab, sessionId, ...prepareCommand(tab, request)).then(result => filterResult(tab, method, result));
}

function sendCommand(tab, sessionId, method, params) {
  return chrome.debugger.sendCommand({ tabId: tab.id, ...(sessionId ? { sessionId } : {}) }, method, params);
}

function objectionToFrame(tab, sessionId) {
  const refusal = objectionToSession(tab, sessionId);
  return refusal && `the extension does not allow this frame: ${refusal}`;
}

// The command for Chrome: pausing requests is shared with our own pauses.
function prepareCommand(tab, { method, params, sessionId }) {
  if (method === "Fetch.enable") tab.view.fetchParams.set(sessionId, params);
  else if (method === "Fetch.disable") tab.view.fetchParams.delete(sessionId);
  else return [method, protectLogins(method, params, tab.tokens.get(pauseKey(sessionId, params)) ?? [])];
  return fetchCommand(tab, sessionId);
}

function pauseKey(sessionId, { requestId }) {
  return `${sessionId} ${requestId}`;
}

// Pauses document requests while sites are excluded.
export async function pauseDocuments(tab) {
  if (!tab.attached) return;
  const frames = [...tab.view.sessions].filter(([, there]) => there.frame).map(([session]) => session);
  const sent = ["", ...frames].map(session => sendCommand(tab, session, ...fetchCommand(tab, session)));
  await Promise.allSettled(sent);
}

function filterResult(tab, method, result) {
  if (method === "Page.printToPDF" && result?.stream) tab.streams.add(result.stream);
  if (method === "Page.getNavigationHistory") return { ...result, entries: result.entries.map(hideExcluded) };
  return result ?? {};
}

function hideExcluded(entry) {
  return objectionToSite(entry.url, state.excluded) ? { ...entry, url: "", userTypedURL: "", title: "" } : entry;
}

// Tracks where a tab and its frames are; returns the event's parameters for the hub, or nothing if it is hidden.
export function filterEvent(tab, sessionId = "", method, params) {
  if (method === "Page.frameNavigated" && !sessionId && !params.frame.parentId) {
    Object.assign(tab, {
      url: params.frame.url + (params.frame.urlFragment ?? ""),
      navigations: tab.navigations + 1,
      excludedFrameUrl: "",
    });
  }
  noteRequest(tab, method, params);
  const sent = trackFrames(tab, sessionId, method, params);
  if (method === "Target.attachedToTarget") enableEvents(tab, params);
  if (method === "Fetch.requestPaused" || method === "Fetch.authRequired")
    return onPaused(tab, sessionId, method, params);
  return sent && (state.excluded.length ? hideExcludedEvent(tab, sessionId, method, params) : params);
}

// A frame with its own session reports its navigations too, even if the hub does not subscribe.
function enableEvents(tab, { sessionId, targetInfo }) {
  if (!isFrame(targetInfo.type)) return;
  const sent = [sendCommand(tab, sessionId, "Page.enable", {})];
  if (state.excluded.length) sent.push(sendCommand(tab, sessionId, ...fetchCommand(tab, sessionId)));
  Promise.allSettled(sent);
}

function onPaused(tab, sessionId, method, params) {
  const continued = continueCommand(tab, sessionId, method, params);
  if (!continued) {
    const tokens = tokensOf(params.request);
    if (tokens.length) setLimited(tab.tokens, pauseKey(sessionId, params), tokens);
    return params;
  }
  sendCommand(tab, sessionId, ...continued).catch(() => {}); // the page may have cancelled it
  return null;
}

// Remembers the URLs of requests, for later commands about them.
function noteRequest(tab, method, params) {
  const url = method.startsWith("Network.") && params.requestId && (params.request?.url ?? params.url);
  if (url) setLimited(tab.requests, params.requestId, url);
}

function setLimited(map, key, value) {
  map.set(key, value);
  if (map.size > MAX_REQUESTS) map.delete(map.keys().next().value);
}

// Hides events from frames of excluded sites, of navigations there, and of requests there, which carry their cookies;
// also of requests whose URL is unknown.
function hideExcludedEvent(tab, sessionId, method, params) {
  if (method === "Target.attachedToTarget") {
    if (!objectionToSession(tab, params.sessionId)) return params;
    return { ...params, targetInfo: { ...params.targetInfo, url: "", title: "" } };
  }
  if (objectionToSession(tab, sessionId)) return null;
  const excluded = url => Boolean(url && objectionToSite(url, state.excluded));
  if (method.startsWith("Network.") && params.requestId) {
    const url = tab.requests.get(params.requestId);
    return url === undefined || excluded(url) ? null : params;
  }
  if (!/^(Page|Target)\./.test(method)) return params;
  return excluded(params.url) || excluded(params.targetInfo?.url) || excluded(params.frame?.url) ? null : params;
}

// Throws the error for the hub if a tab may not be used now.
export function requireUsable(tab) {
  if (state.stopped) throw new Error(STOPPED);
  if (getTab(tab.id) !== tab) throw new Error(notShared(tab.name));
  const refusal = objectionToTab(tab);
  if (refusal) throw new Error(`the extension does not allow this page: ${refusal}`);
}
