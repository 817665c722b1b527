// Speaking with the hub: calls, and a stream of JSON lines. A token, where one is needed, is kept until the page is closed.

const KEY = "tabwright token";

export const token = {
  get: () => sessionStorage.getItem(KEY),
  set: value => sessionStorage.setItem(KEY, value),
};

export class Refused extends Error {
  constructor(status, error) {
    super(error ? [error.message, error.hint].filter(Boolean).join(" ") : `The hub answered ${status}.`);
    this.status = status;
  }
}

async function ask(path, options = {}) {
  const headers = { ...options.headers };
  if (token.get()) headers.authorization = `Bearer ${token.get()}`;
  const answer = await fetch(path, { ...options, headers });
  if (answer.ok) return answer;
  const told = await answer.json().catch(() => ({}));
  throw new Refused(answer.status, told.error);
}

export async function get(path) {
  return (await ask(`/api/dashboard/${path}`)).json();
}

export async function post(path, body) {
  const options = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  return (await ask(`/api/dashboard/${path}`, options)).json();
}

// A browser has six connections to a place for all its windows, and every stream holds one: so many windows may keep
// theirs, which leaves two for all that they do.
export const SEATS = 4;

// Does something with a seat, for as long as it takes, or without one while there is none; it is told which. Browsers
// count seats only for places that they trust, as this computer is and those with https; elsewhere everybody has one.
export async function seated(act) {
  for (let seat = 1; navigator.locks && seat <= SEATS; seat++) {
    let taken = false;
    await navigator.locks.request(`stream ${seat}`, { ifAvailable: true }, async lock => {
      taken = lock !== null;
      if (taken) await act(true);
    });
    if (taken) return;
  }
  await act(!navigator.locks);
}

// Calls back for every line until the signal ends it, or the hub does.
export async function follow(query, signal, heard) {
  const answer = await ask(`/api/dashboard/stream?${new URLSearchParams(query)}`, { signal });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line && !signal.aborted) heard(JSON.parse(line));
  }
}
