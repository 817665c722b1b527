// The tabs that agents may use: those that the user shared or an agent opened. Other tabs are unknown here.

import { TOOLS } from "./allowed_commands.js";
import { objection, objectionToSite } from "../sites.js";
import { saveState, state } from "./state.js";

export const STOPPED = "the extension does not allow it: the user stopped all agents";

const SAVE_INTERVAL_MS = 200;
const MAX_URL_LENGTH = 4000;

// By Chrome's id. The hub knows a tab by its name, which survives a restart of Chrome.
const shared = new Map();
// Tabs that are closed, but that Chrome may restore when it starts.
const missing = new Map();
let saved = "";
let saving = null;

export function notShared(id) {
  return `the extension does not allow it: tab ${id} is not shared`;
}

export function getTab(id) {
  return shared.get(id);
}

export function tabByName(name) {
  return allTabs().find(tab => tab.name === name);
}

// In the order in which they were first shared.
export function allTabs() {
  return [...shared.values()].sort((one, other) => one.since - other.since);
}

// Stores a tab, or updates it. `how` is "shared" or "opened".
export function storeTab(chromeTab, how, more = {}) {
  const tab = shared.get(chromeTab.id) ?? {
    id: chromeTab.id,
    name: more.name ?? newName(chromeTab.id),
    since: Date.now(),
    holder: "",
    opener: undefined,
    attached: false,
    actedAt: 0,
    navigations: 0,
    destination: "",
    excludedFrameUrl: "",
    view: null,
    streams: new Set(),
    requests: new Map(),
  };
  Object.assign(tab, { how, ...more });
  update(tab, chromeTab);
  tab.reachable = !objectionToTab(tab);
  shared.set(tab.id, tab);
  missing.delete(tab.name);
  saveTabs();
  return tab;
}

export function removeTab(id) {
  shared.delete(id);
  saveTabs();
}

// Chrome's own id, unless a tab of an earlier run may have it: after a crash Chrome assigns ids again.
function newName(id) {
  let name = id > state.before ? id : state.last + 1;
  while (tabByName(name)) name += 1;
  saveState({ last: Math.max(state.last, name) });
  return name;
}

// Copies Chrome's data about a tab; returns whether anything reported to the hub changed.
function update(tab, chromeTab) {
  const { title = "", url = "", pendingUrl = "", active, windowId, index } = chromeTab;
  tab.index = index;
  const now = { title, url: url || pendingUrl, active, windowId };
  const changed = Object.keys(now).some(name => now[name] !== tab[name]);
  Object.assign(tab, now);
  return changed;
}

// Updates a tab from Chrome; returns whether anything reported to the hub changed. Events are late: they say where a tab
// was. If the page navigated while Chrome answered, asks again.
export async function refreshTab(tab) {
  for (;;) {
    const navigations = tab.navigations;
    const chromeTab = await chrome.tabs.get(tab.id).catch(() => null);
    if (!chromeTab) return false;
    if (tab.navigations === navigations) return update(tab, chromeTab);
  }
}

export function setHolder(tab, holder) {
  tab.holder = holder;
  saveTabs();
}

export function objectionToTab(tab) {
  return (
    objection(tab.url, state.excluded) || objectionToSite(tab.destination, state.excluded) || objectionToFrames(tab)
  );
}

// `excludedFrameUrl`: an excluded frame that cannot be separated from its page, or the navigation to one.
export function objectionToFrames(tab) {
  const refusal = objectionToSite(tab.excludedFrameUrl, state.excluded);
  return refusal && `it holds a frame of another site, and ${refusal}`;
}

export function toolsOf(tab) {
  return tab.reachable ? TOOLS : [];
}

// Returns the description of a tab for the hub.
export function describeTab(tab) {
  const { name: id, active, windowId, how: mine, holder, opener } = tab;
  const hidden = objectionToSite(tab.url, state.excluded) || objectionToSite(tab.destination, state.excluded);
  const { title, url } = hidden ? { title: "Excluded by the user", url: "" } : tab;
  const info = { id, title, url, active, windowId, mine, tools: toolsOf(tab) };
  return { ...info, ...(holder ? { holder } : {}), ...(opener ? { opener } : {}) };
}

export function inSharedWindow(chromeTab) {
  return state.windows.includes(chromeTab.windowId);
}

// Finds the shared tabs again after a restart of the worker. Others are missing: for good, if they were closed with their
// window and Chrome still runs.
export async function restoreTabs() {
  const open = new Map((await chrome.tabs.query({})).map(tab => [tab.id, tab]));
  for (const entry of state.tabs) {
    if (!state.begun) missing.set(entry.name, { ...entry, id: 0, parted: false });
    else if (open.has(entry.id)) storeTab(open.get(entry.id), entry.how, entry);
    else if (!entry.parted) missing.set(entry.name, { ...entry, parted: true });
  }
  saveTabs();
}

export function missingTabs() {
  return [...missing.values()];
}

// Remembers a tab that was closed with its window: Chrome may be shutting down.
export function addMissing(tab) {
  const entry = { ...toRecord(tab), parted: true };
  missing.set(tab.name, entry);
  return entry;
}

export function forgetMissing(entries) {
  for (const entry of entries) if (missing.get(entry.name) === entry) missing.delete(entry.name);
  saveTabs();
}

// Saves URLs and positions of the tabs; the position distinguishes tabs with the same URL later. Not on every event: a
// page may change its URL all the time.
export function savePositionsSoon() {
  if (saving) {
    saving.again = true;
    return;
  }
  const now = { again: false };
  saving = now;
  setTimeout(() => {
    saving = null;
    if (now.again) savePositionsSoon();
  }, SAVE_INTERVAL_MS);
  if (shared.size) savePositions();
}

async function savePositions() {
  const open = await chrome.tabs.query({});
  // In a closing window the positions shift.
  const noWindowClosing = !missingTabs().some(({ parted }) => parted);
  for (const { id, index } of noWindowClosing ? open : []) if (shared.has(id)) shared.get(id).index = index;
  saveTabs();
}

// Saves the tabs if they changed.
export function saveTabs() {
  const tabs = [...allTabs().map(toRecord), ...missingTabs()];
  if (JSON.stringify(tabs) === saved) return;
  saved = JSON.stringify(tabs);
  saveState({ tabs });
}

function toRecord({ id, name, since, how, holder, opener, byWindow, url, index }) {
  return { id, name, since, how, holder, opener, byWindow, index, url: url.length > MAX_URL_LENGTH ? "" : url };
}
