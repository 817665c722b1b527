// What is kept: choices and the pairing for good, which tabs are an agent's until Chrome ends.

import { random } from "./proof.js";

const LASTING = { device: "", hub: null, excluded: [], stopped: false };
const PASSING = { tabs: {}, windows: [] };

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
  return Promise.all([
    chrome.storage.local.set(part(LASTING)),
    chrome.storage.session.set(part(PASSING)),
  ]);
}
