// What covers the page: dialogs, drawers, banners and menus in front of it. Their rows come first, and say what they
// cover.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const POPUPS = "dialog,[role=dialog],[role=alertdialog],[role=menu],[role=listbox],[popover]";
  const DIALOGS = new Set(["dialog", "alertdialog"]);
  // Bars that belong to the page, although its content scrolls under them.
  const BARS = "header,nav,[role=banner],[role=navigation],[role=search],[role=toolbar]";
  const MIN_AREA = 0.04; // of the viewport
  const MIN_POPUP_AREA = 0.002;
  const MIN_HEIGHT = 40; // px
  const MOST = 0.5; // of the viewport
  const MAX_BOXES = 20;

  // Whether a positioned element may be in front of the page.
  tabwright.mayCover = function (element, style, position) {
    if (position === "fixed") return true;
    if (position !== "absolute" || !(parseInt(style.zIndex, 10) > 0)) return false;
    const parent = dom.parentNode(element);
    // Popups are put at the end of the body, alone or in a container.
    return parent === dom.body() || dom.parentNode(parent) === dom.body() || dom.matches(element, POPUPS);
  };

  // Moves the rows of what covers the page to the front. `boxes` are {element, rows}, in document order.
  tabwright.putCoversFirst = function (rows, boxes, texts, modal) {
    const found = boxes
      .slice(0, MAX_BOXES)
      .map(box => ({ ...box, area: visibleArea(box.element) }))
      .filter(({ area }) => area !== null);
    const backdrop = found.some(box => isEmpty(box) && shareOf(box.area) > MOST);
    for (const box of found) {
      if (isEmpty(box) || !isInFront(box)) continue;
      const isModal = modal !== null && dom.contains(box.element, modal);
      if (!isModal && !coversPage(box, texts, backdrop)) continue;
      moveToFront(rows, box, isModal || backdrop ? "the page" : describe(box.area));
    }
  };

  const isEmpty = ({ rows }) => rows.length === 0 || (rows.length === 1 && rows[0].role !== "" && rows[0].name === "");

  function visibleArea(element) {
    const box = dom.rect(element);
    const area = {
      left: Math.max(0, box.left),
      top: Math.max(0, box.top),
      right: Math.min(innerWidth, box.right),
      bottom: Math.min(innerHeight, box.bottom),
    };
    return area.right - area.left > 8 && area.bottom - area.top > 8 ? area : null;
  }

  const shareOf = ({ left, top, right, bottom }) => ((right - left) * (bottom - top)) / (innerWidth * innerHeight);

  // Whether most points of an area show the element: a container that lets clicks through covers nothing.
  function isInFront({ element, area: { left, top, right, bottom } }) {
    const points = [0.5, 0.15, 0.85].flatMap(x => [0.5, 0.15, 0.85].map(y => [x, y]));
    const hits = points.filter(([x, y]) => {
      const hit = Document.prototype.elementFromPoint.call(
        document,
        left + (right - left) * x,
        top + (bottom - top) * y,
      );
      return hit !== null && dom.contains(element, hit);
    });
    return hits.length * 2 > points.length;
  }

  function coversPage({ element, area }, texts, backdrop) {
    const isPopup = dom.matches(element, POPUPS) || dom.first(element, POPUPS) !== null;
    if (shareOf(area) < (isPopup ? MIN_POPUP_AREA : MIN_AREA) || area.bottom - area.top < MIN_HEIGHT) return false;
    if (!isPopup && (dom.matches(element, BARS) || dom.first(element, BARS) !== null)) return backdrop;
    return backdrop || texts.some(({ parent, box }) => isInside(box, area) && !dom.contains(element, parent));
  }

  function isInside(box, area) {
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    return x > area.left && x < area.right && y > area.top && y < area.bottom;
  }

  function describe(area) {
    if (shareOf(area) > MOST) return "the page";
    if (area.right - area.left > innerWidth * 0.8)
      return area.top < innerHeight - area.bottom ? "the top of the page" : "the bottom of the page";
    if (area.bottom - area.top > innerHeight * 0.8)
      return area.left < innerWidth - area.right ? "the left of the page" : "the right of the page";
    return "a part of the page";
  }

  function moveToFront(rows, { element, rows: moved }, what) {
    const first = rows.list.indexOf(moved[0]);
    if (first < 0) return;
    const start = dialogAround(rows.list, first);
    const end = start === first ? rows.list.lastIndexOf(moved.at(-1)) + 1 : endOf(rows.list, start);
    const block = rows.list.splice(start, end - start);
    const depth = Math.min(...block.map(row => row.depth));
    for (const row of block) row.depth -= depth;
    const tops = block.filter(row => row.depth === 0);
    const named =
      block.find(row => DIALOGS.has(row.role)) ?? (tops.length === 1 && tops[0].role !== "" ? tops[0] : null);
    if (named !== null) named.states = [...(named.states ?? []), `covers=${what}`];
    else block.unshift(wrap(rows, block, element, what));
    rows.list.unshift(...block);
  }

  // The index of the dialog that a row is in, or of the row itself: often only a part of a dialog is positioned.
  function dialogAround(list, at) {
    for (let i = at - 1, { depth } = list[at]; i >= 0 && depth > 0; i--) {
      if (list[i].depth >= depth) continue;
      if (DIALOGS.has(list[i].role)) return i;
      depth = list[i].depth;
    }
    return at;
  }

  function endOf(list, at) {
    let end = at + 1;
    while (end < list.length && list[end].depth > list[at].depth) end++;
    return end;
  }

  function wrap(rows, block, element, what) {
    for (const row of block) row.depth++;
    const row = rows.node(0, "overlay", 0, element);
    rows.list.pop();
    row.states = [`covers=${what}`];
    return row;
  }
})(globalThis.tabwright);
