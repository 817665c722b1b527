// An extension that knows the document of the tab server and nothing of Tabwright: it reports tabs, introspects the
// focused page, and runs the tools that it found there. The address of the server is its only setting.

const PING_SECONDS = 20;
let socket = null;
let focusedId = null;

const send = (type, fields = {}) =>
  socket?.readyState === WebSocket.OPEN && socket.send(JSON.stringify({ type, ...fields }));
const describe = ({ id, title, url, pendingUrl }) => ({ id, title: title ?? "", url: url || pendingUrl || "" });

async function start() {
  const { server } = await chrome.storage.local.get("server");
  socket?.close();
  socket = server ? new WebSocket(server) : null;
  if (!socket) return;
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    REQUESTS[message.type]?.(message);
  };
}

// Runs in the page: forms become tools named after them, a list of threads becomes open_thread.
function findTools() {
  const tools = [...document.forms].map(form => ({
    name: form.name,
    description: form.title,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries([...form.querySelectorAll("input")].map(({ name }) => [name, { type: "string" }])),
    },
  }));
  const threads = document.querySelectorAll("#threads a").length;
  if (threads) {
    const index = { type: "number", description: "Thread index (0-based)" };
    const inputSchema = { type: "object", properties: { index }, required: ["index"] };
    tools.push({ name: "open_thread", description: "Open an email thread by index", inputSchema });
  }
  return tools;
}

// Runs in the page.
function runTool(name, args) {
  if (name === "open_thread") {
    const thread = document.querySelectorAll("#threads a")[args.index];
    if (!thread) return { error: `There is no thread ${args.index}` };
    thread.click();
    return { result: { opened: thread.textContent } };
  }
  const form = document.forms[name];
  for (const [key, value] of Object.entries(args)) form.elements[key].value = value;
  form.requestSubmit();
  return { result: document.title };
}

async function inPage(tabId, func, ...args) {
  const [{ result }] = await chrome.scripting.executeScript({ target: { tabId }, func, args });
  return result;
}

async function sendTools(type, tabId) {
  send(type, { tabId, tools: await inPage(tabId, findTools).catch(() => []) });
}

async function whenLoaded(tabId) {
  while ((await chrome.tabs.get(tabId)).status !== "complete") await new Promise(resolve => setTimeout(resolve, 20));
}

const REQUESTS = {
  async connect() {
    const tabs = await chrome.tabs.query({ url: "http://127.0.0.1/*" });
    send("connected", { browser: { name: "Chrome", version: "120.0.0" }, tabs: tabs.map(describe) });
  },
  async openTab({ url, focus }) {
    const { id } = await chrome.tabs.create({ url, active: focus });
    if (focus) await REQUESTS.focusTab({ tabId: id });
  },
  async focusTab({ tabId }) {
    await chrome.tabs.update(tabId, { active: true });
    await whenLoaded(tabId);
    focusedId = tabId;
    sendTools("tabFocused", tabId);
  },
  async closeTab({ tabId }) {
    await chrome.tabs.remove(tabId);
  },
  async callTool({ callId, tabId, toolName, args }) {
    const answer = await inPage(tabId, runTool, toolName, args).catch(error => ({ error: error.message }));
    send("toolResult", { callId, result: null, ...answer });
  },
};

chrome.tabs.onCreated.addListener(tab => send("tabCreated", { tab: describe(tab) }));
chrome.tabs.onRemoved.addListener(tabId => send("tabClosed", { tabId }));
chrome.tabs.onUpdated.addListener((tabId, change, tab) => {
  if (change.url || change.title) send("tabUpdated", { tab: describe(tab) });
  if (change.status === "complete" && tabId === focusedId) sendTools("toolsChanged", tabId);
});
chrome.storage.onChanged.addListener(start);
setInterval(() => send("ping"), PING_SECONDS * 1000);
start();
