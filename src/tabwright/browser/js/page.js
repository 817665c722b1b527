// Small facts about the document.
"use strict";
(tabwright => {
  tabwright.title = () => document.title;
  tabwright.readyState = () => document.readyState;
})(globalThis.tabwright ??= {});
