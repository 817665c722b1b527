import { initialize } from "@ionic/core/components";
import { defineCustomElement as defineAccordion } from "@ionic/core/components/ion-accordion.js";
import { defineCustomElement as defineAccordionGroup } from "@ionic/core/components/ion-accordion-group.js";
import { defineCustomElement as defineActionSheet } from "@ionic/core/components/ion-action-sheet.js";
import { defineCustomElement as defineAlert } from "@ionic/core/components/ion-alert.js";
import { defineCustomElement as defineApp } from "@ionic/core/components/ion-app.js";
import { defineCustomElement as defineButton } from "@ionic/core/components/ion-button.js";
import { defineCustomElement as defineCheckbox } from "@ionic/core/components/ion-checkbox.js";
import { defineCustomElement as defineContent } from "@ionic/core/components/ion-content.js";
import { defineCustomElement as defineDatetime } from "@ionic/core/components/ion-datetime.js";
import { defineCustomElement as defineInput } from "@ionic/core/components/ion-input.js";
import { defineCustomElement as defineItem } from "@ionic/core/components/ion-item.js";
import { defineCustomElement as defineLabel } from "@ionic/core/components/ion-label.js";
import { defineCustomElement as defineList } from "@ionic/core/components/ion-list.js";
import { defineCustomElement as defineModal } from "@ionic/core/components/ion-modal.js";
import { defineCustomElement as defineRadio } from "@ionic/core/components/ion-radio.js";
import { defineCustomElement as defineRadioGroup } from "@ionic/core/components/ion-radio-group.js";
import { defineCustomElement as defineRange } from "@ionic/core/components/ion-range.js";
import { defineCustomElement as defineSearchbar } from "@ionic/core/components/ion-searchbar.js";
import { defineCustomElement as defineSegment } from "@ionic/core/components/ion-segment.js";
import { defineCustomElement as defineSegmentButton } from "@ionic/core/components/ion-segment-button.js";
import { defineCustomElement as defineSelect } from "@ionic/core/components/ion-select.js";
import { defineCustomElement as defineSelectOption } from "@ionic/core/components/ion-select-option.js";
import { defineCustomElement as defineTextarea } from "@ionic/core/components/ion-textarea.js";
import { defineCustomElement as defineToggle } from "@ionic/core/components/ion-toggle.js";
import "@ionic/core/css/core.css";
import { hold } from "../state.js";

initialize({ mode: "md" });
for (const define of [
  defineAccordion,
  defineAccordionGroup,
  defineActionSheet,
  defineAlert,
  defineApp,
  defineButton,
  defineCheckbox,
  defineContent,
  defineDatetime,
  defineInput,
  defineItem,
  defineLabel,
  defineList,
  defineModal,
  defineRadio,
  defineRadioGroup,
  defineRange,
  defineSearchbar,
  defineSegment,
  defineSegmentButton,
  defineSelect,
  defineSelectOption,
  defineTextarea,
  defineToggle,
]) {
  define();
}

function holdChange({ target, detail }) {
  const name = target.getAttribute("name");
  if (name) hold({ [name]: "checked" in detail ? detail.checked : detail.value });
}
for (const event of ["ionChange", "ionInput"]) document.addEventListener(event, holdChange);

document.querySelector("#row").addEventListener("click", () => hold({ settings: true }));
document.querySelector("ion-alert").buttons = [
  { text: "Cancel", role: "cancel" },
  { text: "Delete", handler: () => hold({ deleted: true }) },
];
document.querySelector("ion-action-sheet").buttons = [
  { text: "Everyone", handler: () => hold({ shared: "everyone" }) },
  { text: "Cancel", role: "cancel" },
];
