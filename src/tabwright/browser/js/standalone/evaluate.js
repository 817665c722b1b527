// Runs a caller's script and returns its value as JSON text of limited length. evaluate.py inserts the script below,
// where it sees none of our variables but `args`, and removes the marks before lines that are for the hardened world.
async function tabwrightEvaluate(/** @type {[number, ...any[]]} */ ...tabwrightArguments) {
  return await (async (/** @type {Function} */ make, /** @type {number} */ limit, ...given) => {
    const sourceOf = value => Reflect.apply((() => {}).toString, value, []); // `Function` is out of reach when hardened
    const run = make(given, given[0], given);
    // A script that is a function is called; a function that a script returns is only named.
    const isScript = inner => {
      const blank = /^(?:[\s();]|\/\/.*|\/\*[\s\S]*?\*\/)*$/;
      const [before, after = "x", more] = sourceOf(run).split(inner);
      const start = before.replace(/^(?:(?:async )?function \(\)|\(\) =>) \{\s*return /, "");
      return more === undefined && blank.test(start) && blank.test(after.replace(/\}$/, ""));
    };
    let value = await Reflect.apply(run, globalThis, given);
    if (typeof value === "function" && !sourceOf(value).startsWith("class") && isScript(sourceOf(value)))
      value = await value(...given);
    const openingTag = element =>
      `<${[element.localName, ...Array.from(element.attributes, a => `${a.name}="${a.value.replaceAll('"', "&quot;")}"`)].join(" ")}>`;
    // Nodes are recognized by their properties: each frame has its own Node class, and pages define classes named Node.
    const toJson = /** @this {any} */ function (key, item) {
      const original = this[key];
      if (Array.isArray(original)) return original; // some libraries add a toJSON to arrays
      if (typeof item === "function") return `[function${item.name ? ` ${item.name}` : ""}]`;
      if (typeof item === "bigint") return String(item);
      if (typeof item === "number") return Number.isFinite(item) ? item : String(item);
      if (typeof item !== "object" || item === null) return item;
      if (typeof item.nodeType === "number" && typeof item.nodeName === "string")
        return item.nodeType === 1 ? openingTag(item) : String(item.nodeValue ?? item.nodeName);
      // GUARDED guardedAll(item);
      if (item instanceof Map) return Object.fromEntries(item);
      if (item instanceof Set) return [...item];
      if (item instanceof Error) return String(item);
      return item;
    };
    const text = JSON.stringify(value, toJson);
    if (text !== undefined && text.length > limit)
      throw new RangeError(`the result has ${text.length} characters; at most ${limit} can be returned`);
    return text;
  })(
    args =>
      async function () {
        BODY;
      },
    ...tabwrightArguments,
  );
}
