// Turns the value of a caller's script into JSON text of limited length.
// Scripts may replace built-ins, so those that see values are taken here: in the hardened world, before any script runs.
const tabwrightResult = (() => {
  const { isArray } = Array;
  const { isFinite: isFiniteNumber } = Number;
  const { fromEntries } = Object;
  const { stringify } = JSON;
  const NativeMap = Map;
  const NativeSet = Set;
  const NativeError = Error;
  const openingTag = element =>
    `<${[element.localName, ...Array.from(element.attributes, a => `${a.name}="${a.value.replaceAll('"', "&quot;")}"`)].join(" ")}>`;
  // Nodes are recognized by their properties: each frame has its own Node class, and pages define classes named Node.
  const toJson = check =>
    /** @this {any} */ function (key, item) {
      const original = this[key];
      if (isArray(original)) return original; // some libraries add a toJSON to arrays
      if (typeof item === "function") return `[function${item.name ? ` ${item.name}` : ""}]`;
      if (typeof item === "bigint") return `${item}`;
      if (typeof item === "number") return isFiniteNumber(item) ? item : `${item}`;
      if (typeof item !== "object" || item === null) return item;
      if (typeof item.nodeType === "number" && typeof item.nodeName === "string")
        return item.nodeType === 1 ? openingTag(item) : `${item.nodeValue ?? item.nodeName}`;
      check(item);
      if (item instanceof NativeMap) return fromEntries(item);
      if (item instanceof NativeSet) return [...item];
      if (item instanceof NativeError) return `${item}`;
      return item;
    };
  return (value, limit, check = _ => {}) => {
    const text = stringify(value, toJson(check));
    if (text !== undefined && text.length > limit)
      throw new RangeError(`the result has ${text.length} characters; at most ${limit} can be returned`);
    return text;
  };
})();
