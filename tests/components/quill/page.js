import Quill from "quill";
import "quill/dist/quill.snow.css";
import { hold } from "../state.js";

const quill = new Quill("#editor", {
  theme: "snow",
  modules: { toolbar: [["bold", "italic", "link"], [{ header: [1, 2, false] }], [{ list: "bullet" }]] },
});
quill.on("text-change", () => hold({ text: quill.getText(), html: quill.root.innerHTML }));
