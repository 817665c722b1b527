// The live picture of a tab, and, once a person has taken over, their mouse and keyboard.
import { find } from "./dom.js";
import { follow, post } from "./hub.js";

const AGAIN = 500; // ms
const BUTTONS = ["left", "middle", "right"];
const screen = find("#screen");
const picture = find("#screen img");
let watching = null;
let place = null;
let size = null;
let queue = Promise.resolve();

export const isHeld = () => screen.classList.contains("held");

export function watch(session, tab) {
  if (place?.session === session && place?.tab === tab) return;
  leave();
  place = { session, tab };
  watching = new AbortController();
  keepWatching(place, watching.signal);
}

// A tab between two pages has no picture for a moment: it is asked again, as long as it is the one to be seen.
async function keepWatching(mine, signal) {
  while (place === mine) {
    await follow(`screen?${new URLSearchParams(mine)}`, signal, show).catch(() => {});
    await new Promise(resolve => setTimeout(resolve, AGAIN));
  }
}

export function leave() {
  watching?.abort();
  watching = place = size = null;
  picture.removeAttribute("src");
}

export function setHeld(held) {
  screen.classList.toggle("held", held);
  screen.tabIndex = held ? 0 : -1;
  if (held) screen.focus();
}

function show(still) {
  size = still;
  picture.src = `data:image/jpeg;base64,${still.jpeg}`;
}

// In their order, one after the other.
function send(event) {
  if (!place || !isHeld()) return;
  const body = { ...place, event };
  queue = queue.then(() => post("input", body)).catch(() => {});
}

function pointOf(event) {
  const box = picture.getBoundingClientRect();
  return { x: ((event.clientX - box.left) / box.width) * size.width, y: ((event.clientY - box.top) / box.height) * size.height };
}

const modifiersOf = event => (event.altKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.metaKey ? 4 : 0) | (event.shiftKey ? 8 : 0);

function mouse(type, event) {
  if (!isHeld() || !size) return;
  event.preventDefault();
  send({ kind: "mouse", type, ...pointOf(event), button: type === "mouseMoved" ? "none" : BUTTONS[event.button] ?? "left", clicks: event.detail || 1, modifiers: modifiersOf(event) });
}

let moved = 0;
picture.addEventListener("mousedown", event => { screen.focus(); mouse("mousePressed", event); });
picture.addEventListener("mouseup", event => mouse("mouseReleased", event));
picture.addEventListener("contextmenu", event => { if (isHeld()) event.preventDefault(); });
picture.addEventListener("dragstart", event => event.preventDefault());
picture.addEventListener("mousemove", event => {
  if (performance.now() - moved < 40) return;
  moved = performance.now();
  mouse("mouseMoved", event);
});
screen.addEventListener("wheel", event => {
  if (!isHeld() || !size) return;
  event.preventDefault();
  send({ kind: "wheel", ...pointOf(event), dx: event.deltaX, dy: event.deltaY });
}, { passive: false });

// Control+Shift+Escape gives the keyboard back to the dashboard.
for (const type of ["keydown", "keyup"]) {
  screen.addEventListener(type, event => {
    if (!isHeld()) return;
    event.preventDefault();
    if (event.key === "Escape" && event.ctrlKey && event.shiftKey) return void find("#hold").focus();
    const { key, code, keyCode } = event;
    send({ kind: "key", type, key, code, keyCode, modifiers: modifiersOf(event) });
  });
}
screen.addEventListener("paste", event => {
  event.preventDefault();
  send({ kind: "text", text: event.clipboardData.getData("text/plain") });
});
