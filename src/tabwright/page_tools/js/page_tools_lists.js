// For page tools: repeated and expandable content: lists of items, tables, pagination, tabs, menus, trees.
"use strict";
(tabwright => {
  const { dom, finder } = tabwright;
  const PRESSABLE = "a[href],button,[role=button],[role=link],input[type=submit i],input[type=button i]";
  const MAX_ITEMS = 500;
  const MAX_PARENTS = 20000;
  const MAX_LINKS = 5000;
  const MIN_ITEMS = 3;
  const MIN_PANEL_BUTTONS = 10;
  const ELSEWHERE =
    "nav,[role=navigation],[role=menu],[role=menubar],[role=tablist],[role=toolbar],[role=listbox],[role=tree],[role=radiogroup],select,[class*=breadcrumb i],[class*=pagina i],[aria-label*=pagina i]";
  const NEXT =
    /^(next|next page|older|older posts|older entries|weiter|nächste( seite)?|suivant|page suivante|siguiente|próxim[ao]|avanti|volgende|следующая|вперед|далее|次へ|次のページ|下一页|التالي|[›»→>])( *[›»→>])?$/i;
  const PREVIOUS =
    /^([‹«←<] *)?(previous|previous page|prev|newer|newer posts|zurück|vorherige( seite)?|précédent|page précédente|anterior|indietro|vorige|предыдущая|назад|前へ|前のページ|上一页|السابق|[‹«←<])$/i;

  // Similar siblings that each contain something to press, the outermost first.
  finder.lists = function (taken) {
    const lists = [];
    const known = new Set(taken);
    const within = element => known.has(element) || [...finder.ancestors(element)].some(at => known.has(at));
    let inspected = 0;
    for (const parent of finder.all(
      "ul,ol,div,section,main,tbody,table,article,aside,dl,[role=list],[role=feed],[role=grid],[role=rowgroup]",
    )) {
      if (++inspected > MAX_PARENTS) break;
      if (parent.childElementCount < MIN_ITEMS || dom.closest(parent, ELSEWHERE) || inFooter(parent)) continue;
      const items = similarItems(parent);
      if (items.length >= MIN_ITEMS && !within(parent) && isList(items)) {
        lists.push({ parent, items });
        for (const item of items) known.add(item);
      }
    }
    return lists;
  };

  const inFooter = element => {
    const footer = dom.closest(element, "footer,[role=contentinfo]");
    return footer !== null && tabwright.roleOf(footer) === "contentinfo";
  };

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
    return best.length < MIN_ITEMS
      ? []
      : best.filter(item => (finder.isVisible(item) || dom.tag(item) === "tr") && !isHeadRow(item));
  }

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
    return pressed.length >= MIN_ITEMS && pressed.length >= items.length * 0.6;
  }

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
    const buttons = repeatedButtons(seen);
    const openers = seen.map(({ item, pressables }) => ref(opener(item, pressables, buttons)));
    const checkboxes = seen.map(({ item }) => ref(checkboxOf(item)));
    return {
      ref: tabwright.refOf(parent),
      title: listTitle(parent),
      count: items.length,
      openers: openers.filter(Boolean).length >= Math.max(MIN_ITEMS, items.length * 0.6) ? openers : null,
      buttons: buttons.map(button => ({
        label: button.label,
        refs: seen.map(({ pressables }) => ref(pressables.find(button.matches)?.element)),
      })),
      checkboxes: checkboxes.filter(Boolean).length >= MIN_ITEMS ? checkboxes : null,
      ...finder.position(parent),
    };
  };

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

  // The links and buttons that most items have under the same name.
  function repeatedButtons(seen) {
    const counts = new Map();
    for (const { pressables } of seen) {
      for (const key of new Set(pressables.map(pressable => pressable.key)))
        counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const most = Math.max(MIN_ITEMS, seen.length * 0.6);
    const keys = [...counts]
      .filter(([key, count]) => count >= most && /[\p{L}]/u.test(key.replace(/^\w+ /, "")))
      .map(([key]) => key);
    const labelled = key => seen.flatMap(({ pressables }) => pressables).find(pressable => pressable.key === key).label;
    return [
      ...keys.map(key => ({ label: labelled(key), matches: pressable => pressable.key === key })),
      ...namedAfterItem(seen, new Set(keys), most),
    ];
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
  function opener(item, pressables, buttons) {
    const links = pressables.filter(pressable => !buttons.some(button => button.matches(pressable)));
    const inHeading = links.find(
      pressable => pressable.link && dom.closest(pressable.element, "h1,h2,h3,h4,h5,h6,[role=heading]"),
    );
    const named = links.find(pressable => pressable.link && pressable.label) ?? links.find(pressable => pressable.link);
    const button = links.find(pressable => pressable.label && !pressable.link);
    return (
      (inHeading ?? named ?? (pressables.length === 1 ? button : undefined))?.element ??
      (isClickable(item) ? item : undefined) ??
      button?.element
    );
  }

  const checkboxOf = item => [...dom.all(item, "input[type=checkbox i],[role=checkbox]")].find(finder.isUsable);

  // The title of a list: its own label, that of its table or section, or the heading in or before it.
  finder.listTitle = listTitle;
  function listTitle(parent) {
    const name = tabwright.nameOf(parent);
    if (name.from === "aria") return finder.cleanText(name.text, 80);
    const table = dom.closest(parent, "table,[role=grid],[role=table]");
    if (table && tabwright.nameOf(table).text) return finder.cleanText(tabwright.nameOf(table).text, 80);
    const inside = table
      ? null
      : [...parent.children].find(child => dom.matches(child, "h1,h2,h3,h4,h5,h6,header,[role=heading]"));
    const heading = inside && (dom.matches(inside, "header") ? dom.first(inside, "h1,h2,h3,h4,h5,h6") : inside);
    if (heading && tabwright.isRendered(heading)) return finder.displayName(heading, 80);
    const before = finder.headingBefore(table ?? parent);
    if (before) return before;
    const section = dom.closest(parent, "section,[role=region],aside,[role=complementary]");
    return section && tabwright.nameOf(section).from === "aria"
      ? finder.cleanText(tabwright.nameOf(section).text, 80)
      : "";
  }

  finder.tables = function () {
    return finder
      .all("table,[role=table],[role=grid],[role=treegrid]")
      .filter(
        table =>
          /^(table|grid|treegrid)$/.test(tabwright.roleOf(table)) &&
          finder.isVisible(table) &&
          finder.isUsable(table) &&
          !isCalendar(table) &&
          !isLayout(table),
      )
      .map(table => ({
        ref: tabwright.refOf(table),
        title: tableTitle(table),
        rows: dataRows(table),
        ...finder.position(table),
      }))
      .filter(table => table.rows >= 2);
  };

  // Whether a table only arranges fields or other tables.
  const isLayout = table =>
    dom.first(
      table,
      "table,form,select,textarea,input:not([type=hidden i],[type=checkbox i],[type=button i],[type=submit i])",
    ) !== null;

  function isCalendar(table) {
    if (/calendar|date-?picker/i.test(dom.attr(table, "class") ?? "")) return true;
    const cells = [...dom.all(table, "td,[role=gridcell]")].slice(0, 14);
    return cells.length >= 7 && cells.every(cell => /^\d{0,2}$/.test(dom.textContent(cell).trim()));
  }

  function tableTitle(table) {
    const name = finder.cleanText(tabwright.nameOf(table).text, 80);
    if (name) return name;
    const caption = dom.first(table, "caption");
    return caption ? finder.visibleText(caption, 80) : finder.headingBefore(table);
  }

  const dataRows = table =>
    [...dom.all(table, "tr,[role=row]")].filter(row => dom.first(row, "td,[role=cell],[role=gridcell]")).length;

  // Links and buttons to other pages of a list: {next, previous, pages: [[number, ref]]}.
  finder.pagination = function () {
    const found = { pages: [], elements: new Set() };
    for (const element of finder.all("a[href],button,[role=button],[role=link]").slice(0, MAX_LINKS)) {
      if (!mayBePager(element) || !finder.isUsable(element)) continue;
      const rel = ` ${dom.attr(element, "rel") ?? ""} `;
      const label = finder.displayName(element, 40);
      if (/ next /.test(rel) || /^(go to )?next page$/i.test(label) || (NEXT.test(label) && inPager(element)))
        setPage(found, "next", element);
      else if (
        / prev(ious)? /.test(rel) ||
        /^(go to )?previous page$/i.test(label) ||
        (PREVIOUS.test(label) && inPager(element))
      )
        setPage(found, "previous", element);
      else if (/^((go to )?page )?\d{1,5}$/i.test(label) && inPager(element)) {
        found.pages.push([parseInt(label.match(/\d+/)[0], 10), tabwright.refOf(element)]);
        found.elements.add(element);
      }
    }
    return found;
  };

  // A cheap check that excludes most links.
  function mayBePager(element) {
    if (/\b(next|prev)/i.test(dom.attr(element, "rel") ?? "")) return true;
    const text = (
      dom.attr(element, "aria-label") ||
      dom.textContent(element) ||
      dom.attr(element, "title") ||
      ""
    ).trim();
    return (
      text.length <= 24 &&
      (NEXT.test(text) || PREVIOUS.test(text) || /^((go to )?page )?\d{1,5}$|^go to (next|previous) page$/i.test(text))
    );
  }

  function setPage(found, way, element) {
    found.elements.add(element);
    if (found[way] || tabwright.isInactive(element)) return;
    found[way] = tabwright.refOf(element);
    found.place ??= finder.position(element);
  }

  const PAGER = /pagin|\bpager?s?\b|\bpage-?(nav|links|numbers)/i;

  function inPager(element) {
    let up = 0;
    for (const at of finder.ancestors(element)) {
      if (++up > 5 || dom.matches(at, "body,main")) return false;
      if (
        PAGER.test(
          `${dom.attr(at, "class") ?? ""} ${dom.attr(at, "id") ?? ""} ${dom.attr(at, "aria-label") ?? ""} ${dom.attr(at, "data-testid") ?? ""}`,
        )
      )
        return true;
      const numbers = [...dom.all(at, "a,button,[aria-current]")].filter(one =>
        /^\d{1,4}$/.test(dom.textContent(one).trim()),
      ).length;
      if (numbers >= 2 && dom.all(at, "a,button").length <= 25 && !dom.first(at, "table")) return true;
    }
    return false;
  }

  // Tabs, menus and trees, of which one item is pressed: {kind, title, items: [{ref, label, selected}]}.
  finder.choiceSets = function () {
    return [
      ...sets("[role=tablist]", "[role=tab]", "tabs"),
      ...menus(),
      ...sets("[role=tree]", "[role=treeitem]", "tree"),
    ];
  };

  // Many buttons side by side, such as the seats of a theatre: {element, buttons}.
  finder.buttonPanels = function (buttons) {
    const byParent = new Map();
    for (const button of buttons) {
      const parent = tabwright.parentOf(button);
      if (!byParent.has(parent)) byParent.set(parent, []);
      byParent.get(parent).push(button);
    }
    return [...byParent]
      .filter(([, inside]) => inside.length >= MIN_PANEL_BUTTONS || areNumbers(inside))
      .map(([element, inside]) => ({ element, buttons: inside }));
  };

  // Buttons of one class whose names are numbers, such as the free times of a day.
  const areNumbers = buttons =>
    buttons.length > MIN_ITEMS &&
    buttons.every(
      button =>
        dom.attr(button, "class") === dom.attr(buttons[0], "class") &&
        /^\d[\d\s:.,–-]*$/.test(finder.displayName(button, 80)),
    );

  finder.describePanel = ({ element, buttons }) => ({
    kind: "buttons",
    ref: tabwright.refOf(element),
    title: titleOf(element) || finder.headingBefore(element),
    items: buttons
      .slice(0, 100)
      .map(button => ({ ref: tabwright.refOf(button), label: finder.displayName(button, 80) })),
    ...finder.position(element),
  });

  function* sets(outer, inner, kind) {
    for (const element of finder.all(outer)) {
      const items = [...dom.all(element, inner)].filter(item => finder.isUsable(item) && !tabwright.isInactive(item));
      if (items.length < 2 || !finder.isUsable(element)) continue;
      yield {
        kind,
        ref: tabwright.refOf(element),
        title: titleOf(element),
        items: items.slice(0, 100).map(itemOf),
        ...finder.position(element),
      };
    }
  }

  const titleOf = element => {
    const name = tabwright.nameOf(element);
    return name.from === "aria" ? finder.cleanText(name.text, 80) : "";
  };

  const itemOf = item => ({
    ref: tabwright.refOf(item),
    label: finder.cleanText(tabwright.nameOf(item).text, 80),
    selected: dom.attr(item, "aria-selected") === "true",
  });

  const ITEMS = "[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio]";

  // Visible menus, and those that a button opens if their items exist already.
  function* menus() {
    const opened = new Set();
    for (const trigger of finder.all("[aria-haspopup=menu],[aria-haspopup=true]")) {
      const id = dom.attr(trigger, "aria-controls");
      const menu = id ? dom.byId(dom.ownerRoot(trigger), id) : menuNextTo(trigger);
      if (!menu || tabwright.roleOf(trigger) === "menuitem" || !finder.isUsable(trigger)) continue;
      const items = [...dom.all(menu, ITEMS)];
      opened.add(menu);
      if (items.length < 2) continue;
      yield {
        kind: "menu",
        ref: tabwright.refOf(trigger),
        popup: !finder.isVisible(menu),
        title: finder.displayName(trigger, 80),
        items: items.slice(0, 100).map(itemOf),
        ...finder.position(trigger),
      };
    }
    for (const menu of finder.all("[role=menu],[role=menubar]")) {
      if (
        opened.has(menu) ||
        !finder.isUsable(menu) ||
        dom.closest(menu.parentElement ?? menu, "[role=menu],[role=menubar]")
      )
        continue;
      const items = [...dom.all(menu, ITEMS)].filter(finder.isUsable);
      if (items.length >= 2)
        yield {
          kind: "menu",
          ref: tabwright.refOf(menu),
          popup: false,
          title: titleOf(menu),
          items: items.slice(0, 100).map(itemOf),
          ...finder.position(menu),
        };
    }
  }

  const menuNextTo = trigger => {
    const next = trigger.nextElementSibling;
    return next && dom.matches(next, "[role=menu]") ? next : next ? dom.first(next, "[role=menu]") : null;
  };
})(globalThis.tabwright);
