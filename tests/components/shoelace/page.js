import "@shoelace-style/shoelace/dist/shoelace.js";
import "@shoelace-style/shoelace/dist/themes/light.css";
import { hold } from "../state.js";

const find = selector => document.querySelector(selector);

for (const kind of ["sl-input", "sl-change"]) {
  document.addEventListener(kind, ({ target }) => {
    if (!target.name) return;
    hold({ [target.name]: "checked" in target ? target.checked : target.value });
  });
}
find("sl-rating").addEventListener("sl-change", ({ target }) => hold({ stars: target.value }));
find("sl-tab-group").addEventListener("sl-tab-show", event => hold({ tab: event.detail.name }));
find("sl-details").addEventListener("sl-show", () => hold({ shipping: true }));
find("sl-menu").addEventListener("sl-select", ({ detail: { item } }) =>
  hold({ command: item.value, checked: item.checked }),
);
find("#delete").addEventListener("click", () => find("sl-dialog").show());
find("sl-dialog sl-button").addEventListener("click", () => {
  hold({ deleted: true });
  find("sl-dialog").hide();
});
find("#filter").addEventListener("click", () => find("sl-drawer").show());
find("sl-tooltip").addEventListener("sl-show", () => hold({ tip: true }));
find("sl-icon-button").addEventListener("click", () => hold({ settings: true }));
find("sl-tree").addEventListener("sl-selection-change", event =>
  hold({ item: event.detail.selection[0].innerText.trim() }),
);
