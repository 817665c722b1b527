// What the user sees at a glance: the badge on the button, and the group of tabs in use.

import { hub } from "./hub.js";
import { saveState, state } from "./state.js";
import { allTabs } from "./tabs.js";

/** @type {{ title: string, color: "blue" }} */
const GROUP = { title: "Tabwright", color: "blue" };
const COLOURS = { use: "#1a73e8", shared: "#188038", trouble: "#c5221f", stopped: "#5f6368" };

const watchers = new Set();
let adopting = false;
let grouping = Promise.resolve();

export function updateIndicators() {
  const { text, colour, title } = badge();
  chrome.action.setBadgeText({ text });
  chrome.action.setBadgeBackgroundColor({ color: COLOURS[colour] });
  chrome.action.setBadgeTextColor({ color: "#ffffff" });
  chrome.action.setTitle({ title: `Tabwright: ${title}` });
  for (const watcher of watchers) watcher(overview());
}

// Calls back with the overview, now and on every change; returns a function that stops it.
export function watchOverview(watcher) {
  watchers.add(watcher);
  watcher(overview());
  return () => watchers.delete(watcher);
}

function overview() {
  const tabs = allTabs().map(({ id, title, url, how, holder, attached, reachable, windowId }) => ({
    id,
    title,
    url,
    how,
    holder,
    attached,
    reachable,
    windowId,
  }));
  const outdated = hub.status === "connected" && hub.version !== chrome.runtime.getManifest().version;
  return {
    status: hub.status,
    outdated,
    tabs,
    windows: state.windows,
    excluded: state.excluded,
    shareAgain: state.shareAgain,
  };
}

function badge() {
  const tabs = allTabs();
  const inUse = tabs.filter(tab => tab.attached).length;
  if (state.stopped) return { text: "off", colour: "stopped", title: "stopped" };
  if (inUse) return { text: String(inUse), colour: "use", title: `an agent uses ${count(inUse)}` };
  if (tabs.length && hub.status !== "connected") {
    return { text: "!", colour: "trouble", title: `${count(tabs.length)} shared, but no hub is connected` };
  }
  if (tabs.length) return { text: String(tabs.length), colour: "shared", title: `${count(tabs.length)} shared` };
  return { text: "", colour: "shared", title: hub.status === "connected" ? "ready" : "not connected" };
}

function count(tabs) {
  return tabs === 1 ? "1 tab" : `${tabs} tabs`;
}

// Moves a tab in use into our group in its window, unless the user grouped or pinned it.
export function addToGroup(tab) {
  return enqueue(async () => {
    const { groupId, pinned, windowId } = await chrome.tabs.get(tab.id);
    if (groupId !== chrome.tabGroups.TAB_GROUP_ID_NONE || pinned || !tab.attached) return;
    const existing = (await ourGroups()).find(group => group.windowId === windowId);
    const target = existing ? { groupId: existing.id } : { createProperties: { windowId } };
    const id = await chrome.tabs.group({ tabIds: tab.id, ...target });
    if (!existing) saveState({ groups: [...state.groups, id] });
    await chrome.tabGroups.update(id, GROUP);
  });
}

// Sets whether groups that look like ours count as ours: restored groups have new ids.
export function adoptGroups(wanted) {
  adopting = wanted;
}

// A group that the user made or renamed is the user's.
async function ourGroups() {
  const alike = await chrome.tabGroups.query(GROUP);
  const ours = alike.filter(({ id }) => adopting || state.groups.includes(id));
  if (adopting) saveState({ groups: ours.map(({ id }) => id) });
  return ours;
}

// Removes tabs that are not in use from our groups, including leftovers of an earlier worker or run of Chrome.
export function tidyGroups() {
  return enqueue(async () => {
    const inUse = allTabs()
      .filter(tab => tab.attached)
      .map(tab => tab.id);
    for (const { id: groupId } of await ourGroups()) {
      const idle = (await chrome.tabs.query({ groupId })).map(tab => tab.id).filter(id => !inUse.includes(id));
      if (idle.length) await chrome.tabs.ungroup(/** @type {[number, ...number[]]} */ (idle));
    }
  });
}

// One after the other, so that two tabs share one group. Chrome refuses while a tab is dragged, which is harmless.
function enqueue(action) {
  grouping = grouping.then(action).catch(error => console.debug("not grouped:", error.message));
  return grouping;
}
