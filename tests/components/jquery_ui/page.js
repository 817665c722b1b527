import "./jquery.js";
import "jquery-ui/dist/jquery-ui.js";
import "jquery-ui/dist/themes/base/jquery-ui.css";
import { hold } from "../state.js";

const { $ } = window;

$("#city").autocomplete({
  source: ["Berlin", "Lisbon", "Oslo", "Prague"],
  delay: 0,
  select: (event, ui) => hold({ city: ui.item.value }),
});
$("#arrival").datepicker({ onSelect: arrival => hold({ arrival }) });
$("#seats").spinner({ min: 1, max: 9 });
$("#seats").on("input", event => hold({ seats: event.target.value }));
$("#speed").selectmenu({ width: 200, change: (event, ui) => hold({ speed: ui.item.value }) });
$("#agree, [name=size]").checkboxradio();
$("#agree").on("change", event => hold({ agree: event.target.checked }));
$("[name=size]").on("change", event => hold({ size: event.target.id }));
$("#volume").slider({ value: 30, change: (event, ui) => hold({ volume: ui.value }) });
$("#tabs").tabs({ activate: (event, ui) => hold({ tab: ui.newPanel.attr("id") }) });
$("#accordion").accordion({ activate: (event, ui) => hold({ section: ui.newHeader.text() }) });
$("#menu").menu({ select: (event, ui) => hold({ command: ui.item.text() }) });
$("#dialog").dialog({
  autoOpen: false,
  modal: true,
  buttons: {
    Delete() {
      hold({ deleted: true });
      $(this).dialog("close");
    },
    Cancel() {
      $(this).dialog("close");
    },
  },
});
$("#delete").on("click", () => $("#dialog").dialog("open"));
$("#save").tooltip({ open: () => hold({ tip: true }) });
$("#days").selectable({ selected: (event, ui) => hold({ day: ui.selected.textContent }) });
$("#products").sortable({
  update: () =>
    hold({
      products: $("#products li")
        .get()
        .map(item => item.textContent),
    }),
});
$("#product").draggable({ revert: "invalid" });
$("#basket").droppable({ drop: (event, ui) => hold({ dropped: ui.draggable.text() }) });
