// Runs a caller's script in the page's own world and returns its value as bounded JSON text.
async function (limit, ...args) {
  const value = await (async () => { BODY })();
  const shown = (_, item) =>
    item instanceof Node ? (item.outerHTML ?? String(item.nodeValue)).replace(/>[^]*$/, ">") :
    item instanceof Map ? Object.fromEntries(item) :
    item instanceof Set ? [...item] :
    item instanceof Error ? String(item) :
    typeof item === "function" ? String(item) :
    typeof item === "bigint" || (typeof item === "number" && !isFinite(item)) ? String(item) :
    item;
  const text = JSON.stringify(value, shown);
  if (text !== undefined && text.length > limit) throw new RangeError(`the result has ${text.length} characters; at most ${limit} can be returned`);
  return text;
}
