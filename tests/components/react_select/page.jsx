import { createRoot } from "react-dom/client";
import Select from "react-select";
import CreatableSelect from "react-select/creatable";
import { hold } from "../state.js";

const options = words => words.map(word => ({ value: word.toLowerCase(), label: word }));

createRoot(document.getElementById("root")).render(
  <div style={{ maxWidth: 400 }}>
    <label htmlFor="fruit">Fruit</label>
    <Select
      inputId="fruit"
      isClearable
      options={options(["Apple", "Banana", "Pear"])}
      onChange={option => hold({ fruit: option?.value ?? null })}
    />
    <label htmlFor="hobbies">Hobbies</label>
    <Select
      inputId="hobbies"
      isMulti
      defaultValue={options(["Chess"])}
      options={options(["Chess", "Climbing", "Cooking"])}
      onChange={chosen => hold({ hobbies: chosen.map(option => option.value) })}
    />
    <label htmlFor="labels">Labels</label>
    <CreatableSelect
      inputId="labels"
      isMulti
      options={options(["Bug"])}
      onChange={chosen => hold({ labels: chosen.map(option => option.label) })}
    />
    <Select
      aria-label="Colour"
      isSearchable={false}
      options={options(["Red", "Blue"])}
      onChange={option => hold({ colour: option.value })}
    />
  </div>,
);
