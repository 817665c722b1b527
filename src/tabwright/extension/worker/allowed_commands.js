// The DevTools commands that may be sent to a tab. All others are refused: through any tab the protocol gives access to
// the cookies of all sites, to files by stream and to other tabs. A file can be put into a page's file input
// (DOM.setFileInputFiles), as uploads need it: the hub decides which files, not the extension.

import { isStorageAlone } from "./logins.js";
import { objectionToOpening, objectionToSite, originOf } from "../sites.js";

const FREELY = [
  "DOM.describeNode",
  "DOM.getFrameOwner",
  "DOM.resolveNode",
  "DOM.setFileInputFiles",
  "DOMDebugger.getEventListeners",
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
  "Page.removeScriptToEvaluateOnNewDocument",
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

// Commands that are allowed only for the tab's own site, for web addresses, or for streams that this tab made.
const IF = {
  "Fetch.continueRequest": params => ("url" in params ? "its URL cannot be changed" : ""),
  "Network.getRequestPostData": ofRequest,
  "Network.getResponseBody": ofRequest,
  "Fetch.fulfillRequest": params => ("binaryResponseHeaders" in params ? "headers must be given one by one" : ""),
  "Page.navigate": (params, tab, excluded) => objectionToOpening(params.url, excluded),
  "Storage.clearDataForOrigin": (params, tab) => {
    if (params.origin !== originOf(tab.url)) return "the origin is not this tab's";
    return isStorageAlone(params.storageTypes) ? "" : "cookies are the user's; list the storage types";
  },
  "IO.read": (params, tab) => (tab.streams.has(params.handle) ? "" : "the stream is not from this tab"),
  "IO.close": (params, tab) => (tab.streams.has(params.handle) ? "" : "the stream is not from this tab"),
};

// Chrome's request ids can be guessed: one that was not reported may belong to an excluded site.
function ofRequest({ requestId }, tab, excluded) {
  if (!excluded.length) return "";
  const url = tab.requests.get(requestId);
  return url === undefined ? "this request was not reported" : objectionToSite(url, excluded);
}

const ALLOWED = new Set([...FREELY, ...Object.keys(IF)]);
// Commands by which an agent acts: tabs that a page opens soon after are the agent's. A script without a user gesture
// cannot open a tab.
const ACTS =
  /^(Input\.dispatch|Input\.insertText|Page\.navigate|Page\.reload|Page\.handleJavaScriptDialog|WebMCP\.invokeTool)/;

// The tools of a tab, as reported to the hub.
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

// Why a command is refused for a tab; "" if it is allowed.
export function objectionTo(method, params, tab, excluded) {
  if (!ALLOWED.has(method)) return `the extension does not allow ${method}`;
  const why = IF[method]?.(params, tab, excluded);
  return why ? `the extension does not allow this ${method}: ${why}` : "";
}

export function isAction(method, params) {
  return ACTS.test(method) || params.userGesture === true;
}
