// The link to the hub: joined whenever there is one, kept alive, and joined again when it is lost.

import { join, NotJoined } from "./handshake.js";
import { keep, state } from "./state.js";

// A hub takes the first free port of these many.
const PORTS = 5;
// Chrome ends a worker after 30 seconds in which nothing happened to it.
const SLOWEST_PULSE = 25;
// A hub on a busy computer answers later than one that has nothing else to do.
const LEAST_PATIENCE = 2;
const NOT_PAIRED = 4404;
// A hub that was restarted is back soon; after these the alarm tries on.
const AGAIN = [0.5, 1, 2, 4, 8];
const NUDGE_SECONDS = 5;
const ALARM = "hub";

export const hub = { status: "absent", port: 0, version: "" };

let socket = null;
let joining = null;
// Counts how often it was left: who was joining meanwhile is not wanted any more.
let partings = 0;
let tries = 0;
let tried = 0;
let retrying = null;
let beating = null;
let waiting = null;
let listeners = { lost() {}, unpaired() {}, message(_message) {}, changed() {}, async ready() {} };

export function listen(given) {
  listeners = given;
}

export function send(message) {
  socket?.send(JSON.stringify(message));
}

// Returns how to know later whether the link of now is still there.
export function lasting() {
  const link = socket;
  return () => link === socket;
}

// Returns what answers on the link that is there now; once it is lost the answers go nowhere.
export function replying() {
  const there = lasting();
  return message => there() && send(message);
}

// Tries again at an event, unless that was done just now.
export function nudge() {
  if (!socket && Date.now() - tried > NUDGE_SECONDS * 1000) connect();
}

// Joins the hub that this Chrome is paired with, unless it is joined or should not be.
export function connect() {
  const wanted = !state.stopped && state.hub;
  watchOut(wanted);
  if (!wanted) {
    become(state.stopped ? "stopped" : "unpaired");
    return Promise.resolve(false);
  }
  if (socket) return Promise.resolve(true);
  if (!joining) {
    const over = seek().finally(() => {
      if (joining === over) joining = null;
    });
    joining = over;
  }
  return joining;
}

// Has Chrome wake us to look for the hub, while there is one to look for.
async function watchOut(wanted) {
  if (!wanted) await chrome.alarms.clear(ALARM);
  else if (!(await chrome.alarms.get(ALARM))) chrome.alarms.create(ALARM, { periodInMinutes: 0.5 });
}

// Joins a hub by the code it shows the person; the key that comes of it lasts.
export function pair(given, browser) {
  const paired = pairing(joining, given, browser);
  const over = paired
    .then(
      () => true,
      () => false,
    )
    .finally(() => {
      if (joining === over) joining = null;
    });
  joining = over;
  return paired;
}

async function pairing(before, { port, first, code }, browser) {
  const wanted = partings;
  await before;
  const { name } = await browser;
  const joined = await join(port, state.device, code, { name });
  if (partings !== wanted) {
    joined.socket.close();
    throw new Error("It was stopped meanwhile.");
  }
  leave("paired anew");
  await keep({ hub: { port, first, key: joined.key }, stopped: false });
  take(joined, port);
  watchOut(true);
}

// Says goodbye; nothing is joined again before `connect`.
export function leave(reason) {
  clearTimeout(retrying);
  partings += 1;
  if (!socket) return;
  send({ type: "disconnected", reason });
  const left = socket;
  drop();
  left.close(1000, reason);
}

async function seek() {
  tried = Date.now();
  await listeners.ready();
  if (state.stopped || !state.hub) return false;
  const { port: known, first, key } = state.hub;
  let status = "absent";
  for (const port of new Set([known, ...Array.from({ length: PORTS }, (_, step) => first + step)])) {
    try {
      const joined = await join(port, state.device, key, null);
      if (state.stopped || state.hub?.key !== key) {
        joined.socket.close();
        return false;
      }
      if (port !== known) keep({ hub: { port, first, key } });
      take(joined, port);
      return true;
    } catch (error) {
      if (!(error instanceof NotJoined)) console.warn("no hub was joined:", error.message);
      // Another user of this computer may have a hub as well: the next port may be ours.
      if (error.kind === "unpaired") status = "unknown";
    }
  }
  if (state.stopped || !state.hub) return false;
  become(status);
  if (tries < AGAIN.length) retrying = setTimeout(connect, AGAIN[tries++] * 1000);
  return false;
}

function take(joined, port) {
  socket = joined.socket;
  tries = 0;
  Object.assign(hub, { port, version: joined.version });
  // Only messages keep the worker alive, not the pings of the WebSocket itself.
  const pulse = Math.min(Number(joined.heartbeat) || SLOWEST_PULSE, SLOWEST_PULSE);
  const patience = Math.max(pulse / 2, LEAST_PATIENCE);
  beating = setInterval(() => beat(patience * 1000), pulse * 1000);
  become("connected");
  joined.listen(
    data => hear(JSON.parse(data)),
    code => lose(joined.socket, code),
  );
}

function hear(message) {
  if (message.type === "pong") {
    clearTimeout(waiting);
    waiting = null;
  } else {
    listeners.message(message);
  }
}

function beat(patience) {
  send({ type: "ping" });
  const link = socket;
  // A computer that slept wakes with sockets that nobody holds at the other end.
  waiting ??= setTimeout(() => {
    link.close();
    lose(link, 1006);
  }, patience);
}

function lose(link, code) {
  if (link !== socket) return;
  drop();
  if (code === NOT_PAIRED) {
    keep({ hub: null });
    listeners.unpaired();
  }
  tries = 0;
  retrying = setTimeout(connect, AGAIN[tries++] * 1000);
}

function drop() {
  clearInterval(beating);
  clearTimeout(waiting);
  socket = waiting = null;
  listeners.lost();
  become(state.stopped ? "stopped" : "absent");
}

function become(status) {
  if (hub.status === status) return;
  hub.status = status;
  listeners.changed();
}
