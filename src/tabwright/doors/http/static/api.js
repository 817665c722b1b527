// Renders /api/openapi.json as a readable page. Descriptions are data, so they are set as text and never as HTML.

const [about, main] = ["about", "actions"].map(id => document.getElementById(id));
const filter = /** @type {HTMLInputElement} */ (document.getElementById("filter"));

function element(name, text, ...children) {
  const node = document.createElement(name);
  if (text) node.textContent = text;
  node.append(...children);
  return node;
}

function typeName(schema) {
  if (schema.enum) return schema.enum.join(" | ");
  if (schema.anyOf) return schema.anyOf.map(typeName).join(" | ");
  return schema.type === "array" ? `${typeName(schema.items ?? {})}[]` : String(schema.type ?? "any");
}

function row(source, name, schema, description, required) {
  const preset = required ? "required" : (JSON.stringify(schema.default) ?? "");
  const cells = [element("code", name), source, typeName(schema), preset, description ?? ""];
  return element("tr", "", ...cells.map(cell => element("td", "", cell)));
}

function table(operation) {
  const body = operation.requestBody.content["application/json"].schema;
  const rows = Object.entries(body.properties).map(([name, schema]) =>
    row("body", name, schema, schema.description, body.required?.includes(name)),
  );
  rows.push(
    ...operation.parameters.map(({ name, schema, description }) => row("query", name, schema, description, false)),
  );
  const head = ["Name", "Where", "Type", "Default", "Meaning"].map(title => element("th", title));
  return element("table", "", element("thead", "", element("tr", "", ...head)), element("tbody", "", ...rows));
}

function example(path, operation) {
  const body = operation.requestBody.content["application/json"].schema;
  const args = Object.fromEntries((body.required ?? []).map(name => [name, "…"]));
  return `curl ${location.origin}${path} \\\n  -H 'content-type: application/json' -d '${JSON.stringify(args)}'`;
}

function card(path, operation) {
  const effect = element("span", operation["x-effect"]);
  effect.className = "effect";
  const title = element("summary", "", element("code", operation.operationId), ` ${operation.summary} `, effect);
  const details = element(
    "details",
    "",
    title,
    element("p", operation.description),
    table(operation),
    element("pre", example(path, operation)),
  );
  details.dataset.searchText = `${operation.operationId} ${operation.description}`.toLowerCase();
  return details;
}

function show(api) {
  about.textContent = `Version ${api.info.version}. ${api.info.description}`;
  const groups = Map.groupBy(
    Object.entries(api.paths)
      .filter(([, item]) => item.post)
      .map(([path, item]) => [path, item.post]),
    ([, operation]) => operation.tags[0],
  );
  for (const [name, actions] of groups)
    main.append(
      element("section", "", element("h2", name), ...actions.map(([path, operation]) => card(path, operation))),
    );
}

filter.addEventListener("input", () => {
  for (const section of main.children) {
    const cards = [...section.querySelectorAll("details")];
    for (const card of cards) card.hidden = !card.dataset.searchText.includes(filter.value.toLowerCase());
    /** @type {HTMLElement} */ (section).hidden = cards.every(card => card.hidden);
  }
});

show(await (await fetch("/api/openapi.json")).json());
