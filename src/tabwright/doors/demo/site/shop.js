// The shop: search, sort, and a cart that the other pages read.
"use strict";

const TEAS = [
  { name: "Darjeeling First Flush", taste: "flowery, light", price: 14.5, tint: "#d8a657" },
  { name: "Gunpowder", taste: "smoky, green", price: 8.2, tint: "#7f9f5f" },
  { name: "Lapsang Souchong", taste: "smoky, strong", price: 11, tint: "#8a5a44" },
  { name: "Moonlight White", taste: "sweet, mild", price: 17.9, tint: "#c9c4b5" },
  { name: "Rooibos Orange", taste: "fruity, no caffeine", price: 6.8, tint: "#d9733f" },
  { name: "Sencha", taste: "fresh, green", price: 9.6, tint: "#5f9f7f" },
];
const find = id => document.getElementById(id);
/** @type {HTMLFormElement} */
const form = document.querySelector("[role=search]");
const cart = JSON.parse(sessionStorage.cart ?? "[]");

const matches = (tea, words) => `${tea.name} ${tea.taste}`.toLowerCase().includes(words.toLowerCase());

function card(tea) {
  const item = document.createElement("li");
  item.style.setProperty("--tint", tea.tint);
  const [name, taste, price, add] = ["h2", "p", "p", "button"].map(tag =>
    item.appendChild(document.createElement(tag)),
  );
  name.textContent = tea.name;
  taste.textContent = tea.taste;
  price.textContent = `€ ${tea.price.toFixed(2)}`;
  price.className = "price";
  add.setAttribute("type", "button");
  add.textContent = `Add ${tea.name}`;
  add.addEventListener("click", () => {
    cart.push(tea);
    sessionStorage.cart = JSON.stringify(cart);
    showCart();
  });
  return item;
}

function showCart() {
  const sum = cart.reduce((total, tea) => total + tea.price, 0);
  find("cart").textContent = cart.length ? `Cart: ${cart.length} · € ${sum.toFixed(2)}` : "Cart: empty";
}

function showGoods() {
  const { tea: words, order } = Object.fromEntries(new FormData(form));
  const found = TEAS.filter(tea => matches(tea, words));
  found.sort(order === "price" ? (a, b) => a.price - b.price : (a, b) => a.name.localeCompare(b.name));
  find("goods").replaceChildren(...found.map(card));
  find("found").textContent = words ? `${found.length} of ${TEAS.length} teas for “${words}”` : "";
}

form.addEventListener("submit", event => {
  event.preventDefault();
  showGoods();
});
find("close").addEventListener("click", () => {
  sessionStorage.welcomed = "yes";
  find("welcome").remove();
});
if (sessionStorage.welcomed) find("welcome").remove();
showGoods();
showCart();
