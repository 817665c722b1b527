// Tracks the frames of an attached tab by its debugger events, to keep frames of excluded sites out of reach.

import { objection, objectionToSite, maySharePage } from "../sites.js";
import { state } from "./state.js";

const MAX_DESTINATIONS = 1000;
// While sites are excluded, every document request is paused: only this shows a redirect of a frame in time.
const DOCUMENTS = { urlPattern: "*", resourceType: "Document" };

// The state of a tab whose page is the target `root`. The page's own session is "".
export function newView(root, tree) {
  const view = {
    root,
    // Frames and workers with their own session: target, URL, and a promise for the URL.
    sessions: new Map(),
    // Frames in the session of their parent: that session and the URL.
    frames: new Map(),
    // The URLs that frames navigate to.
    destinations: new Map(),
    // By session: the hub's Fetch.enable parameters, and whether it subscribed to page events.
    fetchParams: new Map(),
    pageEvents: new Set(),
  };
  for (const { frame } of descendants(tree)) view.frames.set(frame.id, { session: "", url: frame.url });
  return view;
}

function descendants({ childFrames = [] }) {
  return childFrames.flatMap(child => [child, ...descendants(child)]);
}

// Prerendered pages count as frames; workers do not.
export function isFrame(type) {
  return type === "iframe" || type === "page";
}

// The URL of an excluded frame that shares the session of its page; "" if there is none.
export function excludedFrame(view, session) {
  const those = [...view.frames.values()].filter(frame => frame.session === session);
  return those.find(({ url }) => objectionToSite(url, state.excluded))?.url ?? "";
}

export function objectionToSession(tab, session) {
  if (!session) return "";
  const frameSession = tab.view.sessions.get(session);
  return (
    objection(frameSession?.url, state.excluded) || objectionToSite(excludedFrame(tab.view, session), state.excluded)
  );
}

// A promise to await before a command runs in a session whose URL is not known yet: it may be excluded.
export function pendingLocation(tab, session) {
  const frameSession = state.excluded.length ? tab.view.sessions.get(session) : undefined;
  return frameSession && frameSession.frame && !frameSession.url ? frameSession.known.promise : null;
}

// Updates the state from an event; returns whether the hub subscribed to such events.
export function trackFrames(tab, session, method, params) {
  HANDLERS[method]?.(tab, session, params);
  return !method.startsWith("Page.") || tab.view.pageEvents.has(session);
}

const HANDLERS = {
  "Page.frameNavigated"({ view }, session, { frame }) {
    const frameSession = view.sessions.get(session);
    if (frame.id !== (frameSession?.target ?? view.root)) {
      view.frames.set(frame.id, { session, url: frame.url });
      return;
    }
    forgetFrames(view, session);
    if (frameSession) setLocation(frameSession, frame.url);
  },
  "Page.frameDetached"({ view }, session, { frameId }) {
    view.frames.delete(frameId);
  },
  "Target.attachedToTarget"({ view }, session, { sessionId, targetInfo: { targetId, type, url } }) {
    const frameSession = { target: targetId, frame: isFrame(type), url: "", known: Promise.withResolvers() };
    view.sessions.set(sessionId, frameSession);
    setLocation(frameSession, url || view.destinations.get(targetId));
  },
  "Target.targetInfoChanged"({ view }, session, { targetInfo: { targetId, url } }) {
    for (const frameSession of view.sessions.values())
      if (frameSession.target === targetId) setLocation(frameSession, url);
  },
  "Target.detachedFromTarget"({ view }, session, { sessionId }) {
    view.sessions.get(sessionId)?.known.resolve();
    view.sessions.delete(sessionId);
    view.fetchParams.delete(sessionId);
    forgetFrames(view, sessionId);
  },
  "Fetch.requestPaused"(tab, session, params) {
    if (params.resourceType === "Document" && params.frameId && !("responseStatusCode" in params))
      onDocumentRequest(tab, session, params);
  },
};

function setLocation(frameSession, url) {
  if (!url) return;
  frameSession.url = url;
  frameSession.known.resolve();
}

function forgetFrames(view, session) {
  for (const [id, frame] of view.frames) if (frame.session === session) view.frames.delete(id);
}

// A tab is detached before its page navigates to an excluded site, and before a frame does that has a session or may
// share the page's: scripts that an agent installed would run in it.
function onDocumentRequest(tab, session, { frameId, request: { url } }) {
  const { view } = tab;
  view.destinations.set(frameId, url);
  if (view.destinations.size > MAX_DESTINATIONS) view.destinations.delete(view.destinations.keys().next().value);
  if (!objectionToSite(url, state.excluded)) return;
  if (frameId === view.root) tab.destination = url;
  else if (hasSession(view, frameId) || maySharePage(url, view.sessions.get(session)?.url ?? tab.url))
    tab.excludedFrameUrl = url;
}

function hasSession(view, frameId) {
  return [...view.sessions.values()].some(({ target }) => target === frameId);
}

// The command that pauses requests of a session: for the hub, and for our own checks. Workers have no documents.
export function fetchCommand(tab, session) {
  const hubParams = tab.view.fetchParams.get(session);
  const pausing = state.excluded.length > 0 && (!session || tab.view.sessions.get(session)?.frame);
  if (!pausing) return hubParams ? ["Fetch.enable", hubParams] : ["Fetch.disable", {}];
  if (hubParams && !hubParams.patterns) return ["Fetch.enable", hubParams];
  return ["Fetch.enable", { ...hubParams, patterns: [...(hubParams?.patterns ?? []), DOCUMENTS] }];
}

// The command that continues a paused request; null if the hub decides, or the tab is about to be detached.
export function continueCommand(tab, session, method, { requestId, request: { url } }) {
  if ([tab.destination, tab.excludedFrameUrl].some(away => away && objectionToSite(away, state.excluded))) return null;
  const hidden = objectionToSite(url, state.excluded) || objectionToSession(tab, session);
  if (!hidden && tab.view.fetchParams.has(session)) return null;
  if (method === "Fetch.requestPaused") return ["Fetch.continueRequest", { requestId }];
  return ["Fetch.continueWithAuth", { requestId, authChallengeResponse: { response: "Default" } }];
}
