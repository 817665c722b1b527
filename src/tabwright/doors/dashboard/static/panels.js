// What is known of a tab beside its picture: its page's tools with a form to try each, its console, its requests.
import { element, find, keep, write } from "./dom.js";
import { fields, given } from "./forms.js";
import { post } from "./hub.js";

const panel = find("#panel");
const outcome = find("#outcome");
let place = null;
let page = null;
let shown = "tools";
let turn = 0;

const PANELS = {
  tools({ tools, left }) {
    if (!tools.length) return note("This page offers no tools.");
    // What is the same on the next page stays, with what was typed into it.
    const items = left ? [...tools, { name: "", left }] : tools;
    keep(
      panel,
      items,
      tool => JSON.stringify(tool),
      tool =>
        tool.left
          ? element("p", { className: "dim", textContent: `and ${tool.left} that matter less` })
          : offered(tool),
    );
  },
  console: ({ lines }) => note(lines.join("\n") || "The console is empty.", "pre"),
  network: ({ lines }) => note(lines.join("\n") || "Nothing was requested.", "pre"),
};

function note(text, tag = "p") {
  keep(
    panel,
    [text],
    () => `${tag} ${text}`,
    () => element(tag, { className: tag === "p" ? "empty" : "", textContent: text }),
  );
}

function offered(tool) {
  const form = element("form", {}, ...fields(tool.schema), element("button", { textContent: `Run ${tool.name}` }));
  form.addEventListener("submit", async event => {
    event.preventDefault();
    const mine = place;
    write(outcome, "…");
    const text = await tried(tool, form);
    if (mine === place) write(outcome, text);
  });
  return element(
    "details",
    {},
    element("summary", {}, element("code", { textContent: tool.name })),
    element("p", { className: "dim", textContent: tool.description }),
    form,
  );
}

async function tried(tool, form) {
  try {
    const args = { name: tool.name, arguments: given(form, tool.schema) };
    return (await post("run", { ...place, action: "call_page_tool", args })).text;
  } catch (error) {
    return error.message;
  }
}

export async function look() {
  if (!place) return;
  const mine = ++turn;
  const at = shown;
  try {
    const seen = await post("look", { ...place, at });
    if (mine === turn) PANELS[at](seen);
  } catch (error) {
    if (mine === turn) note(error.message);
  }
}

// Looks again whenever the tab is another, or shows another page.
export function about(session, { id, url, page: number, dialog }) {
  const now = [url, number, Boolean(dialog)].join(" ");
  const same = place?.session === session && place?.tab === id;
  if (same && page === now) return;
  if (!same) {
    place = { session, tab: id };
    panel.replaceChildren();
    write(outcome, "");
  }
  page = now;
  look();
}

/** @type {NodeListOf<HTMLElement>} */
const tabList = document.querySelectorAll("[role=tab]");
const tabs = [...tabList];

function choose(tab) {
  shown = tab.dataset.panel;
  for (const other of tabs) {
    other.setAttribute("aria-selected", String(other === tab));
    other.tabIndex = other === tab ? 0 : -1;
  }
  panel.setAttribute("aria-labelledby", tab.id);
  write(outcome, "");
  note("…");
  look();
}

for (const [at, tab] of tabs.entries()) {
  tab.addEventListener("click", () => choose(tab));
  tab.addEventListener("keydown", event => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = tabs.at((at + step) % tabs.length);
    next.focus();
    choose(next);
  });
}
find("#again").addEventListener("click", look);
