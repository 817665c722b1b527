// Observes the drag and drop of the page while Python moves the pointer.
"use strict";
(tabwright => {
  // Whether the page has started a drag since `watchDrag`, and whether it has ended.
  let dragStart = null;
  let dragEnd = null;
  tabwright.watchDrag = function () {
    dragStart = dragEnd = null;
    addEventListener(
      "dragstart",
      event => {
        dragStart = event;
      },
      { capture: true, once: true },
    );
    addEventListener(
      "dragend",
      event => {
        dragEnd = event;
      },
      { capture: true, once: true },
    );
  };
  tabwright.hasDragStarted = () => dragStart !== null && !dragStart.defaultPrevented;
  tabwright.hasDragEnded = () => dragStart === null || dragEnd !== null;

  // Whether something was dropped since `watchDrop`; Chrome drops nothing on an element that does not accept it.
  let dropped = false;
  const onDrop = () => {
    dropped = true;
  };
  tabwright.watchDrop = function () {
    dropped = false;
    addEventListener("drop", onDrop, { capture: true, once: true });
  };
  tabwright.hasDropped = () => dropped;
})(globalThis.tabwright);
