// Which commands of the DevTools protocol go through to a tab. What is not here does not: through any one tab
// the protocol would hand out the cookies of all sites, files by stream and other tabs. A file of the disk can be put
// into a page's file input (DOM.setFileInputFiles), as an upload needs: which ones, the hub decides, not the extension.

import { isStorageAlone } from "./logins.js";
import { objectionToOpening, objectionToSite, originOf } from "../sites.js";

const FREELY = [
  "DOM.describeNode",
  "DOM.getFrameOwner",
  "DOM.resolveNode",
  "DOM.setFileInputFiles",
  "Emulation.clearDeviceMetricsOverride",
  "Emulation.clearGeolocationOverride",
  "Emulation.setCPUThrottlingRate",
  "Emulation.setDeviceMetricsOverride",
  "Emulation.setEmulatedMedia",
  "Emulation.setFocusEmulationEnabled",
  "Emulation.setGeolocationOverride",
  "Emulation.setLocaleOverride",
  "Emulation.setScriptExecutionDisabled",
  "Emulation.setTimezoneOverride",
  "Emulation.setTouchEmulationEnabled",
  "Emulation.setUserAgentOverride",
  "Fetch.continueWithAuth",
  "Fetch.disable",
  "Fetch.enable",
  "Fetch.failRequest",
  "Input.dispatchDragEvent",
  "Input.dispatchKeyEvent",
  "Input.dispatchMouseEvent",
  "Input.dispatchTouchEvent",
  "Input.insertText",
  "Input.setInterceptDrags",
  "Log.enable",
  "Network.emulateNetworkConditions",
  "Network.enable",
  "Network.setBypassServiceWorker",
  "Network.setExtraHTTPHeaders",
  "Page.addScriptToEvaluateOnNewDocument",
  "Page.captureScreenshot",
  "Page.createIsolatedWorld",
  "Page.enable",
  "Page.getFrameTree",
  "Page.getLayoutMetrics",
  "Page.getNavigationHistory",
  "Page.handleJavaScriptDialog",
  "Page.navigateToHistoryEntry",
  "Page.printToPDF",
  "Page.reload",
  "Page.screencastFrameAck",
  "Page.setLifecycleEventsEnabled",
  "Page.startScreencast",
  "Page.stopLoading",
  "Page.stopScreencast",
  "Performance.getMetrics",
  "Runtime.addBinding",
  "Runtime.callFunctionOn",
  "Runtime.enable",
  "Runtime.evaluate",
  "Runtime.getIsolateId",
  "Runtime.getProperties",
  "Runtime.releaseObjectGroup",
  "Runtime.runIfWaitingForDebugger",
  "Runtime.terminateExecution",
  "Storage.getStorageKey",
  "Target.getTargetInfo",
  "Target.setAutoAttach",
  "WebMCP.cancelInvocation",
  "WebMCP.enable",
  "WebMCP.invokeTool",
];

// What is allowed only for the tab's own site, for addresses of the web, or for streams that this tab made.
const IF = {
  "Fetch.continueRequest": params => ("url" in params ? "it goes where the page sends it" : ""),
  "Network.getRequestPostData": ofRequest,
  "Network.getResponseBody": ofRequest,
  "Fetch.fulfillRequest": params => ("binaryResponseHeaders" in params ? "headers are given one by one" : ""),
  "Page.navigate": (params, tab, excluded) => objectionToOpening(params.url, excluded),
  "Storage.clearDataForOrigin": (params, tab) => {
    if (params.origin !== originOf(tab.url)) return "the origin is another than this tab's";
    return isStorageAlone(params.storageTypes) ? "" : "cookies are the user's; name the kinds of storage";
  },
  "IO.read": (params, tab) => (tab.streams.has(params.handle) ? "" : "the stream is not of this tab"),
  "IO.close": (params, tab) => (tab.streams.has(params.handle) ? "" : "the stream is not of this tab"),
};

// Chrome knows requests by ids that count up: one that was not told of may be an excluded site's.
function ofRequest({ requestId }, tab, excluded) {
  if (!excluded.length) return "";
  const url = tab.requests.get(requestId);
  return url === undefined ? "nothing was told of this request" : objectionToSite(url, excluded);
}

const ALLOWED = new Set([...FREELY, ...Object.keys(IF)]);
// By these an agent acts: what a page opens soon after is the agent's. A script that has no gesture of the user only
// looks, and Chrome lets it open nothing.
const ACTS =
  /^(Input\.dispatch|Input\.insertText|Page\.navigate|Page\.reload|Page\.handleJavaScriptDialog|WebMCP\.invokeTool)/;

// What can be called on a tab, as the hub is told.
export const TOOLS = [
  { name: "attach", inputSchema: { type: "object", properties: { holder: { type: "string" } } } },
  { name: "detach", inputSchema: { type: "object", properties: {} } },
  {
    name: "cdp",
    inputSchema: {
      type: "object",
      properties: {
        method: { type: "string", enum: [...ALLOWED].sort() },
        params: { type: "object" },
        sessionId: { type: "string" },
      },
      required: ["method"],
    },
  },
];

// Why a command does not go through to a tab; "" when it does.
export function objectionTo(method, params, tab, excluded) {
  if (!ALLOWED.has(method)) return `the extension does not allow ${method}`;
  const why = IF[method]?.(params, tab, excluded);
  return why ? `the extension does not allow this ${method}: ${why}` : "";
}

export function acts(method, params) {
  return ACTS.test(method) || params.userGesture === true;
}
