// The nodes that an event at this one passes, in the page's own world: Chrome lists listeners only for objects of the
// world that added them.
/** @this {any} */
function tabwrightEventPath() {
  const path = [];
  for (let node = this; node && path.length < 100; node = node.parentNode ?? node.host) path.push(node);
  return [...path, window];
}
