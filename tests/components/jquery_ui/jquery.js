// The widgets are plain scripts, which expect jQuery in the global scope before they run.
import $ from "jquery";

window.$ = $;
window.jQuery = $;
