// Shown while there is no session: how to connect a client, and how to run the demo.
import { button, element, find, reconcile } from "./dom.js";
import { get } from "./hub.js";

const COPIED_TIME = 2000; // ms
const lines = find("#start dl");
let requested = false;

export async function drawStart(isEmpty) {
  find("#start").hidden = !isEmpty;
  if (!isEmpty || requested) return;
  requested = true;
  try {
    const { demo, steps } = await get("start");
    const shown = [...steps, { client: "Without an agent", line: demo }];
    reconcile(
      lines,
      shown,
      step => step.client,
      step => element("div", {}, element("dt", { textContent: step.client }), commandOf(step)),
    );
  } catch {
    requested = false; // the stream reports what is wrong with the hub
  }
}

function commandOf({ client, line }) {
  const command = element("code", { textContent: line });
  return element("dd", {}, command, navigator.clipboard ? copyButton(client, line) : null);
}

function copyButton(client, line) {
  const copy = button("Copy", async () => {
    await navigator.clipboard.writeText(line);
    copy.textContent = "Copied";
    setTimeout(() => {
      copy.textContent = "Copy";
    }, COPIED_TIME);
  });
  copy.setAttribute("aria-label", `Copy for ${client}`);
  return copy;
}
