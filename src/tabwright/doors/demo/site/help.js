// The courier's frame comes from another site, by another name of this computer: Chrome gives it a process of its own.
"use strict";

const address = new URL("courier.html", location.href);
address.hostname = address.hostname === "localhost" ? "127.0.0.1" : "localhost";
document.getElementById("courier").setAttribute("src", address.href);
