// The connection to the hub: opened when a hub runs, kept alive, and reopened when it is lost.

import { join, NotJoined } from "./handshake.js";
import { saveState, state } from "./state.js";

// A hub listens on the first free one of this many ports.
const PORTS = 5;
// Chrome stops a worker after 30 seconds without an event.
const MAX_PING_SECONDS = 25;
// A hub on a busy computer answers late.
const MIN_PONG_SECONDS = 2;
const NOT_PAIRED = 4404;
// A restarted hub is back soon; after these attempts the alarm retries.
const RETRY_SECONDS = [0.5, 1, 2, 4, 8];
const MIN_RECONNECT_SECONDS = 5;
const ALARM = "hub";

export const hub = { status: "absent", port: 0, version: "" };

let socket = null;
let connecting = null;
// Counts disconnects: a connection that was being opened during one is not used.
let disconnects = 0;
let attempts = 0;
let lastAttempt = 0;
let retryTimer = null;
let pingTimer = null;
let pongTimer = null;
let listeners = { lost() {}, unpaired() {}, message(_message) {}, changed() {}, async ready() {} };

export function setListeners(newListeners) {
  listeners = newListeners;
}

export function send(message) {
  socket?.send(JSON.stringify(message));
}

// Returns a function that tells whether the current connection is still open.
export function connectionCheck() {
  const current = socket;
  return () => current === socket;
}

// Returns a send function for the current connection; once that is lost, it does nothing.
export function replyFunction() {
  const isCurrent = connectionCheck();
  return message => isCurrent() && send(message);
}

// Tries again at an event, unless it just did.
export function reconnect() {
  if (!socket && Date.now() - lastAttempt > MIN_RECONNECT_SECONDS * 1000) connect();
}

// Connects to the paired hub, unless it is connected or stopped.
export function connect() {
  const wanted = !state.stopped && state.hub;
  updateAlarm(wanted);
  if (!wanted) {
    setStatus(state.stopped ? "stopped" : "unpaired");
    return Promise.resolve(false);
  }
  if (socket) return Promise.resolve(true);
  if (!connecting) {
    const attempt = findHub().finally(() => {
      if (connecting === attempt) connecting = null;
    });
    connecting = attempt;
  }
  return connecting;
}

// Lets Chrome wake the worker to look for the hub, while one is paired.
async function updateAlarm(wanted) {
  if (!wanted) await chrome.alarms.clear(ALARM);
  else if (!(await chrome.alarms.get(ALARM))) chrome.alarms.create(ALARM, { periodInMinutes: 0.5 });
}

// Pairs with a hub by the code that it shows the user; the derived key is stored.
export function pair(request, browser) {
  const pairing = pairNow(connecting, request, browser);
  const attempt = pairing
    .then(
      () => true,
      () => false,
    )
    .finally(() => {
      if (connecting === attempt) connecting = null;
    });
  connecting = attempt;
  return pairing;
}

async function pairNow(before, { port, first, code }, browser) {
  const wanted = disconnects;
  await before;
  const { name } = await browser;
  const connection = await join(port, state.device, code, { name });
  if (disconnects !== wanted) {
    connection.socket.close();
    throw new Error("Pairing was stopped.");
  }
  disconnect("paired again");
  await saveState({ hub: { port, first, key: connection.key }, stopped: false });
  useConnection(connection, port);
  updateAlarm(true);
}

// Disconnects; stays disconnected until `connect`.
export function disconnect(reason) {
  clearTimeout(retryTimer);
  disconnects += 1;
  if (!socket) return;
  send({ type: "disconnected", reason });
  const closing = socket;
  closeConnection();
  closing.close(1000, reason);
}

async function findHub() {
  lastAttempt = Date.now();
  await listeners.ready();
  if (state.stopped || !state.hub) return false;
  const { port: known, first, key } = state.hub;
  let status = "absent";
  for (const port of new Set([known, ...Array.from({ length: PORTS }, (_, step) => first + step)])) {
    try {
      const connection = await join(port, state.device, key, null);
      if (state.stopped || state.hub?.key !== key) {
        connection.socket.close();
        return false;
      }
      if (port !== known) saveState({ hub: { port, first, key } });
      useConnection(connection, port);
      return true;
    } catch (error) {
      if (!(error instanceof NotJoined)) console.warn("could not connect to a hub:", error.message);
      // Another user of this computer may run a hub too: ours may be on the next port.
      if (error.kind === "unpaired") status = "unknown";
    }
  }
  if (state.stopped || !state.hub) return false;
  setStatus(status);
  if (attempts < RETRY_SECONDS.length) retryTimer = setTimeout(connect, RETRY_SECONDS[attempts++] * 1000);
  return false;
}

function useConnection(connection, port) {
  socket = connection.socket;
  attempts = 0;
  Object.assign(hub, { port, version: connection.version });
  // Only messages keep the worker alive, not WebSocket pings.
  const pingSeconds = Math.min(Number(connection.heartbeat) || MAX_PING_SECONDS, MAX_PING_SECONDS);
  const pongSeconds = Math.max(pingSeconds / 2, MIN_PONG_SECONDS);
  pingTimer = setInterval(() => sendPing(pongSeconds * 1000), pingSeconds * 1000);
  setStatus("connected");
  connection.listen(
    data => onMessage(JSON.parse(data)),
    code => onClosed(connection.socket, code),
  );
}

function onMessage(message) {
  if (message.type === "pong") {
    clearTimeout(pongTimer);
    pongTimer = null;
  } else {
    listeners.message(message);
  }
}

function sendPing(pongSeconds) {
  send({ type: "ping" });
  const current = socket;
  // After sleep, a computer may have sockets whose other end is gone.
  pongTimer ??= setTimeout(() => {
    current.close();
    onClosed(current, 1006);
  }, pongSeconds);
}

function onClosed(current, code) {
  if (current !== socket) return;
  closeConnection();
  if (code === NOT_PAIRED) {
    saveState({ hub: null });
    listeners.unpaired();
  }
  attempts = 0;
  retryTimer = setTimeout(connect, RETRY_SECONDS[attempts++] * 1000);
}

function closeConnection() {
  clearInterval(pingTimer);
  clearTimeout(pongTimer);
  socket = pongTimer = null;
  listeners.lost();
  setStatus(state.stopped ? "stopped" : "absent");
}

function setStatus(status) {
  if (hub.status === status) return;
  hub.status = status;
  listeners.changed();
}
