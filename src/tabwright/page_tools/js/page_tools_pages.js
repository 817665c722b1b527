// For page tools: links to the next, previous and other pages of a list or a document, and to its table of contents.
"use strict";
(tabwright => {
  const { dom, finder } = tabwright;
  const MAX_LINKS = 5000;
  const MAX_LEVELS = 5;
  const MAX_PAGER_LINKS = 25;
  const UNIT = "(page|chapter|section|topic|part|lesson|article|post|entry|slide|issue)";
  const NEXT = new RegExp(
    `^(next( ${UNIT})?|older|older posts|older entries|weiter|nächste[rs]?( seite)?|suivant|page suivante|siguiente|próxim[ao]|avanti|volgende|następna|следующая|вперед|далее|次へ|次のページ|下一页|下一頁|التالي|[›»→>⟩❯])( *[›»→>⟩❯])?$`,
    "i",
  );
  const PREVIOUS = new RegExp(
    `^([‹«←<⟨❮] *)?(prev(ious)?( ${UNIT})?|newer|newer posts|zurück|vorherige[rs]?( seite)?|précédent|page précédente|anterior|indietro|vorige|poprzednia|предыдущая|назад|前へ|前のページ|上一页|上一頁|السابق|[‹«←<⟨❮])$`,
    "i",
  );
  const NUMBER = /^((go to )?page )?\d{1,5}$/i;
  // Other places of a document that its pages link to next to "Next".
  const PLACE = /^(up|home|contents|table of contents|toc|index|inhalt|inhaltsverzeichnis|sommaire|índice|indice)$/i;
  const PAGER = /nav-?(header|footer)|pagin|\bpager?s?\b|\bpage-?(nav|links|numbers)/i;

  // {next, previous, pages: [[number, ref]], places: [{ref, label}], nextAddress, previousAddress, elements}
  finder.pagination = function () {
    const found = { pages: [], places: [], elements: new Set() };
    const links = finder.all("a[href],button,[role=button],[role=link]").slice(0, MAX_LINKS).filter(mayBePager);
    for (const element of links) {
      if (!finder.isUsable(element)) continue;
      const label = finder.displayName(element, 40);
      const way = wayOf(element, label);
      if (way && (isDeclared(element, way) || inPager(element) || hasCounterpart(element, way, links))) {
        setPage(found, way, element);
      } else if (NUMBER.test(label) && inPager(element)) {
        found.pages.push([parseInt(label.match(/\d+/)[0], 10), tabwright.refOf(element)]);
        found.elements.add(element);
      } else if (PLACE.test(label) && leadsAway(element) && standsByPager(element, found))
        addPlace(found, element, label);
    }
    if (!areConsecutive(found.pages.map(([number]) => number))) found.pages = [];
    return { ...found, nextAddress: addressOf("next"), previousAddress: addressOf("prev") };
  };

  // "next", "previous" or "" by the label of a link or button, or by what its markup says.
  function wayOf(element, label) {
    const rel = ` ${dom.attr(element, "rel") ?? ""} `;
    const key = (dom.attr(element, "accesskey") ?? "").toLowerCase();
    if (
      / next /.test(rel) ||
      NEXT.test(label) ||
      /^go to next page$/i.test(label) ||
      (key === "n" && /^next/i.test(label))
    )
      return "next";
    return / prev(ious)? /.test(rel) ||
      PREVIOUS.test(label) ||
      /^go to previous page$/i.test(label) ||
      (key === "p" && /^prev/i.test(label))
      ? "previous"
      : "";
  }

  // Whether a link to another page says what it is without regard to what is around it.
  const isDeclared = (element, way) =>
    /(^| )(next|prev(ious)?)( |$)/.test(dom.attr(element, "rel") ?? "") ||
    (dom.has(element, "accesskey") && leadsAway(element)) ||
    /^(go to )?(next|previous) (page|chapter)$/i.test(finder.displayName(element, 40)) ||
    (leadsAway(element) && element.href === addressOf(way === "next" ? "next" : "prev"));

  // Whether a link leads to another page.
  const leadsAway = element =>
    dom.matches(element, "a[href]") &&
    /^https?:/.test(element.href) &&
    withoutHash(element.href) !== withoutHash(document.URL);

  const withoutHash = address => address.split("#")[0];

  // The address of the next or previous page as the document declares it, on this site; "" if it does not.
  function addressOf(rel) {
    const link = dom.first(dom.root(), `link[rel~=${rel}][href],a[rel~=${rel}][href]`);
    if (!link || !/^https?:/.test(link.href) || new URL(link.href).origin !== location.origin) return "";
    return withoutHash(link.href) === withoutHash(document.URL) ? "" : link.href;
  }

  // A link to the opposite page stands next to it.
  function hasCounterpart(element, way, links) {
    if (!leadsAway(element)) return false;
    const box = pagerBox(element);
    return links.some(other => {
      if (other === element || !box.contains(other) || !leadsAway(other) || !finder.isUsable(other)) return false;
      const otherWay = wayOf(other, finder.displayName(other, 40));
      return otherWay !== "" && otherWay !== way;
    });
  }

  // The largest box around a link that has few other links.
  function pagerBox(element) {
    let box = element;
    let up = 0;
    for (const at of finder.ancestors(element)) {
      if (++up > MAX_LEVELS || dom.matches(at, "body,main") || dom.all(at, "a[href]").length > MAX_PAGER_LINKS) break;
      box = at;
    }
    return box;
  }

  const standsByPager = (element, { elements }) => {
    const box = pagerBox(element);
    return [...elements].some(other => box.contains(other));
  };

  function addPlace(found, element, label) {
    if (!found.places.some(place => place.label.toLowerCase() === label.toLowerCase()))
      found.places.push({ ref: tabwright.refOf(element), label });
    found.elements.add(element);
  }

  // Whether numbers are those of pages, not counts or footnotes: two of them follow each other.
  const areConsecutive = numbers => numbers.some((number, at) => number + 1 === numbers[at + 1]);

  // A cheap check that excludes most links.
  function mayBePager(element) {
    if (/\b(next|prev)/i.test(dom.attr(element, "rel") ?? "")) return true;
    if (/^[np]$/i.test(dom.attr(element, "accesskey") ?? "")) return true;
    const image = dom.first(element, "img[alt]");
    const text = (
      dom.attr(element, "aria-label") ||
      dom.textContent(element).trim() ||
      (image && dom.attr(image, "alt")) ||
      dom.attr(element, "title") ||
      ""
    ).trim();
    if (text.length > 24) return false;
    return (
      NEXT.test(text) ||
      PREVIOUS.test(text) ||
      NUMBER.test(text) ||
      PLACE.test(text) ||
      /^go to (next|previous) page$/i.test(text)
    );
  }

  function setPage(found, way, element) {
    found.elements.add(element);
    if (found[way] || tabwright.isInactive(element)) return;
    found[way] = tabwright.refOf(element);
    found.place ??= finder.position(element);
  }

  function inPager(element) {
    let up = 0;
    for (const at of finder.ancestors(element)) {
      if (++up > MAX_LEVELS || dom.matches(at, "body,main")) return false;
      const words = ["class", "id", "aria-label", "data-testid"].map(name => dom.attr(at, name) ?? "").join(" ");
      if (PAGER.test(words)) return true;
      const numbers = [...dom.all(at, "a,button,[aria-current]")]
        .map(one => dom.textContent(one).trim())
        .filter(text => /^\d{1,4}$/.test(text));
      if (
        areConsecutive(numbers.map(Number)) &&
        !isFootnote(element) &&
        dom.all(at, "a,button").length <= MAX_PAGER_LINKS &&
        !dom.first(at, "table")
      )
        return true;
    }
    return false;
  }

  const isFootnote = element => /^#(.*(note|cite|ref|id)|fn)/i.test(dom.attr(element, "href") ?? "");

  const CONTENTS =
    "nav,[role=navigation],[role=doc-toc],ul,ol,dl,[class*=toc i],[id*=toc i],[class*=contents i],[id*=contents i],[class*=outline i]";
  const CONTENTS_NAME =
    /^((table of )?contents?|toc|chapters?|on this page|in this (article|page|section)|outline|site ?map|inhalt(sverzeichnis)?|sommaire|table des matières|contenido|índice|indice|содержание|目次|目录)$/i;
  const CONTENTS_WORD = /(^|\s)(toc\S*|\S*[_-]toc|(table-of-)?contents|chapters?|outline)($|\s)/i;
  const SIDEBAR = "nav,aside,[role=navigation],[class*=sidebar i],[class*=toc i]";
  // Where headings are not those of a text.
  const PLAIN = "a,nav,header,footer,aside,form,dialog,[role=dialog],li,[class*=card i]";
  const HEADINGS = "h1,h2,h3,h4,h5,h6,[role=heading],dt";
  const MAX_ENTRIES = 500;
  const MIN_ENTRIES = 3;
  const MIN_CHAPTERS = 5;
  const MIN_TREE = 8;
  const MIN_HEADINGS = 5;
  // Screens.
  const MIN_TEXT_HEIGHT = 4;
  const MIN_TEXT_LENGTH = 20;

  // Tables of contents, of this page ("contents") or of the document it is a part of ("chapters"):
  // [{parent, links, purpose, title}].
  finder.contents = function () {
    const found = [];
    for (const parent of finder.all(CONTENTS)) {
      const links = [...dom.all(parent, "a[href]")].slice(0, MAX_ENTRIES);
      if (links.length < MIN_ENTRIES || found.some(other => finder.isWithin(parent, other.parent))) continue;
      const purpose = contentsPurpose(parent, links);
      if (!purpose || inPageFooter(parent)) continue;
      const entries = links.filter(link => finder.isUsable(link) && /\p{L}/u.test(dom.textContent(link)));
      if (entries.length >= (purpose === "chapters" ? MIN_CHAPTERS : MIN_ENTRIES))
        found.push({ parent, links: entries, purpose });
    }
    const sections = mergeBySidebar(found.filter(({ purpose }) => purpose === "contents"));
    const largest = sections.sort((a, b) => b.links.length - a.links.length).slice(0, 1);
    return [...(largest.length ? largest : headings()), ...found.filter(({ purpose }) => purpose === "chapters")];
  };

  // The headings of a long text without a table of contents.
  function headings() {
    if (dom.root().scrollHeight < MIN_TEXT_HEIGHT * innerHeight) return [];
    const links = finder
      .all("h1,h2,h3,h4")
      .filter(heading => !dom.first(heading, "a[href]:not([href^='#'])") && dom.closest(heading, PLAIN) === null)
      .filter(heading => finder.isVisible(heading) && /\p{L}/u.test(dom.textContent(heading)));
    const isText = links.filter(isBeforeText).length >= links.length * 0.6;
    return links.length >= MIN_HEADINGS && isText ? [{ parent: dom.body(), links, purpose: "headings" }] : [];
  }

  // Whether a text that is not made of links follows a heading.
  function isBeforeText(heading) {
    const next = heading.nextElementSibling ?? heading.parentElement?.nextElementSibling;
    if (!next) return false;
    const inLinks = [...dom.all(next, "a[href]")].reduce((sum, link) => sum + dom.textContent(link).length, 0);
    return dom.textContent(next).trim().length > Math.max(MIN_TEXT_LENGTH, 2 * inLinks);
  }

  // The lists of one sidebar are one table of contents.
  function mergeBySidebar(found) {
    const merged = new Map();
    for (const one of found) {
      const sidebar = dom.closest(one.parent, SIDEBAR) ?? one.parent;
      if (merged.has(sidebar)) merged.get(sidebar).links.push(...one.links);
      else merged.set(sidebar, { ...one, parent: sidebar });
    }
    return [...merged.values()];
  }

  const inPageFooter = element => finder.position(element).landmark === "footer";

  function contentsPurpose(parent, links) {
    const most = fits => links.filter(fits).length >= links.length * 0.8;
    const places = new Set(links.map(link => dom.attr(link, "href")));
    if (places.size < links.length * 0.8) return "";
    // The name takes the longest to find.
    const isMarked = () => dom.closest(parent, SIDEBAR) !== null || isNamedContents(parent);
    if (most(isSection) && ((most(isTitled) && most(isWholeEntry)) || isMarked())) return "contents";
    if (links.length < MIN_CHAPTERS || !most(leadsAwayOrHere) || dom.first(parent, "form,table,p")) return "";
    return isDocumentTree(parent, links) || isNamedContents(parent) ? "chapters" : "";
  }

  // Whether a sidebar lists the pages of a document in levels and marks the current one.
  const isDocumentTree = (parent, links) =>
    links.length >= MIN_TREE &&
    dom.closest(parent, SIDEBAR) !== null &&
    dom.closest(parent, "header,[role=banner]") === null &&
    dom.first(parent, ":is(ul,ol) :is(ul,ol)") !== null &&
    dom.first(parent, "[aria-current]:not([aria-current=false]),.current,.active") !== null;

  // Whether a link is all that its entry says.
  function isWholeEntry(link) {
    const entry = dom.closest(link, "li,dt,dd,p,td,div");
    const label = dom.textContent(link).trim();
    const own = entry ? dom.textContent(entry).trim().slice(0, 400) : label;
    return own.startsWith(label) && (own.length <= 1.5 * label.length + 12 || dom.first(entry, "ul,ol,dl") !== null);
  }

  const leadsAwayOrHere = link => /^(?!#|javascript:|mailto:)/i.test(dom.attr(link, "href") ?? "#");

  // Whether a link leads to a visible place of this page, and is labelled with words.
  function isSection(link) {
    const [, id] = (dom.attr(link, "href") ?? "").match(/^#(.+)/) ?? [];
    if (id === undefined || !/\p{L}{2}/u.test(dom.textContent(link))) return false;
    const target = targetOf(id);
    return target !== null && tabwright.isRendered(target);
  }

  const targetOf = id => dom.byId(document, decode(id)) ?? dom.first(dom.root(), `a[name="${CSS.escape(decode(id))}"]`);

  // Whether the place that a link leads to has a heading.
  function isTitled(link) {
    const target = targetOf((dom.attr(link, "href") ?? "").slice(1));
    const box =
      target && !dom.textContent(target).trim() ? (target.nextElementSibling ?? target.parentElement) : target;
    return box !== null && (dom.closest(box, HEADINGS) !== null || dom.first(box, HEADINGS) !== null);
  }

  function decode(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  function isNamedContents(parent) {
    if (CONTENTS_WORD.test(`${dom.attr(parent, "class") ?? ""} ${dom.attr(parent, "id") ?? ""}`)) return true;
    const name = tabwright.nameOf(parent);
    if (name.from === "aria" && CONTENTS_NAME.test(name.text.trim())) return true;
    return CONTENTS_NAME.test(finder.headingBefore(parent));
  }

  // What Python needs to know about a table of contents: a list whose items are its links.
  finder.describeContents = ({ parent, links, purpose }) => ({
    ref: tabwright.refOf(parent),
    title: "",
    count: links.length,
    first: links.slice(0, MIN_ENTRIES).map(link => finder.headingText(link, 40)),
    purpose,
    openers: links.map(tabwright.refOf),
    buttons: [],
    checkboxes: null,
    groups: null,
    ...finder.position(parent),
  });
})(globalThis.tabwright);
