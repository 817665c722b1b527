import "@material/web/all.js";
import { hold } from "../state.js";

const find = selector => document.querySelector(selector);

for (const kind of ["input", "change"]) {
  document.addEventListener(kind, ({ target }) => {
    if (target.localName === "md-checkbox") hold({ [target.name]: target.checked });
    else if (target.localName === "md-switch") hold({ [target.name]: target.selected });
    else if (target.name) hold({ [target.name]: target.value });
  });
}
for (const chip of document.querySelectorAll("md-filter-chip")) {
  chip.addEventListener("click", () => setTimeout(() => hold({ [chip.label.toLowerCase()]: chip.selected })));
}
find("md-tabs").addEventListener("change", ({ target }) => {
  for (const tab of target.tabs) {
    const panel = document.getElementById(tab.getAttribute("aria-controls"));
    panel.hidden = tab !== target.activeTab;
    if (!panel.hidden) hold({ tab: panel.id });
  }
});
find("#actions").addEventListener("click", () => {
  find("#menu").open = !find("#menu").open;
});
find("#menu").addEventListener("close-menu", event => hold({ command: event.detail.initiator.id }));
find("#delete").addEventListener("click", () => find("md-dialog").show());
find("md-dialog").addEventListener("close", ({ target }) => hold({ answer: target.returnValue }));
find("#favourite").addEventListener("change", ({ target }) => hold({ favourite: target.selected }));
find("#settings").addEventListener("click", () => hold({ settings: true }));
