import {
  Accordion,
  AccordionDetails,
  AccordionSummary,
  Autocomplete,
  Button,
  Checkbox,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  FormControl,
  FormControlLabel,
  FormLabel,
  InputLabel,
  Menu,
  MenuItem,
  Radio,
  RadioGroup,
  Rating,
  Select,
  Slider,
  Switch,
  Tab,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  TableSortLabel,
  Tabs,
  TextField,
  ToggleButton,
  ToggleButtonGroup,
  Tooltip,
  Typography,
} from "@mui/material";
import { AdapterDayjs } from "@mui/x-date-pickers/AdapterDayjs";
import { DatePicker } from "@mui/x-date-pickers/DatePicker";
import { LocalizationProvider } from "@mui/x-date-pickers/LocalizationProvider";
import { SimpleTreeView } from "@mui/x-tree-view/SimpleTreeView";
import { TreeItem } from "@mui/x-tree-view/TreeItem";
import dayjs from "dayjs";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { hold } from "../state.js";

const cities = ["Berlin", "Lisbon", "Oslo", "Prague", "Rome"];
const people = [
  { name: "Grace", born: 1906 },
  { name: "Ada", born: 1815 },
  { name: "Alan", born: 1912 },
];

function Fields() {
  return (
    <>
      <TextField label="Full name" onChange={event => hold({ name: event.target.value })} />
      <TextField label="Notes" multiline rows={2} onChange={event => hold({ notes: event.target.value })} />
      <FormControl sx={{ minWidth: 120 }}>
        <InputLabel id="age-label">Age</InputLabel>
        <Select labelId="age-label" label="Age" defaultValue="" onChange={event => hold({ age: event.target.value })}>
          <MenuItem value={10}>Ten</MenuItem>
          <MenuItem value={20}>Twenty</MenuItem>
          <MenuItem value={30}>Thirty</MenuItem>
        </Select>
      </FormControl>
      <Autocomplete
        options={cities}
        sx={{ width: 300 }}
        onChange={(event, city) => hold({ city })}
        renderInput={params => <TextField {...params} label="City" />}
      />
      <Autocomplete
        multiple
        options={["Chess", "Climbing", "Cooking"]}
        onChange={(event, hobbies) => hold({ hobbies })}
        renderInput={params => <TextField {...params} label="Hobbies" />}
      />
      <LocalizationProvider dateAdapter={AdapterDayjs}>
        <DatePicker
          label="Arrival"
          defaultValue={dayjs("2026-05-10")}
          onChange={date => hold({ arrival: date?.isValid() ? date.format("YYYY-MM-DD") : null })}
        />
      </LocalizationProvider>
    </>
  );
}

function Choices() {
  const [alignment, setAlignment] = useState("left");
  return (
    <>
      <FormControlLabel
        control={<Checkbox onChange={(event, agree) => hold({ agree })} />}
        label="I agree to the terms"
      />
      <FormControlLabel control={<Switch onChange={(event, wifi) => hold({ wifi })} />} label="Wi-Fi" />
      <FormControl>
        <FormLabel id="size-label">Size</FormLabel>
        <RadioGroup aria-labelledby="size-label" defaultValue="small" onChange={(event, size) => hold({ size })}>
          <FormControlLabel value="small" control={<Radio />} label="Small" />
          <FormControlLabel value="large" control={<Radio />} label="Large" />
        </RadioGroup>
      </FormControl>
      <Slider
        aria-label="Volume"
        defaultValue={30}
        sx={{ width: 300 }}
        onChange={(event, volume) => hold({ volume })}
      />
      <Rating name="stars" onChange={(event, stars) => hold({ stars })} />
      <ToggleButtonGroup
        exclusive
        value={alignment}
        onChange={(event, value) => {
          setAlignment(value);
          hold({ alignment: value });
        }}
      >
        <ToggleButton value="left">Left</ToggleButton>
        <ToggleButton value="right">Right</ToggleButton>
      </ToggleButtonGroup>
    </>
  );
}

function Overlays() {
  const [anchor, setAnchor] = useState(null);
  const [open, setOpen] = useState(false);
  const choose = command => {
    hold({ command });
    setAnchor(null);
  };
  const close = deleted => {
    hold({ deleted });
    setOpen(false);
  };
  return (
    <>
      <Button onClick={event => setAnchor(event.currentTarget)}>Actions</Button>
      <Menu anchorEl={anchor} open={Boolean(anchor)} onClose={() => setAnchor(null)}>
        <MenuItem onClick={() => choose("rename")}>Rename</MenuItem>
        <MenuItem onClick={() => choose("archive")}>Archive</MenuItem>
      </Menu>
      <Button onClick={() => setOpen(true)}>Delete file</Button>
      <Dialog open={open} onClose={() => close(false)}>
        <DialogTitle>Delete this file?</DialogTitle>
        <DialogContent>It cannot be restored.</DialogContent>
        <DialogActions>
          <Button onClick={() => close(false)}>Cancel</Button>
          <Button onClick={() => close(true)}>Delete</Button>
        </DialogActions>
      </Dialog>
      <Tooltip title="Saves a copy" onOpen={() => hold({ tip: true })}>
        <Button>Save</Button>
      </Tooltip>
    </>
  );
}

function Sections() {
  const [tab, setTab] = useState(0);
  return (
    <>
      <Tabs
        value={tab}
        onChange={(event, value) => {
          setTab(value);
          hold({ tab: value });
        }}
      >
        <Tab label="Profile" />
        <Tab label="Billing" />
      </Tabs>
      <p>{tab === 0 ? "Your profile" : "Your invoices"}</p>
      <Accordion onChange={(event, shipping) => hold({ shipping })}>
        <AccordionSummary>
          <Typography component="span">Shipping</Typography>
        </AccordionSummary>
        <AccordionDetails>Ships in two days.</AccordionDetails>
      </Accordion>
      <SimpleTreeView onItemSelectionToggle={(event, item, selected) => selected && hold({ item })}>
        <TreeItem itemId="fruit" label="Fruit">
          <TreeItem itemId="apple" label="Apple" />
          <TreeItem itemId="pear" label="Pear" />
        </TreeItem>
      </SimpleTreeView>
    </>
  );
}

function People() {
  const [direction, setDirection] = useState(null);
  const sort = () => {
    setDirection(direction === "asc" ? "desc" : "asc");
    hold({ sorted: true });
  };
  const rows = direction ? people.toSorted((a, b) => a.name.localeCompare(b.name)) : people;
  return (
    <Table aria-label="People">
      <TableHead>
        <TableRow>
          <TableCell padding="checkbox" />
          <TableCell sortDirection={direction ?? false}>
            <TableSortLabel active={direction !== null} direction={direction ?? "asc"} onClick={sort}>
              Name
            </TableSortLabel>
          </TableCell>
          <TableCell>Born</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {rows.map(person => (
          <TableRow key={person.name}>
            <TableCell padding="checkbox">
              <Checkbox onChange={(event, checked) => hold({ chosen: checked && person.name })} />
            </TableCell>
            <TableCell>{person.name}</TableCell>
            <TableCell>{person.born}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

createRoot(document.getElementById("root")).render(
  <>
    <Fields />
    <Choices />
    <Overlays />
    <Sections />
    <People />
  </>,
);
