import { createEmptyHistoryState, registerHistory } from "@lexical/history";
import { HeadingNode, QuoteNode, registerRichText } from "@lexical/rich-text";
import { $createParagraphNode, $createTextNode, $getRoot, createEditor, FORMAT_TEXT_COMMAND } from "lexical";
import { hold } from "../state.js";

const editor = createEditor({ namespace: "message", nodes: [HeadingNode, QuoteNode], onError: console.error });
editor.setRootElement(document.querySelector("#editor"));
registerRichText(editor);
registerHistory(editor, createEmptyHistoryState(), 300);
editor.update(() => $getRoot().append($createParagraphNode().append($createTextNode("Dear reader"))));
editor.registerUpdateListener(({ editorState }) =>
  editorState.read(() => {
    const bold = $getRoot()
      .getAllTextNodes()
      .some(node => node.hasFormat("bold"));
    hold({ text: $getRoot().getTextContent(), bold });
  }),
);
document.querySelector("#bold").addEventListener("click", () => editor.dispatchCommand(FORMAT_TEXT_COMMAND, "bold"));
