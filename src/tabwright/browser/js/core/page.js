// Creates the object that all scripts of the isolated world add their functions to.
"use strict";
globalThis.tabwright ??= /** @type {Tabwright} */ ({});
(tabwright => {
  // Caches are valid for one call from Python: the page may change before the next.
  const clearFunctions = [];
  tabwright.onClearCaches = clear => clearFunctions.push(clear);
  tabwright.clearCaches = function () {
    for (const clear of clearFunctions) clear();
  };

  tabwright.title = () => document.title;
  // Calls a function that not every page has: [result], or null if it is not defined.
  tabwright.callIfDefined = function (name, ...args) {
    if (!(name in tabwright)) return null;
    const result = tabwright[name](...args);
    return result instanceof Promise ? result.then(value => [value]) : [result];
  };
})(globalThis.tabwright);
