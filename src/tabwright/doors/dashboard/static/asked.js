// What waits for a person: calls that need their leave, and dialogs of pages.
import { button, element, find, keep, write } from "./dom.js";

const questions = find("#waiting");
const dialogs = find("#dialog");

// Calls that need leave, which `order` answers, each with what it is about and how long it still waits.
export function drawQuestions(waiting, order) {
  keep(
    questions,
    waiting,
    ({ number }) => number,
    one => question(one, order),
  );
  countDown();
}

function question({ number, who, action, args, session, target, page, until }, order) {
  const decide = allow => () => order("decide", { number, allow });
  const what = element(
    "p",
    {},
    element("strong", { textContent: who }),
    " wants ",
    element("strong", { textContent: action }),
    target ? " on " : null,
    target ? element("code", { textContent: target }) : null,
    session ? ` in ${session}` : null,
  );
  const more = element(
    "p",
    { className: "dim" },
    args === "{}" ? null : element("code", { textContent: args }),
    page ? ` on ${page}` : null,
  );
  const left = element("span", { className: "dim", role: "timer", "aria-live": "off" });
  left.dataset.until = until;
  return element(
    "div",
    {},
    element("div", { className: "words" }, what, more),
    left,
    button("Allow", decide(true)),
    button("Refuse", decide(false), "grave"),
  );
}

function countDown() {
  for (const left of questions.querySelectorAll("[role=timer]")) {
    const seconds = Math.max(0, Math.round(Number(left.dataset.until) - Date.now() / 1000));
    write(left, `waits ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} more`);
  }
}
setInterval(countDown, 1000);

// The dialog of the chosen tab, if its page shows one.
export function drawDialog(session, tab, order) {
  const items = tab.dialog ? [tab.dialog] : [];
  const key = JSON.stringify([session, tab.id, tab.page, tab.dialog]);
  keep(
    dialogs,
    items,
    () => key,
    dialog => asking({ session, tab: tab.id }, dialog, order),
  );
}

function asking(place, { kind, message, default: text }, order) {
  const field = kind === "prompt" ? element("input", { name: "text", value: text, "aria-label": "Answer" }) : null;
  const reply = accept => order("reply", { ...place, accept, ...(field && accept ? { text: field.value } : {}) });
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
