import {
  Accordion,
  AlertDialog,
  Checkbox,
  ContextMenu,
  Dialog,
  DropdownMenu,
  HoverCard,
  Label,
  Popover,
  RadioGroup,
  Select,
  Slider,
  Switch,
  Tabs,
  ToggleGroup,
  Tooltip,
} from "radix-ui";
import { createRoot } from "react-dom/client";
import { hold } from "../state.js";
import "./page.css";

function Choices() {
  return (
    <>
      <Label.Root>
        <Checkbox.Root className="box" onCheckedChange={agree => hold({ agree })}>
          <Checkbox.Indicator>
            <svg width="15" height="15" viewBox="0 0 15 15" aria-hidden="true">
              <path d="M3 7l3 4 6-8" fill="none" stroke="currentColor" />
            </svg>
          </Checkbox.Indicator>
        </Checkbox.Root>
        I agree
      </Label.Root>
      <Label.Root htmlFor="wifi">Wi-Fi</Label.Root>
      <Switch.Root id="wifi" className="track" onCheckedChange={wifi => hold({ wifi })}>
        <Switch.Thumb className="thumb" />
      </Switch.Root>
      <RadioGroup.Root aria-label="Size" defaultValue="small" onValueChange={size => hold({ size })}>
        {["small", "large"].map(size => (
          <div key={size}>
            <RadioGroup.Item className="box" value={size} id={size}>
              <RadioGroup.Indicator className="dot" />
            </RadioGroup.Item>
            <label htmlFor={size}>{size}</label>
          </div>
        ))}
      </RadioGroup.Root>
      <Slider.Root className="slider" defaultValue={[30]} onValueChange={([volume]) => hold({ volume })}>
        <Slider.Track className="rail">
          <Slider.Range className="range" />
        </Slider.Track>
        <Slider.Thumb className="thumb" aria-label="Volume" />
      </Slider.Root>
      <ToggleGroup.Root type="single" aria-label="Alignment" onValueChange={alignment => hold({ alignment })}>
        <ToggleGroup.Item value="left">Left</ToggleGroup.Item>
        <ToggleGroup.Item value="right">Right</ToggleGroup.Item>
      </ToggleGroup.Root>
      <Select.Root onValueChange={fruit => hold({ fruit })}>
        <Select.Trigger aria-label="Fruit">
          <Select.Value placeholder="Select a fruit…" />
        </Select.Trigger>
        <Select.Portal>
          <Select.Content>
            <Select.Viewport>
              {["Apple", "Banana", "Pear"].map(fruit => (
                <Select.Item key={fruit} value={fruit.toLowerCase()}>
                  <Select.ItemText>{fruit}</Select.ItemText>
                </Select.Item>
              ))}
            </Select.Viewport>
          </Select.Content>
        </Select.Portal>
      </Select.Root>
    </>
  );
}

function Menus() {
  return (
    <>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger>Actions</DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="layer">
            <DropdownMenu.Item onSelect={() => hold({ command: "rename" })}>Rename</DropdownMenu.Item>
            <DropdownMenu.CheckboxItem onCheckedChange={grid => hold({ grid })}>Show grid</DropdownMenu.CheckboxItem>
            <DropdownMenu.Sub>
              <DropdownMenu.SubTrigger>Share</DropdownMenu.SubTrigger>
              <DropdownMenu.Portal>
                <DropdownMenu.SubContent className="layer">
                  <DropdownMenu.Item onSelect={() => hold({ command: "mail" })}>By mail</DropdownMenu.Item>
                </DropdownMenu.SubContent>
              </DropdownMenu.Portal>
            </DropdownMenu.Sub>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      <ContextMenu.Root>
        <ContextMenu.Trigger className="canvas">Right-click here</ContextMenu.Trigger>
        <ContextMenu.Portal>
          <ContextMenu.Content className="layer">
            <ContextMenu.Item onSelect={() => hold({ command: "paste" })}>Paste</ContextMenu.Item>
          </ContextMenu.Content>
        </ContextMenu.Portal>
      </ContextMenu.Root>
    </>
  );
}

function Overlays() {
  return (
    <>
      <Dialog.Root onOpenChange={editing => hold({ editing })}>
        <Dialog.Trigger>Edit profile</Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Overlay className="backdrop" />
          <Dialog.Content className="layer">
            <Dialog.Title>Edit profile</Dialog.Title>
            <Dialog.Description>Change your name.</Dialog.Description>
            <label>
              Name <input onChange={event => hold({ name: event.target.value })} />
            </label>
            <Dialog.Close aria-label="Close">×</Dialog.Close>
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
      <AlertDialog.Root>
        <AlertDialog.Trigger>Delete account</AlertDialog.Trigger>
        <AlertDialog.Portal>
          <AlertDialog.Overlay className="backdrop" />
          <AlertDialog.Content className="layer">
            <AlertDialog.Title>Are you sure?</AlertDialog.Title>
            <AlertDialog.Description>This cannot be undone.</AlertDialog.Description>
            <AlertDialog.Cancel>Cancel</AlertDialog.Cancel>
            <AlertDialog.Action onClick={() => hold({ deleted: true })}>Yes, delete</AlertDialog.Action>
          </AlertDialog.Content>
        </AlertDialog.Portal>
      </AlertDialog.Root>
      <Popover.Root onOpenChange={filters => hold({ filters })}>
        <Popover.Trigger>Filters</Popover.Trigger>
        <Popover.Portal>
          <Popover.Content className="layer">Nothing to filter</Popover.Content>
        </Popover.Portal>
      </Popover.Root>
      <Tooltip.Provider delayDuration={0}>
        <Tooltip.Root onOpenChange={tip => hold({ tip })}>
          <Tooltip.Trigger>Save</Tooltip.Trigger>
          <Tooltip.Portal>
            <Tooltip.Content>Saves a copy</Tooltip.Content>
          </Tooltip.Portal>
        </Tooltip.Root>
      </Tooltip.Provider>
      <HoverCard.Root openDelay={0} onOpenChange={card => hold({ card })}>
        <HoverCard.Trigger href="#ada">Ada Lovelace</HoverCard.Trigger>
        <HoverCard.Portal>
          <HoverCard.Content className="layer">Wrote the first program</HoverCard.Content>
        </HoverCard.Portal>
      </HoverCard.Root>
    </>
  );
}

function Sections() {
  return (
    <>
      <Tabs.Root defaultValue="profile" onValueChange={tab => hold({ tab })}>
        <Tabs.List aria-label="Settings">
          <Tabs.Trigger value="profile">Profile</Tabs.Trigger>
          <Tabs.Trigger value="billing">Billing</Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="profile">Your profile</Tabs.Content>
        <Tabs.Content value="billing">Your invoices</Tabs.Content>
      </Tabs.Root>
      <Accordion.Root type="single" collapsible onValueChange={section => hold({ section })}>
        <Accordion.Item value="shipping">
          <Accordion.Header>
            <Accordion.Trigger>Shipping</Accordion.Trigger>
          </Accordion.Header>
          <Accordion.Content>Ships in two days.</Accordion.Content>
        </Accordion.Item>
      </Accordion.Root>
    </>
  );
}

createRoot(document.getElementById("root")).render(
  <>
    <Choices />
    <Menus />
    <Overlays />
    <Sections />
  </>,
);
