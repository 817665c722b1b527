// Making elements. Text is always text: what a page says never becomes markup here.

export function element(tag, facts = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(facts)) {
    if (name in made && name !== "list") made[name] = value;
    else if (value !== null && value !== undefined && value !== false)
      made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter(child => child !== null && child !== undefined));
  return made;
}

export function button(text, pressed, className = "") {
  const made = element("button", { type: "button", textContent: text, className });
  made.addEventListener("click", pressed);
  return made;
}

// Shows items in their order. A node that is there stays, so that what a person points at is not taken from under them.
export function keep(parent, items, keyOf, make, update = (_node, _item) => {}) {
  const known = new Map([...parent.children].map(node => [node.dataset.key, node]));
  items.forEach((item, at) => {
    const key = String(keyOf(item));
    const node = known.get(key) ?? make(item);
    known.delete(key);
    node.dataset.key = key;
    update(node, item);
    if (parent.children[at] !== node) parent.insertBefore(node, parent.children[at] ?? null);
  });
  for (const gone of known.values()) gone.remove();
}

// Sets a text only when it is another: what is read aloud as it changes is not read again.
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export const find = selector => document.querySelector(selector);
