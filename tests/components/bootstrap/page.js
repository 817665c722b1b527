import { Popover, Toast, Tooltip } from "bootstrap";
import "bootstrap/dist/css/bootstrap.css";
import { hold } from "../state.js";

const find = selector => document.querySelector(selector);
const on = (selector, event, change) => find(selector).addEventListener(event, change);

document.addEventListener("input", ({ target }) => {
  const checked = target.type === "checkbox" || target.type === "radio";
  hold({ [target.id]: target.files?.[0]?.name ?? (checked ? target.checked : target.value) });
});
for (const element of document.querySelectorAll('[data-bs-toggle="tooltip"]')) new Tooltip(element);
for (const element of document.querySelectorAll('[data-bs-toggle="popover"]')) new Popover(element);
on("#notify", "click", () => Toast.getOrCreateInstance(find("#toast")).show());
on("#toast", "shown.bs.toast", () => hold({ notified: true }));
on("#delete", "click", () => hold({ deleted: true }));
on("#billing-tab", "shown.bs.tab", () => hold({ tab: "billing" }));
on("#shipping", "shown.bs.collapse", () => hold({ shipping: true }));
on("#drawer", "shown.bs.offcanvas", () => hold({ cart: true }));
on('[data-bs-toggle="tooltip"]', "shown.bs.tooltip", () => hold({ tip: true }));
on('[data-bs-toggle="popover"]', "shown.bs.popover", () => hold({ help: true }));
addEventListener("hashchange", () => hold({ hash: location.hash }));
