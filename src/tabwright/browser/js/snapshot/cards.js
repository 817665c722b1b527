// For reading records: repeated cards become list items, and parts of them that the markup names (itemprop, class)
// become fields. A snapshot for agents does not use it.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const HEADINGS = "h1,h2,h3,h4,h5,h6,[role=heading]";
  const ELSEWHERE =
    "nav,header,footer,form,table,select,[role=navigation],[role=menu],[role=tablist],[role=toolbar],[role=tree]";
  const NEVER_CARDS =
    /^(li|p|span|h[1-6]|button|input|label|select|option|script|style|br|hr|t[drh]|tbody|thead|tfoot|d[dt]|img|svg|form|template|link)$/;
  const PRICE = /[$€£¥₹]\s?\d|\d\s?([$€£¥₹]|(EUR|USD|GBP|CHF|JPY)\b)/;
  // The last word of a class names a field: "product-card__price".
  const FIELDS =
    "price rating date author brand category location company salary availability stock description summary subtitle seller discount reviews score".split(
      " ",
    );
  const NAMED = `[itemprop],time,${FIELDS.map(word => `[class*=${word} i]`).join()}`;
  const TITLES = new Set(["name", "headline", "title"]);
  const NOT_FIELDS = new Set(["url", "image", "item", "offers", "itemListElement", "mainEntity"]);
  const MIN_CARDS = 2;
  const MAX_TEXT = 3000;
  const MAX_PARENTS = 20_000;

  tabwright.findCards = root => new Cards(root);

  class Cards {
    constructor(root) {
      this.roles = new Map();
      this.fields = new Map();
      this.tables = new Set([...dom.all(root, "table")].filter(isUnmarkedTable));
      for (const group of grids(findGroups(root))) this.add(group);
      for (const item of dom.all(root, "li")) if (dom.closest(item, ELSEWHERE) === null) this.addFields(item);
    }

    add(group) {
      const { parent } = group[0];
      this.roles.set(group.length > 1 ? dom.parentNode(parent) : parent, "list");
      for (const { cards } of group)
        for (const card of cards) {
          this.roles.set(card, "listitem");
          this.addFields(card);
        }
    }

    addFields(card) {
      for (const part of dom.all(card, NAMED)) {
        const field = fieldOf(part);
        if (field !== "" && !this.roles.has(part)) this.fields.set(part, field);
      }
    }

    roleOf(element, role) {
      const own = this.roles.get(element);
      if (own !== undefined) return own;
      const tag = dom.tag(element);
      if (role === "none" && tag === "img") return "image";
      if (role === "" && this.tables.size && this.tables.has(dom.closest(element, "table"))) {
        const part = TABLE_ROLES[tag];
        if (part !== undefined) return part;
      }
      return role === "" && this.fields.has(element) ? "generic" : role;
    }

    addStates(row, element) {
      const states = (row.states ??= []);
      const field = this.fields.get(element);
      if (field !== undefined) states.push(`field=${field}`);
      if (this.tables.has(element)) states.push("unmarked");
      if (element instanceof HTMLImageElement) states.push(`src=${address(element.currentSrc || element.src)}`);
      if (this.roles.get(element) === "listitem") states.push("card");
      if (row.role === "listitem" && dom.tag(element) === "a")
        states.push(
          ...tabwright.statesOf(element, "link", "", false, false).filter(state => state.startsWith("href=")),
        );
    }
  }

  const TABLE_ROLES = { table: "table", tr: "row", td: "cell" };

  // A table that the page does not mark as data, with several rows and columns, and without tables inside.
  function isUnmarkedTable(table) {
    if (tabwright.roleOf(table) !== "" || dom.first(table, "table") !== null) return false;
    const rows = [...dom.all(table, "tr")].slice(0, 5);
    return rows.filter(row => dom.all(row, ":scope > td").length > 1).length > 1;
  }

  const address = url => tabwright.cut(tabwright.clean(url), /^(data|blob):/i.test(url) ? 40 : 2000);

  // Sets of cards with the same parent; a set whose items hold sets themselves is only the rows of a grid.
  function findGroups(root) {
    const groups = [];
    const around = new Set();
    let inspected = 0;
    for (const parent of [root, ...dom.all(root, "div,section,main,article,ul,ol,body")]) {
      if (++inspected > MAX_PARENTS) break;
      const { kind, cards } = cardsIn(parent);
      if (!cards.length) continue;
      groups.push({ parent, kind, cards });
      for (let at = parent; at instanceof Element && at !== root; at = dom.parentNode(at)) around.add(at);
    }
    return groups.filter(({ cards }) => cards.filter(card => around.has(card)).length < cards.length / 2);
  }

  // Sets of the same kind in sibling rows belong together.
  function grids(groups) {
    const byPlace = new Map();
    for (const group of groups) {
      const outer = dom.parentNode(group.parent);
      if (!byPlace.has(outer)) byPlace.set(outer, new Map());
      const byKind = byPlace.get(outer);
      if (!byKind.has(group.kind)) byKind.set(group.kind, []);
      byKind.get(group.kind).push(group);
    }
    return [...byPlace.values()].flatMap(byKind => [...byKind.values()]);
  }

  // The largest set of similar children, if most of them are cards.
  function cardsIn(parent) {
    const sets = new Map();
    for (let at = dom.firstElement(parent); at; at = dom.nextElement(at)) {
      const tag = dom.tag(at);
      if (NEVER_CARDS.test(tag)) continue;
      const kind = `${tag}.${(dom.attr(at, "class") ?? "").trim().split(/\s+/)[0]}`;
      if (!sets.has(kind)) sets.set(kind, []);
      sets.get(kind).push(at);
    }
    for (const [kind, items] of sets) {
      if (items.length < MIN_CARDS) continue;
      const cards = items.filter(isCard);
      if (cards.length >= MIN_CARDS && cards.length >= items.length * 0.6 && dom.closest(parent, ELSEWHERE) === null)
        return { kind, cards };
    }
    return { kind: "", cards: [] };
  }

  // A card has one title and something besides: a link with a picture or a price, or a heading with other text.
  function isCard(item) {
    const text = tabwright.clean(dom.textContent(item));
    if (text.length < 3 || text.length > MAX_TEXT) return false;
    const headings = [...dom.all(item, HEADINGS)];
    if (new Set(headings.map(heading => dom.tag(heading))).size < headings.length) return false;
    const hasLink = dom.tag(item) === "a" || dom.first(item, "a[href],button") !== null;
    const hasImage = dom.first(item, "img,picture") !== null;
    if (headings.length) {
      const title = tabwright.clean(dom.textContent(headings[0]));
      return title !== "" && (hasLink || hasImage || text.length > title.length);
    }
    return hasLink && (PRICE.test(text) || (hasImage && dom.all(item, "a[href]").length <= 3));
  }

  function fieldOf(part) {
    const property = (dom.attr(part, "itemprop") ?? "").trim().split(/\s+/)[0];
    if (TITLES.has(property)) return "title";
    if (property !== "" && !NOT_FIELDS.has(property) && !dom.has(part, "itemscope")) return property.toLowerCase();
    if (dom.tag(part) === "time") return "date";
    for (const token of (dom.attr(part, "class") ?? "").toLowerCase().split(/\s+/)) {
      const word = token.split(/[-_]+/).pop();
      if (FIELDS.includes(word)) return word;
    }
    return "";
  }
})(globalThis.tabwright);
