import { Editor } from "@tiptap/core";
import StarterKit from "@tiptap/starter-kit";
import { hold } from "../state.js";

const editor = new Editor({
  element: document.querySelector("#editor"),
  extensions: [StarterKit],
  content: "<p>Dear reader</p>",
  onUpdate: ({ editor }) => hold({ html: editor.getHTML() }),
});
document.querySelector("#bold").addEventListener("click", () => editor.chain().focus().toggleBold().run());
document.querySelector("#bullets").addEventListener("click", () => editor.chain().focus().toggleBulletList().run());
