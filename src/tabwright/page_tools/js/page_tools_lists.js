// For page tools: what stands on a page more than once or opens into more: items, tables, pages, tabs, menus, trees.
"use strict";
(tabwright => {
  const { dom, offers } = tabwright;
  const HANDLES = "a[href],button,[role=button],[role=link],input[type=submit i],input[type=button i]";
  const MOST_ITEMS = 500;
  const MOST_PARENTS = 20000;
  const MOST_LINKS = 5000;
  const FEWEST = 3;
  const MANY_BUTTONS = 10;
  const ELSEWHERE =
    "nav,[role=navigation],[role=menu],[role=menubar],[role=tablist],[role=toolbar],[role=listbox],[role=tree],[role=radiogroup],select,[class*=breadcrumb i],[class*=pagina i],[aria-label*=pagina i]";
  const NEXT =
    /^(next|next page|older|older posts|older entries|weiter|nächste( seite)?|suivant|page suivante|siguiente|próxim[ao]|avanti|volgende|следующая|вперед|далее|次へ|次のページ|下一页|التالي|[›»→>])( *[›»→>])?$/i;
  const PREVIOUS =
    /^([‹«←<] *)?(previous|previous page|prev|newer|newer posts|zurück|vorherige( seite)?|précédent|page précédente|anterior|indietro|vorige|предыдущая|назад|前へ|前のページ|上一页|السابق|[‹«←<])$/i;

  // Siblings of one kind that each hold something to press, the outermost first.
  offers.lists = function (taken) {
    const lists = [];
    const known = new Set(taken);
    const within = element => known.has(element) || [...offers.around(element)].some(at => known.has(at));
    let looked = 0;
    for (const parent of offers.all(
      "ul,ol,div,section,main,tbody,table,article,aside,dl,[role=list],[role=feed],[role=grid],[role=rowgroup]",
    )) {
      if (++looked > MOST_PARENTS) break;
      if (parent.childElementCount < FEWEST || dom.closest(parent, ELSEWHERE) || inFooter(parent)) continue;
      const items = alike(parent);
      if (items.length >= FEWEST && !within(parent) && isList(items)) {
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

  // The largest set of children that look alike and can be seen.
  function alike(parent) {
    const sets = new Map();
    for (let at = dom.firstElement(parent), count = 0; at && count < MOST_ITEMS; at = dom.nextElement(at), count++) {
      const key = shape(at);
      if (key === "") continue;
      if (!sets.has(key)) sets.set(key, []);
      sets.get(key).push(at);
    }
    const best = [...sets.values()].sort((a, b) => b.length - a.length)[0] ?? [];
    return best.length < FEWEST
      ? []
      : best.filter(item => (offers.seen(item) || dom.tag(item) === "tr") && !isHeadRow(item));
  }

  const isHeadRow = item =>
    (dom.tag(item) === "tr" || dom.attr(item, "role") === "row") &&
    dom.first(item, "td,[role=cell],[role=gridcell]") === null;

  const PLAIN =
    /^(a|button|input|label|select|option|script|style|br|hr|p|h[1-6]|span|option|td|th|fieldset|template|link|thead|dt|dd|img|svg|i|b|strong|em|small|svg)$/;

  function shape(element) {
    const tag = dom.tag(element);
    if (PLAIN.test(tag)) return "";
    if (/^(li|article|tr)$/.test(tag)) return tag;
    if (tag === "form")
      return `form ${[...dom.all(element, "input,select,textarea,button")].map(part => `${dom.tag(part)}.${dom.attr(part, "type")}`).join()}`;
    const first = (dom.attr(element, "class") ?? "").trim().split(/\s+/)[0];
    return `${tag}.${first}.${dom.attr(element, "role") ?? ""}`;
  }

  // Most of the items hold something to press, and more than bare links side by side.
  function isList(items) {
    const wanted =
      /^(li|tr)$/.test(dom.tag(items[0])) || dom.attr(items[0], "role") === "listitem"
        ? `${HANDLES},input[type=checkbox i],[role=checkbox]`
        : HANDLES;
    const pressed = items.filter(item => dom.first(item, wanted) !== null || isPressable(item));
    return pressed.length >= FEWEST && pressed.length >= items.length * 0.6;
  }

  const isPressable = element =>
    dom.has(element, "onclick") ||
    (dom.has(element, "tabindex") && tabwright.styleOf(element).cursor === "pointer") ||
    (tabwright.styleOf(element).cursor === "pointer" && dom.tag(element) !== "label");

  // What each item offers: where it leads, the acts that all of them repeat, and the box to select it.
  offers.describeList = function ({ parent, items }) {
    const seen = items.map(item => ({ item, handles: [...handlesIn(item)] }));
    const acts = repeated(seen);
    const opens = seen.map(({ item, handles }) => ref(opener(item, handles, acts)));
    const boxes = seen.map(({ item }) => ref(boxOf(item)));
    return {
      ref: tabwright.refOf(parent),
      title: listTitle(parent),
      count: items.length,
      opens: opens.filter(Boolean).length >= Math.max(FEWEST, items.length * 0.6) ? opens : null,
      acts: acts.map(act => ({
        label: act.label,
        refs: seen.map(({ handles }) => ref(handles.find(act.means)?.element)),
      })),
      boxes: boxes.filter(Boolean).length >= FEWEST ? boxes : null,
      ...offers.place(parent),
    };
  };

  const ref = element => (element ? tabwright.refOf(element) : 0);

  function* handlesIn(item) {
    for (const element of dom.all(item, HANDLES)) {
      if (!offers.usable(element)) continue;
      const label = offers.called(element, 80);
      const link = dom.matches(element, "a[href],[role=link]");
      const kind = `${dom.tag(element)}.${dom.attr(element, "class") ?? ""}`;
      yield { element, label, link, kind, key: `${link ? "link" : "button"} ${label.toLowerCase()}` };
    }
  }

  // What most items have under the same name: an act of its own. Toggles count by what they are, not by their state.
  function repeated(seen) {
    const counts = new Map();
    for (const { handles } of seen) {
      for (const key of new Set(handles.map(handle => handle.key))) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const most = Math.max(FEWEST, seen.length * 0.6);
    const keys = [...counts]
      .filter(([key, count]) => count >= most && /[\p{L}]/u.test(key.replace(/^\w+ /, "")))
      .map(([key]) => key);
    const labelled = key => seen.flatMap(({ handles }) => handles).find(handle => handle.key === key).label;
    return [
      ...keys.map(key => ({ label: labelled(key), means: handle => handle.key === key })),
      ...alsoNamed(seen, new Set(keys), most),
    ];
  }

  // Buttons that name their item ("Remove tea bowl"): what they all begin with is the act.
  function alsoNamed(seen, known, most) {
    const sets = new Map();
    for (const { handles } of seen) {
      for (const handle of handles) {
        if (handle.link || known.has(handle.key)) continue;
        if (!sets.has(handle.kind)) sets.set(handle.kind, []);
        sets.get(handle.kind).push(handle.label);
      }
    }
    return [...sets]
      .filter(([, labels]) => labels.length >= most)
      .map(([kind, labels]) => ({ label: offers.sharedWords(labels), means: handle => handle.kind === kind }))
      .filter(act => /\p{L}/u.test(act.label));
  }

  // What opens an item: the link in its heading, else its first link of its own, else the item itself.
  function opener(item, handles, acts) {
    const links = handles.filter(handle => !acts.some(act => act.means(handle)));
    const inHeading = links.find(
      handle => handle.link && dom.closest(handle.element, "h1,h2,h3,h4,h5,h6,[role=heading]"),
    );
    const named = links.find(handle => handle.link && handle.label) ?? links.find(handle => handle.link);
    const button = links.find(handle => handle.label && !handle.link);
    return (
      (inHeading ?? named ?? (handles.length === 1 ? button : undefined))?.element ??
      (isPressable(item) ? item : undefined) ??
      button?.element
    );
  }

  const boxOf = item => [...dom.all(item, "input[type=checkbox i],[role=checkbox]")].find(offers.usable);

  // What a list is called: its own label or that of what holds only it, the heading before it or in it.
  offers.listTitle = listTitle;
  function listTitle(parent) {
    const name = tabwright.nameOf(parent);
    if (name.from === "aria") return offers.words(name.text, 80);
    const table = dom.closest(parent, "table,[role=grid],[role=table]");
    if (table && tabwright.nameOf(table).text) return offers.words(tabwright.nameOf(table).text, 80);
    const inside = table
      ? null
      : [...parent.children].find(child => dom.matches(child, "h1,h2,h3,h4,h5,h6,header,[role=heading]"));
    const heading = inside && (dom.matches(inside, "header") ? dom.first(inside, "h1,h2,h3,h4,h5,h6") : inside);
    if (heading && tabwright.isRendered(heading)) return offers.called(heading, 80);
    const before = offers.headingBefore(table ?? parent);
    if (before) return before;
    const section = dom.closest(parent, "section,[role=region],aside,[role=complementary]");
    return section && tabwright.nameOf(section).from === "aria" ? offers.words(tabwright.nameOf(section).text, 80) : "";
  }

  offers.tables = function () {
    return offers
      .all("table,[role=table],[role=grid],[role=treegrid]")
      .filter(
        table =>
          /^(table|grid|treegrid)$/.test(tabwright.roleOf(table)) &&
          offers.seen(table) &&
          offers.usable(table) &&
          !isCalendar(table) &&
          !isLayout(table),
      )
      .map(table => ({
        ref: tabwright.refOf(table),
        title: tableTitle(table),
        rows: dataRows(table),
        ...offers.place(table),
      }))
      .filter(table => table.rows >= 2);
  };

  // A table that arranges fields, or other tables, is none of data.
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
    const name = offers.words(tabwright.nameOf(table).text, 80);
    if (name) return name;
    const caption = dom.first(table, "caption");
    return caption ? offers.shown(caption, 80) : offers.headingBefore(table);
  }

  const dataRows = table =>
    [...dom.all(table, "tr,[role=row]")].filter(row => dom.first(row, "td,[role=cell],[role=gridcell]")).length;

  // Ways to other pages of the same list: {next, previous, pages: [[number, ref]]}.
  offers.pagination = function () {
    const found = { pages: [], elements: new Set() };
    for (const element of offers.all("a[href],button,[role=button],[role=link]").slice(0, MOST_LINKS)) {
      if (!mayPage(element) || !offers.usable(element)) continue;
      const rel = ` ${dom.attr(element, "rel") ?? ""} `;
      const label = offers.called(element, 40);
      if (/ next /.test(rel) || /^(go to )?next page$/i.test(label) || (NEXT.test(label) && inPager(element)))
        set(found, "next", element);
      else if (
        / prev(ious)? /.test(rel) ||
        /^(go to )?previous page$/i.test(label) ||
        (PREVIOUS.test(label) && inPager(element))
      )
        set(found, "previous", element);
      else if (/^((go to )?page )?\d{1,5}$/i.test(label) && inPager(element)) {
        found.pages.push([parseInt(label.match(/\d+/)[0], 10), tabwright.refOf(element)]);
        found.elements.add(element);
      }
    }
    return found;
  };

  // Most links are out of the question at a glance.
  function mayPage(element) {
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

  function set(found, way, element) {
    found.elements.add(element);
    if (found[way] || tabwright.isOff(element)) return;
    found[way] = tabwright.refOf(element);
    found.place ??= offers.place(element);
  }

  const PAGER = /pagin|\bpager?s?\b|\bpage-?(nav|links|numbers)/i;

  function inPager(element) {
    let up = 0;
    for (const at of offers.around(element)) {
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

  // Sets of which one is chosen by pressing it: {kind, title, items: [{ref, label, on}]}.
  offers.choosers = function () {
    return [
      ...sets("[role=tablist]", "[role=tab]", "tabs"),
      ...menus(),
      ...sets("[role=tree]", "[role=treeitem]", "tree"),
    ];
  };

  // Many buttons side by side, such as the seats of a hall: {element, buttons}.
  offers.panels = function (buttons) {
    const byParent = new Map();
    for (const button of buttons) {
      const parent = tabwright.parentOf(button);
      if (!byParent.has(parent)) byParent.set(parent, []);
      byParent.get(parent).push(button);
    }
    return [...byParent]
      .filter(([, inside]) => inside.length >= MANY_BUTTONS || areValues(inside))
      .map(([element, inside]) => ({ element, buttons: inside }));
  };

  // Buttons of one class whose names are figures, such as the free times of a day.
  const areValues = buttons =>
    buttons.length > FEWEST &&
    buttons.every(
      button =>
        dom.attr(button, "class") === dom.attr(buttons[0], "class") &&
        /^\d[\d\s:.,–-]*$/.test(offers.called(button, 80)),
    );

  offers.describePanel = ({ element, buttons }) => ({
    kind: "buttons",
    ref: tabwright.refOf(element),
    title: titleOf(element) || offers.headingBefore(element),
    items: buttons.slice(0, 100).map(button => ({ ref: tabwright.refOf(button), label: offers.called(button, 80) })),
    ...offers.place(element),
  });

  function* sets(outer, inner, kind) {
    for (const element of offers.all(outer)) {
      const items = [...dom.all(element, inner)].filter(item => offers.usable(item) && !tabwright.isOff(item));
      if (items.length < 2 || !offers.usable(element)) continue;
      yield {
        kind,
        ref: tabwright.refOf(element),
        title: titleOf(element),
        items: items.slice(0, 100).map(itemOf),
        ...offers.place(element),
      };
    }
  }

  const titleOf = element => {
    const name = tabwright.nameOf(element);
    return name.from === "aria" ? offers.words(name.text, 80) : "";
  };

  const itemOf = item => ({
    ref: tabwright.refOf(item),
    label: offers.words(tabwright.nameOf(item).text, 80),
    on: dom.attr(item, "aria-selected") === "true",
  });

  const ITEMS = "[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio]";

  // Menus that are shown, and those that a button opens, as far as their items are there already.
  function* menus() {
    const opened = new Set();
    for (const trigger of offers.all("[aria-haspopup=menu],[aria-haspopup=true]")) {
      const id = dom.attr(trigger, "aria-controls");
      const menu = id ? dom.byId(dom.ownerRoot(trigger), id) : neighbour(trigger);
      if (!menu || tabwright.roleOf(trigger) === "menuitem" || !offers.usable(trigger)) continue;
      const items = [...dom.all(menu, ITEMS)];
      opened.add(menu);
      if (items.length < 2) continue;
      yield {
        kind: "menu",
        ref: tabwright.refOf(trigger),
        opens: !offers.seen(menu),
        title: offers.called(trigger, 80),
        items: items.slice(0, 100).map(itemOf),
        ...offers.place(trigger),
      };
    }
    for (const menu of offers.all("[role=menu],[role=menubar]")) {
      if (
        opened.has(menu) ||
        !offers.usable(menu) ||
        dom.closest(menu.parentElement ?? menu, "[role=menu],[role=menubar]")
      )
        continue;
      const items = [...dom.all(menu, ITEMS)].filter(offers.usable);
      if (items.length >= 2)
        yield {
          kind: "menu",
          ref: tabwright.refOf(menu),
          opens: false,
          title: titleOf(menu),
          items: items.slice(0, 100).map(itemOf),
          ...offers.place(menu),
        };
    }
  }

  const neighbour = trigger => {
    const next = trigger.nextElementSibling;
    return next && dom.matches(next, "[role=menu]") ? next : next ? dom.first(next, "[role=menu]") : null;
  };
})(globalThis.tabwright);
