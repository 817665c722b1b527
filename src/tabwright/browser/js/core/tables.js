// Where the cells of a table are, by HTML's table model: spans take columns and rows, a row span ends with its row
// group. Elements with table roles follow the same rules with aria-colspan, aria-rowspan and aria-colindex.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const TABLES = "table,[role=table],[role=grid],[role=treegrid]";
  const SPANS = "[colspan],[rowspan],[aria-colspan],[aria-rowspan],[aria-colindex]";
  const CELLS = "td,th,[role=cell],[role=gridcell],[role=columnheader],[role=rowheader]";
  const ROW_GROUPS = new Set(["thead", "tbody", "tfoot"]);
  const MAX_COLUMNS = 1000;
  const MAX_ROW_SPAN = 65534;
  // Slots of one table: a few cells that span 1,000 columns and 65,000 rows must not take seconds.
  const MAX_SLOTS = 500_000;

  let layouts, knownParent, knownLayout, rowWithGap;
  tabwright.onClearCaches(() => {
    layouts = new Map();
    knownParent = knownLayout = rowWithGap = null;
  });
  tabwright.clearCaches();

  // The column of a cell, counted from 0, and how many columns and rows it takes; null if the place among its siblings
  // says it all.
  tabwright.slotOf = function (cell) {
    const parent = dom.parentNode(cell);
    const slot = layoutAround(parent)?.cells.get(cell) ?? null;
    if (parent !== rowWithGap) return slot;
    return { colspan: 1, rowspan: 1, ...(slot ?? { column: indexOf(cell) }), moved: true };
  };

  // The columns of a row that cells of earlier rows take, counted from 0.
  tabwright.columnsFromAbove = row => layoutAround(row)?.above.get(row) ?? [];

  // The section of a table that a row group is: "head", "foot" or "".
  tabwright.sectionOf = function (group) {
    const tag = dom.tag(group);
    return tag === "thead" ? "head" : tag === "tfoot" ? "foot" : "";
  };

  // A cell that is not shown leaves a gap: the cells after it keep their columns.
  tabwright.noteHiddenCell = function (element, tag) {
    if (tag === "td" || tag === "th") rowWithGap = dom.parentNode(element);
  };

  // Most cells have the same parent as the cell before.
  function layoutAround(parent) {
    if (parent === knownParent) return knownLayout;
    knownParent = parent;
    const table = parent instanceof Element ? dom.closest(parent, TABLES) : null;
    knownLayout = table === null ? null : layoutOf(table);
    return knownLayout;
  }

  // null for a table without spans.
  function layoutOf(table) {
    let layout = layouts.get(table);
    if (layout === undefined) {
      layout = dom.first(table, SPANS) === null ? null : layOut(table);
      layouts.set(table, layout);
    }
    return layout;
  }

  function layOut(table) {
    const layout = { cells: new Map(), above: new Map(), left: MAX_SLOTS };
    const sections = dom.tag(table) === "table" ? nativeSections(table) : ariaSections(table);
    for (const rows of sections) layOutSection(layout, rows);
    return layout;
  }

  function layOutSection(layout, rows) {
    const until = []; // by column: the first row below the cell that takes it
    for (let y = 0; y < rows.length && layout.left > 0; y++) {
      const taken = [];
      for (let x = 0; x < until.length; x++) if (until[x] > y) taken.push(x);
      if (taken.length) layout.above.set(rows[y], taken);
      layout.left -= until.length;
      layOutRow(layout, rows, y, until);
    }
  }

  function layOutRow(layout, rows, y, until) {
    let x = 0;
    let index = 0;
    for (const cell of cellsOf(rows[y])) {
      const stated = statedColumn(cell);
      if (stated !== null && !(until[stated] > y)) x = stated;
      while (until[x] > y) x++;
      const colspan = Math.min(spanOf(cell, "colspan", 1) || 1, MAX_COLUMNS);
      const rowspan = Math.min(spanOf(cell, "rowspan", 1) || MAX_ROW_SPAN, rows.length - y);
      layout.cells.set(cell, { column: x, moved: x !== index, colspan, rowspan });
      layout.left -= colspan;
      if (x + colspan > MAX_COLUMNS * 2 || layout.left < 0) return;
      for (let end = x + colspan; x < end; x++) until[x] = Math.max(until[x] ?? 0, y + rowspan);
      index++;
    }
  }

  function spanOf(cell, name, missing) {
    const value = parseInt(dom.attr(cell, name) ?? dom.attr(cell, `aria-${name}`), 10);
    return value >= 0 ? value : missing;
  }

  function statedColumn(cell) {
    const column = parseInt(dom.attr(cell, "aria-colindex"), 10);
    return column >= 1 && column <= MAX_COLUMNS ? column - 1 : null;
  }

  // The rows of each row group, and the rows between groups.
  function nativeSections(table) {
    const sections = [];
    let loose = null;
    for (let at = dom.firstElement(table); at; at = dom.nextElement(at)) {
      const tag = dom.tag(at);
      if (tag === "tr") {
        if (loose === null) sections.push((loose = []));
        loose.push(at);
      } else if (ROW_GROUPS.has(tag)) {
        sections.push(childrenWith(at, tag => tag === "tr"));
        loose = null;
      }
    }
    return sections;
  }

  function ariaSections(table) {
    const sections = new Map();
    for (const row of dom.all(table, "tr,[role=row]")) {
      if (dom.closest(row, TABLES) !== table) continue;
      const group = dom.parentNode(row);
      if (!sections.has(group)) sections.set(group, []);
      sections.get(group).push(row);
    }
    return sections.values();
  }

  function cellsOf(row) {
    if (dom.tag(row) === "tr") return childrenWith(row, tag => tag === "td" || tag === "th");
    return [...dom.all(row, CELLS)].filter(cell => dom.closest(dom.parentNode(cell), "tr,[role=row]") === row);
  }

  function childrenWith(parent, accepts) {
    const found = [];
    for (let at = dom.firstElement(parent); at; at = dom.nextElement(at)) if (accepts(dom.tag(at))) found.push(at);
    return found;
  }

  function indexOf(cell) {
    let index = 0;
    for (let at = dom.firstElement(dom.parentNode(cell)); at && at !== cell; at = dom.nextElement(at))
      if (/^t[dh]$/.test(dom.tag(at))) index++;
    return index;
  }
})(globalThis.tabwright);
