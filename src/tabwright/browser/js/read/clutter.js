// Removes from an article what sites put between and around its paragraphs: galleries, newsletters, dates and names
// of authors, and links to other articles. Only small parts go, so that a wrong guess costs little.
"use strict";
(tabwright => {
  const words = text => new Set(text.trim().split(/\s+/));
  const BLOCKS =
    words(`address article aside blockquote dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header li main ol p pre
    section table td th ul`);
  const LINK_BLOCKS = words("p li div");
  const EXTRAS =
    words(`ad ads advert advertisement bio breadcrumb breadcrumbs comment comments copyright disclaimer newsletter outbrain
    promo recirc recommend recommended related share sharing signup social subscribe taboola tag tags toolbar trending`);
  const GALLERIES = words("carousel gallery slider slides slideshow");
  const CREDITS = words("caption captions credit credits");
  const DATES = words(
    "author authors byline date dateline datetime meta metadata posted pubdate publish published time timestamp updated",
  );
  const MAX_CREDIT = 600; // characters
  const MAX_DATE = 120;
  const MIN_ARTICLE = 600;
  const MAX_LABEL = 35; // "Read more:" before a link

  tabwright.removeClutter = function (article) {
    const size = Math.max(article.size, MIN_ARTICLE);
    for (const part of article.all()) if (isClutter(part, size) && !isData(part)) drop(part);
    removeLinkBlocks(article);
  };

  function isClutter(part, size) {
    const names = namesOf(part);
    if (part.size < MAX_DATE && (part.tag === "time" || hasAny(names, DATES))) return true;
    if (part.size < size / 4 && hasAny(names, EXTRAS)) return true;
    if (part.size < size / 2 && hasAny(names, GALLERIES)) return true;
    return part.size < Math.min(size / 4, MAX_CREDIT) && hasAny(names, CREDITS) && !isFigcaption(part);
  }

  // Inside tables and code, classes mean something else.
  const isData = part =>
    part.withTags("pre", "table").length > 0 ||
    part.hasAncestor(({ tag }) => tag === "pre" || tag === "code" || tag === "table");

  // The words of the classes; an id may come from the text of a heading.
  function namesOf(part) {
    const name = part.attr("class");
    return name
      ? name
          .replace(/([a-z])([A-Z])/g, "$1 $2")
          .toLowerCase()
          .split(/[^a-z0-9]+/)
      : [];
  }

  const hasAny = (names, known) => names.some(name => known.has(name));

  const isFigcaption = part => part.tag === "figcaption" || part.hasAncestor(outer => outer.tag === "figcaption");

  // A part of a sentence stays.
  function drop(part) {
    if (part.parent === null) return;
    let outer = part;
    while (!BLOCKS.has(outer.tag) && outer.parent.parent && outer.parent.size === outer.size) outer = outer.parent;
    if (BLOCKS.has(outer.tag) || !hasText(outer.parent)) part.remove();
  }

  const hasText = part => part.parts.some(inner => inner.tag === "" && !inner.blank);

  // Paragraphs and lists that are only links to other pages, unless they are much of the article.
  function removeLinkBlocks(article) {
    const blocks = article.all().filter(part => isLinkBlock(part) && !isItemOfMixedList(part));
    const size = blocks.reduce((sum, part) => sum + part.size, 0);
    if (size < article.size * 0.3) for (const part of blocks) part.remove();
  }

  function isLinkBlock(part) {
    const { size } = part;
    if (!size || !LINK_BLOCKS.has(part.tag) || part.hasAncestor(outer => outer.tag === "table")) return false;
    if (part.all().some(inner => BLOCKS.has(inner.tag))) return false;
    if (part.linkDensity > 0.9) return true;
    return part.linkDensity > 0.5 && size - part.counts.links < MAX_LABEL && /^[^:]{1,30}:/.test(part.text.trim());
  }

  const isItemOfMixedList = part => part.tag === "li" && !part.parent.elements.every(isLinkBlock);
})(globalThis.tabwright);
