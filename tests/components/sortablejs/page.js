import Sortable from "sortablejs";
import { hold } from "../state.js";

const list = id => document.getElementById(id);
const texts = id => [...list(id).children].map(item => item.textContent.replace("⠿", "").trim());
const onSort = ({ from, to }) => hold({ [from.id]: texts(from.id), [to.id]: texts(to.id) });

Sortable.create(list("tasks"), { onSort });
Sortable.create(list("todo"), { group: "board", onSort });
Sortable.create(list("done"), { group: "board", onSort });
Sortable.create(list("steps"), { handle: ".handle", forceFallback: true, onSort });
