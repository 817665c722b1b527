"use strict";

const form = document.querySelector("form");
form.addEventListener("submit", event => {
  event.preventDefault();
  const parcel = new FormData(form).get("parcel");
  document.getElementById("place").textContent = `Parcel ${parcel} crossed the bridge ten minutes ago.`;
});
