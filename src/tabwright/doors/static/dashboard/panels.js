// What is known of a tab beside its picture: its page's tools with a form to try each, its console, its requests.
import { element, find } from "./dom.js";
import { post } from "./hub.js";

const panel = find("#panel");
let place = null;
let shown = "tools";
let turn = 0;

const run = (action, args = {}) => post("run", { ...place, action, args });

const PANELS = {
  async tools() {
    const { result } = await run("list_page_tools");
    if (!result.tools.length) return [element("p", { className: "empty", textContent: "This page offers no tools." })];
    return result.tools.map(tool => element("details", {}, element("summary", {}, element("code", { textContent: tool.name })),
      element("p", { className: "dim", textContent: tool.description }), tryout(tool)));
  },
  async console() {
    return [text((await run("console_messages")).text)];
  },
  async network() {
    return [text((await run("list_requests")).text)];
  },
};

const text = words => element("pre", { textContent: words });

function tryout(tool) {
  const required = new Set(tool.schema.required ?? []);
  const fields = Object.entries(tool.schema.properties ?? {});
  const told = element("pre", { role: "status" });
  const form = element("form", {}, ...fields.map(([name, schema]) => element("label", {}, name + (required.has(name) ? "" : " (may be left out)"), control(name, schema, required.has(name)))),
    element("button", { textContent: `Run ${tool.name}` }), told);
  form.addEventListener("submit", async event => {
    event.preventDefault();
    told.textContent = "…";
    try {
      told.textContent = (await run("call_page_tool", { name: tool.name, arguments: given(form, fields) })).text;
    } catch (error) {
      told.textContent = error.message;
    }
  });
  return form;
}

function control(name, schema, required) {
  if (schema.enum) {
    const options = schema.enum.map(value => element("option", { value, textContent: value, selected: value === schema.default }));
    return element("select", { name, required }, element("option", { value: "" }), ...options);
  }
  if (schema.type === "boolean") return element("input", { name, type: "checkbox", checked: schema.default === true });
  const type = schema.writeOnly ? "password" : { date: "date", time: "time", email: "email", uri: "url" }[schema.format] ?? (/number|integer/.test(schema.type) ? "number" : "text");
  return element("input", { name, type, required, step: "any", value: schema.default ?? "", placeholder: schema.type === "array" ? "one, two, three" : "" });
}

function given(form, fields) {
  const found = {};
  for (const [name, schema] of fields) {
    const field = form.elements[name];
    if (schema.type === "boolean") found[name] = field.checked;
    else if (field.value === "") continue;
    else if (/number|integer/.test(schema.type)) found[name] = Number(field.value);
    else if (schema.type === "array") found[name] = field.value.split(",").map(part => part.trim());
    else found[name] = field.value;
  }
  return found;
}

export async function look() {
  if (!place) return;
  const mine = ++turn;
  let content;
  try {
    content = await PANELS[shown]();
  } catch (error) {
    content = [element("p", { className: "failed", textContent: error.message })];
  }
  if (mine === turn) panel.replaceChildren(...content);
}

export function about(session, tab) {
  if (place?.session === session && place?.tab === tab) return;
  place = { session, tab };
  panel.replaceChildren();
  look();
}

const tabs = [...document.querySelectorAll("[role=tab]")];
for (const [at, tab] of tabs.entries()) {
  tab.addEventListener("click", () => {
    shown = tab.dataset.panel;
    for (const other of tabs) other.setAttribute("aria-selected", String(other === tab));
    panel.replaceChildren(element("p", { className: "dim", textContent: "…" }));
    look();
  });
  tab.addEventListener("keydown", event => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step) tabs.at((at + step) % tabs.length).focus();
  });
}
find("#again").addEventListener("click", look);
