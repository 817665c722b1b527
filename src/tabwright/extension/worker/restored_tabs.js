// Tabs that Chrome restores when it starts: those that were shared are shared again, if they can be identified.

import { randomHex } from "./proof.js";
import { addTab } from "./sharing.js";
import { adoptGroups, tidyGroups } from "./indicators.js";
import { objection } from "../sites.js";
import { saveState, state } from "./state.js";
import { missingTabs, forgetMissing, getTab, addMissing } from "./tabs.js";

// How long Chrome may take to restore tabs, since it may ask the user first; and how long the hub waits for them.
const RESTORE_MS = 60_000;
const FIRST_TABS_MS = 2_000;
// If Chrome still runs this long after a window was closed, it is not shutting down.
const CLOSING_MS = 10_000;

let awaiting = false;
let settle = () => {};
let settled = Promise.resolve();

// Resolves once the tabs that Chrome restores at once are back.
export function whenRestored() {
  return settled;
}

// Decides what to do with tabs that are missing, after the others were found.
export function awaitRestoredTabs() {
  const missing = missingTabs();
  adoptGroups(!state.begun);
  awaiting = !state.begun && state.shareAgain && missing.length > 0;
  if (awaiting)
    settled = new Promise(resolve => {
      settle = resolve;
      setTimeout(resolve, FIRST_TABS_MS);
    });
  else if (!state.begun) forgetMissing(missing);
  // Their group was restored with them, and stays until it is known whether an agent uses them.
  if (!awaiting) tidyGroups();
  setTimeout(
    () => {
      awaiting = false;
      forgetMissing(missing);
      tidyGroups().then(() => adoptGroups(false));
    },
    awaiting ? RESTORE_MS : CLOSING_MS,
  );
  if (!state.begun) saveState({ begun: true, before: state.last });
}

// Chrome started, not only this extension.
export function noteStartup() {
  saveState({ run: randomHex(8) });
}

// Shares a new tab again if Chrome restored it. A restored tab has a URL and no page yet; a new one has neither.
export async function recogniseTab({ id, status, url, openerTabId }) {
  if (!awaiting || status !== "unloaded" || openerTabId || objection(url, state.excluded)) return;
  const alike = (await chrome.tabs.query({})).filter(tab => (tab.pendingUrl || tab.url) === url);
  const chromeTab = alike.find(tab => tab.id === id);
  const entry = chromeTab && !getTab(id) && findMatch(chromeTab, alike);
  if (!entry || state.stopped) return;
  const { name, since, how, holder, opener } = entry;
  addTab(chromeTab, how, { name, since, holder, opener });
  if (!missingTabs().length) settle();
}

// Returns the missing tab that this is: the only one at its URL, or the only one there at its index.
function findMatch(/** @type {chrome.tabs.Tab} */ { url, index }, alike) {
  const candidates = missingTabs().filter(entry => entry.url === url && !entry.parted);
  if (candidates.length === 1 && alike.length === 1) return candidates[0];
  const [entry, ...others] = candidates.filter(one => one.index === index);
  return others.length || alike.filter(tab => tab.index === index).length > 1 ? undefined : entry;
}

// A window was closed with its tabs: if Chrome is still running later, the user closed it.
export function rememberClosed(tab) {
  const entry = addMissing(tab);
  setTimeout(() => forgetMissing([entry]), CLOSING_MS);
}
