// Removes from an article what is not part of its text: forms, lists of links, share bars, advertisements. The rules
// are those of Mozilla's Readability (Apache-2.0, see LICENSE-Readability).
"use strict";
(tabwright => {
  const { EMBEDS } = tabwright.parts;
  const words = text => new Set(text.trim().split(/\s+/));
  const SHARE = /(\b|_)(share|sharedaddy)(\b|_)/i;
  const VIDEOS =
    /\/\/(www\.)?((dailymotion|youtube|youtube-nocookie|player\.vimeo|v\.qq)\.com|(archive|upload\.wikimedia)\.org|player\.twitch\.tv)/i;
  const ADVERTISEMENT = /^(ad(vertising|vertisement)?|pub(licité)?|werb(ung)?|广告|Реклама|Anuncio)$/iu;
  const LOADING = /^((loading|正在加载|Загрузка|chargement|cargando)(…|\.\.\.)?)$/iu;
  const REMOVED = words("object embed footer aside iframe input textarea select button");
  const DATA_PARTS = ["col", "colgroup", "tfoot", "thead", "th"];
  const MAX_SHARE = 500;

  tabwright.cleanArticle = function (article, strict) {
    markDataTables(article);
    if (strict.clean) for (const tag of ["form", "fieldset"]) cleanLists(article, tag, strict);
    for (const part of article.withTags("object", "embed", "footer", "aside")) removeUnlessVideo(part);
    for (const top of article.elements) removeShareBars(top);
    for (const part of article.withTags(...REMOVED)) removeUnlessVideo(part);
    for (const part of article.withTags("h1", "h2"))
      if (strict.weights && tabwright.classWeight(part) < 0) part.remove();
    if (strict.clean) for (const tag of ["table", "ul", "div"]) cleanLists(article, tag, strict);
  };

  function removeUnlessVideo(part) {
    if (!(EMBEDS.has(part.tag) && VIDEOS.test(part.attr("src") ?? part.attr("data") ?? ""))) part.remove();
  }

  function removeShareBars(top) {
    for (const part of top.all()) if (SHARE.test(part.label) && part.counts.length < MAX_SHARE) part.remove();
  }

  function cleanLists(article, tag, strict) {
    for (const part of article.withTags(tag).reverse())
      if (isClutter(part, tag, strict.weights ? tabwright.classWeight(part) : 0)) part.remove();
  }

  function isClutter(part, tag, weight) {
    const { counts, size } = part;
    const isList = tag === "ul" || counts.lists / size > 0.9;
    if (part.isDataTable || part.hasAncestor(outer => outer.isDataTable)) return false;
    if (part.hasAncestor(outer => outer.tag === "code" || outer.tag === "pre")) return false;
    if (part.withTags("table").some(table => table.isDataTable)) return false;
    if (weight < 0) return true;
    if (counts.plainCommas >= 10) return false;
    if (part.withTags(...EMBEDS).some(embed => VIDEOS.test(embed.attr("src") ?? ""))) return false;
    const text = size < 30 ? part.text.trim() : "";
    if (ADVERTISEMENT.test(text) || LOADING.test(text)) return true;
    if (!failsChecks(part, weight, isList)) return false;
    return !(isList && isGallery(part));
  }

  function failsChecks(part, weight, isList) {
    const { counts, size, linkDensity } = part;
    const inFigure = part.hasAncestor(outer => outer.tag === "figure", 3);
    const { p, img } = counts;
    if (!inFigure && img > 1 && p / img < 0.5) return true;
    if (!isList && counts.li - 100 > p) return true;
    if (counts.input > Math.floor(p / 3)) return true;
    const headings = size ? counts.headings / size : 0;
    if (!isList && !inFigure && headings < 0.9 && size < 25 && (img === 0 || img > 2) && linkDensity > 0) return true;
    if (!isList && weight < 25 && linkDensity > 0.2) return true;
    if (weight >= 25 && linkDensity > 0.5) return true;
    if ((counts.embeds === 1 && size < 75) || counts.embeds > 1) return true;
    return img === 0 && !part.parts.some(inner => inner.counts.textual);
  }

  function isGallery(list) {
    if (list.elements.some(item => item.elements.length > 1)) return false;
    return list.counts.img === list.counts.li;
  }

  function markDataTables(article) {
    for (const table of article.withTags("table")) table.isDataTable = isDataTable(table);
  }

  function isDataTable(table) {
    if (table.attr("role") === "presentation" || table.attr("datatable") === "0") return false;
    if (table.attr("summary")) return true;
    const caption = table.withTags("caption")[0];
    if (caption?.parts.length) return true;
    if (table.withTags(...DATA_PARTS).length) return true;
    if (table.withTags("table").length) return false;
    const rows = table.withTags("tr");
    const columns = Math.max(0, ...rows.map(row => row.withTags("td").length));
    if (columns === 1 || rows.length === 1) return false;
    return rows.length >= 10 || columns > 4 || rows.length * columns > 10;
  }
})(globalThis.tabwright);
