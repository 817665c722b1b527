import * as monaco from "monaco-editor/editor/editor.api";
import { hold } from "../state.js";

// Without language features there is nothing for a worker to do; the editor falls back to this thread.
window.MonacoEnvironment = { getWorker: () => new Worker(URL.createObjectURL(new Blob([""]))) };
const root = document.getElementById("root");
root.style.cssText = "width: 600px; height: 200px";

const editor = monaco.editor.create(root, {
  value: "answer = 42\nprint(answer)\n",
  language: "plaintext",
  ariaLabel: "Script",
  minimap: { enabled: false },
});
editor.onDidChangeModelContent(() => hold({ text: editor.getValue() }));
