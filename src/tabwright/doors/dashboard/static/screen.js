// The live picture of a tab, and the mouse and keyboard of a person who has taken over.
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

export function clear() {
  place = size = null;
  picture.removeAttribute("src");
}

export function show(frame) {
  size = frame;
  picture.src = `data:image/jpeg;base64,${frame.jpeg}`;
}

// With the role application, screen readers pass all keys on.
export function setHeld(held, busy) {
  if (isHeld() !== held) {
    screen.classList.toggle("held", held);
    screen.setAttribute("role", held ? "application" : "group");
    screen.tabIndex = held ? 0 : -1;
    queue.length = 0;
  }
  describe(busy);
}

export const focusScreen = () => screen.focus();

// The same text with and without the focus, so that nothing below moves while a person aims at it.
function describe(busy) {
  const keys =
    "You have taken over this session. Click the picture or move to it with Tab; all keys then go to the page, including Tab. Press Escape twice to return.";
  const running = busy ? " A call is still running; it will finish." : "";
  write(find("#keys"), isHeld() ? keys + running : "");
}

// Events are sent in order, one at a time; of consecutive moves only the last one is sent.
const queue = [];
let sending = false;

function send(event) {
  if (!place || !isHeld()) return;
  const last = queue.at(-1)?.event;
  if (event.type === "mouseMoved" && last?.type === "mouseMoved" && last.buttons === event.buttons) queue.pop();
  queue.push({ ...place, event });
  if (!sending) flush();
}

async function flush() {
  sending = true;
  while (queue.length) await post("input", queue.shift()).catch(() => {});
  sending = false;
}

// Clamped to the page: Chrome drops a button release outside of it.
function pointOf(event) {
  const box = picture.getBoundingClientRect();
  const clamp = (fraction, length) => Math.min(Math.max(fraction * length, 0), length - 1);
  return {
    x: clamp((event.clientX - box.left) / box.width, size.width),
    y: clamp((event.clientY - box.top) / box.height, size.height),
  };
}

const modifiersOf = event =>
  (event.altKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.metaKey ? 4 : 0) | (event.shiftKey ? 8 : 0);
const pressedButton = buttons => (buttons & 1 ? "left" : buttons & 2 ? "right" : buttons & 4 ? "middle" : "none");

function mouse(type, event, buttons = event.buttons) {
  if (!isHeld() || !size) return;
  event.preventDefault();
  const button = type === "mouseMoved" ? pressedButton(buttons) : (BUTTONS[event.button] ?? "left");
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

// With capture, we get the release wherever it happens.
picture.addEventListener("pointerdown", event => {
  if (isHeld()) picture.setPointerCapture(event.pointerId);
});
picture.addEventListener("mousedown", event => {
  if (isHeld()) screen.focus();
  escapes = 0;
  mouse("mousePressed", event);
});
picture.addEventListener("mouseup", event => {
  mouse("mouseMoved", event, event.buttons | MASKS[event.button]); // where the drag ended
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

// Two presses of Escape in a row, however slow, return the keyboard; the first one goes to the page.
let escapes = 0;

function isExit(event) {
  if (event.type !== "keydown" || event.repeat) return false;
  escapes = event.key === "Escape" && !modifiersOf(event) ? escapes + 1 : 0;
  if (escapes < 2) return false;
  escapes = 0;
  return true;
}

// Left to the browser, which then fires `paste`.
const isPaste = event =>
  ((event.ctrlKey || event.metaKey) && event.code === "KeyV") || (event.shiftKey && event.key === "Insert");

for (const type of ["keydown", "keyup"]) {
  screen.addEventListener(type, event => {
    if (!isHeld() || isPaste(event)) return;
    event.preventDefault();
    if (isExit(event)) return void find("#hold").focus();
    const { key, code, keyCode } = event;
    send({ kind: "key", type, key, code, keyCode, modifiers: modifiersOf(event) });
  });
}
// On the document, because `paste` is fired where the selection is, not where the focus is.
document.addEventListener("paste", event => {
  if (!isHeld() || document.activeElement !== screen) return;
  event.preventDefault();
  send({ kind: "text", text: event.clipboardData.getData("text/plain") });
});
