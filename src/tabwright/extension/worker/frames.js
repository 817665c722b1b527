// Where the frames of an attached tab are, as its debugger tells: by that, those of excluded sites stay out of reach.

import { objection, objectionToSite, related } from "../sites.js";
import { state } from "./state.js";

const MOST_HEADS = 1000;
// While sites are excluded, every document is asked about before it is fetched: only so is it known in time where a
// server sends a frame on to.
const DOCUMENTS = { urlPattern: "*", resourceType: "Document" };

// What is known of a tab whose page is the target `root`. The page's own session is "".
export function viewOf(root, tree) {
  const view = {
    root,
    // Of each frame or worker that has a session of its own: its target, where it is, and who waits to know.
    sessions: new Map(),
    // Of each frame in the session of its parent: which that is, and where it is.
    frames: new Map(),
    // Where frames set out for.
    heads: new Map(),
    // What the hub asked for of requests, and where it asked for events of the page, by session.
    fetching: new Map(),
    paged: new Set(),
  };
  for (const { frame } of descendants(tree)) view.frames.set(frame.id, { session: "", url: frame.url });
  return view;
}

function descendants({ childFrames = [] }) {
  return childFrames.flatMap(child => [child, ...descendants(child)]);
}

// Pages that Chrome loads ahead are frames too; workers are not.
export function isFrame(type) {
  return type === "iframe" || type === "page";
}

// An excluded address among the frames of a session that cannot be told from its own page; "" when there is none.
export function excludedWithin(view, session) {
  const those = [...view.frames.values()].filter(frame => frame.session === session);
  return those.find(({ url }) => objectionToSite(url, state.excluded))?.url ?? "";
}

export function objectionToSession(tab, session) {
  if (!session) return "";
  const there = tab.view.sessions.get(session);
  return objection(there?.url, state.excluded) || objectionToSite(excludedWithin(tab.view, session), state.excluded);
}

// What to wait for before anything is done in a session: it may turn out to be of an excluded site.
export function unknown(tab, session) {
  const there = state.excluded.length ? tab.view.sessions.get(session) : undefined;
  return there && there.frame && !there.url ? there.known.promise : null;
}

// Follows an event; whether it is of a kind that the hub asked for.
export function track(tab, session, method, params) {
  FOLLOWED[method]?.(tab, session, params);
  return !method.startsWith("Page.") || tab.view.paged.has(session);
}

const FOLLOWED = {
  "Page.frameNavigated"({ view }, session, { frame }) {
    const there = view.sessions.get(session);
    if (frame.id !== (there?.target ?? view.root)) {
      view.frames.set(frame.id, { session, url: frame.url });
      return;
    }
    forgetFrames(view, session);
    if (there) locate(there, frame.url);
  },
  "Page.frameDetached"({ view }, session, { frameId }) {
    view.frames.delete(frameId);
  },
  "Target.attachedToTarget"({ view }, session, { sessionId, targetInfo: { targetId, type, url } }) {
    const there = { target: targetId, frame: isFrame(type), url: "", known: Promise.withResolvers() };
    view.sessions.set(sessionId, there);
    locate(there, url || view.heads.get(targetId));
  },
  "Target.targetInfoChanged"({ view }, session, { targetInfo: { targetId, url } }) {
    for (const there of view.sessions.values()) if (there.target === targetId) locate(there, url);
  },
  "Target.detachedFromTarget"({ view }, session, { sessionId }) {
    view.sessions.get(sessionId)?.known.resolve();
    view.sessions.delete(sessionId);
    view.fetching.delete(sessionId);
    forgetFrames(view, sessionId);
  },
  "Fetch.requestPaused"(tab, session, params) {
    if (params.resourceType === "Document" && params.frameId && !("responseStatusCode" in params))
      setOut(tab, session, params);
  },
};

function locate(there, url) {
  if (!url) return;
  there.url = url;
  there.known.resolve();
}

function forgetFrames(view, session) {
  for (const [id, frame] of view.frames) if (frame.session === session) view.frames.delete(id);
}

// A tab is let go of before its page goes to an excluded site, and before a frame does that has a session already or may
// share that of the page: what an agent planted there would run in it.
function setOut(tab, session, { frameId, request: { url } }) {
  const { view } = tab;
  view.heads.set(frameId, url);
  if (view.heads.size > MOST_HEADS) view.heads.delete(view.heads.keys().next().value);
  if (!objectionToSite(url, state.excluded)) return;
  if (frameId === view.root) tab.heading = url;
  else if (taken(view, frameId) || related(url, view.sessions.get(session)?.url ?? tab.url)) tab.barred = url;
}

function taken(view, frameId) {
  return [...view.sessions.values()].some(({ target }) => target === frameId);
}

// How requests of a session are asked about: as the hub wants, and for our own sake. Workers have no documents.
export function fetching(tab, session) {
  const wanted = tab.view.fetching.get(session);
  const ours = state.excluded.length > 0 && (!session || tab.view.sessions.get(session)?.frame);
  if (!ours) return wanted ? ["Fetch.enable", wanted] : ["Fetch.disable", {}];
  if (wanted && !wanted.patterns) return ["Fetch.enable", wanted];
  return ["Fetch.enable", { ...wanted, patterns: [...(wanted?.patterns ?? []), DOCUMENTS] }];
}

// How a request that was stopped goes on without the hub; null when the hub decides, or the tab is let go of at once.
export function release(tab, session, method, { requestId, request: { url } }) {
  if ([tab.heading, tab.barred].some(away => away && objectionToSite(away, state.excluded))) return null;
  const hidden = objectionToSite(url, state.excluded) || objectionToSession(tab, session);
  if (!hidden && tab.view.fetching.has(session)) return null;
  if (method === "Fetch.requestPaused") return ["Fetch.continueRequest", { requestId }];
  return ["Fetch.continueWithAuth", { requestId, authChallengeResponse: { response: "Default" } }];
}
