// The name that a snapshot shows for a node: the accessible name, as far as it fits the text that is visible inside.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const { CLICKABLE } = tabwright.FLAGS;
  // Hidden text may be part of their name.
  const CONTROLS = tabwright.INTERACTIVE_ROLES;
  const NAMING_ATTRIBUTES = "[aria-label],[aria-labelledby],[aria-owns],[aria-actions],[title]";
  const MAX_GUESS = 200;

  // The name of the node at an index of the rows of a walk. `before` holds what the walk had counted before its content.
  // A name must fit the visible text: an aria-label without any of the visible words, or unreadable text, does not
  // replace what is visible.
  tabwright.shownName = function ({ rows, hidden, unusual }, element, row, kind, at, before) {
    const { role, flags } = row;
    if (role === "generic") return flags & CLICKABLE ? nameOfGuess(rows, element, row, at) : "";
    const byContent = tabwright.namesFromContent(element, role);
    const isLost = hidden.faint > before.faint;
    const isClipped = hidden.clipped > before.clipped;
    if (byContent && role !== "row" && !isLost && !isClipped && unusual === before.unusual)
      if (isNamedByText(rows, element, kind, at)) return rows.textInside(at);
    row.unusual = true;
    const name = tabwright.nameOf(element);
    if (name.text === "" && name.from === "aria" && byContent) return rows.textInside(at); // a blank label
    if (name.text === "" || name.from === "label") return name.text;
    if (role === "image") return hasBrokenImage(element) ? hide(hidden, name.text, "") : name.text;
    if (name.from === "content")
      return ((isLost || (isClipped && !CONTROLS.has(role))) && rows.textInside(at)) || name.text;
    if (name.from !== "aria" || role === "math" || !byContent) return name.text;
    const shown = rows.textInside(at);
    return shown === "" || tabwright.matchesVisibleText(name.text, shown) ? name.text : hide(hidden, name.text, shown);
  };

  function nameOfGuess(rows, element, row, at) {
    const shown = rows.textInside(at);
    const isText = rows.hasOnlyText(at);
    if (/[\p{L}\p{N}]/u.test(shown)) return isText ? tabwright.cut(shown, MAX_GUESS) : "";
    row.unusual = true; // a label says more than a symbol
    const label = dom.attr(element, "aria-label") || dom.attr(element, "title") || (isText ? shown : "");
    const name = label || (rows.length === at + 1 ? tabwright.nameOf(element).text : "");
    return tabwright.cut(tabwright.clean(name), MAX_GUESS);
  }

  // Whether the name is just the visible text inside, which is already known.
  function isNamedByText(rows, element, kind, at) {
    if (rows.length === at + 1 || !kind.simple) return false;
    return !(dom.hasAny(element) && dom.matches(element, NAMING_ATTRIBUTES)) && rows.isPlain(at);
  }

  function hide(hidden, name, shown) {
    hidden.count(name, "absent");
    return shown;
  }

  // The name of an image that is too small to be seen: part of the name of a control, as hidden text is.
  tabwright.countHiddenName = function (hidden, image) {
    const { text } = tabwright.nameOf(image);
    if (text !== "") hidden.count(text, "clipped");
  };

  // A data: address without an image: its alternative text is not on the page.
  const hasBrokenImage = (tabwright.hasBrokenImage = element =>
    element instanceof HTMLImageElement &&
    element.complete &&
    element.naturalWidth === 0 &&
    /^data:/i.test(element.currentSrc));
})(globalThis.tabwright);
