// The dashboard: lists sessions and calls as they happen, and lets a person take over.
import { drawDialog, drawQuestions } from "./prompts.js";
import { button, element, find, reconcile, write } from "./dom.js";
import { follow, MAX_STREAMS, post, RequestError, token, withStreamSlot } from "./hub.js";
import { inspect } from "./panels.js";
import { clear, focusScreen, isHeld, setHeld, show, watch } from "./screen.js";
import { drawStart } from "./start.js";

const MAX_CALLS = 200;
const RETRY_INTERVAL = 1000; // ms
const BRIEF_TIME = 1000; // ms
const BRIEF_OVER = "the brief connection is over";
const list = find("#sessions ul");
const calls = find("#calls ol");
let state = { hub: "", sessions: [], waiting: [] };
let chosen = null;
let stream = null;
let isLive = true;

const setStatus = text => write(find("#status"), text);

// An error stays until it is closed, or until the next action succeeds.
function showError(error) {
  find("#error").replaceChildren(
    ...(error ? [element("span", { textContent: error.message }), button("Close", () => showError(null))] : []),
  );
}

// Sends a request to the hub; returns whether it succeeded.
async function request(name, body) {
  try {
    await post(name, body);
    showError(null);
    return true;
  } catch (error) {
    showError(error);
    return false;
  }
}

function draw() {
  choose();
  reconcile(list, state.sessions, session => session.key, sessionLine, updateSession);
  drawQuestions(state.waiting, request);
  drawStart(!state.sessions.length);
  drawTab();
  drawCalls();
  const count = state.sessions.length === 1 ? "1 session" : `${state.sessions.length} sessions`;
  const delayed = isLive
    ? ""
    : ` · updates every ${(RETRY_INTERVAL + BRIEF_TIME) / 1000} seconds because ${MAX_STREAMS} other windows are live: close or hide one`;
  setStatus(`${count} · ${state.browser ? "browser running" : "no browser yet"} · version ${state.version}${delayed}`);
}

function choose(next = chosen) {
  const open = state.sessions.flatMap(session =>
    session.tabs.map(tab => ({ session: session.key, tab: tab.id, current: tab.current })),
  );
  const found =
    open.find(({ session, tab }) => session === next?.session && tab === next?.tab) ??
    open.find(({ current }) => current) ??
    open[0];
  const changed = found?.session !== chosen?.session || found?.tab !== chosen?.tab;
  chosen = found ? { session: found.session, tab: found.tab } : null;
  if (changed) stream?.abort(); // the next one includes the chosen tab
}

function sessionLine(session) {
  return element(
    "li",
    {},
    element("strong", { textContent: session.name }),
    " ",
    element("span", { className: "badges" }),
    element("div", { className: "dim", textContent: session.owner }),
    element("div", { className: "tabs" }),
  );
}

function updateSession(line, session) {
  const badges = [session.busy && "busy", session.held && "taken over"].filter(Boolean);
  reconcile(
    line.querySelector(".badges"),
    badges,
    badge => badge,
    badge => element("span", { className: "badge", textContent: badge }),
  );
  reconcile(
    line.querySelector(".tabs"),
    session.tabs,
    tab => tab.id,
    tab => tabButton(session, tab),
    (made, tab) => {
      write(made, `${tab.dialog ? "dialog · " : ""}${tab.id} ${tab.url.replace(/^https?:\/\//, "")}`);
      made.title = tab.url;
      made.setAttribute("aria-current", String(chosen?.session === session.key && chosen?.tab === tab.id));
    },
  );
}

function tabButton(session, tab) {
  return button("", () => {
    choose({ session: session.key, tab: tab.id });
    draw();
  });
}

function drawTab() {
  const session = state.sessions.find(({ key }) => key === chosen?.session);
  const tab = session?.tabs.find(({ id }) => id === chosen.tab);
  find("#tab").hidden = !tab;
  if (!tab) return clear();
  write(find("#address"), tab.url);
  write(find("#hold"), session.held ? "Hand back" : "Take over");
  find("#hold").classList.toggle("on", session.held);
  setHeld(session.held, session.busy);
  drawDialog(session.key, tab, request);
  watch(session.key, tab.id);
  inspect(session.key, tab);
}

const received = [];

function drawCalls() {
  const only = find("#only").checked ? chosen?.session : null;
  const shown = received.filter(call => !only || `${call.owner} ${call.session}` === only);
  reconcile(
    calls,
    shown,
    call => call.number,
    callLine,
    (line, call) => line.classList.toggle("new", call.fresh),
  );
}

function callLine(call) {
  const good = call.outcome === "ok";
  return element(
    "li",
    {},
    element(
      "div",
      { className: "line" },
      element("strong", { textContent: call.action }),
      element("span", { className: good ? "ok" : "failed", textContent: good ? "done" : call.outcome }),
      call.ms ? element("span", { className: "ms", textContent: `${call.ms} ms` }) : null,
    ),
    call.args === "" || call.args === "{}" ? null : element("code", { className: "given", textContent: call.args }),
    element("div", {
      className: "dim",
      textContent: [new Date(call.at * 1000).toLocaleTimeString(), call.who, call.door, call.session]
        .filter(Boolean)
        .join(" · "),
    }),
    call.summary ? element("pre", { textContent: call.summary }) : null,
  );
}

const HANDLERS = {
  state(line) {
    if (line.hub !== state.hub) received.length = 0; // another hub numbers its calls from 1
    state = line;
    find("#entry").hidden = true;
    draw();
  },
  call(line) {
    for (const call of received) call.fresh = false;
    received.unshift({ ...line, fresh: true });
    received.length = Math.min(received.length, MAX_CALLS);
    drawCalls();
  },
  picture: show,
};

// Only this window moves the focus to the page; other windows of the same person stay as they are.
find("#hold").addEventListener("click", async () => {
  const hold = !isHeld();
  if (!(await request("hold", { session: chosen.session, hold })) || !hold) return;
  setHeld(true, false);
  focusScreen();
});
find("#stop").addEventListener("click", () => {
  if (confirm("End this session? Its tabs are closed and its saved state is deleted."))
    request("stop", { session: chosen.session });
});
find("#only").addEventListener("change", drawCalls);
find("#entry").addEventListener("submit", event => {
  event.preventDefault();
  token.set(new FormData(event.target).get("token"));
  event.target.reset();
});

const visibilityChange = () =>
  new Promise(resolve => document.addEventListener("visibilitychange", resolve, { once: true }));
document.addEventListener("visibilitychange", () => {
  if (document.hidden) stream?.abort();
});

// A hidden window drops its stream; a window beyond the limit has one for a moment at a time.
async function run() {
  for (;;) {
    while (document.hidden) await visibilityChange();
    await withStreamSlot(async hasSlot => {
      isLive = hasSlot;
      do await readStream();
      while (isLive && !document.hidden);
    });
  }
}

// Reads the stream until another tab is chosen, or it ends; then waits before the next attempt.
async function readStream() {
  const own = (stream = new AbortController());
  let timer;
  try {
    await follow({ hub: state.hub, after: received[0]?.number ?? 0, ...chosen }, own.signal, line => {
      if (!isLive) timer ??= setTimeout(() => own.abort(BRIEF_OVER), BRIEF_TIME);
      HANDLERS[line.kind](line);
    });
    setStatus("The hub stopped. Reconnecting…");
  } catch (error) {
    if (own.signal.aborted && own.signal.reason !== BRIEF_OVER) return;
    if (!own.signal.aborted) showConnectionError(error);
  }
  await new Promise(resolve => setTimeout(resolve, RETRY_INTERVAL));
}

function showConnectionError(error) {
  if (error instanceof RequestError && (error.status === 401 || error.status === 403)) find("#entry").hidden = false;
  setStatus(error instanceof RequestError ? error.message : "The hub does not answer. Reconnecting…");
}

run();
