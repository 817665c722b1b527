// The text that style sheets add with ::before and ::after: strings, alternative text, quotes and counters.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  // Counters that number more elements than this, such as lines of code, are left out.
  const MAX_COUNTED = 500;
  const NO_TEXT = Object.freeze({ text: "", separate: false, hidden: "" });
  const QUOTES = { "open-quote": "“", "close-quote": "”" };

  let searchedRoots, generators, hasGenerators, countingRules;
  tabwright.onClearCaches(() => {
    searchedRoots = new Set();
    hasGenerators = false;
    generators = { "::before": new Set(), "::after": new Set() };
    countingRules = [];
  });
  tabwright.clearCaches();

  tabwright.isInline = display => display === "inline" || display === "contents" || display.startsWith("ruby");

  tabwright.onShadowRoot(root => collectGenerators(root));

  // {text, separate}: whether it is a separate box, with a space around it. Text that cannot be seen is in `hidden`.
  tabwright.generated = function (element, pseudo) {
    if (!mayGenerate(element, pseudo))
      return dom.tag(element) === "q" ? { text: pseudo === "::before" ? "“" : "”", separate: false } : NO_TEXT;
    const style = getComputedStyle(element, pseudo);
    if (style.display === "none" || style.visibility !== "visible") return NO_TEXT;
    const { content } = style;
    // Chrome separates images and alternative text.
    const separate = !tabwright.isInline(style.display) || content.startsWith("url(") || content.includes('" / ');
    const text = writtenIn(content, element, pseudo);
    return text && tabwright.isGeneratedHidden(element, style) ? { ...NO_TEXT, hidden: text } : { text, separate };
  };

  function writtenIn(content, element, pseudo) {
    const parts = [];
    // Images are not text; what follows a slash is the alternative text.
    for (const [token, string, counter] of content
      .replace(/url\("(?:[^"\\]|\\.)*"\)/g, "")
      .matchAll(/"((?:[^"\\]|\\.)*)"|(counters?\([^)]*\))|\/|\b(?:open|close)-quote/g)) {
      if (token === "/") parts.length = 0;
      else if (counter) parts.push(tabwright.counterText(counter, element, pseudo, countingPlaces));
      else parts.push(QUOTES[token] ?? string.replace(/\\(.)/g, "$1"));
    }
    return parts.join("");
  }

  // Whether ::before or ::after may have text. Reading the style of a pseudo-element takes 75 µs (measured), so the
  // style sheets are searched first for rules that match.
  tabwright.hasGeneratedText = function (element) {
    if (searchedRoots.size === 0) collectGenerators(document);
    return hasGenerators && (generators["::before"].has(element) || generators["::after"].has(element));
  };

  function mayGenerate(element, pseudo) {
    return tabwright.hasGeneratedText(element) && generators[pseudo].has(element);
  }

  // Collects the elements of a document or shadow root that may have generated text.
  function collectGenerators(root) {
    if (searchedRoots.has(root)) return;
    if (searchedRoots.size === 0 && root !== document) collectGenerators(document);
    searchedRoots.add(root);
    for (const sheet of [...dom.sheets(root), ...dom.adopted(root)]) addGenerators(root, rulesOf(sheet));
  }

  function addGenerators(root, rules) {
    if (rules.length === 0) return;
    for (const [pseudo, selector, use] of rules) {
      if (use !== "text") countingRules.push([root, selector, pseudo]);
      if (use === "count") continue;
      const found = findAll(root, selector);
      if (use === "number" && found.length > MAX_COUNTED) continue;
      for (const element of found) generators[pseudo].add(element);
    }
    hasGenerators = generators["::before"].size + generators["::after"].size > 0;
  }

  function findAll(root, selector) {
    try {
      return (root instanceof ShadowRoot ? DocumentFragment : Document).prototype.querySelectorAll.call(root, selector);
    } catch {
      return []; // a selector that is only valid inside its rule
    }
  }

  // Where counters are set or used; only asked for where one is shown.
  const countingPlaces = () =>
    countingRules.flatMap(([root, selector, pseudo]) =>
      Array.from(findAll(root, selector), element => ({ element, pseudo })),
    );

  const sheetRules = new WeakMap();

  // [pseudo-element, selector, use]: use is "text"; "number", text with counters; or "count", a rule that sets one.
  function rulesOf(sheet) {
    let rules;
    try {
      rules = sheet.cssRules;
    } catch {
      return []; // the rules of another origin cannot be read
    }
    const known = sheetRules.get(sheet);
    if (known && known.length === rules.length) return known.found;
    const found = distinct(generatingRules(rules, ""));
    sheetRules.set(sheet, { length: rules.length, found });
    return found;
  }

  const distinct = rules => [...new Map([...rules].map(rule => [rule.join(" "), rule])).values()];

  function* generatingRules(rules, outer) {
    for (const rule of rules) {
      const selector = rule.selectorText;
      if (selector) yield* usesOf(rule.style, selector, outer);
      if (rule.styleSheet) yield* rulesOf(rule.styleSheet);
      else if (rule.cssRules?.length) yield* generatingRules(rule.cssRules, selector ? nested(selector, outer) : outer);
    }
  }

  function* usesOf(style, selector, outer) {
    const { content } = style;
    if (content && /\bcounters?\(/.test(content)) yield* generatingSelectors(selector, "number", outer);
    else if (content && /"[^"]*[^\s"\ue000-\uf8ff][^"]*"|attr\(|var\(|\b(?:open|close)-quote/u.test(content))
      yield* generatingSelectors(selector, "text", outer);
    if (style.counterReset || style.counterIncrement || style.counterSet)
      yield* generatingSelectors(selector, "count", outer);
  }

  const nested = (selector, outer) => (outer ? selector.replaceAll("&", `:is(${outer})`) : selector);

  function* generatingSelectors(selector, use, outer) {
    for (const one of splitSelector(nested(selector, outer))) {
      const found = /^(.*?)::?(before|after)\s*$/.exec(one);
      if (found) yield [`::${found[2]}`, completeSelector(found[1].trim() || "*"), use];
      else if (use === "count") yield ["", one, use];
    }
  }

  const completeSelector = selector => (/[\s>+~]$/.test(selector) ? `${selector} *` : selector);

  function splitSelector(selector) {
    if (!selector.includes(",")) return [selector];
    return selector.match(/(?:[^,()[\]]|\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\])+/g) ?? [];
  }
})(globalThis.tabwright);
