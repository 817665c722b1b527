// What the person sees at a glance: a number on the button, and a group of the tabs in use.

import { hub } from "./hub.js";
import { keep, state } from "./state.js";
import { all } from "./tabs.js";

/** @type {{ title: string, color: "blue" }} */
const GROUP = { title: "Tabwright", color: "blue" };
const COLOURS = { use: "#1a73e8", shared: "#188038", trouble: "#c5221f", stopped: "#5f6368" };

const watchers = new Set();
let adopting = false;
let grouping = Promise.resolve();

export function show() {
  const { text, colour, title } = badge();
  chrome.action.setBadgeText({ text });
  chrome.action.setBadgeBackgroundColor({ color: COLOURS[colour] });
  chrome.action.setBadgeTextColor({ color: "#ffffff" });
  chrome.action.setTitle({ title: `Tabwright: ${title}` });
  for (const watcher of watchers) watcher(overview());
}

// Calls with what there is to see, now and whenever it changes; returns how to end it.
export function watch(watcher) {
  watchers.add(watcher);
  watcher(overview());
  return () => watchers.delete(watcher);
}

function overview() {
  const tabs = all().map(({ id, title, url, how, holder, attached, reachable, windowId }) => ({
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
  return { status: hub.status, outdated, tabs, windows: state.windows, excluded: state.excluded, again: state.again };
}

function badge() {
  const tabs = all();
  const used = tabs.filter(tab => tab.attached).length;
  if (state.stopped) return { text: "off", colour: "stopped", title: "stopped" };
  if (used) return { text: String(used), colour: "use", title: `an agent uses ${count(used)}` };
  if (tabs.length && hub.status !== "connected") {
    return { text: "!", colour: "trouble", title: `${count(tabs.length)} shared, but no hub is connected` };
  }
  if (tabs.length) return { text: String(tabs.length), colour: "shared", title: `${count(tabs.length)} shared` };
  return { text: "", colour: "shared", title: hub.status === "connected" ? "ready" : "not connected" };
}

function count(tabs) {
  return tabs === 1 ? "1 tab" : `${tabs} tabs`;
}

// Puts a tab in use into our group of its window. A tab that the person grouped or pinned stays where it is.
export function gather(tab) {
  return next(async () => {
    const { groupId, pinned, windowId } = await chrome.tabs.get(tab.id);
    if (groupId !== chrome.tabGroups.TAB_GROUP_ID_NONE || pinned || !tab.attached) return;
    const there = (await ourGroups()).find(group => group.windowId === windowId);
    const where = there ? { groupId: there.id } : { createProperties: { windowId } };
    const id = await chrome.tabs.group({ tabIds: tab.id, ...where });
    if (!there) keep({ groups: [...state.groups, id] });
    await chrome.tabGroups.update(id, GROUP);
  });
}

// Whether groups that look like ours are taken for ours: those that an earlier Chrome left come back under other ids.
export function adopt(wanted) {
  adopting = wanted;
}

// A group that the person made, or gave another name, is the person's, whatever it is called.
async function ourGroups() {
  const alike = await chrome.tabGroups.query(GROUP);
  const ours = alike.filter(({ id }) => adopting || state.groups.includes(id));
  if (adopting) keep({ groups: ours.map(({ id }) => id) });
  return ours;
}

// Takes what is not in use out of our groups: also what an earlier worker, or an earlier Chrome, left there.
export function tidy() {
  return next(async () => {
    const used = all()
      .filter(tab => tab.attached)
      .map(tab => tab.id);
    for (const { id: groupId } of await ourGroups()) {
      const idle = (await chrome.tabs.query({ groupId })).map(tab => tab.id).filter(id => !used.includes(id));
      if (idle.length) await chrome.tabs.ungroup(/** @type {[number, ...number[]]} */ (idle));
    }
  });
}

// One after the other, so that two tabs come into one group. Chrome refuses while a tab is dragged; that is no harm.
function next(act) {
  grouping = grouping.then(act).catch(error => console.debug("not grouped:", error.message));
  return grouping;
}
