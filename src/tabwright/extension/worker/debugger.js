// Holds tabs by chrome.debugger: attaches, passes allowed commands on, and lets go.

import { acts, objectionTo } from "./allowed_commands.js";
import { excludedWithin, fetching, isFrame, objectionToSession, release, track, unknown, viewOf } from "./frames.js";
import { changingNone, tokensOf } from "./logins.js";
import { objectionToSite } from "../sites.js";
import { state } from "./state.js";
import { get, hold, notShared, objectionToTab, refresh, STOPPED } from "./tabs.js";

const VERSION = "1.3";
const MOST_REQUESTS = 5000;
// What a page gets to load before it is used as it is.
const WAKING = 5000;
// With these the hub asks for what the page tells; the second is answered by what became of the page so far.
const PAGED = ["Page.enable", "Page.setLifecycleEventsEnabled"];
const UNWANTED = "the hub that asked for it is gone";
// A frame of an excluded site goes on, unseen.
const FOR_ALL = ["Runtime.runIfWaitingForDebugger"];

// Attaches to a tab while it is `wanted`, which may end before a page that must load first is there.
export function attach(tab, holder, wanted) {
  return inLine(tab, () => attachNow(tab, holder, wanted));
}

export function detach(tab) {
  return inLine(tab, () => letGo(tab));
}

// One after the other: what is asked for last holds.
function inLine(tab, act) {
  tab.line = (tab.line ?? Promise.resolve()).then(act, act);
  return tab.line;
}

async function attachNow(tab, holder, wanted) {
  await admit(tab);
  if (await wake(tab)) await admit(tab);
  if (!wanted()) throw new Error(UNWANTED);
  // An attachment may have outlived the worker that made it: begin anew, with nothing of the old set up.
  await chrome.debugger.detach({ tabId: tab.id }).catch(() => {});
  await chrome.debugger.attach({ tabId: tab.id }, VERSION);
  try {
    /** @type {any} */
    const told = await chrome.debugger.sendCommand({ tabId: tab.id }, "Target.getTargetInfo");
    const view = viewOf(told.targetInfo.targetId, {});
    Object.assign(tab, { attached: true, view, streams: new Set(), requests: new Map(), tokens: new Map() });
    // From here on the page itself tells where it goes, and what it tells comes before what is seen there.
    await chrome.debugger.sendCommand({ tabId: tab.id }, "Page.enable");
    await guard(tab);
    const { frameTree } = await chrome.debugger.sendCommand({ tabId: tab.id }, "Page.getFrameTree");
    for (const [id, frame] of viewOf("", frameTree).frames) view.frames.set(id, frame);
    tab.barred ||= excludedWithin(view, "");
    await admit(tab);
    if (!wanted()) throw new Error(UNWANTED);
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
  const loaded = /** @type {PromiseWithResolvers<void>} */ (Promise.withResolvers());
  const look = (tabId, /** @type {chrome.tabs.OnUpdatedInfo} */ { status }) => {
    if (tabId === id && status === "complete") loaded.resolve();
  };
  const late = setTimeout(loaded.resolve, WAKING);
  chrome.tabs.onUpdated.addListener(look);
  try {
    await chrome.tabs.reload(id);
    await loaded.promise;
  } finally {
    chrome.tabs.onUpdated.removeListener(look);
    clearTimeout(late);
  }
  return true;
}

export async function letGo(tab) {
  tab.attached = false;
  await chrome.debugger.detach({ tabId: tab.id }).catch(() => {});
}

// Nothing is awaited before Chrome has the command: those of a tab reach it in the order they came. Those for a frame of
// which it is not known where it is wait until it is, in that order too.
export function command(tab, { method, params = {}, sessionId = "" }) {
  requireUse(tab);
  if (!tab.attached) throw new Error(`Debugger is not attached to the tab with id: ${tab.name}.`);
  const forAll = FOR_ALL.includes(method);
  const known = forAll ? null : unknown(tab, sessionId);
  const given = { method, params, sessionId };
  if (known) return known.then(() => command(tab, given));
  const why = objectionTo(method, params, tab, state.excluded) || (forAll ? "" : objectionToFrame(tab, sessionId));
  if (why) throw new Error(why);
  if (acts(method, params)) tab.acted = Date.now();
  if (PAGED.includes(method)) tab.view.paged.add(sessionId);
  return pass(tab, sessionId, ...arranged(tab, given)).then(result => answered(tab, method, result));
}

function pass(tab, sessionId, method, params) {
  return chrome.debugger.sendCommand({ tabId: tab.id, ...(sessionId ? { sessionId } : {}) }, method, params);
}

function objectionToFrame(tab, sessionId) {
  const why = objectionToSession(tab, sessionId);
  return why && `the extension does not allow this frame: ${why}`;
}

// What Chrome is told in the place of a command: stopping requests is shared with what we stop ourselves.
function arranged(tab, { method, params, sessionId }) {
  if (method === "Fetch.enable") tab.view.fetching.set(sessionId, params);
  else if (method === "Fetch.disable") tab.view.fetching.delete(sessionId);
  else return [method, changingNone(method, params, tab.tokens.get(stopOf(sessionId, params)) ?? [])];
  return fetching(tab, sessionId);
}

function stopOf(sessionId, { requestId }) {
  return `${sessionId} ${requestId}`;
}

// Has Chrome ask about documents while sites are excluded, and no longer.
export async function guard(tab) {
  if (!tab.attached) return;
  const frames = [...tab.view.sessions].filter(([, there]) => there.frame).map(([session]) => session);
  const asked = ["", ...frames].map(session => pass(tab, session, ...fetching(tab, session)));
  await Promise.allSettled(asked);
}

function answered(tab, method, result) {
  if (method === "Page.printToPDF" && result?.stream) tab.streams.add(result.stream);
  if (method === "Page.getNavigationHistory") return { ...result, entries: result.entries.map(veiled) };
  return result ?? {};
}

function veiled(entry) {
  return objectionToSite(entry.url, state.excluded) ? { ...entry, url: "", userTypedURL: "", title: "" } : entry;
}

// Follows what events tell of where a tab and its frames are; returns what the hub may know of it, if anything.
export function follow(tab, sessionId = "", method, params) {
  if (method === "Page.frameNavigated" && !sessionId && !params.frame.parentId) {
    Object.assign(tab, { url: params.frame.url + (params.frame.urlFragment ?? ""), moves: tab.moves + 1, barred: "" });
  }
  note(tab, method, params);
  const asked = track(tab, sessionId, method, params);
  if (method === "Target.attachedToTarget") attend(tab, params);
  if (method === "Fetch.requestPaused" || method === "Fetch.authRequired")
    return stopped(tab, sessionId, method, params);
  return asked && (state.excluded.length ? open(tab, sessionId, method, params) : params);
}

// A frame with a session of its own tells where it is as well, whether the hub asks or not.
function attend(tab, { sessionId, targetInfo }) {
  if (!isFrame(targetInfo.type)) return;
  const asked = [pass(tab, sessionId, "Page.enable", {})];
  if (state.excluded.length) asked.push(pass(tab, sessionId, ...fetching(tab, sessionId)));
  Promise.allSettled(asked);
}

function stopped(tab, sessionId, method, params) {
  const released = release(tab, sessionId, method, params);
  if (!released) {
    const tokens = tokensOf(params.request);
    if (tokens.length) keepLatest(tab.tokens, stopOf(sessionId, params), tokens);
    return params;
  }
  pass(tab, sessionId, ...released).catch(() => {}); // the page may have given it up meanwhile
  return null;
}

// Keeps where requests go, of which the hub may ask for more.
function note(tab, method, params) {
  const url = method.startsWith("Network.") && params.requestId && (params.request?.url ?? params.url);
  if (url) keepLatest(tab.requests, params.requestId, url);
}

function keepLatest(kept, key, value) {
  kept.set(key, value);
  if (kept.size > MOST_REQUESTS) kept.delete(kept.keys().next().value);
}

// Nothing is told from within a frame of an excluded site, of the way to one, or of requests there, which carry their
// cookies; nor of a request of which it is not known where it goes.
function open(tab, sessionId, method, params) {
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

// Throws what the hub is told when a tab may not be used now.
export function requireUse(tab) {
  if (state.stopped) throw new Error(STOPPED);
  if (get(tab.id) !== tab) throw new Error(notShared(tab.name));
  const why = objectionToTab(tab);
  if (why) throw new Error(`the extension does not allow this page: ${why}`);
}
