// What is kept: choices, the pairing and what is known of the tabs that are an agent's; some of it until Chrome ends.

import { random } from "./proof.js";

// `again`: whether tabs that Chrome brings back are shared again; `run`: names this run of Chrome; `last`: the highest
// name that a tab got, and `before`: that any got in earlier runs.
const LASTING = { device: "", hub: null, excluded: [], stopped: false, again: true, run: "", tabs: [], last: 0 };
// `groups`: the tab groups that we made.
const PASSING = { begun: false, before: 0, windows: [], groups: [] };

export const state = { ...LASTING, ...PASSING };

export async function load() {
  const [lasting, passing] = await Promise.all([
    chrome.storage.local.get(LASTING),
    chrome.storage.session.get(PASSING),
  ]);
  Object.assign(state, lasting, passing);
  if (!state.device) keep({ device: random(16) });
}

export function keep(changed) {
  Object.assign(state, changed);
  const part = names => Object.fromEntries(Object.entries(changed).filter(([name]) => name in names));
  return Promise.all([chrome.storage.local.set(part(LASTING)), chrome.storage.session.set(part(PASSING))]);
}
