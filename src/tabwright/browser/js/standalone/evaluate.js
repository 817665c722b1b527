// Runs a caller's script in the page's own world and returns its value as bounded JSON text.
async function tabwrightEvaluate(limit, ...args) {
  const value = await (async () => {
    BODY;
  })();
  const openingTag = element =>
    `<${[element.localName, ...Array.from(element.attributes, a => `${a.name}="${a.value.replaceAll('"', "&quot;")}"`)].join(" ")}>`;
  // Nodes are known by their shape: frames have a Node of their own, and pages name their own things Node.
  const shown = /** @this {any} */ function (key, item) {
    const original = this[key];
    if (Array.isArray(original)) return original; // some libraries give arrays a toJSON
    if (typeof item === "function" || typeof item === "bigint") return String(item);
    if (typeof item === "number") return Number.isFinite(item) ? item : String(item);
    if (typeof item !== "object" || item === null) return item;
    if (typeof item.nodeType === "number" && typeof item.nodeName === "string")
      return item.nodeType === 1 ? openingTag(item) : String(item.nodeValue ?? item.nodeName);
    if (item instanceof Map) return Object.fromEntries(item);
    if (item instanceof Set) return [...item];
    if (item instanceof Error) return String(item);
    return item;
  };
  const text = JSON.stringify(value, shown);
  if (text !== undefined && text.length > limit)
    throw new RangeError(`the result has ${text.length} characters; at most ${limit} can be returned`);
  return text;
}
