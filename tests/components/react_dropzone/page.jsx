import { useState } from "react";
import { createRoot } from "react-dom/client";
import { useDropzone } from "react-dropzone";
import { hold } from "../state.js";

function Photos() {
  const [names, setNames] = useState([]);
  const onDrop = files => {
    const next = files.map(file => file.name);
    setNames(next);
    hold({ photos: next });
  };
  const { getRootProps, getInputProps } = useDropzone({ onDrop });
  return (
    <section>
      <div {...getRootProps({ style: { border: "2px dashed", padding: 20 } })}>
        <input {...getInputProps()} />
        <p>Drop photos here, or click to select them</p>
      </div>
      <ul>
        {names.map(name => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </section>
  );
}

function Contract() {
  const onDrop = files => hold({ contract: files[0]?.name });
  const { getRootProps, getInputProps, open } = useDropzone({ onDrop, noClick: true, noKeyboard: true });
  return (
    <div {...getRootProps()}>
      <input {...getInputProps()} />
      <button type="button" onClick={open}>
        Choose contract
      </button>
    </div>
  );
}

createRoot(document.getElementById("root")).render(
  <>
    <Photos />
    <Contract />
  </>,
);
