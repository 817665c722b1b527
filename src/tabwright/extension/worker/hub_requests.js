// The hub's requests, executed only in shared tabs.

import { attach, command, requireUsable } from "./debugger.js";
import { connectionCheck, replyFunction, send } from "./hub.js";
import { releaseTab, addTab, onAttached } from "./sharing.js";
import { objectionToOpening } from "../sites.js";
import { state } from "./state.js";
import { allTabs, tabByName, notShared, refreshTab, STOPPED, describeTab } from "./tabs.js";

const REQUESTS = { openTab, focusTab, closeTab, callTool };
const TOOLS = {
  cdp: command,
  async attach(tab, { holder = "" }) {
    const result = await attach(tab, String(holder).slice(0, 200), connectionCheck());
    onAttached(tab);
    return result;
  },
  detach: releaseTab,
};

let focusedAt = 0;
/** @type {Promise<unknown>} */
let opening = Promise.resolve();

// Resolves once the tabs that are being opened for agents are stored.
export function whenOpened() {
  return opening;
}

export function onHubMessage(message) {
  if (message.type === "connect") return sendConnected();
  const run = REQUESTS[message.type];
  if (!run) return undefined;
  const reply = replyFunction();
  const sendOutcome = outcome => reply({ type: "toolResult", callId: message.callId, ...outcome });
  const tab = message.toolName === "cdp" ? tabByName(message.tabId) : undefined;
  const outcomes = runNow(() => run(message)).then(result => ({ result: result ?? {} }), failure);
  return outcomes.then(outcome =>
    tab ? inOrder(tab, () => replyIfUsable(tab, outcome, sendOutcome)) : sendOutcome(outcome),
  );
}

// Drops the result if the page has moved to an excluded site meanwhile. Without exclusions no check is needed.
function replyIfUsable(tab, outcome, sendOutcome) {
  const replyNow = () => {
    try {
      requireUsable(tab);
      return sendOutcome(outcome);
    } catch (error) {
      return sendOutcome(failure(error));
    }
  };
  return state.excluded.length ? refreshTab(tab).then(replyNow) : replyNow();
}

// Keeps the results and events of a tab in order, though a result may wait for a check of the tab.
export function inOrder(tab, action) {
  if (!tab.turns && !state.excluded.length) return action();
  tab.turns = (tab.turns ?? 0) + 1;
  tab.last = (tab.last ?? Promise.resolve()).then(action).finally(() => {
    tab.turns -= 1;
  });
  return tab.last;
}

function failure(error) {
  return { result: null, error: error.message };
}

export function onWindowFocused() {
  focusedAt = Date.now();
  send({ type: "windowFocused", at: focusedAt });
}

async function sendConnected() {
  const reply = replyFunction();
  // A worker that has just started has seen no focus event.
  const last = await chrome.windows.getLastFocused().catch(() => null);
  if (last?.focused) focusedAt = Date.now();
  reply({
    type: "connected",
    browser: await describeBrowser(),
    tabs: allTabs().map(describeTab),
    focusedAt,
    run: state.run,
  });
}

// Runs it synchronously, so that later requests do not overtake it.
function runNow(action) {
  try {
    return Promise.resolve(action());
  } catch (error) {
    return Promise.reject(error);
  }
}

async function openTab({ url, focus = false, holder = "" }) {
  if (state.stopped) throw new Error(STOPPED);
  const refusal = objectionToOpening(url, state.excluded);
  if (refusal) throw new Error(`the extension does not allow ${String(url).slice(0, 200)}: ${refusal}`);
  const creating = create(url, focus);
  opening = Promise.allSettled([opening, creating]);
  const created = await creating;
  if (state.stopped) throw new Error(STOPPED);
  return { tab: describeTab(addTab(created, "opened", { holder })) };
}

// Opens it in the window that the user focused last, without bringing a window to the front.
async function create(url, active) {
  const windows = await chrome.windows.getAll({ windowTypes: ["normal"] });
  if (windows.length) {
    const last = await chrome.windows.getLastFocused({ windowTypes: ["normal"] }).catch(() => windows[0]);
    return chrome.tabs.create({ url, active, windowId: last.id });
  }
  return (await chrome.windows.create({ url, focused: false })).tabs[0];
}

async function focusTab({ tabId }) {
  await chrome.tabs.update(sharedTab(tabId).id, { active: true });
}

async function closeTab({ tabId }) {
  await chrome.tabs.remove(sharedTab(tabId).id);
}

function callTool({ tabId, toolName, args = {} }) {
  const tool = TOOLS[toolName];
  if (!tool) throw new Error(`the extension does not allow ${toolName}: it has no such tool`);
  return tool(sharedTab(tabId), args);
}

function sharedTab(tabId) {
  const tab = tabByName(tabId);
  if (!tab) throw new Error(notShared(tabId));
  return tab;
}

export async function describeBrowser() {
  const brandInfo = /** @type {any} */ (navigator).userAgentData;
  const { fullVersionList = [] } = (await brandInfo?.getHighEntropyValues(["fullVersionList"])) ?? {};
  const brands = fullVersionList.filter(({ brand }) => !/not.?a.?brand/i.test(brand));
  const tabByName = brands.find(({ brand }) => brand !== "Chromium") ?? brands[0] ?? { brand: "Chrome", version: "" };
  return { name: tabByName.brand, version: tabByName.version, userAgent: navigator.userAgent };
}
