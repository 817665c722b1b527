// Scrolls the page or an element by pixels, without animation, and returns the position reached.
"use strict";
(tabwright => {
  const { dom, operations } = tabwright;
  /** @type {(options: ScrollToOptions) => void} */
  const scrollBy = Element.prototype.scrollBy;
  const page = () => document.scrollingElement ?? dom.root();

  // Scrolls the document, or the scroller in the middle of the viewport if the document does not scroll.
  tabwright.scrollPage = function (dx, dy) {
    tabwright.clearCaches();
    const main = canMove(page(), dx, dy) ? page() : (scrollerAt(innerWidth / 2, innerHeight / 2, dx, dy) ?? page());
    return scroll(main, dx, dy);
  };

  // Scrolls an element, or the nearest one around it that scrolls that way.
  operations.scroll = (element, { dx, dy }) => scroll(nearestScroller(element, dx, dy) ?? page(), dx, dy);

  function scrollerAt(x, y, dx, dy) {
    const middle = tabwright.elementAt(x, y);
    return middle ? nearestScroller(middle, dx, dy) : null;
  }

  function nearestScroller(element, dx, dy) {
    for (let at = element; at; at = tabwright.parentOf(at)) if (canMove(at, dx, dy)) return at;
    return null;
  }

  function canMove(element, dx, dy) {
    if (element !== page()) {
      const { overflowX, overflowY } = tabwright.styleOf(element);
      if (!((dx && /auto|scroll|overlay/.test(overflowX)) || (dy && /auto|scroll|overlay/.test(overflowY))))
        return false;
    }
    const [left, top] = [dom.scrollLeft(element), dom.scrollTop(element)];
    const [right, bottom] = [
      dom.scrollWidth(element) - dom.clientWidth(element) - left,
      dom.scrollHeight(element) - dom.clientHeight(element) - top,
    ];
    return (dx < 0 && left > 0.5) || (dx > 0 && right > 0.5) || (dy < 0 && top > 0.5) || (dy > 0 && bottom > 0.5);
  }

  function scroll(element, dx, dy) {
    const before = [dom.scrollLeft(element), dom.scrollTop(element)];
    scrollBy.call(element, { left: dx, top: dy, behavior: "instant" });
    const after = [dom.scrollLeft(element), dom.scrollTop(element)];
    return {
      scrolled: {
        x: after[0],
        y: after[1],
        moved_x: after[0] - before[0],
        moved_y: after[1] - before[1],
        most_x: dom.scrollWidth(element) - dom.clientWidth(element),
        most_y: dom.scrollHeight(element) - dom.clientHeight(element),
      },
    };
  }
})(globalThis.tabwright);
