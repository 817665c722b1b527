// Cleans text of the page: invisible characters are removed and counted, white space is collapsed. Every string of a
// snapshot is cleaned here.
"use strict";
(tabwright => {
  // Invisible, reordering, or meaningless on their own: controls, soft hyphen, fillers, joiners, bidi, tags, variation
  // selectors, non-characters, halves of surrogate pairs.
  const INVISIBLE = new RegExp(
    "[\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u0084\\u0086-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f" +
      "\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufdd0-\\ufdef\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffc\\ufffe\\uffff" +
      "\\u{13430}-\\u{1343f}\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]|\\p{Surrogate}|\\p{Noncharacter_Code_Point}",
    "gu",
  );
  // Glyphs of icon fonts: images on the page, noise in text. Removed, but not counted.
  const ICON_GLYPH = /[\ue000-\uf8ff\u{f0000}-\u{10ffff}]/gu;
  const NEEDS_STRIPPING = new RegExp(`${INVISIBLE.source}|${ICON_GLYPH.source}`, "u");
  const SPACES = /[\s\u0085]+/g;
  // Anything but common letters and single spaces; most text has none of it.
  const UNCOMMON = /[^ -~\u00a1-\u00ac\u00ae-\u024f]| {2}/;
  const JOINING_SCRIPT =
    /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Myanmar}\p{Script=Khmer}\p{Script=Tibetan}]/u;
  const EMOJI = /\p{Extended_Pictographic}/u;
  const EMOJI_END = /[\ufe0f\p{Extended_Pictographic}\p{Emoji_Modifier}]/u;
  const KEYCAP = /[0-9#*]/;

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
    const characters = Array.from(text);
    let kept = "";
    let previous = "";
    for (let i = 0; i < characters.length; i++) {
      const character = characters[i];
      if (character.match(ICON_GLYPH)) continue;
      if (character.match(INVISIBLE) && !isNeeded(character, previous, characters[i + 1] ?? "")) tabwright.stripped++;
      else kept += character;
      previous = character;
    }
    return kept;
  }

  // Joiners are part of words in some scripts and of emoji; one variation selector may follow an emoji.
  function isNeeded(character, previous, next) {
    if (character === "\u200d" && EMOJI_END.test(previous) && EMOJI.test(next)) return true;
    if (character === "\u200c" || character === "\u200d")
      return JOINING_SCRIPT.test(previous) && JOINING_SCRIPT.test(next);
    if (character === "\ufe0f" || character === "\ufe0e")
      return EMOJI.test(previous) || (KEYCAP.test(previous) && next === "\u20e3");
    return false;
  }
})(globalThis.tabwright);
