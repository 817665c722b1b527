import { javascript } from "@codemirror/lang-javascript";
import { basicSetup, EditorView } from "codemirror";
import { hold } from "../state.js";

new EditorView({
  doc: "let answer = 42\nalert(answer)\n",
  extensions: [
    basicSetup,
    javascript(),
    EditorView.contentAttributes.of({ "aria-label": "Script" }),
    EditorView.updateListener.of(({ state }) => hold({ text: state.doc.toString() })),
  ],
  parent: document.getElementById("root"),
});
