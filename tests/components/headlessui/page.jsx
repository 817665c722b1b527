import {
  Checkbox,
  Combobox,
  ComboboxButton,
  ComboboxInput,
  ComboboxOption,
  ComboboxOptions,
  Dialog,
  DialogPanel,
  DialogTitle,
  Disclosure,
  DisclosureButton,
  DisclosurePanel,
  Field,
  Input,
  Label,
  Listbox,
  ListboxButton,
  ListboxOption,
  ListboxOptions,
  Menu,
  MenuButton,
  MenuItem,
  MenuItems,
  Popover,
  PopoverButton,
  PopoverPanel,
  Radio,
  RadioGroup,
  Switch,
  Tab,
  TabGroup,
  TabList,
  TabPanel,
  TabPanels,
} from "@headlessui/react";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { hold } from "../state.js";
import "./page.css";

const people = ["Ada", "Alan", "Grace"];

function useHeld(key, initial) {
  const [value, setValue] = useState(initial);
  const change = next => {
    setValue(next);
    hold({ [key]: next });
  };
  return [value, change];
}

function Choices() {
  const [agree, setAgree] = useHeld("agree", false);
  const [wifi, setWifi] = useHeld("wifi", false);
  const [size, setSize] = useHeld("size", "small");
  return (
    <>
      <Field>
        <Label>Full name</Label>
        <Input onChange={event => hold({ name: event.target.value })} />
      </Field>
      <Field>
        <Checkbox checked={agree} onChange={setAgree} className="box" />
        <Label>I agree</Label>
      </Field>
      <Field>
        <Label>Wi-Fi</Label>
        <Switch checked={wifi} onChange={setWifi} className="track">
          <span className="thumb" />
        </Switch>
      </Field>
      <RadioGroup value={size} onChange={setSize} aria-label="Size">
        {["small", "large"].map(value => (
          <Field key={value}>
            <Radio value={value} className="box" />
            <Label>{value}</Label>
          </Field>
        ))}
      </RadioGroup>
    </>
  );
}

function Lists() {
  const [owner, setOwner] = useHeld("owner", people[0]);
  const [team, setTeam] = useHeld("team", []);
  const [author, setAuthor] = useHeld("author", null);
  const [query, setQuery] = useState("");
  const found = people.filter(person => person.toLowerCase().includes(query.toLowerCase()));
  return (
    <>
      <Field>
        <Label>Owner</Label>
        <Listbox value={owner} onChange={setOwner}>
          <ListboxButton>{owner}</ListboxButton>
          <ListboxOptions anchor="bottom" className="layer">
            {people.map(person => (
              <ListboxOption key={person} value={person}>
                {person}
              </ListboxOption>
            ))}
          </ListboxOptions>
        </Listbox>
      </Field>
      <Field>
        <Label>Team</Label>
        <Listbox value={team} onChange={setTeam} multiple>
          <ListboxButton>{team.join(", ") || "Nobody"}</ListboxButton>
          <ListboxOptions anchor="bottom" className="layer">
            {people.map(person => (
              <ListboxOption key={person} value={person}>
                {person}
              </ListboxOption>
            ))}
          </ListboxOptions>
        </Listbox>
      </Field>
      <Field>
        <Label>Author</Label>
        <Combobox value={author} onChange={setAuthor} onClose={() => setQuery("")}>
          <ComboboxInput displayValue={person => person ?? ""} onChange={event => setQuery(event.target.value)} />
          <ComboboxButton aria-label="Show authors">▾</ComboboxButton>
          <ComboboxOptions anchor="bottom" className="layer">
            {found.map(person => (
              <ComboboxOption key={person} value={person}>
                {person}
              </ComboboxOption>
            ))}
          </ComboboxOptions>
        </Combobox>
      </Field>
    </>
  );
}

function Overlays() {
  const [open, setOpen] = useState(false);
  const close = deleted => {
    hold({ deleted });
    setOpen(false);
  };
  return (
    <>
      <Menu>
        <MenuButton>Actions</MenuButton>
        <MenuItems anchor="bottom" className="layer">
          <MenuItem>
            <button type="button" onClick={() => hold({ command: "rename" })}>
              Rename
            </button>
          </MenuItem>
          <MenuItem>
            <a href="#archive">Archive</a>
          </MenuItem>
        </MenuItems>
      </Menu>
      <button type="button" onClick={() => setOpen(true)}>
        Delete file
      </button>
      <Dialog open={open} onClose={() => close(false)}>
        <div className="backdrop">
          <DialogPanel className="layer">
            <DialogTitle>Delete this file?</DialogTitle>
            <button type="button" onClick={() => close(false)}>
              Cancel
            </button>
            <button type="button" onClick={() => close(true)}>
              Delete
            </button>
          </DialogPanel>
        </div>
      </Dialog>
      <Popover>
        <PopoverButton onClick={() => hold({ filters: true })}>Filters</PopoverButton>
        <PopoverPanel anchor="bottom" className="layer">
          Nothing to filter
        </PopoverPanel>
      </Popover>
    </>
  );
}

function Sections() {
  return (
    <>
      <TabGroup onChange={tab => hold({ tab })}>
        <TabList>
          <Tab>Profile</Tab>
          <Tab>Billing</Tab>
        </TabList>
        <TabPanels>
          <TabPanel>Your profile</TabPanel>
          <TabPanel>Your invoices</TabPanel>
        </TabPanels>
      </TabGroup>
      <Disclosure>
        <DisclosureButton onClick={() => hold({ shipping: true })}>Shipping</DisclosureButton>
        <DisclosurePanel>Ships in two days.</DisclosurePanel>
      </Disclosure>
    </>
  );
}

createRoot(document.getElementById("root")).render(
  <>
    <Choices />
    <Lists />
    <Overlays />
    <Sections />
  </>,
);
