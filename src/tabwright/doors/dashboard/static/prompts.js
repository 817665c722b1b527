// What waits for a person: calls that need approval, and dialogs of pages.
import { button, element, find, reconcile, write } from "./dom.js";

const questions = find("#waiting");
const dialogs = find("#dialog");

// Calls that need approval, each with its subject and the time left; `request` sends the decision.
export function drawQuestions(waiting, request) {
  reconcile(
    questions,
    waiting,
    ({ number }) => number,
    one => question(one, request),
  );
  countDown();
}

function question({ number, who, action, args, session, target, page, facts, until }, request) {
  const decide = allow => () => request("decide", { number, allow });
  const summary = element(
    "p",
    {},
    element("strong", { textContent: who }),
    " wants ",
    element("strong", { textContent: action }),
    target ? " on " : null,
    target ? element("code", { textContent: target }) : null,
    session ? ` in ${session}` : null,
  );
  const details = element(
    "p",
    { className: "dim" },
    args === "{}" ? null : element("code", { textContent: args }),
    page ? ` on ${page}` : null,
  );
  const shown = facts.map(fact => element("pre", { className: "dim", textContent: fact }));
  const timer = element("span", { className: "dim", role: "timer", "aria-live": "off" });
  timer.dataset.until = until;
  return element(
    "div",
    {},
    element("div", { className: "subject" }, summary, ...shown, details),
    timer,
    button("Allow", decide(true)),
    button("Refuse", decide(false), "danger"),
  );
}

function countDown() {
  for (const timer of questions.querySelectorAll("[role=timer]")) {
    const seconds = Math.max(0, Math.round(Number(timer.dataset.until) - Date.now() / 1000));
    write(timer, `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} left`);
  }
}
setInterval(countDown, 1000);

// The dialog of the chosen tab, if its page shows one.
export function drawDialog(session, tab, request) {
  const items = tab.dialog ? [tab.dialog] : [];
  const key = JSON.stringify([session, tab.id, tab.page, tab.dialog]);
  reconcile(
    dialogs,
    items,
    () => key,
    dialog => dialogForm({ session, tab: tab.id }, dialog, request),
  );
}

function dialogForm(place, { kind, message, default: text }, request) {
  const field = kind === "prompt" ? element("input", { name: "text", value: text, "aria-label": "Answer" }) : null;
  const reply = accept => request("reply", { ...place, accept, ...(field && accept ? { text: field.value } : {}) });
  const form = element(
    "form",
    {},
    element("p", {}, element("strong", { textContent: `The page shows a dialog (${kind}): ` }), message),
    field,
    element("button", { textContent: "OK" }),
    kind === "alert" ? null : button("Cancel", () => reply(false)),
  );
  form.addEventListener("submit", event => {
    event.preventDefault();
    reply(true);
  });
  return form;
}
