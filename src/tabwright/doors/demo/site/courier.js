"use strict";

document.querySelector("form").addEventListener("submit", event => {
  event.preventDefault();
  const parcel = new FormData(event.target).get("parcel");
  document.getElementById("place").textContent = `Parcel ${parcel} crossed the bridge ten minutes ago.`;
});
