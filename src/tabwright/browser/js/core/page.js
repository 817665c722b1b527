// Small facts about the document. First of all scripts: it creates the object that the others add to.
"use strict";
globalThis.tabwright ??= /** @type {Tabwright} */ ({});
(tabwright => {
  tabwright.title = () => document.title;
  // [result] of a function that not every world has; null where it is missing.
  tabwright.callIfDefined = function (name, ...args) {
    if (!(name in tabwright)) return null;
    const result = tabwright[name](...args);
    return result instanceof Promise ? result.then(value => [value]) : [result];
  };
})(globalThis.tabwright);
