// The calendar that a read-only field opens: which day each cell stands for, and what turns the month. Cells are known by
// a date in an attribute; else by their number and the month that the calendar shows.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const CELLS =
    "td,button,[role=gridcell],[role=button],[role=option],[tabindex],[aria-label],[data-date],time,span,div,a";
  const DATE_ATTRIBUTES = ["data-date", "data-iso", "data-day", "data-value", "datetime", "aria-label", "title"];
  const TURNERS = "button,a,[role=button],[tabindex],[class*=next],[class*=prev],[title],[aria-label]";
  const WORDS = { next: /\bnext\b|[›»→>]$/i, previous: /\bprev(ious)?\b|^[‹«←<]/i };
  const MIN_CELLS = 28;
  const MAX_ELEMENTS = 4000;

  const isShown = element => tabwright.hiddenReason(element) === "";

  // [year, month, day] of a text with a year; null if it is none.
  function parseDate(text) {
    const iso = /^(\d{4})-(\d\d?)-(\d\d?)(?!\d)/.exec(text);
    if (iso) return iso.slice(1).map(Number);
    if (!/\b\d{4}\b/.test(text) || !/\p{L}/u.test(text) || !/\b\d{1,2}(st|nd|rd|th)?\b/.test(text)) return null;
    const plain = text.replace(/(\d)(st|nd|rd|th)\b/g, "$1").replace(/^(choose|select)\s+/i, "");
    const date = new Date(plain.replace(/^\p{L}+day,?\s+/iu, ""));
    return Number.isNaN(date.getTime()) ? null : [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  }

  const dayIn = element => {
    const text = tabwright.clean(dom.textContent(element));
    return /^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= 31 ? Number(text) : 0;
  };

  // The visible elements that show only the number of a day, the outermost of each.
  function dayCells() {
    const cells = [];
    for (const tree of tabwright.trees([document]))
      for (const element of tabwright.allIn(tree, CELLS)) {
        if (cells.length > MAX_ELEMENTS) return cells;
        if (dayIn(element) && isShown(element) && !cells.some(cell => dom.contains(cell, element))) cells.push(element);
      }
    return cells;
  }

  const dateOf = cell => {
    const parts = [cell, ...tabwright.descendants(cell)];
    for (const part of parts)
      for (const name of DATE_ATTRIBUTES) {
        const date = parseDate(dom.attr(part, name) ?? "");
        if (date && date[2] === dayIn(cell)) return date;
      }
    return null;
  };

  // The smallest element around the cells, and what is shown above them in the same box.
  function boxAround(cells) {
    let box = tabwright.parentOf(cells[0]);
    while (box && !(dom.contains(box, cells.at(-1)) && monthIn(box))) box = tabwright.parentOf(box);
    return box && !/^(body|html)$/.test(dom.tag(box)) ? box : null;
  }

  const MONTHS = Array.from({ length: 12 }, (_, at) => new Date(2026, at, 15).toLocaleString("en", { month: "long" }));

  // [year, month] that a box says it shows: in its text, or in fields for month and year.
  function monthIn(box) {
    const fields = [...dom.all(box, "select,input")].filter(isShown);
    const values = fields.map(field =>
      field instanceof HTMLSelectElement ? field.selectedOptions[0]?.text : field.value,
    );
    const text = `${values.join(" ")} ${box instanceof HTMLElement ? headOf(box) : ""}`;
    const year = /(?<!\d)(19|20)\d\d/.exec(text); // the first day may follow without a space
    const month = MONTHS.findIndex(name => new RegExp(`\\b(${name}|${name.slice(0, 3)})\\b`, "i").test(text));
    return year && month >= 0 ? [Number(year[0]), month + 1] : null;
  }

  const headOf = box => dom.textContent(box).slice(0, 400);

  // The date of each cell: days before the first 1 are of the month before, those after the last day of the next one.
  function countDates(cells, shown) {
    const [year, month] = shown;
    let offset = dayIn(cells[0]) > 7 ? -1 : 0;
    return cells.map((cell, at) => {
      if (at > 0 && dayIn(cell) < dayIn(cells[at - 1])) offset++;
      const date = new Date(year, month - 1 + offset, 1);
      return [date.getFullYear(), date.getMonth() + 1, dayIn(cell)];
    });
  }

  function readCalendar() {
    const cells = dayCells();
    if (cells.length < MIN_CELLS) return null;
    const stated = cells.map(dateOf);
    const box = boxAround(cells);
    const shown = box && monthIn(box);
    const isStated = stated.filter(Boolean).length >= MIN_CELLS;
    if (!isStated && !shown) return null;
    const dates = isStated ? stated : countDates(cells, shown);
    return { cells, dates, box: box ?? tabwright.parentOf(cells[0]), shown: isStated ? middleOf(dates) : shown };
  }

  // A calendar shows whole weeks; the day in the middle is of its month.
  const middleOf = dates => dates.filter(Boolean)[Math.floor(dates.filter(Boolean).length / 2)];

  function turner(box, which) {
    for (let at = box, level = 0; at && level < 4; at = tabwright.parentOf(at), level++) {
      const found = [...dom.all(at, TURNERS)].filter(element => isShown(element) && turns(element, which));
      const month = found.find(element => !/year/i.test(describe(element)));
      if (month) return month;
    }
    return null;
  }

  const describe = element =>
    [dom.attr(element, "aria-label"), dom.attr(element, "title"), dom.attr(element, "class")].join(" ");

  function turns(element, which) {
    if (dom.all(element, "*").length > 8 || dayIn(element)) return false;
    const label =
      dom.attr(element, "aria-label") ?? dom.attr(element, "title") ?? tabwright.clean(dom.textContent(element));
    if (WORDS[which].test(label)) return true;
    const pattern = which === "next" ? /(^|[-_\s])next/i : /(^|[-_\s])prev/i;
    return pattern.test(dom.attr(element, "class") ?? "");
  }

  // Waits up to `ms` for a calendar; with `not`, for one that shows another month. Null if there is none, else
  // {cell, disabled, next, previous, shown}: numbers of elements, 0 if they are missing.
  tabwright.findDay = async function (wanted, not, ms) {
    const deadline = performance.now() + ms;
    for (;;) {
      tabwright.clearCaches();
      const calendar = readCalendar();
      const isNew = calendar && (!not || String(calendar.shown.slice(0, 2)) !== String(not));
      if (isNew) return describeDay(calendar, wanted);
      if (performance.now() >= deadline) return calendar && describeDay(calendar, wanted);
      await tabwright.nextChange(50);
    }
  };

  function describeDay({ cells, dates, box, shown }, wanted) {
    const cell = cells[dates.findIndex(date => String(date) === String(wanted))];
    const number = element => (element ? tabwright.refOf(element) : 0);
    return {
      cell: number(cell),
      disabled: cell !== undefined && tabwright.isInactive(cell),
      next: number(turner(box, "next")),
      previous: number(turner(box, "previous")),
      shown: shown.slice(0, 2),
    };
  }
})(globalThis.tabwright);
