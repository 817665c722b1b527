// What a control looks like, added to its states: colour and shape where it has neither text nor a name ("red circle"),
// and whether it is scrolled out of view.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const { CLICKABLE, INVISIBLE } = tabwright.FLAGS;
  const SHAPES = {
    circle: "circle",
    ellipse: "ellipse",
    rect: "rectangle",
    polygon: "polygon",
    line: "line",
    path: "path",
  };
  const COLOURS = Object.entries({
    black: [0, 0, 0],
    white: [255, 255, 255],
    grey: [128, 128, 128],
    red: [255, 0, 0],
    orange: [255, 165, 0],
    yellow: [255, 255, 0],
    green: [0, 128, 0],
    lime: [0, 255, 0],
    cyan: [0, 255, 255],
    blue: [0, 0, 255],
    navy: [0, 0, 128],
    purple: [128, 0, 128],
    magenta: [255, 0, 255],
    pink: [255, 192, 203],
    brown: [139, 69, 19],
  });

  tabwright.completeStates = function (states, row, element, place, inner, isEmpty) {
    if (!(row.flags & CLICKABLE)) return states;
    states ??= [];
    // What the input of an editor holds is not what the editor shows.
    if (row.flags & INVISIBLE && tabwright.isTextField(element)) return withShownValue(states, row, element);
    const look = row.role === "generic" && row.name === "" && isEmpty ? lookOf(element, inner.style) : "";
    if (look !== "") states.push(`looks like=${look}`);
    if (place.scroller !== null && isScrolledOut(element, place.scroller)) states.push("scrolled out");
    return states;
  };

  function withShownValue(states, row, element) {
    const others = states.filter(state => !state.startsWith("value="));
    const shown = row.role === "combobox" ? tabwright.shownInBox(element).value : "";
    return shown === "" ? others : [`value=${shown}`, ...others];
  }

  // "" if there is nothing to say.
  function lookOf(element, style) {
    const resizes = /^(\w+)-resize$/.exec(style.cursor);
    if (resizes) return `resize ${resizes[1]}`;
    if (!(element instanceof SVGElement)) return colourName(style.backgroundColor).replace("white", "");
    const shape = SHAPES[dom.tag(element)];
    if (shape === undefined) return "";
    return [colourName(style.fill) || colourName(style.stroke), shape].filter(Boolean).join(" ");
  }

  // Whether an element is in the part of a scroller that does not show.
  function isScrolledOut(element, scroller) {
    const box = dom.rect(element);
    return (
      box.bottom <= scroller.top + 1 ||
      box.top >= scroller.bottom - 1 ||
      box.right <= scroller.left + 1 ||
      box.left >= scroller.right - 1
    );
  }

  function colourName(text) {
    const { red, green, blue, alpha } = tabwright.parseColour(text);
    if (alpha < 0.5 || red < 0) return "";
    const distance = rgb => (rgb[0] - red) ** 2 + (rgb[1] - green) ** 2 + (rgb[2] - blue) ** 2;
    return COLOURS.reduce((best, next) => (distance(next[1]) < distance(best[1]) ? next : best))[0];
  }
})(globalThis.tabwright);
