// Describes what has neither text nor a name by its colour and shape, as a person would: "red circle".
"use strict";
(tabwright => {
  const { dom } = tabwright;
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

  // "" if there is nothing to say.
  tabwright.lookOf = function (element, style) {
    if (!(element instanceof SVGElement)) return colourName(style.backgroundColor).replace("white", "");
    const shape = SHAPES[dom.tag(element)];
    if (shape === undefined) return "";
    return [colourName(style.fill) || colourName(style.stroke), shape].filter(Boolean).join(" ");
  };

  function colourName(text) {
    const { red, green, blue, alpha } = tabwright.parseColour(text);
    if (alpha < 0.5 || red < 0) return "";
    const distance = rgb => (rgb[0] - red) ** 2 + (rgb[1] - green) ** 2 + (rgb[2] - blue) ** 2;
    return COLOURS.reduce((best, next) => (distance(next[1]) < distance(best[1]) ? next : best))[0];
  }
})(globalThis.tabwright);
