// The dashboard: who works in which session, what they do, and a hand in it.
import { drawDialog, drawQuestions } from "./asked.js";
import { button, element, find, keep, write } from "./dom.js";
import { follow, post, Refused, SEATS, seated, token } from "./hub.js";
import { about } from "./panels.js";
import { enter, isHeld, leave, setHeld, show, watch } from "./screen.js";
import { drawStart } from "./start.js";

const MOST_CALLS = 200;
const AGAIN = 1000; // ms
const GLANCE = 1000; // ms
const GLANCED = "this glance is over";
const list = find("#sessions ul");
const calls = find("#calls ol");
let state = { hub: "", sessions: [], waiting: [] };
let chosen = null;
let stream = null;
let isLive = true;

const say = words => write(find("#status"), words);

// What went wrong stays until the person has seen it, or the next thing they do goes well.
function told(error) {
  find("#error").replaceChildren(
    ...(error ? [element("span", { textContent: error.message }), button("Close", () => told(null))] : []),
  );
}

// Has the hub do something; returns whether it did.
async function order(name, body) {
  try {
    await post(name, body);
    told(null);
    return true;
  } catch (error) {
    told(error);
    return false;
  }
}

function draw() {
  choose();
  keep(list, state.sessions, session => session.key, sessionLine, updateSession);
  drawQuestions(state.waiting, order);
  drawStart(!state.sessions.length);
  drawTab();
  drawCalls();
  const many = state.sessions.length === 1 ? "1 session" : `${state.sessions.length} sessions`;
  const seldom = isLive
    ? ""
    : ` · ${SEATS} other windows are shown live, this one is every ${(AGAIN + GLANCE) / 1000} seconds: close or hide one`;
  say(`${many} · ${state.browser ? "the browser runs" : "no browser yet"} · version ${state.version}${seldom}`);
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
  if (changed) stream?.abort(); // the next one shows the chosen tab
}

function sessionLine(session) {
  return element(
    "li",
    {},
    element("strong", { textContent: session.name }),
    " ",
    element("span", { className: "marks" }),
    element("div", { className: "dim", textContent: session.owner }),
    element("div", { className: "tabs" }),
  );
}

function updateSession(line, session) {
  const marks = [session.busy && "at work", session.held && "yours now"].filter(Boolean);
  keep(
    line.querySelector(".marks"),
    marks,
    mark => mark,
    mark => element("span", { className: "badge", textContent: mark }),
  );
  keep(
    line.querySelector(".tabs"),
    session.tabs,
    tab => tab.id,
    tab => tabButton(session, tab),
    (made, tab) => {
      write(made, `${tab.dialog ? "asks · " : ""}${tab.id} ${tab.url.replace(/^https?:\/\//, "")}`);
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
  if (!tab) return leave();
  write(find("#address"), tab.url);
  write(find("#hold"), session.held ? "Hand back" : "Take over");
  find("#hold").classList.toggle("on", session.held);
  setHeld(session.held, session.busy);
  drawDialog(session.key, tab, order);
  watch(session.key, tab.id);
  about(session.key, tab);
}

const heard = [];

function drawCalls() {
  const only = find("#only").checked ? chosen?.session : null;
  const shown = heard.filter(call => !only || `${call.owner} ${call.session}` === only);
  keep(
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
    call.told ? element("pre", { textContent: call.told }) : null,
  );
}

const KINDS = {
  state(line) {
    if (line.hub !== state.hub) heard.length = 0; // another hub counts its calls anew
    state = line;
    find("#entry").hidden = true;
    draw();
  },
  call(line) {
    for (const call of heard) call.fresh = false;
    heard.unshift({ ...line, fresh: true });
    heard.length = Math.min(heard.length, MOST_CALLS);
    drawCalls();
  },
  picture: show,
};

// Only where the person took over does the keyboard go to the page: another window of theirs stays as it is.
find("#hold").addEventListener("click", async () => {
  const hold = !isHeld();
  if (!(await order("hold", { session: chosen.session, hold })) || !hold) return;
  setHeld(true, false);
  enter();
});
find("#stop").addEventListener("click", () => {
  if (confirm("End this session? Its tabs are closed, and what is kept of it is forgotten."))
    order("stop", { session: chosen.session });
});
find("#only").addEventListener("change", drawCalls);
find("#entry").addEventListener("submit", event => {
  event.preventDefault();
  token.set(new FormData(event.target).get("token"));
  event.target.reset();
});

const shownAgain = () => new Promise(resolve => document.addEventListener("visibilitychange", resolve, { once: true }));
document.addEventListener("visibilitychange", () => {
  if (document.hidden) stream?.abort();
});

// A window that nobody sees lets go of its stream; one without a seat has it for a moment at a time.
async function live() {
  for (;;) {
    while (document.hidden) await shownAgain();
    await seated(async hasSeat => {
      isLive = hasSeat;
      do await look();
      while (isLive && !document.hidden);
    });
  }
}

// Follows the hub until it is to be followed otherwise, or after a pause.
async function look() {
  const mine = (stream = new AbortController());
  let over;
  try {
    await follow({ hub: state.hub, after: heard[0]?.number ?? 0, ...chosen }, mine.signal, line => {
      if (!isLive) over ??= setTimeout(() => mine.abort(GLANCED), GLANCE);
      KINDS[line.kind](line);
    });
    say("The hub has gone; looking for it…");
  } catch (error) {
    if (mine.signal.aborted && mine.signal.reason !== GLANCED) return;
    if (!mine.signal.aborted) complain(error);
  }
  await new Promise(resolve => setTimeout(resolve, AGAIN));
}

function complain(error) {
  if (error instanceof Refused && (error.status === 401 || error.status === 403)) find("#entry").hidden = false;
  say(error instanceof Refused ? error.message : "The hub does not answer; looking for it…");
}

live();
