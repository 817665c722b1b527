// For page tools: tables, links to other pages of a list, tabs, menus, trees and panels of buttons.
"use strict";
(tabwright => {
  const { dom, finder } = tabwright;
  const MAX_LINKS = 5000;
  const MIN_ITEMS = 3;
  const MIN_PANEL_BUTTONS = 10;
  const NEXT =
    /^(next|next page|older|older posts|older entries|weiter|nächste( seite)?|suivant|page suivante|siguiente|próxim[ao]|avanti|volgende|следующая|вперед|далее|次へ|次のページ|下一页|التالي|[›»→>])( *[›»→>])?$/i;
  const PREVIOUS =
    /^([‹«←<] *)?(previous|previous page|prev|newer|newer posts|zurück|vorherige( seite)?|précédent|page précédente|anterior|indietro|vorige|предыдущая|назад|前へ|前のページ|上一页|السابق|[‹«←<])$/i;

  finder.tables = function () {
    return finder
      .all("table,[role=table],[role=grid],[role=treegrid]")
      .filter(
        table =>
          /^(table|grid|treegrid)$/.test(tabwright.roleOf(table)) &&
          finder.isVisible(table) &&
          finder.isUsable(table) &&
          !isCalendar(table) &&
          !isLayout(table) &&
          !isNavigation(table),
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

  // Whether a table only arranges links: all its text is in them.
  function isNavigation(table) {
    if (dom.first(table, "th") || dom.closest(table, "nav,footer,[role=navigation],[class*=nav i]") === null)
      return false;
    return dom.first(table, "a[href]") !== null;
  }

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
    if (!areConsecutive(found.pages.map(([number]) => number))) found.pages = [];
    return found;
  };

  // Whether numbers are those of pages, not counts or footnotes: two of them follow each other.
  const areConsecutive = numbers => numbers.some((number, at) => number + 1 === numbers[at + 1]);

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

  const PAGER = /nav-?(header|footer)|pagin|\bpager?s?\b|\bpage-?(nav|links|numbers)/i;

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
      const numbers = [...dom.all(at, "a,button,[aria-current]")]
        .map(one => dom.textContent(one).trim())
        .filter(text => /^\d{1,4}$/.test(text));
      if (
        areConsecutive(numbers.map(Number)) &&
        !isFootnote(element) &&
        dom.all(at, "a,button").length <= 25 &&
        !dom.first(at, "table")
      )
        return true;
    }
    return false;
  }

  const isFootnote = element => /^#(.*(note|cite|ref|id)|fn)/i.test(dom.attr(element, "href") ?? "");

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
