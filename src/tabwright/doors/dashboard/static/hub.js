// Requests to the hub, and its stream of JSON lines. The token, if one is needed, is stored until the page is closed.

const KEY = "tabwright token";

export const token = {
  get: () => sessionStorage.getItem(KEY),
  set: value => sessionStorage.setItem(KEY, value),
};

export class RequestError extends Error {
  constructor(status, error) {
    super(error ? [error.message, error.hint].filter(Boolean).join(" ") : `The hub answered ${status}.`);
    this.status = status;
  }
}

async function request(path, options = {}) {
  const headers = { ...options.headers };
  if (token.get()) headers.authorization = `Bearer ${token.get()}`;
  const answer = await fetch(path, { ...options, headers });
  if (answer.ok) return answer;
  const body = await answer.json().catch(() => ({}));
  throw new RequestError(answer.status, body.error);
}

export async function get(path) {
  return (await request(`/api/dashboard/${path}`)).json();
}

export async function post(path, body) {
  const options = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  return (await request(`/api/dashboard/${path}`, options)).json();
}

// Browsers allow six connections to an origin in all windows together, and every stream holds one. This many windows
// keep their stream, which leaves two connections for requests.
export const MAX_STREAMS = 4;

// Runs a function with one of the slots for streams, or without one if all are taken; its argument says which. Locks
// exist only on localhost and https; elsewhere every window has a slot.
export async function withStreamSlot(run) {
  for (let slot = 1; navigator.locks && slot <= MAX_STREAMS; slot++) {
    let taken = false;
    await navigator.locks.request(`stream ${slot}`, { ifAvailable: true }, async lock => {
      taken = lock !== null;
      if (taken) await run(true);
    });
    if (taken) return;
  }
  await run(!navigator.locks);
}

// Calls `onLine` for every line until the signal or the hub ends the stream.
export async function follow(query, signal, onLine) {
  const answer = await request(`/api/dashboard/stream?${new URLSearchParams(query)}`, { signal });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line && !signal.aborted) onLine(JSON.parse(line));
  }
}
