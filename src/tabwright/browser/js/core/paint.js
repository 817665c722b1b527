// Colours, and what filters, masks and SVG paint do to text. `core/visibility.js` decides with it what can be read.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const FAINT = 0.1; // alpha below which paint cannot be seen
  const EXTREME = 20; // brightness that turns every colour white; its inverse turns every colour black
  const NO_EFFECT = Object.freeze({ opacity: 1, blur: 0, flat: null });
  const CLEAR = Object.freeze({ red: 0, green: 0, blue: 0, alpha: 0 });
  const UNKNOWN = Object.freeze({ red: -999, green: -999, blue: -999, alpha: 1 }); // similar to no background
  const grey = level => Object.freeze({ red: level, green: level, blue: level, alpha: 1 });
  const [BLACK, GREY, WHITE] = [grey(0), grey(128), grey(255)];

  const colours = new Map();
  let references;
  tabwright.onClearCaches(() => {
    references = new Map();
  });
  tabwright.clearCaches();

  tabwright.parseColour = colour;

  function colour(text) {
    let parsed = colours.get(text);
    if (!parsed) colours.set(text, (parsed = parseColour(text)));
    return parsed;
  }

  function parseColour(text) {
    if (text === "none") return CLEAR;
    const parts = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(text);
    // Colours outside sRGB are never considered equal to a background.
    if (!parts) return { ...UNKNOWN, alpha: /\/ 0(\.0\d*)?\)$/.test(text) ? 0 : 1 };
    return { red: +parts[1], green: +parts[2], blue: +parts[3], alpha: parts[4] === undefined ? 1 : +parts[4] };
  }

  const isSimilar = (one, other) =>
    Math.abs(one.red - other.red) + Math.abs(one.green - other.green) + Math.abs(one.blue - other.blue) <= 24;

  const coloursIn = text => (text.match(/rgba?\([^)]*\)/g) ?? []).map(colour);

  // A gradient between equal colours is that colour.
  function plainGradient(image) {
    if (!/^[a-z-]*gradient\(/.test(image) || image.includes("url(")) return null;
    const stops = coloursIn(image);
    return stops.length && stops.every(stop => isSimilar(stop, stops[0]) && stop.alpha > 0.95) ? stops[0] : null;
  }

  // The colour that text is filled with.
  function ink(element, style) {
    if (!(element instanceof SVGElement)) return colour(style.webkitTextFillColor);
    const fill = paintOf(style.fill);
    return { ...fill, alpha: fill.alpha * parseFloat(style.fillOpacity) };
  }

  // The colour of SVG paint. A gradient counts as one, unless all of it is transparent.
  function paintOf(paint) {
    if (!paint.startsWith("url(")) return colour(paint);
    const server = referenced(paint);
    if (server === null) return colour(paint.replace(/^url\([^)]*\)\s*/, "") || "none");
    const stops = [...dom.all(server, "stop")].map(tabwright.styleOf);
    const isClear = stop => parseFloat(stop.stopOpacity) * colour(stop.stopColor).alpha < FAINT;
    return stops.length && stops.every(isClear) ? CLEAR : UNKNOWN;
  }

  // The element of this document that url("#id") names, if there is one.
  function referenced(value) {
    const id = /^url\("?#([^")]+)"?\)/.exec(value)?.[1];
    if (id === undefined) return null;
    if (!references.has(id)) references.set(id, dom.first(dom.root(), `#${CSS.escape(id)}`));
    return references.get(id);
  }

  // Whether text that is not filled can be seen all the same: outlined, with a shadow, or cut out of a background.
  function hasOtherPaint(element, style) {
    if (element instanceof SVGElement) return isStroked(style.stroke, style.strokeWidth, style.strokeOpacity);
    return (
      (style.backgroundClip.includes("text") &&
        (style.backgroundImage !== "none" || colour(style.backgroundColor).alpha > FAINT)) ||
      (style.textShadow !== "none" && coloursIn(style.textShadow).some(({ alpha }) => alpha > FAINT)) ||
      isStroked(style.webkitTextStrokeColor, style.webkitTextStrokeWidth, "1")
    );
  }

  const isStroked = (paint, width, opacity) =>
    parseFloat(width) > 0 && paintOf(paint).alpha * parseFloat(opacity) > FAINT;

  // What the filter of an element does to all of it: {opacity, blur in px, flat: the one colour that is left}.
  const effects = new Map();
  function effectOf(filter) {
    if (filter === "none") return NO_EFFECT;
    if (filter.includes("url(")) return parseEffect(filter); // the page may change what it refers to
    let effect = effects.get(filter);
    if (!effect) effects.set(filter, (effect = parseEffect(filter)));
    return effect;
  }

  function parseEffect(filter) {
    const effect = { opacity: 1, blur: 0, flat: null };
    let brightness = 1;
    for (const [text, name, amount] of filter.matchAll(/url\("[^"]*"\)|([a-z-]+)\(([\d.]+)/g)) {
      const value = Number(amount);
      if (name === undefined) addReferenced(effect, referenced(text));
      else if (name === "opacity") effect.opacity *= value;
      else if (name === "blur") effect.blur += value;
      else if (name === "brightness") brightness *= value;
      else if (name === "contrast" && value < 1 / EXTREME) effect.flat = GREY;
    }
    if (brightness < 1 / EXTREME) effect.flat = BLACK;
    else if (brightness > EXTREME) effect.flat = WHITE;
    return effect;
  }

  // An SVG filter: one without steps shows nothing, and a step may remove what is opaque.
  function addReferenced(effect, filter) {
    if (filter === null) return;
    const steps = [...dom.all(filter, "*")];
    if (!steps.length || steps.some(clears)) effect.opacity = 0;
    for (const step of steps)
      if (dom.tag(step) === "feGaussianBlur") effect.blur += parseFloat(dom.attr(step, "stdDeviation") ?? "0") || 0;
  }

  function clears(step) {
    const tag = dom.tag(step);
    if (tag === "feFuncA") return numbers(dom.attr(step, "slope") ?? dom.attr(step, "tableValues")).every(isZero);
    const matrix = tag === "feColorMatrix" ? numbers(dom.attr(step, "values")) : [];
    return matrix.length === 20 && matrix.slice(15).every(isZero);
  }

  const isZero = number => number === 0;
  const numbers = text =>
    (text ?? "1")
      .trim()
      .split(/[\s,]+/)
      .map(Number);

  // Whether a mask leaves nothing of an element.
  function isMaskedAway(style) {
    const image = style.maskImage;
    if (image === "none") return false;
    if (/^0(px|%)?( 0(px|%)?)?$/.test(style.maskSize)) return true;
    if (image.startsWith("url(")) return isEmptyMask(referenced(image));
    const stops = coloursIn(image);
    return stops.length > 0 && stops.every(({ alpha }) => alpha < FAINT);
  }

  // Only what is bright in an SVG mask lets anything through.
  function isEmptyMask(mask) {
    if (mask === null || dom.tag(mask) !== "mask") return false;
    const isBright = shape => {
      if (/^(image|use|foreignObject)$/.test(dom.tag(shape))) return true;
      const { red, green, blue, alpha } = ink(shape, tabwright.styleOf(shape));
      return alpha > FAINT && (red < 0 || red + green + blue > 3 * 25);
    };
    return ![...dom.all(mask, "*")].some(isBright);
  }

  tabwright.paint = { FAINT, WHITE, colour, isSimilar, plainGradient, ink, hasOtherPaint, effectOf, isMaskedAway };
})(globalThis.tabwright);
