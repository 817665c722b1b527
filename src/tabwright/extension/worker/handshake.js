// Opens a socket to a hub on this computer; both sides prove that they know the key before anything else is sent.

import { keyedHash, randomHex, equalInConstantTime } from "./proof.js";

const TIMEOUT_SECONDS = 5;
const NOT_PAIRED = 4404;

// Why no hub was joined: `absent` (no answer, or not our hub) or `unpaired` (the hub does not know this Chrome).
export class NotJoined extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

// Returns the open socket; the lasting key, which both sides derive while pairing and neither sends; the hub's version
// and heartbeat; and `listen`, which first delivers messages that have already arrived.
export async function join(port, device, key, pairing) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, "tabwright.v1");
  const reader = messageReader(socket);
  const timer = setTimeout(() => socket.close(), TIMEOUT_SECONDS * 1000);
  try {
    await reader.open;
    const proven = await prove({ socket, reader, port }, device, key, pairing);
    return { socket, ...proven, listen: reader.listen };
  } catch (error) {
    socket.close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function prove({ socket, reader, port }, device, key, pairing) {
  const send = (...message) => socket.send(JSON.stringify(Object.assign({}, ...message)));
  const nonce = randomHex(32);
  send({ type: "hello", nonce: nonce, chrome: device }, pairing ? { pairing: true, name: pairing.name } : {});
  const challenge = await reader.next("challenge");
  // The port is part of the proof, so that a program on our port cannot relay the proof of the real hub.
  const parts = [device, nonce, String(challenge.nonce), port];
  if (!equalInConstantTime(await keyedHash(key, ["hub", ...parts]), challenge.proof)) {
    throw new NotJoined("absent", "The program that answers is not the hub that this Chrome is paired with.");
  }
  send({ type: "proof", proof: await keyedHash(key, ["extension", ...parts]) });
  const { heartbeat, version } = await reader.next("welcome");
  return { key: pairing ? await keyedHash(key, ["token", ...parts]) : key, heartbeat, version };
}

// Reads single messages until `listen` takes over.
function messageReader(socket) {
  const messages = [];
  /** @type {(value?: unknown) => void} */
  let wake = () => {};
  let closed = null;
  let onMessage = data => {
    messages.push(data);
    wake();
  };
  let onEnd = /** @param {number} _code */ _code => wake();
  const open = new Promise(resolve => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("close", event => {
      closed = event;
      resolve(undefined);
      onEnd(event.code);
    });
  }).then(() => {
    if (closed) throw closeError(closed);
  });
  socket.addEventListener("message", event => onMessage(event.data));
  return {
    open,
    async next(type) {
      while (!messages.length && !closed)
        await new Promise(resolve => {
          wake = resolve;
        });
      if (!messages.length) throw closeError(closed);
      const message = JSON.parse(messages.shift());
      if (message.type !== type) throw new NotJoined("absent", "The program that answers is not a hub.");
      return message;
    },
    listen(nextMessage, nextEnd) {
      [onMessage, onEnd] = [nextMessage, nextEnd];
      messages.splice(0).forEach(onMessage);
      if (closed) onEnd(closed.code);
    },
  };
}

function closeError({ code, reason }) {
  if (code === NOT_PAIRED)
    return new NotJoined("unpaired", "The hub does not know this Chrome, or the code was already used.");
  return new NotJoined("absent", reason || "No hub answers.");
}
