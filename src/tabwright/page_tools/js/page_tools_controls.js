// For page tools: tables, tabs, menus, trees, columns to sort by and panels of buttons.
"use strict";
(tabwright => {
  const { dom, finder } = tabwright;
  const MIN_ITEMS = 3;
  const MIN_PANEL_BUTTONS = 10;

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

  // Whether a table only arranges links.
  function isNavigation(table) {
    if (dom.first(table, "a[href]") === null) return false;
    if (dom.closest(table, "nav,[role=navigation]")) return true;
    return !dom.first(table, "th") && dom.closest(table, "footer,[class*=nav i]") !== null;
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
    return caption ? finder.visibleText(caption, 80) : rowTitle(table) || finder.headingBefore(table);
  }

  // The heading in the first row of a table, if that has a single cell.
  function rowTitle(table) {
    const row = dom.first(table, "tr");
    const heading = row && row.cells?.length === 1 ? dom.first(row, "h1,h2,h3,h4,h5,h6") : null;
    return heading ? finder.headingText(heading) : "";
  }

  const dataRows = table =>
    [...dom.all(table, "tr,[role=row]")].filter(row => dom.first(row, "td,[role=cell],[role=gridcell]")).length;

  // Tabs, menus and trees, of which one item is pressed: {kind, title, items: [{ref, label, selected}]}.
  finder.choiceSets = function () {
    return [
      ...sets("[role=tablist]", "[role=tab]", "tabs"),
      ...menus(),
      ...sets("[role=tree]", "[role=treeitem]", "tree"),
      ...sorts(),
    ];
  };

  const HEADS = "th,[role=columnheader]";
  const SORTS = "button,[role=button],a[href]";

  // The heads of columns that sort a table.
  finder.sortButton = head => {
    const button = dom.first(head, SORTS);
    return button && (!dom.matches(button, "a[href]") || sortsColumn(head) || sortsColumn(button)) ? button : null;
  };

  const sortsColumn = element => dom.has(element, "aria-sort") || /sort/i.test(dom.attr(element, "class") ?? "");

  function* sorts() {
    for (const table of finder.all("table,[role=table],[role=grid]")) {
      const heads = [...dom.all(table, HEADS)]
        .map(finder.sortButton)
        .filter(button => button && finder.isUsable(button));
      const items = heads
        .map(head => ({ ...itemOf(head), label: finder.visibleText(head, 80) || itemOf(head).label }))
        .filter(({ label }) => /\p{L}/u.test(label));
      if (items.length >= 2)
        yield { kind: "sort", ref: tabwright.refOf(table), title: tableTitle(table), items, ...finder.position(table) };
    }
  }

  // Many buttons side by side, such as the seats of a theatre: {element, buttons}.
  finder.buttonPanels = function (buttons) {
    const byParent = new Map();
    for (const button of buttons) {
      const parent = tabwright.parentOf(button);
      if (!byParent.has(parent)) byParent.set(parent, []);
      byParent.get(parent).push(button);
    }
    return [...byParent]
      .filter(([, inside]) => inside.length >= MIN_PANEL_BUTTONS || areNumbers(inside) || areAlternatives(inside))
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

  // Buttons of one kind, one of which is marked as the current one.
  function areAlternatives(buttons) {
    const labels = buttons.map(button => finder.displayName(button, 80));
    const current = buttons.filter(isCurrent).length;
    return (
      current > 0 &&
      current < buttons.length &&
      buttons.every(button => dom.tag(button) === dom.tag(buttons[0])) &&
      new Set(labels).size === labels.length
    );
  }

  const isCurrent = button =>
    dom.matches(button, "[aria-pressed=true],[aria-selected=true],[aria-current]:not([aria-current=false])") ||
    /(^|\s)(is-)?(active|selected|current)(\s|$)/.test(dom.attr(button, "class") ?? "");

  // A short text just before an element, such as the label of a set of buttons.
  function labelBefore(element) {
    const before = element.previousElementSibling;
    const isLabel =
      before && dom.matches(before, "label,legend,dt,h1,h2,h3,h4,h5,h6,strong,[class*=label i],[class*=title i]");
    const text = isLabel && !dom.first(before, "a,button,input,select") ? finder.visibleText(before, 40) : "";
    return text.split(/\s+/).length <= 4 && /\p{L}/u.test(text) ? text : "";
  }

  finder.describePanel = ({ element, buttons }) => ({
    kind: "buttons",
    ref: tabwright.refOf(element),
    title: titleOf(element) || labelBefore(element) || finder.headingBefore(element),
    items: buttons.slice(0, 100).map(button => ({
      ref: tabwright.refOf(button),
      label: finder.displayName(button, 80),
      selected: isCurrent(button),
    })),
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
