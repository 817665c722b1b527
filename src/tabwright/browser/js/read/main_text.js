// The main text of a page, if the page is an article.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const { ElementPart, build, copy } = tabwright.parts;
  const ENOUGH = 500; // characters
  // How strict each attempt is, until one finds enough text.
  const ATTEMPTS = [
    { unlikely: true, weights: true, clean: true },
    { unlikely: false, weights: true, clean: true },
    { unlikely: false, weights: false, clean: true },
    { unlikely: false, weights: false, clean: false },
  ];
  const MARKS = [
    'meta[property="og:type"][content="article" i]',
    'meta[property^="article:"]',
    '[itemtype*="Article"],[itemtype*="BlogPosting"]',
  ].join();
  const ENTRIES = ".hentry,.h-entry"; // microformats; a list of articles has several
  const MARKED_JSON = /"@type"\s*:\s*\[?\s*"\w*(Article|BlogPosting|Report)"/;
  const AROUND = new Set(
    `nav aside footer header button select textarea banner navigation complementary contentinfo search menu menubar toolbar
    dialog`.split(/\s+/),
  );
  const MOST = 0.9; // share of the page; above it, the rest is not worth leaving out

  // Returns the article as a tree of parts; null if the page is better read as a whole: it does not say that it is an
  // article, and `main` or the lack of clutter shows what to read.
  tabwright.findArticle = function () {
    const body = dom.body();
    const marked = isMarked();
    if (!body || (!marked && dom.first(body, "main,[role=main]"))) return null;
    const content = build(body);
    if (content === null) return null;
    content.tag = "body"; // it may be a frameset
    const page = new ElementPart("html");
    page.append(content);
    const size = page.size - sizeAround(page);
    tabwright.splitAtBreaks(page);
    keepMainArticle(page);
    const article = search(page);
    return article.size && (marked || article.size < size * MOST) ? article : null;
  };

  // Whether the page says that it is an article.
  function isMarked() {
    if (dom.documentAll(MARKS).length || dom.documentAll(ENTRIES).length === 1) return true;
    return [...dom.documentAll('script[type="application/ld+json"]')].some(script =>
      MARKED_JSON.test(dom.textContent(script)),
    );
  }

  // The characters in navigation and the like, which are not shown in any case.
  function sizeAround(part) {
    let size = 0;
    for (const inner of part.elements)
      size += AROUND.has(inner.tag) || AROUND.has(inner.attr("role")) ? inner.size : sizeAround(inner);
    return size;
  }

  // Where one article holds the only main heading, the others are other articles.
  function keepMainArticle(page) {
    const headings = page.withTags("h1").filter(heading => heading.size);
    const articles = page.withTags("article").filter(part => !part.hasAncestor(outer => outer.tag === "article"));
    const main = articles.find(part => headings.length === 1 && headings[0].hasAncestor(outer => outer === part));
    if (main && main.size >= ENOUGH) for (const part of articles) if (part !== main) part.remove();
  }

  function search(page) {
    let longest = null;
    for (const strict of ATTEMPTS) {
      const article = new tabwright.Search(copy(page), strict).run();
      tabwright.cleanArticle(article, strict);
      tabwright.removeClutter(article);
      if (longest === null || article.size > longest.size) longest = article;
      if (article.size >= ENOUGH) return article;
    }
    return longest;
  }
})(globalThis.tabwright);
