// The panels below the picture of a tab: page tools with a form for each, console, network.
import { element, find, reconcile, write } from "./dom.js";
import { fields, readArguments } from "./forms.js";
import { post } from "./hub.js";

const panel = find("#panel");
const outcome = find("#outcome");
let place = null;
let page = null;
let shown = "tools";
let latest = 0;

const PANELS = {
  tools({ tools, left }) {
    if (!tools.length) return note("This page has no tools.");
    // Tools that the next page has too stay, with the values in their forms.
    const items = left ? [...tools, { name: "", left }] : tools;
    reconcile(
      panel,
      items,
      tool => JSON.stringify(tool),
      tool =>
        tool.left
          ? element("p", { className: "dim", textContent: `and ${tool.left} less relevant ones` })
          : toolForm(tool),
    );
  },
  console: ({ lines }) => note(lines.join("\n") || "The console is empty.", "pre"),
  network: ({ lines }) => note(lines.join("\n") || "No requests.", "pre"),
};

function note(text, tag = "p") {
  reconcile(
    panel,
    [text],
    () => `${tag} ${text}`,
    () => element(tag, { className: tag === "p" ? "empty" : "", textContent: text }),
  );
}

function toolForm(tool) {
  const form = element("form", {}, ...fields(tool.schema), element("button", { textContent: `Run ${tool.name}` }));
  form.addEventListener("submit", async event => {
    event.preventDefault();
    const before = place;
    write(outcome, "…");
    const text = await runTool(tool, form);
    if (before === place) write(outcome, text);
  });
  return element(
    "details",
    {},
    element("summary", {}, element("code", { textContent: tool.name })),
    element("p", { className: "dim", textContent: tool.description }),
    form,
  );
}

async function runTool(tool, form) {
  try {
    const args = { name: tool.name, arguments: readArguments(form, tool.schema) };
    return (await post("run", { ...place, action: "call_page_tool", args })).text;
  } catch (error) {
    return error.message;
  }
}

async function refresh() {
  if (!place) return;
  const own = ++latest;
  const name = shown;
  try {
    const content = await post("look", { ...place, at: name });
    if (own === latest) PANELS[name](content);
  } catch (error) {
    if (own === latest) note(error.message);
  }
}

// Refreshes the panel when another tab is chosen, or the tab shows another page.
export function inspect(session, { id, url, page: number, dialog }) {
  const now = [url, number, Boolean(dialog)].join(" ");
  const same = place?.session === session && place?.tab === id;
  if (same && page === now) return;
  if (!same) {
    place = { session, tab: id };
    panel.replaceChildren();
    write(outcome, "");
  }
  page = now;
  refresh();
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
  refresh();
}

for (const [index, tab] of tabs.entries()) {
  tab.addEventListener("click", () => choose(tab));
  tab.addEventListener("keydown", event => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = tabs.at((index + step) % tabs.length);
    next.focus();
    choose(next);
  });
}
find("#refresh").addEventListener("click", refresh);
