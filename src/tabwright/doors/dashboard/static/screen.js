// The live picture of a tab, and, once a person has taken over, their mouse and keyboard.
import { find, write } from "./dom.js";
import { post } from "./hub.js";

const BUTTONS = ["left", "middle", "right"];
const MASKS = [1, 4, 2, 8, 16];
const screen = find("#screen");
const picture = find("#screen img");
let place = null;
let size = null;

export const isHeld = () => screen.classList.contains("held");

export function watch(session, tab) {
  if (place?.session === session && place?.tab === tab) return;
  place = { session, tab };
  size = null;
  picture.removeAttribute("src");
}

export function leave() {
  place = size = null;
  picture.removeAttribute("src");
}

export function show(still) {
  size = still;
  picture.src = `data:image/jpeg;base64,${still.jpeg}`;
}

// A screen that takes keys is an application of its own to those who hear the page instead of seeing it.
export function setHeld(held, busy) {
  if (isHeld() !== held) {
    screen.classList.toggle("held", held);
    screen.setAttribute("role", held ? "application" : "group");
    screen.tabIndex = held ? 0 : -1;
    waiting.length = 0;
  }
  tell(busy);
}

export const enter = () => screen.focus();

// The same with and without the focus: a line more or less would move what a person is about to press.
function tell(busy) {
  const keys =
    "This session is yours: click the picture, or come to it with Tab, and your keys go to the page, Tab too. Press Escape twice to leave it.";
  const under = busy ? " A call is still under way: it ends as it would." : "";
  write(find("#keys"), isHeld() ? keys + under : "");
}

// In their order, one after the other; of moves that wait only the last counts.
const waiting = [];
let sending = false;

function send(event) {
  if (!place || !isHeld()) return;
  const last = waiting.at(-1)?.event;
  if (event.type === "mouseMoved" && last?.type === "mouseMoved" && last.buttons === event.buttons) waiting.pop();
  waiting.push({ ...place, event });
  if (!sending) empty();
}

async function empty() {
  sending = true;
  while (waiting.length) await post("input", waiting.shift()).catch(() => {});
  sending = false;
}

// Within the page: Chrome drops what is let go of outside of it.
function pointOf(event) {
  const box = picture.getBoundingClientRect();
  const within = (share, most) => Math.min(Math.max(share * most, 0), most - 1);
  return {
    x: within((event.clientX - box.left) / box.width, size.width),
    y: within((event.clientY - box.top) / box.height, size.height),
  };
}

const modifiersOf = event =>
  (event.altKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.metaKey ? 4 : 0) | (event.shiftKey ? 8 : 0);
const heldButton = buttons => (buttons & 1 ? "left" : buttons & 2 ? "right" : buttons & 4 ? "middle" : "none");

function mouse(type, event, buttons = event.buttons) {
  if (!isHeld() || !size) return;
  event.preventDefault();
  const button = type === "mouseMoved" ? heldButton(buttons) : (BUTTONS[event.button] ?? "left");
  send({
    kind: "mouse",
    type,
    ...pointOf(event),
    button,
    buttons,
    clicks: Math.min(event.detail || 1, 3),
    modifiers: modifiersOf(event),
  });
}

// Captured, the pointer is ours until it is released, wherever that is.
picture.addEventListener("pointerdown", event => {
  if (isHeld()) picture.setPointerCapture(event.pointerId);
});
picture.addEventListener("mousedown", event => {
  if (isHeld()) screen.focus();
  escapes = 0;
  mouse("mousePressed", event);
});
picture.addEventListener("mouseup", event => {
  mouse("mouseMoved", event, event.buttons | MASKS[event.button]); // as far as it was dragged
  mouse("mouseReleased", event);
});
picture.addEventListener("mousemove", event => mouse("mouseMoved", event));
picture.addEventListener("contextmenu", event => {
  if (isHeld()) event.preventDefault();
});
picture.addEventListener("dragstart", event => event.preventDefault());
screen.addEventListener(
  "wheel",
  event => {
    if (!isHeld() || !size) return;
    event.preventDefault();
    send({ kind: "wheel", ...pointOf(event), dx: event.deltaX, dy: event.deltaY });
  },
  { passive: false },
);

// Two presses of Escape with no other key between them, however slow, are the way out; the first goes to the page.
let escapes = 0;

function leaves(event) {
  if (event.type !== "keydown" || event.repeat) return false;
  escapes = event.key === "Escape" && !modifiersOf(event) ? escapes + 1 : 0;
  if (escapes < 2) return false;
  escapes = 0;
  return true;
}

// Left to the browser, which then hands us what is pasted.
const pastes = event =>
  ((event.ctrlKey || event.metaKey) && event.code === "KeyV") || (event.shiftKey && event.key === "Insert");

for (const type of ["keydown", "keyup"]) {
  screen.addEventListener(type, event => {
    if (!isHeld() || pastes(event)) return;
    event.preventDefault();
    if (leaves(event)) return void find("#hold").focus();
    const { key, code, keyCode } = event;
    send({ kind: "key", type, key, code, keyCode, modifiers: modifiersOf(event) });
  });
}
// Told to where the selection is, which need not be where the keys go.
document.addEventListener("paste", event => {
  if (!isHeld() || document.activeElement !== screen) return;
  event.preventDefault();
  send({ kind: "text", text: event.clipboardData.getData("text/plain") });
});
