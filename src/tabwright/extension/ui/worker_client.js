// How our own pages talk to the worker.

// Sends an order to the worker; throws an error with a message for the user.
export async function sendOrder(name, given = {}) {
  const { error } = await chrome.runtime.sendMessage({ order: name, ...given });
  if (error) throw new Error(error);
}

// Calls back with the overview, now and on every change, also after a restart of the worker.
export function watch(watcher) {
  const port = chrome.runtime.connect();
  port.onMessage.addListener(watcher);
  port.onDisconnect.addListener(() => watch(watcher));
}

/** @returns {any} */
export function byId(id) {
  return document.getElementById(id);
}

// A list item with two lines of text and a button. Titles come from pages: text, never markup.
export function listItem(title, detail, label, onClick) {
  const item = document.createElement("li");
  const text = document.createElement("div");
  text.className = "what";
  const [first, second] = [document.createElement("span"), document.createElement("span")];
  first.textContent = title;
  second.textContent = detail;
  second.className = "soft";
  text.append(first, ...(detail ? [second] : []));
  const button = document.createElement("button");
  button.textContent = label;
  button.setAttribute("aria-label", `${label}: ${title}`);
  button.addEventListener("click", onClick);
  item.append(text, button);
  return item;
}

const STATUS = {
  connected: "Connected to your hub",
  absent: "No hub is running. Chrome connects as soon as an agent starts it.",
  unpaired: "Not paired yet. In a terminal: tabwright extension pair",
  unknown: "The running hub does not know this Chrome. Pair again: tabwright extension pair",
  stopped: "Stopped: agents cannot do anything in this Chrome",
};

export function showStatus(place, status) {
  place.dataset.status = status;
  place.textContent = STATUS[status];
}
