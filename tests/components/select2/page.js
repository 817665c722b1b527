import $ from "jquery";
import select2 from "select2";
import "select2/dist/css/select2.css";
import { hold } from "../state.js";

select2(window, $);
$("#country").select2();
$("#hobbies").select2();
$("#words").select2({ tags: true });
$("#plan").select2({ placeholder: "Choose a plan", allowClear: true, minimumResultsForSearch: Infinity });
$("select").on("change", event => hold({ [event.target.id]: $(event.target).val() }));
