import {
  closestCenter,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  useDraggable,
  useDroppable,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import {
  arrayMove,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { hold } from "../state.js";

const box = { padding: 8, margin: 4, border: "1px solid", maxWidth: 300 };

function Item({ id }) {
  const { attributes, listeners, setNodeRef, transform, transition } = useSortable({ id });
  const style = { ...box, transform: CSS.Transform.toString(transform), transition };
  return (
    <div ref={setNodeRef} style={style} {...attributes} {...listeners}>
      {id}
    </div>
  );
}

function List() {
  const [items, setItems] = useState(["Mix", "Bake", "Serve"]);
  const sensors = useSensors(
    useSensor(PointerSensor),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const move = ({ active, over }) => {
    if (!over || active.id === over.id) return;
    const next = arrayMove(items, items.indexOf(active.id), items.indexOf(over.id));
    setItems(next);
    hold({ items: next });
  };
  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={move}>
      <SortableContext items={items} strategy={verticalListSortingStrategy}>
        {items.map(id => (
          <Item key={id} id={id} />
        ))}
      </SortableContext>
    </DndContext>
  );
}

function Ticket() {
  const { attributes, listeners, setNodeRef, transform } = useDraggable({ id: "ticket" });
  const style = { transform: CSS.Translate.toString(transform) };
  return (
    <button type="button" ref={setNodeRef} style={style} {...listeners} {...attributes}>
      Ticket
    </button>
  );
}

function Column({ id, children }) {
  const { setNodeRef } = useDroppable({ id });
  return (
    <section ref={setNodeRef} aria-label={id} style={{ ...box, minHeight: 60 }}>
      <h2>{id}</h2>
      {children}
    </section>
  );
}

function Board() {
  const [place, setPlace] = useState("Open");
  const drop = ({ over }) => {
    if (!over) return;
    setPlace(over.id);
    hold({ place: over.id });
  };
  return (
    <DndContext onDragEnd={drop}>
      {["Open", "Closed"].map(id => (
        <Column key={id} id={id}>
          {place === id && <Ticket />}
        </Column>
      ))}
    </DndContext>
  );
}

createRoot(document.getElementById("root")).render(
  <>
    <List />
    <Board />
  </>,
);
