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
  const MIN_PROSE_BELOW_HEADLINE = 0.5; // the same, where the title of the page is above a text
  const MAX_SIZE = 0.9; // share of the page above which the rest is not worth leaving out
  const MIN_HEADLINE = 20; // characters; shorter ones ("Products") are names of pages
  // A character of these scripts says as much as two others.
  const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

  // Returns the article as a tree of parts; null if the page is better read as a whole. A page that does not say that
  // it is an article may be a form or a list: only links are left out there.
  tabwright.findArticle = function () {
    const body = dom.body();
    let marked = isMarked();
    const several = dom.documentAll("article").length > 1;
    if (!body || (!marked && !several && hasMain(body))) return null;
    const content = build(body);
    if (content === null) return null;
    content.tag = "body"; // it may be a frameset
    const page = new ElementPart("html");
    page.append(content);
    const headline = findHeadline(page);
    const whole = marked ? null : measure(page);
    tabwright.splitAtBreaks(page);
    marked = keepMainArticle(page, headline) || marked;
    if (!marked && hasMain(body)) return null;
    const article = search(page);
    return article.size && (marked || isEvident(article, whole, headline)) ? article : null;
  };

  const hasMain = body => dom.first(body, "main,[role=main]") !== null;
  const sizeOf = part => part.size;
  const proseOf = part => part.size - part.counts.links;
  const sum = (parts, measure) => parts.reduce((total, part) => total + measure(part), 0);
  const widthOf = text => text.length + (text.match(WIDE)?.length ?? 0);
  const isLong = part => widthOf(part.text.trim()) > LONG;

  // What a page that is read as a whole would show.
  function measure(page) {
    const around = partsAround(page);
    const shown = of => of(page) - sum(around, of);
    return { size: shown(sizeOf), prose: shown(proseOf), fields: page.counts.input };
  }

  // Whether an article that nothing marks is much of the text, with clutter around it, and not a form with notes.
  // Dates, captions and labels around a short article may be almost as much text; there a headline decides.
  function isEvident(article, { size, prose, fields }, headline) {
    if (widthOf(article.text) < ENOUGH || article.size > size * MAX_SIZE) return false;
    if (fields > article.withTags("p").filter(isLong).length) return false;
    return proseOf(article) > prose * (headline === null ? MIN_PROSE : MIN_PROSE_BELOW_HEADLINE);
  }

  // The heading that the title of the page repeats.
  function findHeadline(page) {
    const title = lettersOf(document.title);
    const isRepeated = text => widthOf(text) >= MIN_HEADLINE && title.includes(lettersOf(text));
    return page.withTags("h1", "h2", "h3").find(heading => isRepeated(heading.text.trim())) ?? null;
  }

  const lettersOf = text => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

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

  // Where one of several articles holds the headline or the only main heading, the others are other articles.
  // Returns whether it holds the headline.
  function keepMainArticle(page, headline) {
    const headings = page.withTags("h1").filter(heading => heading.size);
    const articles = page.withTags("article").filter(part => !part.hasAncestor(outer => outer.tag === "article"));
    const holderOf = heading => articles.find(part => heading?.hasAncestor(outer => outer === part));
    const main = holderOf(headline) ?? (headings.length === 1 ? holderOf(headings[0]) : undefined);
    if (!main || widthOf(main.text) < ENOUGH || articles.length === 1) return false;
    for (const part of articles) if (part !== main) part.remove();
    return main === holderOf(headline);
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
