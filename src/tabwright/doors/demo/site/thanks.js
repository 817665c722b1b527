// Shows what the form sent; nothing is ordered.
"use strict";

const TITLES = { email: "Confirmation to", delivery: "Delivery", day: "Day", note: "Note", gift: "Gift wrapping" };
const given = new URLSearchParams(location.search);
if (given.get("name")) document.getElementById("thanks").textContent = `Thank you, ${given.get("name")}`;
for (const [name, title] of Object.entries(TITLES)) {
  if (!given.get(name)) continue;
  const [term, value] = [document.createElement("dt"), document.createElement("dd")];
  term.textContent = title;
  value.textContent = given.get(name);
  document.getElementById("order").append(term, value);
}
