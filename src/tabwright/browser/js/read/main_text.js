// The main text of a page, if the page is an article.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const { ElementPart, build, copy } = tabwright.parts;
  const ENOUGH = 500; // characters
  const LONG = 80;
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
    '[itemtype*="Article"],[itemtype*="BlogPosting"],[itemprop=articleBody],time[pubdate]',
  ].join();
  const ENTRIES = ".hentry,.h-entry"; // microformats; a list of articles has several
  const MARKED_JSON = /"@type"\s*:\s*\[?\s*"\w*(Article|BlogPosting|Report)"/;
  // What markdown.py leaves out of a page that is read as a whole.
  const AROUND = new Set(
    "banner navigation complementary contentinfo search menu menubar toolbar dialog alertdialog button label".split(
      " ",
    ),
  );
  const MIN_PROSE = 0.7; // share of the text outside links that the article must have, where nothing marks it
  const MAX_SIZE = 0.9; // share of the page above which the rest is not worth leaving out

  // Returns the article as a tree of parts; null if the page is better read as a whole. A page that does not say that
  // it is an article may be a form or a list: only links are left out there.
  tabwright.findArticle = function () {
    const body = dom.body();
    const marked = isMarked();
    if (!body || (!marked && dom.first(body, "main,[role=main]"))) return null;
    const content = build(body);
    if (content === null) return null;
    content.tag = "body"; // it may be a frameset
    const page = new ElementPart("html");
    page.append(content);
    const around = marked ? [] : partsAround(page);
    const whole = {
      size: page.size - sum(around, sizeOf),
      prose: proseOf(page) - sum(around, proseOf),
      fields: page.counts.input,
    };
    tabwright.splitAtBreaks(page);
    keepMainArticle(page);
    const article = search(page);
    return article.size && (marked || isEvident(article, whole)) ? article : null;
  };

  const sizeOf = part => part.size;
  const proseOf = part => part.size - part.counts.links;
  const sum = (parts, measure) => parts.reduce((total, part) => total + measure(part), 0);

  // Whether an article that nothing marks is much of the text, with clutter around it, and not a form with notes.
  function isEvident(article, { size, prose, fields }) {
    if (article.size < ENOUGH || article.size > size * MAX_SIZE) return false;
    return proseOf(article) > prose * MIN_PROSE && fields <= article.withTags("p").filter(isLong).length;
  }

  const isLong = part => part.size > LONG;

  // The outermost parts that are not shown in any case.
  const partsAround = part =>
    part.elements.flatMap(inner => (AROUND.has(tabwright.roleOf(inner.element)) ? inner : partsAround(inner)));

  // Whether the page says that it is an article.
  function isMarked() {
    if (dom.documentAll(MARKS).length || dom.documentAll(ENTRIES).length === 1) return true;
    return [...dom.documentAll('script[type="application/ld+json"]')].some(script =>
      MARKED_JSON.test(dom.textContent(script)),
    );
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
