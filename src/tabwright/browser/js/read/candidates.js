// Finds the element that holds the article of a page, as reader views do: every paragraph gives its score to the
// elements around it, less for each level, and the element with the most wins. The rules are those of
// Mozilla's Readability (Apache-2.0, see LICENSE-Readability).
"use strict";
(tabwright => {
  const { ElementPart } = tabwright.parts;
  const words = text => new Set(text.trim().split(/\s+/));
  const UNLIKELY =
    /-ad-|ai2html|banner|breadcrumbs|combx|comment|community|cover-wrap|disqus|extra|footer|gdpr|(?<!sub[-_]?)header|legends|menu|related|remark|replies|rss|shoutbox|sidebar|skyscraper|social|sponsor|supplemental|ad-break|agegate|pagination|pager|popup|yom-remote/i;
  const LIKELY = /and|article|body|column|content|main|shadow/i;
  const POSITIVE = /article|body|content|entry|hentry|h-entry|main|page|pagination|post|text|blog|story/i;
  const NEGATIVE =
    /-ad-|hidden|^hid$| hid$| hid |^hid |banner|combx|comment|com-|contact|footer|gdpr|masthead|media|meta|outbrain|promo|related|scroll|share|shoutbox|sidebar|skyscraper|sponsor|shopping|tags|widget/i;
  const BYLINE = /byline|author|dateline|writtenby|p-author/i;
  const UNLIKELY_ROLES = words("menu menubar complementary navigation alert alertdialog dialog");
  const SCORED = words("section h2 h3 h4 h5 h6 p td pre");
  const EMPTIED = words("div section header h1 h2 h3 h4 h5 h6");
  const BLOCKS = words("blockquote dl div img ol p pre table ul");
  const PHRASING =
    words(`abbr audio b bdo br button cite code data datalist dfn em embed i img input kbd label mark math meter object
    output progress q ruby samp select small span strong sub sup textarea time var wbr`);
  const LINKS_AND_EDITS = words("a del ins");
  const TAG_SCORES = { div: 5, pre: 3, td: 3, blockquote: 3, th: -5 };
  for (const tag of words("address ol ul dl dd dt li form")) TAG_SCORES[tag] = -3;
  for (const tag of words("h1 h2 h3 h4 h5 h6")) TAG_SCORES[tag] = -5;
  const MIN_PARAGRAPH = 25; // characters
  const MAX_CANDIDATES = 5;
  const MAX_BYLINE = 100;

  tabwright.classWeight = function (part) {
    let weight = 0;
    for (const name of [part.attr("class"), part.attr("id")]) {
      if (!name) continue;
      if (NEGATIVE.test(name)) weight -= 25;
      if (POSITIVE.test(name)) weight += 25;
    }
    return weight;
  };

  // Two or more line breaks end a paragraph: the inline content after them becomes one.
  tabwright.splitAtBreaks = function (part) {
    part.elements.forEach(tabwright.splitAtBreaks);
    if (part.parts.filter(inner => inner.tag === "br").length < 2) return;
    const parts = part.parts.splice(0);
    let paragraph = null;
    for (let at = 0; at < parts.length; at++) {
      const end = endOfBreaks(parts, at);
      if (end > at) {
        part.append((paragraph = new ElementPart("p")));
        at = end - 1;
      } else {
        if (!isPhrasing(parts[at])) paragraph = null;
        (paragraph ?? part).adopt(parts[at]);
      }
    }
    if (part.tag === "p" && part.parts.some(inner => inner.tag === "p")) part.tag = "div";
    part.forget();
  };

  // The place after a run of breaks; the same place if there are fewer than two.
  function endOfBreaks(parts, start) {
    let [end, breaks] = [start, 0];
    if (parts[start].tag !== "br") return start;
    for (let at = start; at < parts.length && isBlank(parts[at]); at++)
      if (parts[at].tag === "br") [breaks, end] = [breaks + 1, at + 1];
    return breaks < 2 ? start : end;
  }

  const isBlank = part => (part.tag === "" ? part.blank : part.tag === "br");

  const isPhrasing = part =>
    part.tag === "" || PHRASING.has(part.tag) || (LINKS_AND_EDITS.has(part.tag) && part.parts.every(isPhrasing));

  function trimEnd(paragraph) {
    while (paragraph.parts.length && isBlank(paragraph.parts.at(-1))) paragraph.parts.pop();
  }

  const hasBlock = part => part.parts.some(inner => inner.tag !== "" && (BLOCKS.has(inner.tag) || hasBlock(inner)));

  // One attempt to find the article. `strict` says which rules apply: unlikely parts, weights of classes.
  tabwright.Search = class Search {
    constructor(page, strict) {
      this.page = page;
      this.strict = strict;
      this.scored = [];
      this.byline = null;
      this.title = new Set(wordsOf(document.title));
      this.titleTag = page.withTags("h1").length ? "h1" : "h2";
    }

    weight(part) {
      return this.strict.weights ? tabwright.classWeight(part) : 0;
    }

    // Returns the elements of the article, in one new element.
    run() {
      const body = this.page.parts[0];
      this.visit(body);
      const candidates = this.scoreAncestors();
      const best = this.best(candidates, body);
      return this.withSiblings(best);
    }

    visit(part) {
      if (this.isUnlikely(part)) return part.remove();
      if (SCORED.has(part.tag)) this.scored.push(part);
      const inner = part.tag === "div" ? this.asParagraph(part) : part;
      for (const child of [...inner.parts]) if (child.tag !== "" && child.parent === inner) this.visit(child);
    }

    isUnlikely(part) {
      const { tag, label } = part;
      const role = part.attr("role");
      if (role === "dialog" && part.attr("aria-modal") === "true") return true;
      if (this.byline === null && this.isByline(part)) return (this.byline = part) && true;
      if (tag === this.titleTag && this.repeatsTitle(part)) return true;
      if (this.strict.unlikely) {
        if (tag !== "body" && tag !== "a" && UNLIKELY.test(label) && !LIKELY.test(label) && !isInTableOrCode(part))
          return true;
        if (UNLIKELY_ROLES.has(role)) return true;
      }
      return EMPTIED.has(tag) && !part.size && part.elements.every(inner => inner.tag === "br" || inner.tag === "hr");
    }

    isByline(part) {
      const { size } = part;
      if (!size || size >= MAX_BYLINE) return false;
      return (
        part.attr("rel") === "author" || (part.attr("itemprop") ?? "").includes("author") || BYLINE.test(part.label)
      );
    }

    // The title of the page is known without its text.
    repeatsTitle(part) {
      const words = wordsOf(part.text);
      return words.filter(word => this.title.has(word)).length > words.length * 0.75;
    }

    // Inline content of a box becomes paragraphs; a box with one paragraph only is that paragraph.
    asParagraph(box) {
      wrapInline(box);
      const only = box.onlyElement("p");
      if (only && box.linkDensity < 0.25) {
        box.parent.replace(box, only);
        this.scored.push(only);
        return only;
      }
      if (!hasBlock(box)) {
        box.tag = "p";
        box.forget();
        this.scored.push(box);
      }
      return box;
    }

    scoreAncestors() {
      const candidates = [];
      for (const part of this.scored) {
        if (!part.parent || part.size < MIN_PARAGRAPH) continue;
        const score = 2 + part.counts.commas + Math.min(Math.floor(part.size / 100), 3);
        let level = 0;
        for (const ancestor of part.ancestors()) {
          if (level === 5) break;
          if (ancestor.score === null) candidates.push(this.start(ancestor));
          ancestor.score += score / (level < 2 ? level + 1 : level * 3);
          level++;
        }
      }
      for (const candidate of candidates) candidate.score *= 1 - candidate.linkDensity;
      return candidates;
    }

    start(part) {
      part.score = (TAG_SCORES[part.tag] ?? 0) + this.weight(part);
      return part;
    }

    best(candidates, body) {
      const top = candidates
        .map((part, at) => ({ part, at }))
        .sort((one, other) => other.part.score - one.part.score || one.at - other.at)
        .slice(0, MAX_CANDIDATES)
        .map(({ part }) => part);
      if (!top.length || top[0].tag === "body") return this.wholeBody(body);
      let best = commonAncestor(top) ?? top[0];
      if (best.score === null) this.start(best);
      best = betterAncestor(best);
      while (best.parent.tag !== "body" && best.parent.elements.length === 1) best = best.parent;
      if (best.score === null) this.start(best);
      return best;
    }

    wholeBody(body) {
      const all = new ElementPart("div");
      for (const part of [...body.parts]) all.append(part);
      body.append(all);
      return this.start(all);
    }

    // Siblings may be parts of the same article: alike, or paragraphs.
    withSiblings(best) {
      const article = new ElementPart("div");
      const enough = Math.max(10, best.score * 0.2);
      const className = best.attr("class");
      for (const sibling of best.parent.elements) {
        const bonus = className && sibling.attr("class") === className ? best.score * 0.2 : 0;
        if (sibling === best || (sibling.score !== null && sibling.score + bonus >= enough) || isProse(sibling))
          article.append(sibling);
      }
      return article;
    }
  };

  function isProse(part) {
    if (part.tag !== "p") return false;
    const { size, linkDensity } = part;
    if (size > 80) return linkDensity < 0.25;
    return size > 0 && size < 80 && linkDensity === 0 && /\.( |$)/.test(part.text.trim());
  }

  function wrapInline(box) {
    let paragraph = null;
    const parts = [];
    for (const part of box.parts) {
      if (!isPhrasing(part)) {
        if (paragraph) trimEnd(paragraph);
        paragraph = null;
        parts.push(part);
      } else if (paragraph || !isBlank(part)) {
        if (!paragraph) {
          paragraph = new ElementPart("p");
          paragraph.parent = box;
          parts.push(paragraph);
        }
        paragraph.adopt(part);
      } else parts.push(part);
    }
    box.parts = parts;
    box.forget();
  }

  const isInTableOrCode = part => part.hasAncestor(({ tag }) => tag === "table" || tag === "code" || tag === "pre");

  // Where several candidates are almost as good, the article is what holds them all.
  function commonAncestor(top) {
    const others = top.slice(1).filter(part => part.score / top[0].score >= 0.75);
    if (others.length < 3) return null;
    const chains = others.map(part => new Set(part.ancestors()));
    for (let at = top[0].parent; at.tag !== "body"; at = at.parent)
      if (chains.filter(chain => chain.has(at)).length >= 3) return at;
    return null;
  }

  // An ancestor with a higher score holds more of the article.
  function betterAncestor(best) {
    const least = best.score / 3;
    let last = best.score;
    for (let at = best.parent; at.tag !== "body"; at = at.parent) {
      if (at.score === null) continue;
      if (at.score < least) break;
      if (at.score > last) return at;
      last = at.score;
    }
    return best;
  }

  const wordsOf = text => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
})(globalThis.tabwright);
