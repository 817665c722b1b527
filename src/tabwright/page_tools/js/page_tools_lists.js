// For page tools: lists of similar items: what opens an item, and the buttons that items share.
"use strict";
(tabwright => {
  const { dom, finder } = tabwright;
  const PRESSABLE = "a[href],button,[role=button],[role=link],input[type=submit i],input[type=button i]";
  const MAX_ITEMS = 500;
  const MAX_PARENTS = 20000;
  const HEADINGS = "h1,h2,h3,h4,h5,h6,[role=heading]";
  const MIN_ITEMS = 3;
  const MIN_ROWS = 2;
  // Longer items with more links are sections of a page.
  const MAX_ITEM_LENGTH = 2000;
  const MAX_ITEM_LINKS = 20;
  // Longer items with a heading are parts of a text.
  const MAX_CARD_LENGTH = 120;
  const FIRST_LABELS = 3;
  const MAX_LABELS = 12;
  // Links that do something with an item.
  const COMMAND =
    /^(add|apply|answer|approve|archive|assign|book|bookmark|buy|call|cancel|cite|clone|comment|compare|copy|delete|dismiss|download|edit|favou?rite|flag|follow|fork|get|hide this|install|invite|join|like|mark|message|move|open|order|pin|play|preview|quote|rate|react|remove|rename|reply|report|repost|reserve|restore|retweet|save|select|send|share|sign|star|subscribe|suspend|track|unfollow|upvote|downvote|view|vote|watch|antworten|bearbeiten|löschen|kaufen|bestellen|répondre|modifier|supprimer|acheter|responder|editar|eliminar|comprar|baixar|descargar|ответить|удалить|купить|返信|編集|削除|购买|回复)\b/i;
  const OPENS =
    /^(read|see|view|show|learn|more|details|open|full|continue|weiter|mehr|lire|voir|leer|ver|подробнее|続き|詳細|更多)/i;
  const EXPANDS = /^(show|hide|expand|collapse|toggle|more|less|menu|details|top|back to top|permalink|source|link)$/i;
  const ELSEWHERE =
    "[role=menu],[role=menubar],[role=tablist],[role=toolbar],[role=listbox],[role=tree],[role=radiogroup],select,[class*=breadcrumb i],[class*=pagina i],[aria-label*=pagina i]";

  // Similar siblings that each contain something to press, the outermost first.
  // Lists in `forms` have links, and no fields but boxes to tick; there are none in `elsewhere`.
  finder.lists = function (forms, elsewhere = []) {
    const lists = [];
    const known = new Set(elsewhere);
    const formAround = finder.containerAmong(forms);
    const within = element => known.has(element) || [...finder.ancestors(element)].some(at => known.has(at));
    let inspected = 0;
    for (const parent of finder.all(
      "ul,ol,div,section,main,tbody,table,article,aside,dl,[role=list],[role=feed],[role=grid],[role=rowgroup]",
    )) {
      if (++inspected > MAX_PARENTS) break;
      if (parent.childElementCount < MIN_ROWS || dom.closest(parent, ELSEWHERE) || inFooter(parent)) continue;
      const items = cardsInRows(parent) ?? similarItems(parent);
      if (items.length < MIN_ITEMS || within(parent) || (formAround(parent) && !areEntries(items))) continue;
      if (isList(items)) {
        lists.push({ parent, items });
        for (const item of items) known.add(item.parentElement === parent ? item : item.parentElement);
      }
    }
    return lists;
  };

  // Whether the items of a list in a form are things to open or to select, not fields of the form.
  const areEntries = items =>
    items.filter(item => dom.first(item, "a[href]:not([href^='#'],[href^='javascript:'])")).length >=
      items.length * 0.6 &&
    !items.some(item => dom.first(item, "input:not([type=hidden i],[type=checkbox i],[type=radio i]),select,textarea"));

  const inFooter = element => {
    const footer = dom.closest(element, "footer,[role=contentinfo]");
    return footer !== null && tabwright.roleOf(footer) === "contentinfo";
  };

  // The cards, or items of columns, that similar boxes arrange; null if an element does not consist of such boxes.
  function cardsInRows(parent) {
    const rows = [...parent.children];
    if (!dom.matches(rows[0], "div,section,ul,ol") || rows.some(row => shapeOf(row) !== shapeOf(rows[0]))) return null;
    const inner = contentsOf(rows);
    const cards = inner.flatMap(box => [...box.children]);
    const shape = inner[0].childElementCount >= MIN_ROWS && cards.length <= MAX_ITEMS ? shapeOf(cards[0]) : "";
    if (shape === "") return null;
    return cards.every(card => shapeOf(card) === shape && isCard(card)) ? cards.filter(finder.isVisible) : null;
  }

  // What is in boxes, without the boxes that only contain another one.
  const contentsOf = boxes =>
    boxes.every(box => box.childElementCount === 1) ? contentsOf(boxes.map(box => dom.firstElement(box))) : boxes;

  // Whether a box shows one thing to open: it has one heading or picture, or is an item with a link.
  const isCard = box =>
    dom.first(box, "a[href]") !== null &&
    (dom.tag(box) === "li"
      ? dom.all(box, "a[href]").length === 1
      : dom.all(box, HEADINGS).length === 1 || (!dom.first(box, HEADINGS) && dom.all(box, "img,picture").length === 1));

  // The largest set of visible children that look alike.
  function similarItems(parent) {
    const sets = new Map();
    for (let at = dom.firstElement(parent), count = 0; at && count < MAX_ITEMS; at = dom.nextElement(at), count++) {
      const key = shapeOf(at);
      if (key === "") continue;
      if (!sets.has(key)) sets.set(key, []);
      sets.get(key).push(at);
    }
    const best = [...sets.values()].sort((a, b) => b.length - a.length)[0] ?? [];
    return best.length < MIN_ITEMS || isAmongText(best, parent)
      ? []
      : best.filter(item => (finder.isVisible(item) || dom.tag(item) === "tr") && !isHeadRow(item));
  }

  // Boxes between paragraphs and headings are parts of a text.
  const isAmongText = (items, parent) =>
    !/^(li|tr|article)$/.test(dom.tag(items[0])) &&
    [...parent.children].filter(child => /^(p|h[1-6]|pre|blockquote)$/.test(dom.tag(child))).length > items.length;

  const isHeadRow = item =>
    (dom.tag(item) === "tr" || dom.attr(item, "role") === "row") &&
    dom.first(item, "td,[role=cell],[role=gridcell]") === null;

  const PLAIN =
    /^(a|button|input|label|select|option|script|style|br|hr|p|h[1-6]|span|option|td|th|fieldset|template|link|thead|dt|dd|img|svg|i|b|strong|em|small|svg)$/;

  function shapeOf(element) {
    const tag = dom.tag(element);
    if (PLAIN.test(tag)) return "";
    if (/^(li|article|tr)$/.test(tag)) return tag;
    if (tag === "form")
      return `form ${[...dom.all(element, "input,select,textarea,button")].map(part => `${dom.tag(part)}.${dom.attr(part, "type")}`).join()}`;
    const first = (dom.attr(element, "class") ?? "").trim().split(/\s+/)[0];
    return `${tag}.${first}.${dom.attr(element, "role") ?? ""}`;
  }

  // Whether most items contain something to press.
  function isList(items) {
    const wanted =
      /^(li|tr)$/.test(dom.tag(items[0])) || dom.attr(items[0], "role") === "listitem"
        ? `${PRESSABLE},input[type=checkbox i],[role=checkbox]`
        : PRESSABLE;
    const pressed = items.filter(item => dom.first(item, wanted) !== null || isClickable(item));
    const enough = pressed.length >= MIN_ITEMS && pressed.length >= items.length * 0.6;
    return enough && !areSections(items) && !areProperties(items);
  }

  const areSections = items =>
    areParts(items) ||
    median(items.map(item => dom.textContent(item).length)) > MAX_ITEM_LENGTH ||
    median(items.map(item => dom.all(item, PRESSABLE).length)) > MAX_ITEM_LINKS;

  // Boxes of very different sizes are the parts of a page.
  function areParts(items) {
    const lengths = items.map(item => dom.textContent(item).trim().length).sort((a, b) => a - b);
    return lengths.at(-1) > MAX_ITEM_LENGTH && lengths[0] * 20 < lengths.at(-1);
  }

  // Rows with one header and one value each describe a thing.
  const areProperties = items =>
    items.filter(item => dom.tag(item) === "tr" && item.cells.length === 2 && dom.tag(item.cells[0]) === "th").length >=
    items.length * 0.6;

  const median = numbers => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

  const isClickable = element =>
    dom.has(element, "onclick") ||
    (dom.has(element, "tabindex") && tabwright.styleOf(element).cursor === "pointer") ||
    (tabwright.styleOf(element).cursor === "pointer" && dom.tag(element) !== "label");

  // What the items have: the link that opens each, the buttons that they share, and a checkbox to select it.
  // The buttons in `elsewhere` belong to other tools.
  finder.describeList = function ({ parent, items }, elsewhere) {
    const seen = items.map(item => ({
      item,
      pressables: [...pressablesIn(item)].filter(pressable => !elsewhere.has(pressable.element)),
    }));
    const names = repeatedNames(seen);
    const buttons = repeatedButtons(seen, names);
    const isUnique = uniqueNames(seen);
    const openers = seen.map(({ item, pressables }) => opener(item, pressables, buttons, names, isUnique));
    const labels = labelsOf(items, openers);
    const opened = openers.filter(Boolean);
    const title = finder.listTitle(parent);
    const checkboxes = seen.map(({ item }) => ref(checkboxOf(item)));
    return {
      ref: tabwright.refOf(parent),
      title,
      count: items.length,
      first: labels.slice(0, FIRST_LABELS),
      purpose: finder.listPurpose(parent, opened, labels, title),
      openers: opened.length >= Math.max(MIN_ITEMS, items.length * 0.6) ? openers.map(ref) : null,
      buttons: buttons.map(button => ({
        label: button.label,
        refs: seen.map(({ pressables }) => ref(pressables.find(button.matches)?.element)),
      })),
      checkboxes: checkboxes.filter(Boolean).length >= MIN_ITEMS ? checkboxes : null,
      ...finder.position(parent),
    };
  };

  // The labels of the first items.
  const labelsOf = (items, openers) =>
    items
      .slice(0, MAX_LABELS)
      .map((item, at) => ownLabel(openers[at]) || headingIn(item) || finder.visibleText(item, 40))
      .filter(label => /[\p{L}\p{N}]/u.test(label));

  // The label of what opens an item, unless it only says that it does ("Read more").
  function ownLabel(opener) {
    const label = opener ? finder.displayName(opener, 40) : "";
    return OPENS.test(label) && label.split(/\s+/).length <= 3 ? "" : label;
  }

  function headingIn(item) {
    const heading = dom.first(item, HEADINGS);
    return heading ? finder.headingText(heading, 40) : "";
  }

  const ref = element => (element ? tabwright.refOf(element) : 0);

  function* pressablesIn(item) {
    for (const element of dom.all(item, PRESSABLE)) {
      if (!finder.isUsable(element)) continue;
      const label = finder.displayName(element, 80);
      const link = dom.matches(element, "a[href],[role=link]");
      const kind = `${dom.tag(element)}.${dom.attr(element, "class") ?? ""}`;
      yield { element, label, link, kind, key: `${link ? "link" : "button"} ${label.toLowerCase()}` };
    }
  }

  // The names that most items have, of links and buttons.
  function repeatedNames(seen) {
    const counts = new Map();
    for (const { pressables } of seen) {
      for (const key of new Set(pressables.map(pressable => pressable.key)))
        counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return new Set([...counts].filter(([, count]) => count >= mostOf(seen)).map(([key]) => key));
  }

  // Returns a function: whether a link or button has a name that no other item has.
  function uniqueNames(seen) {
    const counts = new Map();
    for (const { pressables } of seen)
      for (const key of new Set(pressables.map(pressable => pressable.key)))
        counts.set(key, (counts.get(key) ?? 0) + 1);
    return ({ key }) => counts.get(key) === 1;
  }

  const mostOf = seen => Math.max(MIN_ITEMS, seen.length * 0.6);

  // The links and buttons that most items have and that do something.
  function repeatedButtons(seen, names) {
    const keys = [...names].filter(isAction);
    const labelled = key => seen.flatMap(({ pressables }) => pressables).find(pressable => pressable.key === key).label;
    return [
      ...keys.map(key => ({ label: labelled(key), matches: pressable => pressable.key === key })),
      ...namedAfterItem(seen, new Set(keys), mostOf(seen)),
    ];
  }

  // Whether a name that items repeat is something to do with them: that of a button, or of a link like a command.
  function isAction(key) {
    const [, kind, label] = key.match(/^(\w+) (.*)$/s);
    return /\p{L}/u.test(label) && !EXPANDS.test(label) && (kind === "button" || COMMAND.test(label));
  }

  // Buttons that name their item ("Remove tea bowl"): their label is what all of them begin with.
  function namedAfterItem(seen, known, most) {
    const sets = new Map();
    for (const { pressables } of seen) {
      for (const pressable of pressables) {
        if (pressable.link || known.has(pressable.key)) continue;
        if (!sets.has(pressable.kind)) sets.set(pressable.kind, []);
        sets.get(pressable.kind).push(pressable.label);
      }
    }
    return [...sets]
      .filter(([, labels]) => labels.length >= most)
      .map(([kind, labels]) => ({ label: finder.sharedWords(labels), matches: pressable => pressable.kind === kind }))
      .filter(button => /\p{L}/u.test(button.label));
  }

  // What opens an item: the link in its heading, else its first own link, else the item itself.
  function opener(item, pressables, buttons, names, isUnique) {
    const others = pressables.filter(pressable => !buttons.some(button => button.matches(pressable)));
    const links = others.filter(pressable => pressable.link);
    const isMain = ({ element, label }) => label && isMainLink(element, label, item);
    // A link that every item has ("Avatar") opens it only if there is no other; one within the page ("top") does not.
    const own = links.filter(({ key, label, element }) =>
      hasPlainHeading(item)
        ? OPENS.test(label) || dom.first(element, "img,picture")
        : !names.has(key) || OPENS.test(label),
    );
    const link =
      own.find(({ element }) => dom.closest(element, HEADINGS) !== null || dom.first(element, HEADINGS) !== null) ??
      own.find(one => isUnique(one) && isMain(one)) ??
      own.find(isMain) ??
      own.find(({ element }) => dom.first(element, "img,svg,picture") !== null) ??
      links.find(one => !/^#/.test(dom.attr(one.element, "href") ?? "") && isMain(one));
    const button = others.find(pressable => pressable.label && !pressable.link);
    return (
      (link ?? (pressables.length === 1 ? button : undefined))?.element ??
      (isClickable(item) ? item : undefined) ??
      (links.length ? undefined : button?.element)
    );
  }

  // Whether an item has a heading that is not a link, so that its links are words of a text.
  function hasPlainHeading(item) {
    const heading = dom.first(item, HEADINGS);
    return (
      heading !== null &&
      dom.closest(heading, "a[href]") === null &&
      dom.first(heading, "a[href]") === null &&
      dom.textContent(item).length > MAX_CARD_LENGTH
    );
  }

  // Whether a link is what its item is about, not a word of its text: it stands alone, or first in a short text.
  function isMainLink(link, label, item) {
    const block = blockOf(link);
    const text = finder.cleanText(dom.textContent(block), 400);
    if (text.length <= 1.5 * label.length + 12) return true;
    const start = text.replace(/^[^\p{L}\p{N}]+/u, "");
    return start.startsWith(label.slice(0, 20)) && text.length < 300 && dom.all(item, "a[href]").length <= 5;
  }

  // The nearest ancestor that is not part of a line of text.
  function blockOf(element) {
    for (const at of finder.ancestors(element)) if (tabwright.styleOf(at).display !== "inline") return at;
    return element;
  }

  const checkboxOf = item => [...dom.all(item, "input[type=checkbox i],[role=checkbox]")].find(finder.isUsable);
})(globalThis.tabwright);
