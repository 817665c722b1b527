// A single-page app: one document, several addresses, redrawn by script.
"use strict";

const view = document.getElementById("view");
const orders = [
  { number: 1041, who: "Ada", state: "open" },
  { number: 1042, who: "Grace", state: "open" },
  { number: 1043, who: "Alan", state: "sent" },
];

const make = (tag, text = "", ...children) => {
  const node = document.createElement(tag);
  node.textContent = text;
  node.append(...children);
  return node;
};

function go(address) {
  history.pushState(null, "", address);
  draw();
}

function link(order) {
  const anchor = make("a", `Order ${order.number} for ${order.who}`);
  anchor.href = `?order=${order.number}`;
  anchor.addEventListener("click", event => {
    event.preventDefault();
    go(anchor.href);
  });
  return anchor;
}

function column(title, state) {
  const items = orders.filter(order => order.state === state).map(order => make("li", "", link(order)));
  return make("section", "", make("h2", `${title} (${items.length})`), make("ul", "", ...items));
}

function drawBoard() {
  document.title = "Orders · Harbour Teas";
  const board = make("div", "", column("To pack", "open"), column("On their way", "sent"));
  board.className = "board";
  view.replaceChildren(make("h1", "Orders"), board);
}

function drawOrder(order) {
  document.title = `Order ${order.number} · Harbour Teas`;
  const send = make("button", order.state === "open" ? "Mark as sent" : "Mark as open");
  send.addEventListener("click", () => {
    order.state = order.state === "open" ? "sent" : "open";
    go("orders.html");
  });
  const state = make("p", order.state === "open" ? "Waiting to be packed." : "On its way.");
  view.replaceChildren(make("h1", `Order ${order.number}`), make("p", `For ${order.who}.`), state, send);
}

function draw() {
  const number = Number(new URLSearchParams(location.search).get("order"));
  const order = orders.find(one => one.number === number);
  if (order) drawOrder(order);
  else drawBoard();
}

addEventListener("popstate", draw);
draw();
