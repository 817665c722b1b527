// How our own pages speak with the worker.

// Has something done for the person; throws in words that can be shown.
export async function order(name, given = {}) {
  const { error } = await chrome.runtime.sendMessage({ order: name, ...given });
  if (error) throw new Error(error);
}

// Calls with what there is to see, now and whenever it changes, also when the worker was ended meanwhile.
export function watch(watcher) {
  const port = chrome.runtime.connect();
  port.onMessage.addListener(watcher);
  port.onDisconnect.addListener(() => watch(watcher));
}

/** @returns {any} */
export function byId(id) {
  return document.getElementById(id);
}

// A list item of two lines of text and a button. Titles are pages' own words: text, never markup.
export function item(title, detail, label, act) {
  const made = document.createElement("li");
  const what = document.createElement("div");
  what.className = "what";
  const [first, second] = [document.createElement("span"), document.createElement("span")];
  first.textContent = title;
  second.textContent = detail;
  second.className = "soft";
  what.append(first, ...(detail ? [second] : []));
  const button = document.createElement("button");
  button.textContent = label;
  button.setAttribute("aria-label", `${label}: ${title}`);
  button.addEventListener("click", act);
  made.append(what, button);
  return made;
}

const STATUS = {
  connected: "Connected to your hub",
  absent: "No hub runs now. It is joined as soon as an agent starts it.",
  unpaired: "Not paired yet. In a terminal: tabwright extension pair",
  unknown: "The hub that runs does not know this Chrome. Pair again: tabwright extension pair",
  stopped: "Stopped: no agent can do anything in this Chrome",
};

export function showStatus(place, status) {
  place.dataset.status = status;
  place.textContent = STATUS[status];
}
