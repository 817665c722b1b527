// What a picture of the page needs to know of it, and leaving it as it was.
"use strict";
(tabwright => {
  tabwright.pixelRatio = () => devicePixelRatio;

  // What a person sees at a point of the viewport.
  tabwright.whatIsAt = function (x, y) {
    tabwright.clearCaches();
    const hit = tabwright.elementAt(x, y);
    return hit ? tabwright.describe(hit) : "the bare page";
  };

  // Where numbered elements are, as [number, x, y, width, height]; those that something covers are left out.
  tabwright.boxesOf = function (numbers) {
    tabwright.clearCaches();
    const boxes = [];
    for (const number of numbers) {
      const node = tabwright.nodeOf(number);
      const box = node && tabwright.dom.rect(node);
      if (box && box.width > 1 && box.height > 1 && canBeSeen(node, box)) {
        boxes.push([number, box.left, box.top, box.width, box.height]);
      }
    }
    return boxes;
  };

  // What is out of view cannot be asked for; in a frame it is not in the picture either.
  function canBeSeen(element, box) {
    const left = Math.max(box.left, 0),
      right = Math.min(box.right, innerWidth);
    const top = Math.max(box.top, 0),
      bottom = Math.min(box.bottom, innerHeight);
    if (left >= right || top >= bottom) return parent === window;
    const spots = [
      [0.5, 0.5],
      [0.1, 0.5],
      [0.9, 0.5],
    ];
    return spots.some(([across, down]) => {
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
