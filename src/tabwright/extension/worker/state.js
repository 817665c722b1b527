// The stored state: the user's choices, the pairing and the shared tabs; some of it only until Chrome exits.

import { randomHex } from "./proof.js";

// `shareAgain`: whether restored tabs are shared again; `run`: identifies this run of Chrome; `last`: the highest name of a
// tab so far; `before`: the highest one of earlier runs.
const PERSISTENT = {
  device: "",
  hub: null,
  excluded: [],
  stopped: false,
  shareAgain: true,
  run: "",
  tabs: [],
  last: 0,
};
// `groups`: the tab groups that we made.
const PER_RUN = { begun: false, before: 0, windows: [], groups: [] };

export const state = { ...PERSISTENT, ...PER_RUN };

export async function loadState() {
  const [persistent, perRun] = await Promise.all([
    chrome.storage.local.get(PERSISTENT),
    chrome.storage.session.get(PER_RUN),
  ]);
  Object.assign(state, persistent, perRun);
  if (!state.device) saveState({ device: randomHex(16) });
}

export function saveState(changed) {
  Object.assign(state, changed);
  const pick = names => Object.fromEntries(Object.entries(changed).filter(([name]) => name in names));
  return Promise.all([chrome.storage.local.set(pick(PERSISTENT)), chrome.storage.session.set(pick(PER_RUN))]);
}
