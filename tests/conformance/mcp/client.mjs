// The official TypeScript client does a real task over stdio: fill a form and read what it made of it.
// Arguments: the folder of node_modules, the address of the page, the command that serves MCP.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [folder, url, command, ...args] = process.argv.slice(2);
const require = createRequire(`${folder}/`);
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");

const client = new Client({ name: "typescript-task", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command, args, env: process.env }));
assert.equal(client.getServerVersion().name, "tabwright");

const call = async (name, given = {}) => {
  const result = await client.callTool({ name, arguments: given });
  assert.ok(!result.isError, `${name}: ${result.content[0].text}`);
  return result.content[0].text;
};
const ref = (snapshot, what) =>
  snapshot
    .split("\n")
    .find(line => line.includes(what))
    .match(/@e\d+/)[0];

const { tools } = await client.listTools();
// A hint that is left out means what the protocol takes for granted.
assert.ok(
  tools.every(tool => tool.annotations?.openWorldHint ?? true),
  "every tool meets the open world",
);
assert.ok(tools.find(tool => tool.name === "snapshot").annotations.readOnlyHint, "a snapshot only reads");
await call("navigate", { url });
const before = await call("snapshot");
await call("fill", { target: ref(before, 'textbox "Name"'), value: "Ada" });
const effect = await call("click", { target: ref(before, 'button "Greet"') });
assert.match(effect, /Hello, Ada!/);
assert.match(await call("snapshot"), /Hello, Ada!/);
await client.close();
const { version } = JSON.parse(readFileSync(`${folder}/node_modules/@modelcontextprotocol/sdk/package.json`));
console.log(`TypeScript client ${version}: ${tools.length} tools, task done`);
