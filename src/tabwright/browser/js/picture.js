// What a picture of the page needs to know of it, and leaving it as it was.
"use strict";
(tabwright => {
  tabwright.pixelRatio = () => devicePixelRatio;

  tabwright.scrollBack = function (x, y) {
    if (scrollX !== x || scrollY !== y) scrollTo({ left: x, top: y, behavior: "instant" });
  };
})(globalThis.tabwright ??= {});
