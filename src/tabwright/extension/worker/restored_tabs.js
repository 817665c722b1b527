// Tabs that Chrome brings back when it is started again: those that were an agent's become so again, if it is sure which
// they are.

import { random } from "./proof.js";
import { take } from "./sharing.js";
import { adopt, tidy } from "./indicators.js";
import { objection } from "../sites.js";
import { keep, state } from "./state.js";
import { absent, forget, get, miss } from "./tabs.js";

// How long Chrome may take to bring tabs back, perhaps because it asks first; and how long the hub waits for them.
const START = 60_000;
const FIRST = 2_000;
// A Chrome that closed a window and is there so much later has not ended.
const LIVES_ON = 10_000;

let awaiting = false;
let settle = () => {};
let settled = Promise.resolve();

// Is kept once the tabs are back that come at once.
export function allBack() {
  return settled;
}

// Decides what becomes of the tabs that are not there, now that the others were found.
export function expect() {
  const those = absent();
  adopt(!state.begun);
  awaiting = !state.begun && state.again && those.length > 0;
  if (awaiting)
    settled = new Promise(resolve => {
      settle = resolve;
      setTimeout(resolve, FIRST);
    });
  else if (!state.begun) forget(those);
  // The group that they were in came back with them, and stays until it is known whether an agent takes them.
  if (!awaiting) tidy();
  setTimeout(
    () => {
      awaiting = false;
      forget(those);
      tidy().then(() => adopt(false));
    },
    awaiting ? START : LIVES_ON,
  );
  if (!state.begun) keep({ begun: true, before: state.last });
}

// Notes that Chrome was started, not only this extension.
export function started() {
  keep({ run: random(8) });
}

// Takes a tab that Chrome made just now, if it is one that it brought back. Those have an address and no page yet; one
// that is opened has neither.
export async function back({ id, status, url, openerTabId }) {
  if (!awaiting || status !== "unloaded" || openerTabId || objection(url, state.excluded)) return;
  const same = (await chrome.tabs.query({})).filter(tab => (tab.pendingUrl || tab.url) === url);
  const chromeTab = same.find(tab => tab.id === id);
  const kept = chromeTab && !get(id) && sought(chromeTab, same);
  if (!kept || state.stopped) return;
  const { name, since, how, holder, opener } = kept;
  take(chromeTab, how, { name, since, holder, opener });
  if (!absent().length) settle();
}

// Which of the tabs that are away this is: the only one at its address, or the only one there in its place.
function sought(/** @type {chrome.tabs.Tab} */ { url, index }, same) {
  const wanted = absent().filter(kept => kept.url === url && !kept.parted);
  if (wanted.length === 1 && same.length === 1) return wanted[0];
  const [kept, ...others] = wanted.filter(one => one.index === index);
  return others.length || same.filter(tab => tab.index === index).length > 1 ? undefined : kept;
}

// A window was closed with its tabs: whether by Chrome, as it ended, or by the person is known when there is a later.
export function part(tab) {
  const kept = miss(tab);
  setTimeout(() => forget([kept]), LIVES_ON);
}
