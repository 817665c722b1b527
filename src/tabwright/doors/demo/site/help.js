// The courier's frame uses another host name of this computer, so Chrome treats it as another site with its own process.
"use strict";

const address = new URL("courier.html", location.href);
address.hostname = address.hostname === "localhost" ? "127.0.0.1" : "localhost";
document.getElementById("courier").setAttribute("src", address.href);
