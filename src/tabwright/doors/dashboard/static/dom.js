// Creates elements. Text is always set as text, so text of a page never becomes markup.

export function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in node && name !== "list") node[name] = value;
    else if (value !== null && value !== undefined && value !== false)
      node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter(child => child !== null && child !== undefined));
  return node;
}

export function button(text, onClick, className = "") {
  const node = element("button", { type: "button", textContent: text, className });
  node.addEventListener("click", onClick);
  return node;
}

// Shows items in order. Existing nodes stay in place, so that nothing moves under the mouse.
export function reconcile(parent, items, keyOf, make, update = (_node, _item) => {}) {
  const known = new Map([...parent.children].map(node => [node.dataset.key, node]));
  items.forEach((item, index) => {
    const key = String(keyOf(item));
    const node = known.get(key) ?? make(item);
    known.delete(key);
    node.dataset.key = key;
    update(node, item);
    if (parent.children[index] !== node) parent.insertBefore(node, parent.children[index] ?? null);
  });
  for (const gone of known.values()) gone.remove();
}

// Sets a text only when it differs, so that screen readers do not repeat it.
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export const find = selector => document.querySelector(selector);
