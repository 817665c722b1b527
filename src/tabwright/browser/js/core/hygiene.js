// Cleans text of the page: invisible characters are removed and counted, white space is collapsed. Every string of a
// snapshot is cleaned here.
"use strict";
(tabwright => {
  // Written by Python (hygiene.py): group 1 is what to remove; a match without it is needed where it stands.
  const INVISIBLE = new RegExp(tabwright.invisiblePattern, "gu");
  // Glyphs of icon fonts: images on the page, noise in text. Removed, but not counted.
  const ICON_GLYPH = /[\ue000-\uf8ff\u{f0000}-\u{10ffff}]/gu;
  const NEEDS_STRIPPING = new RegExp(`${INVISIBLE.source}|${ICON_GLYPH.source}`, "u");
  const SPACES = /[\s\u0085]+/g;
  // Anything but common letters and single spaces; most text has none of it.
  const UNCOMMON = /[^ -~\u00a1-\u00ac\u00ae-\u024f]| {2}/;

  tabwright.stripped = 0;

  tabwright.clean = text => tabwright.squeeze(text).trim();

  // Like clean, but keeps one space at either end, because parts of a sentence are joined later.
  tabwright.squeeze = function (text) {
    if (!text) return "";
    let visible = String(text);
    if (!UNCOMMON.test(visible)) return visible;
    if (NEEDS_STRIPPING.test(visible)) visible = strip(visible);
    return visible.replace(SPACES, " ");
  };

  tabwright.cut = (text, most) => (text.length > most ? `${wellFormed(text.slice(0, most))}…` : text);

  // Without the half of a surrogate pair that a cut may leave at the end.
  const wellFormed = text => text.toWellFormed().replace(/\ufffd$/, "");

  function strip(text) {
    return text.replace(ICON_GLYPH, "").replace(INVISIBLE, (found, removed) => {
      if (removed === undefined) return found;
      tabwright.stripped++;
      return "";
    });
  }
})(globalThis.tabwright);
