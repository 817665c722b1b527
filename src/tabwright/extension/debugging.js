// Holds tabs by chrome.debugger: attaches, passes allowed commands on, and lets go.

import { acts, objectionTo } from "./allowed.js";
import { objection } from "./sites.js";
import { state } from "./state.js";
import { get, hold, notShared, objectionToTab, STOPPED } from "./tabs.js";

const VERSION = "1.3";
// A frame of an excluded site goes on, unseen.
const FOR_ALL = ["Runtime.runIfWaitingForDebugger"];

export async function attach(tab, holder) {
  require(tab);
  // An attachment may have outlived the worker that made it: begin anew, with nothing of the old set up.
  await chrome.debugger.detach({ tabId: tab.id }).catch(() => {});
  await chrome.debugger.attach({ tabId: tab.id }, VERSION);
  Object.assign(tab, { attached: true, streams: new Set(), sessions: new Map() });
  try {
    require(tab);
    const told = await chrome.debugger.sendCommand({ tabId: tab.id }, "Target.getTargetInfo");
    hold(tab, holder);
    return told;
  } catch (error) {
    await letGo(tab);
    throw error;
  }
}

export async function letGo(tab) {
  tab.attached = false;
  await chrome.debugger.detach({ tabId: tab.id }).catch(() => {});
}

// Nothing is awaited before Chrome has the command: those of a tab reach it in the order they came.
export function command(tab, { method, params = {}, sessionId }) {
  require(tab);
  const frame = sessionId ? tab.sessions.get(sessionId) : "";
  const why = objectionTo(method, params, tab, state.excluded) || (FOR_ALL.includes(method) ? "" : objection(frame, state.excluded));
  if (why) throw new Error(why);
  if (acts(method)) tab.acted = Date.now();
  const target = sessionId ? { tabId: tab.id, sessionId } : { tabId: tab.id };
  return chrome.debugger.sendCommand(target, method, params).then(result => answered(tab, method, result));
}

// What a page answers after it went to an excluded site is not passed on.
function answered(tab, method, result) {
  if (method !== "Runtime.runIfWaitingForDebugger") require(tab);
  if (method === "Page.printToPDF" && result?.stream) tab.streams.add(result.stream);
  return result ?? {};
}

// Follows what events tell of where a tab and its frames are; whether the hub may know of the event.
export function follow(tab, sessionId, method, params) {
  if (method === "Page.frameNavigated" && !params.frame.parentId) {
    if (sessionId) tab.sessions.set(sessionId, params.frame.url);
    else tab.url = params.frame.url + (params.frame.urlFragment ?? "");
  } else if (method === "Target.attachedToTarget") {
    tab.sessions.set(params.sessionId, params.targetInfo.url);
  } else if (method === "Target.detachedFromTarget") {
    tab.sessions.delete(params.sessionId);
  }
  return !sessionId || !objection(tab.sessions.get(sessionId), state.excluded);
}

function require(tab) {
  if (state.stopped) throw new Error(STOPPED);
  if (get(tab.id) !== tab) throw new Error(notShared(tab.id));
  const why = objectionToTab(tab);
  if (why) throw new Error(`the extension does not allow this page: ${why}`);
}
