// Opens a socket to a hub on this computer: each side proves that it knows the key before anything is said.

import { keyedHash, random, same } from "./proof.js";

const SECONDS = 5;
const NOT_PAIRED = 4404;

// Why no hub was joined: `absent` (nobody there, or not ours) or `unpaired` (it does not know this Chrome).
export class NotJoined extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

// Returns the open socket, the lasting key, which both sides derive while pairing and neither sends, the hub's
// version and pulse, and how to listen from here on: what the hub said meanwhile comes first.
export async function join(port, device, key, pairing) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, "tabwright.v1");
  const heard = hearing(socket);
  const late = setTimeout(() => socket.close(), SECONDS * 1000);
  try {
    await heard.open;
    const proven = await prove({ socket, heard, port }, device, key, pairing);
    return { socket, ...proven, listen: heard.listen };
  } catch (error) {
    socket.close();
    throw error;
  } finally {
    clearTimeout(late);
  }
}

async function prove({ socket, heard, port }, device, key, pairing) {
  const said = (...message) => socket.send(JSON.stringify(Object.assign({}, ...message)));
  const mine = random(32);
  said({ type: "hello", nonce: mine, chrome: device }, pairing ? { pairing: true, name: pairing.name } : {});
  const challenge = await heard.next("challenge");
  // With the port, what a hub at another one said proves nothing: whoever took ours may pass its words on.
  const words = [device, mine, String(challenge.nonce), port];
  if (!same(await keyedHash(key, ["hub", ...words]), challenge.proof)) {
    throw new NotJoined("absent", "What answers is not the hub that this Chrome is paired with.");
  }
  said({ type: "proof", proof: await keyedHash(key, ["extension", ...words]) });
  const { heartbeat, version } = await heard.next("welcome");
  return { key: pairing ? await keyedHash(key, ["token", ...words]) : key, heartbeat, version };
}

// Reads one message after the other, until somebody else listens.
function hearing(socket) {
  const arrived = [];
  /** @type {(value?: unknown) => void} */
  let wake = () => {};
  let closed = null;
  let hear = data => {
    arrived.push(data);
    wake();
  };
  let end = /** @param {number} _code */ _code => wake();
  const open = new Promise(resolve => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("close", event => {
      closed = event;
      resolve(undefined);
      end(event.code);
    });
  }).then(() => {
    if (closed) throw ending(closed);
  });
  socket.addEventListener("message", event => hear(event.data));
  return {
    open,
    async next(type) {
      while (!arrived.length && !closed)
        await new Promise(resolve => {
          wake = resolve;
        });
      if (!arrived.length) throw ending(closed);
      const message = JSON.parse(arrived.shift());
      if (message.type !== type) throw new NotJoined("absent", "What answers is no hub.");
      return message;
    },
    listen(hearNext, endNext) {
      [hear, end] = [hearNext, endNext];
      arrived.splice(0).forEach(hear);
      if (closed) end(closed.code);
    },
  };
}

function ending({ code, reason }) {
  if (code === NOT_PAIRED)
    return new NotJoined("unpaired", "The hub does not know this Chrome, or its code has served.");
  return new NotJoined("absent", reason || "No hub answers.");
}
