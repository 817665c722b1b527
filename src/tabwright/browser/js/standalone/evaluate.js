// Runs a caller's script and returns its value as JSON text of limited length. evaluate.py inserts the script below.
async function tabwrightEvaluate(limit, ...args) {
  const value = await (async () => {
    BODY;
  })();
  const openingTag = element =>
    `<${[element.localName, ...Array.from(element.attributes, a => `${a.name}="${a.value.replaceAll('"', "&quot;")}"`)].join(" ")}>`;
  // Nodes are recognized by their properties: each frame has its own Node class, and pages define classes named Node.
  const toJson = /** @this {any} */ function (key, item) {
    const original = this[key];
    if (Array.isArray(original)) return original; // some libraries add a toJSON to arrays
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
  const text = JSON.stringify(value, toJson);
  if (text !== undefined && text.length > limit)
    throw new RangeError(`the result has ${text.length} characters; at most ${limit} can be returned`);
  return text;
}
