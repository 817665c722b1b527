// What screenshots need to know of the page, and restoring its scroll position.
"use strict";
(tabwright => {
  tabwright.pixelRatio = () => devicePixelRatio;

  // Describes the element at a point of the viewport.
  tabwright.describeAt = function (x, y) {
    tabwright.clearCaches();
    const hit = tabwright.elementAt(x, y);
    return hit ? tabwright.describe(hit) : "the bare page";
  };

  // The boxes of numbered elements as [number, x, y, width, height]; covered ones are left out.
  tabwright.boxesOf = function (numbers) {
    tabwright.clearCaches();
    const boxes = [];
    for (const number of numbers) {
      const node = tabwright.nodeOf(number);
      const box = node && tabwright.dom.rect(node);
      if (box && box.width > 1 && box.height > 1 && isUncovered(node, box)) {
        boxes.push([number, box.left, box.top, box.width, box.height]);
      }
    }
    return boxes;
  };

  // The hit test only works inside the viewport; outside, an inner frame does not show the element either.
  function isUncovered(element, box) {
    const left = Math.max(box.left, 0),
      right = Math.min(box.right, innerWidth);
    const top = Math.max(box.top, 0),
      bottom = Math.min(box.bottom, innerHeight);
    if (left >= right || top >= bottom) return parent === window;
    const points = [
      [0.5, 0.5],
      [0.1, 0.5],
      [0.9, 0.5],
    ];
    return points.some(([across, down]) => {
      const hit = tabwright.elementAt(left + (right - left) * across, top + (bottom - top) * down);
      return hit && (isInside(hit, element) || isInside(element, hit));
    });
  }

  function isInside(inner, outer) {
    for (let at = inner; at; at = tabwright.parentOf(at))
      if (at === outer) return !/^(html|body)$/.test(tabwright.dom.tag(outer));
    return false;
  }

  tabwright.scrollBack = function (x, y) {
    if (scrollX !== x || scrollY !== y) scrollTo({ left: x, top: y, behavior: "instant" });
  };
})(globalThis.tabwright);
