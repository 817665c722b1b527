// The tabs that an agent may use: those the person shares, and those the agent opens. All others are unknown here.

import { TOOLS } from "./allowed_commands.js";
import { objection, objectionToSite } from "../sites.js";
import { keep, state } from "./state.js";

export const STOPPED = "the extension does not allow it: the user stopped all agents";

const PAUSE = 200;
const LONGEST_ADDRESS = 4000;

// By Chrome's id. The hub knows a tab by its name, which stays when Chrome is restarted.
const ours = new Map();
// What is kept of tabs that are not there: Chrome may bring them back when it starts.
const away = new Map();
let saved = "";
let noting = null;

export function notShared(id) {
  return `the extension does not allow it: tab ${id} is not shared`;
}

export function get(id) {
  return ours.get(id);
}

export function named(name) {
  return all().find(tab => tab.name === name);
}

// In the order in which they became ours, whatever the order in which Chrome brought them back.
export function all() {
  return [...ours.values()].sort((one, other) => one.since - other.since);
}

// Takes a tab in, or in another way than before. `how` is "shared" or "opened".
export function add(chromeTab, how, more = {}) {
  const tab = ours.get(chromeTab.id) ?? {
    id: chromeTab.id,
    name: more.name ?? newName(chromeTab.id),
    since: Date.now(),
    holder: "",
    opener: undefined,
    attached: false,
    acted: 0,
    moves: 0,
    heading: "",
    barred: "",
    view: null,
    streams: new Set(),
    requests: new Map(),
  };
  Object.assign(tab, { how, ...more });
  update(tab, chromeTab);
  tab.reachable = !objectionToTab(tab);
  ours.set(tab.id, tab);
  away.delete(tab.name);
  save();
  return tab;
}

export function remove(id) {
  ours.delete(id);
  save();
}

// Chrome's own number, unless a tab of an earlier run may be called so: a Chrome that crashed gives them out again.
function newName(id) {
  let name = id > state.before ? id : state.last + 1;
  while (named(name)) name += 1;
  keep({ last: Math.max(state.last, name) });
  return name;
}

// Takes over what Chrome says of a tab; whether anything that is told of it changed.
function update(tab, chromeTab) {
  const { title = "", url = "", pendingUrl = "", active, windowId, index } = chromeTab;
  tab.index = index;
  const now = { title, url: url || pendingUrl, active, windowId };
  const changed = Object.keys(now).some(name => now[name] !== tab[name]);
  Object.assign(tab, now);
  return changed;
}

// Asks Chrome where a tab is; whether anything that is told of it changed. An answer that its page has overtaken by
// going elsewhere does not count: an event tells where a tab was, and this is how it is known where it is.
export async function refresh(tab) {
  for (;;) {
    const moves = tab.moves;
    const chromeTab = await chrome.tabs.get(tab.id).catch(() => null);
    if (!chromeTab) return false;
    if (tab.moves === moves) return update(tab, chromeTab);
  }
}

export function hold(tab, holder) {
  tab.holder = holder;
  save();
}

export function objectionToTab(tab) {
  return objection(tab.url, state.excluded) || objectionToSite(tab.heading, state.excluded) || objectionToFrames(tab);
}

// `barred`: where a frame is, or was about to be, that cannot be kept apart from the page around it.
export function objectionToFrames(tab) {
  const why = objectionToSite(tab.barred, state.excluded);
  return why && `it holds a frame of another site, and ${why}`;
}

export function toolsOf(tab) {
  return tab.reachable ? TOOLS : [];
}

// What the hub is told of a tab.
export function told(tab) {
  const { name: id, active, windowId, how: mine, holder, opener } = tab;
  const hidden = objectionToSite(tab.url, state.excluded) || objectionToSite(tab.heading, state.excluded);
  const { title, url } = hidden ? { title: "Excluded by the user", url: "" } : tab;
  const info = { id, title, url, active, windowId, mine, tools: toolsOf(tab) };
  return { ...info, ...(holder ? { holder } : {}), ...(opener ? { opener } : {}) };
}

export function inSharedWindow(chromeTab) {
  return state.windows.includes(chromeTab.windowId);
}

// Finds the tabs again that were ours before this worker was started. The others are away: for good, if they went with
// their window and Chrome goes on.
export async function restore() {
  const here = new Map((await chrome.tabs.query({})).map(tab => [tab.id, tab]));
  for (const kept of state.tabs) {
    if (!state.begun) away.set(kept.name, { ...kept, id: 0, parted: false });
    else if (here.has(kept.id)) add(here.get(kept.id), kept.how, kept);
    else if (!kept.parted) away.set(kept.name, { ...kept, parted: true });
  }
  save();
}

export function absent() {
  return [...away.values()];
}

// Keeps what was known of a tab that went with its window: perhaps Chrome ends.
export function miss(tab) {
  const kept = { ...record(tab), parted: true };
  away.set(tab.name, kept);
  return kept;
}

export function forget(those) {
  for (const kept of those) if (away.get(kept.name) === kept) away.delete(kept.name);
  save();
}

// Notes where the tabs are, and where they stand: by that those of one address are told apart later. Not all the time: a
// page may change its address with every step.
export function note() {
  if (noting) {
    noting.again = true;
    return;
  }
  const now = { again: false };
  noting = now;
  setTimeout(() => {
    noting = null;
    if (now.again) note();
  }, PAUSE);
  if (ours.size) place();
}

async function place() {
  const here = await chrome.tabs.query({});
  // In a window that is closing they move up, one after the other.
  const still = !absent().some(({ parted }) => parted);
  for (const { id, index } of still ? here : []) if (ours.has(id)) ours.get(id).index = index;
  save();
}

// Keeps what is known of the tabs, if it changed.
export function save() {
  const tabs = [...all().map(record), ...absent()];
  if (JSON.stringify(tabs) === saved) return;
  saved = JSON.stringify(tabs);
  keep({ tabs });
}

function record({ id, name, since, how, holder, opener, byWindow, url, index }) {
  return { id, name, since, how, holder, opener, byWindow, index, url: url.length > LONGEST_ADDRESS ? "" : url };
}
