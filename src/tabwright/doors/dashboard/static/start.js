// What to do while no agent is here: how a client is told of this hub, and how to see something without one.
import { button, element, find, keep } from "./dom.js";
import { get } from "./hub.js";

const COPIED = 2000; // ms
const lines = find("#start dl");
let asked = false;

export async function drawStart(isEmpty) {
  find("#start").hidden = !isEmpty;
  if (!isEmpty || asked) return;
  asked = true;
  try {
    const { demo, ways } = await get("start");
    const shown = [...ways, { client: "No agent at hand", line: demo }];
    keep(
      lines,
      shown,
      way => way.client,
      way => element("div", {}, element("dt", { textContent: way.client }), wordsOf(way)),
    );
  } catch {
    asked = false; // what is wrong with the hub, its stream tells
  }
}

function wordsOf({ client, line }) {
  const words = element("code", { textContent: line });
  return element("dd", {}, words, navigator.clipboard ? copying(client, line) : null);
}

function copying(client, line) {
  const copy = button("Copy", async () => {
    await navigator.clipboard.writeText(line);
    copy.textContent = "Copied";
    setTimeout(() => {
      copy.textContent = "Copy";
    }, COPIED);
  });
  copy.setAttribute("aria-label", `Copy for ${client}`);
  return copy;
}
