// What the hub asks for, done only in tabs that are an agent's.

import { attach, command, requireUse } from "./debugger.js";
import { lasting, replying, send } from "./hub.js";
import { giveBack, take, taken } from "./sharing.js";
import { objectionToOpening } from "../sites.js";
import { state } from "./state.js";
import { all, named, notShared, refresh, STOPPED, told } from "./tabs.js";

const ORDERS = { openTab, focusTab, closeTab, callTool };
const TOOLS = {
  cdp: command,
  async attach(tab, { holder = "" }) {
    const result = await attach(tab, String(holder).slice(0, 200), lasting());
    taken(tab);
    return result;
  },
  detach: giveBack,
};

let focusedAt = 0;
/** @type {Promise<unknown>} */
let opening = Promise.resolve();

// Is kept once the tabs that are being opened for agents are known as theirs.
export function allOpened() {
  return opening;
}

export function answer(message) {
  if (message.type === "connect") return introduce();
  const order = ORDERS[message.type];
  if (!order) return undefined;
  const reply = replying();
  const say = outcome => reply({ type: "toolResult", callId: message.callId, ...outcome });
  const tab = message.toolName === "cdp" ? named(message.tabId) : undefined;
  const done = attempt(() => order(message)).then(result => ({ result: result ?? {} }), failure);
  return done.then(outcome => (tab ? inTurn(tab, () => still(tab, outcome, say)) : say(outcome)));
}

// What a page answers once it is at an excluded site is not passed on. Where nothing is excluded, nobody is asked.
function still(tab, outcome, say) {
  const judged = () => {
    try {
      requireUse(tab);
      return say(outcome);
    } catch (error) {
      return say(failure(error));
    }
  };
  return state.excluded.length ? refresh(tab).then(judged) : judged();
}

// What a tab answers and tells leaves in the order it came, though an answer may have to wait for a look at the tab.
export function inTurn(tab, act) {
  if (!tab.turns && !state.excluded.length) return act();
  tab.turns = (tab.turns ?? 0) + 1;
  tab.last = (tab.last ?? Promise.resolve()).then(act).finally(() => {
    tab.turns -= 1;
  });
  return tab.last;
}

function failure(error) {
  return { result: null, error: error.message };
}

export function focused() {
  focusedAt = Date.now();
  send({ type: "windowFocused", at: focusedAt });
}

async function introduce() {
  const reply = replying();
  // A worker that was just started has seen no window come to the front.
  const last = await chrome.windows.getLastFocused().catch(() => null);
  if (last?.focused) focusedAt = Date.now();
  reply({ type: "connected", browser: await browser(), tabs: all().map(told), focusedAt, run: state.run });
}

// Runs it now: to wait first would let what came later overtake it.
function attempt(act) {
  try {
    return Promise.resolve(act());
  } catch (error) {
    return Promise.reject(error);
  }
}

async function openTab({ url, focus = false, holder = "" }) {
  if (state.stopped) throw new Error(STOPPED);
  const why = objectionToOpening(url, state.excluded);
  if (why) throw new Error(`the extension does not allow ${String(url).slice(0, 200)}: ${why}`);
  const creating = create(url, focus);
  opening = Promise.allSettled([opening, creating]);
  const made = await creating;
  if (state.stopped) throw new Error(STOPPED);
  return { tab: told(take(made, "opened", { holder })) };
}

// In the window that the person used last, behind what is there: no window comes to the front.
async function create(url, active) {
  const windows = await chrome.windows.getAll({ windowTypes: ["normal"] });
  if (windows.length) {
    const last = await chrome.windows.getLastFocused({ windowTypes: ["normal"] }).catch(() => windows[0]);
    return chrome.tabs.create({ url, active, windowId: last.id });
  }
  return (await chrome.windows.create({ url, focused: false })).tabs[0];
}

async function focusTab({ tabId }) {
  await chrome.tabs.update(ours(tabId).id, { active: true });
}

async function closeTab({ tabId }) {
  await chrome.tabs.remove(ours(tabId).id);
}

function callTool({ tabId, toolName, args = {} }) {
  const tool = TOOLS[toolName];
  if (!tool) throw new Error(`the extension does not allow ${toolName}: it has no such tool`);
  return tool(ours(tabId), args);
}

function ours(tabId) {
  const tab = named(tabId);
  if (!tab) throw new Error(notShared(tabId));
  return tab;
}

export async function browser() {
  const about = /** @type {any} */ (navigator).userAgentData;
  const { fullVersionList = [] } = (await about?.getHighEntropyValues(["fullVersionList"])) ?? {};
  const brands = fullVersionList.filter(({ brand }) => !/not.?a.?brand/i.test(brand));
  const named = brands.find(({ brand }) => brand !== "Chromium") ?? brands[0] ?? { brand: "Chrome", version: "" };
  return { name: named.brand, version: named.version, userAgent: navigator.userAgent };
}
