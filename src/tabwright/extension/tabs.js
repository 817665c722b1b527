// The tabs that an agent may use: those the person shares, and those the agent opens. All others are unknown here.

import { TOOLS } from "./allowed.js";
import { objection, objectionToSite } from "./sites.js";
import { keep, state } from "./state.js";

export const STOPPED = "the extension does not allow it: the user stopped all agents";

const ours = new Map();

export function notShared(id) {
  return `the extension does not allow it: tab ${id} is not shared`;
}

export function get(id) {
  return ours.get(id);
}

export function all() {
  return [...ours.values()];
}

// Takes a tab in, or in another way than before. `how` is "shared" or "opened".
export function add(chromeTab, how, more = {}) {
  const tab = ours.get(chromeTab.id) ?? {
    id: chromeTab.id, holder: "", opener: undefined, attached: false, acted: 0, moves: 0, heading: "",
    streams: new Set(), sessions: new Map(), requests: new Map(),
  };
  Object.assign(tab, { how, ...more });
  update(tab, chromeTab);
  tab.reachable = !objectionToTab(tab);
  ours.set(tab.id, tab);
  save();
  return tab;
}

export function remove(id) {
  ours.delete(id);
  save();
}

// Takes over what Chrome says of a tab; whether anything that is told of it changed.
function update(tab, chromeTab) {
  const { title = "", url = "", pendingUrl = "", active, windowId } = chromeTab;
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
  return objection(tab.url, state.excluded) || objectionToSite(tab.heading, state.excluded);
}

export function toolsOf(tab) {
  return tab.reachable ? TOOLS : [];
}

// What the hub is told of a tab.
export function told(tab) {
  const { id, active, windowId, how: mine, holder, opener } = tab;
  const hidden = objectionToSite(tab.url, state.excluded) || objectionToSite(tab.heading, state.excluded);
  const { title, url } = hidden ? { title: "Excluded by the user", url: "" } : tab;
  const info = { id, title, url, active, windowId, mine, tools: toolsOf(tab) };
  return { ...info, ...(holder ? { holder } : {}), ...(opener ? { opener } : {}) };
}

export function inSharedWindow(chromeTab) {
  return state.windows.includes(chromeTab.windowId);
}

// Finds the tabs again that were ours before this worker was started.
export async function restore() {
  const here = new Map((await chrome.tabs.query({})).map(tab => [tab.id, tab]));
  for (const [id, kept] of Object.entries(state.tabs)) {
    if (here.has(Number(id))) add(here.get(Number(id)), kept.how, kept);
  }
  save();
}

function save() {
  const kept = all().map(({ id, how, holder, opener, byWindow }) => [id, { how, holder, opener, byWindow }]);
  keep({ tabs: Object.fromEntries(kept) });
}
