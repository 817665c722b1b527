// The worker: Chrome's events in, the hub's orders in, and what follows from them.

import { attend } from "./chrome_events.js";
import { letGo } from "./debugger.js";
import { connect, listen } from "./hub.js";
import { answer } from "./hub_requests.js";
import { obey } from "./page_requests.js";
import { allBack, expect } from "./restored_tabs.js";
import { drop, shareNone } from "./sharing.js";
import { show } from "./indicators.js";
import { load } from "./state.js";
import { all, restore } from "./tabs.js";

// Chrome wants listeners at once; what they hear waits until it is known what was before.
let begun = false;
const beginning = begin();
const once =
  act =>
  (...given) =>
    begun ? act(...given) : beginning.then(() => act(...given));

listen({ lost: letAllGo, unpaired: shareNone, message: answer, changed: show, ready: allBack });
attend(once);
obey(once);

async function begin() {
  await load();
  await restore();
  expect();
  // An earlier worker may have ended in the middle: its tabs are held by nobody until the hub takes them again.
  await Promise.all(all().map(letGo));
  begun = true;
  connect();
  show();
}

// A page must not wait for a hub that is gone. The tabs stay the agent's, for when it is back.
function letAllGo() {
  for (const tab of all()) drop(tab, "");
}
