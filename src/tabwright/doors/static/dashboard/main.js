// The dashboard: who works in which session, what they do, and a hand in it.
import { element, find, keep } from "./dom.js";
import { follow, post, Refused, token } from "./hub.js";
import { about } from "./panels.js";
import { isHeld, leave, setHeld, watch } from "./screen.js";

const MOST_CALLS = 200;
const AGAIN = 1000; // ms
const list = find("#sessions ul");
const calls = find("#calls ol");
let state = { sessions: [], waiting: [] };
let chosen = null;

const say = words => { find("#status").textContent = words; };

function draw() {
  const open = state.sessions.flatMap(session => session.tabs.map(tab => ({ session, tab })));
  if (!open.some(({ session, tab }) => session.key === chosen?.session && tab.id === chosen?.tab)) {
    const next = open.find(({ tab }) => tab.current) ?? open[0];
    chosen = next ? { session: next.session.key, tab: next.tab.id } : null;
  }
  keep(list, state.sessions, session => session.key, sessionLine, updateSession);
  keep(find("#waiting"), state.waiting, ({ number }) => number, question);
  drawTab();
  drawCalls();
  const many = state.sessions.length === 1 ? "1 session" : `${state.sessions.length} sessions`;
  say(`${many} · ${state.browser ? "the browser runs" : "no browser yet"} · version ${state.version}`);
}

function sessionLine(session) {
  return element("li", {}, element("strong", { textContent: session.name }), " ", element("span", { className: "marks" }),
    element("div", { className: "dim", textContent: session.owner }), element("div", { className: "tabs" }));
}

function updateSession(line, session) {
  const marks = [session.busy && "at work", session.held && "yours now"].filter(Boolean);
  keep(line.querySelector(".marks"), marks, mark => mark, mark => element("span", { className: "badge", textContent: mark }));
  keep(line.querySelector(".tabs"), session.tabs, tab => tab.id, tab => tabButton(session, tab), (button, tab) => {
    button.textContent = `${tab.id} ${tab.url.replace(/^https?:\/\//, "")}`;
    button.title = tab.url;
    button.setAttribute("aria-current", String(chosen?.session === session.key && chosen?.tab === tab.id));
  });
}

function tabButton(session, tab) {
  const button = element("button", { type: "button" });
  button.addEventListener("click", () => {
    chosen = { session: session.key, tab: tab.id };
    draw();
  });
  return button;
}

function drawTab() {
  const session = state.sessions.find(({ key }) => key === chosen?.session);
  const tab = session?.tabs.find(({ id }) => id === chosen.tab);
  find("#tab").hidden = !tab;
  if (!tab) return leave();
  find("#address").textContent = tab.url;
  const hold = find("#hold");
  hold.setAttribute("aria-pressed", String(session.held));
  hold.textContent = session.held ? "Hand back" : "Take over";
  if (isHeld() !== session.held) setHeld(session.held);
  watch(session.key, tab.id);
  about(session.key, tab.id);
}

function question({ number, who, action, args, session }) {
  const decide = allow => async () => { await post("decide", { number, allow }).catch(told); };
  const yes = element("button", { type: "button", textContent: "Allow" });
  const no = element("button", { type: "button", className: "grave", textContent: "Refuse" });
  yes.addEventListener("click", decide(true));
  no.addEventListener("click", decide(false));
  return element("div", {}, element("span", {}, element("strong", { textContent: who }), " wants ", element("code", { textContent: `${action} ${args}` }), session ? ` in ${session}` : ""), yes, no);
}

const heard = [];
let arrived = 0;

function drawCalls() {
  const only = find("#only").checked ? state.sessions.find(({ key }) => key === chosen?.session)?.name : null;
  const shown = heard.filter(call => !only || call.session === only);
  keep(calls, shown, call => call.key, callLine, (line, call) => line.classList.toggle("new", call.fresh));
}

function callLine(call) {
  const good = call.outcome === "ok";
  return element("li", {},
    element("div", { className: "line" }, element("strong", { textContent: call.action }), element("span", { className: good ? "ok" : "failed", textContent: good ? "done" : call.outcome }),
      element("span", { className: "ms", textContent: `${call.ms} ms` })),
    call.args === "{}" ? null : element("code", { className: "given", textContent: call.args }),
    element("div", { className: "dim", textContent: [new Date(call.at * 1000).toLocaleTimeString(), call.who, call.door, call.session].filter(Boolean).join(" · ") }),
    call.told ? element("pre", { textContent: call.told }) : null);
}

function take(line) {
  if (line.kind === "state") {
    state = line;
    draw();
    return;
  }
  for (const call of heard) call.fresh = false;
  heard.unshift({ ...line, key: ++arrived, fresh: true });
  heard.length = Math.min(heard.length, MOST_CALLS);
  drawCalls();
}

const told = error => say(error.message);

find("#hold").addEventListener("click", () => post("hold", { session: chosen.session, hold: !isHeld() }).catch(told));
find("#stop").addEventListener("click", () => {
  if (confirm("End this session? Its tabs are closed, and what is kept of it is forgotten.")) post("stop", { session: chosen.session }).catch(told);
});
find("#only").addEventListener("change", drawCalls);
find("#entry").addEventListener("submit", event => {
  event.preventDefault();
  token.set(new FormData(event.target).get("token"));
  event.target.reset();
  find("#entry").hidden = true;
});

async function live() {
  for (;;) {
    try {
      heard.length = 0;
      await follow("stream", undefined, take);
      say("The hub has gone; looking for it…");
    } catch (error) {
      if (error instanceof Refused && (error.status === 401 || error.status === 403)) find("#entry").hidden = false;
      say(error instanceof Refused ? error.message : "The hub does not answer; looking for it…");
    }
    await new Promise(resolve => setTimeout(resolve, AGAIN));
  }
}

live();
