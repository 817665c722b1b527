// Finds the elements of a selector: a chain of steps, each of which searches inside the matches of the one before. Every
// step searches all shadow roots of its scope; frames are left to Python.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const words = text => new Set(text.trim().split(/\s+/));
  const IGNORED_TAGS = words("script style template noscript head title");
  const TEST_IDS = ["data-testid", "data-test-id", "data-test"];
  const CONTROLS = "input,select,textarea,button,meter,progress,output,[contenteditable],[role],[tabindex]";
  const COMPARED = `a[href],button,summary,label,h1,h2,h3,h4,h5,h6,[onclick],[placeholder],${CONTROLS}`;
  // Selectors of the elements that can have a role: fewer elements to check make finding by role fast.
  const ROLE_SELECTORS = {
    button: "button,input,[role]",
    link: "a,area,[role],[onclick]",
    checkbox: "input,[role]",
    radio: "input,[role]",
    textbox: "input,textarea,[contenteditable],[role]",
    searchbox: "input,[role]",
    combobox: "input,select,[role]",
    listbox: "select,[role]",
    option: "option,[role]",
    slider: "input,[role]",
    spinbutton: "input,[role]",
    switch: "input,[role]",
    heading: "h1,h2,h3,h4,h5,h6,[role]",
    image: "img,svg,image,svg *,[role]",
    tab: "[role]",
    menuitem: "[role]",
    dialog: "dialog,[role]",
  };
  const ROLE_ALIASES = { img: "image", presentation: "none", generic: "" };
  const MAX_CANDIDATES = 5;
  const MAX_COMPARED = 400;
  const MAX_SUSPECTS = 200;

  // The selector is not valid.
  class Malformed extends Error {}

  // {element} for the one match of a selector, else {fault} with what Python needs for the error.
  tabwright.pick = function (spec) {
    const found = tabwright.findMeant(spec);
    if (found.fault) return found;
    const matches = found.matches;
    if (spec.nth !== null) {
      const element = matches.at(spec.nth);
      return element ? { element } : { fault: "none", count: matches.length };
    }
    return choose(matches, spec);
  };

  // {matches}, or {fault} if the selector is not valid.
  tabwright.find = function (spec) {
    const wasCached = allTrees !== null;
    const found = follow(spec);
    if (found.fault || found.matches.length || !wasCached) return found;
    allTrees = null;
    return follow(spec);
  };

  /** @returns {any} */
  function follow(spec) {
    /** @type {any} */
    let scope = [document];
    try {
      for (const step of spec.steps) {
        scope = FINDERS[step.by](scope, step);
        if (scope.fault) return scope;
      }
    } catch (error) {
      if (error instanceof Malformed) return { fault: "malformed", why: error.message };
      throw error;
    }
    return { matches: scope };
  }

  // How many matches there are, and which one to take in this frame; Python combines the frames.
  tabwright.count = function (spec) {
    tabwright.clearCaches();
    const found = tabwright.findMeant(spec);
    if (found.fault) return found;
    const meant = visibleMatches(found.matches, spec);
    const at = meant.length ? found.matches.indexOf(meant[0]) : 0;
    return { count: found.matches.length, visible: meant.length, at };
  };

  // Several matches are fine if only one of them is visible, or is a control.
  function choose(matches, spec) {
    if (matches.length === 0) return { fault: "none", count: 0 };
    if (matches.length === 1) return { element: matches[0] };
    const meant = visibleMatches(matches, spec);
    if (meant.length > 1) return { fault: "several", count: meant.length };
    return { element: meant[0] ?? matches[0] };
  }

  function visibleMatches(matches, spec) {
    const visible = matches.filter(element => tabwright.hiddenReason(element) === "");
    return visible.length > 1 && spec.steps.at(-1).by === "text" ? tabwright.preferControls(visible) : visible;
  }

  const FINDERS = {
    ref: (scope, { number }) => {
      const node = tabwright.nodeOf(number);
      return node instanceof Element ? [node] : { fault: "gone" };
    },
    css: (scope, { value }) => unique(trees(scope), tree => select(tree, value)),
    xpath: (scope, { value }) => unique(trees(scope), tree => evaluate(tree, value)),
    text: byText,
    role: byRole,
    label: (scope, step) => byLabel(within(scope, CONTROLS), step, labelOf),
    placeholder: (scope, step) =>
      byLabel(
        within(scope, "[placeholder],[aria-placeholder]"),
        step,
        element => dom.attr(element, "placeholder") ?? dom.attr(element, "aria-placeholder"),
      ),
    alt: (scope, step) => byLabel(within(scope, "[alt]"), step, element => dom.attr(element, "alt")),
    title: (scope, step) => byLabel(within(scope, "[title]"), step, element => dom.attr(element, "title")),
    testid: (scope, { value }) =>
      within(scope, TEST_IDS.map(name => `[${name}]`).join()).filter(element =>
        TEST_IDS.some(name => dom.attr(element, name) === value),
      ),
    matching: (scope, { value }) => scope.filter(element => matches(element, value)),
    containing: keepContaining,
    visible: scope => scope.filter(element => tabwright.hiddenReason(element) === ""),
    nth: (scope, { index }) => [scope.at(index)].filter(Boolean),
  };

  const within = (scope, selector) => unique(trees(scope), tree => select(tree, selector));

  function unique(from, find) {
    const found = new Set();
    for (const part of from) for (const element of find(part)) found.add(element);
    return [...found];
  }

  // The given nodes and every shadow tree inside them.
  tabwright.trees = trees;
  function trees(scope) {
    return scope.length === 1 && scope[0] === document ? (allTrees ??= cacheTrees()) : collect(scope);
  }

  function collect(scope) {
    const found = [...scope];
    for (let i = 0; i < found.length; i++) {
      const node = found[i];
      if (node instanceof Element) addTree(found, node);
      for (const element of select(node, "*")) addTree(found, element);
    }
    return found;
  }

  // Checking every element of a page of 50,000 takes 30 ms, so the trees of the document are cached until an element is
  // added or removed. A root attached later to an existing element is found when nothing else matches.
  let allTrees = null;

  tabwright.forgetTrees = () => {
    allTrees = null;
  };

  function cacheTrees() {
    const found = collect([document]);
    const observer = new MutationObserver(() => {
      observer.disconnect();
      allTrees = null;
    });
    for (const tree of found) observer.observe(tree, { childList: true, subtree: true });
    return found;
  }

  // Collects elements that may have a closed shadow root, which only Python can find; returns how many.
  tabwright.suspectHosts = function () {
    const suspects = (tabwright.suspects = []);
    for (const tree of trees([document])) {
      for (const element of select(tree, "*")) {
        if (tabwright.mayHaveClosedRoot(element) && suspects.push(element) >= MAX_SUSPECTS) return suspects.length;
      }
    }
    return suspects.length;
  };

  function addTree(found, element) {
    const root = tabwright.shadowRootOf(element);
    if (root) found.push(root);
  }

  function select(tree, selector) {
    try {
      if (tree instanceof Element) return dom.all(tree, selector);
      return (tree instanceof Document ? Document : DocumentFragment).prototype.querySelectorAll.call(tree, selector);
    } catch {
      throw new Malformed(`${JSON.stringify(selector)} is not a CSS selector`);
    }
  }

  function evaluate(tree, path) {
    // A path cannot start at a shadow root itself, only at a node in it.
    const start = tree instanceof ShadowRoot ? tree.firstElementChild : tree;
    if (!start) return [];
    const here = tree instanceof Element && path.startsWith("/") ? `.${path}` : path;
    let result;
    try {
      result = Document.prototype.evaluate.call(
        document,
        here,
        start,
        null,
        XPathResult.ORDERED_NODE_SNAPSHOT_TYPE,
        null,
      );
    } catch (error) {
      throw new Malformed(
        error.name === "TypeError" || /type/i.test(error.message)
          ? `${JSON.stringify(path)} is an XPath that does not select elements`
          : `${JSON.stringify(path)} is not an XPath`,
      );
    }
    return Array.from({ length: result.snapshotLength }, (_, i) => result.snapshotItem(i)).filter(
      node => node instanceof Element,
    );
  }

  const plain = text =>
    String(text ?? "")
      .replace(/\s+/g, " ")
      .trim();

  // Elements with exactly the wanted text; if there are none, those that contain it, in any case.
  function byLabel(elements, { value, exact }, textOf) {
    const wanted = plain(value);
    const texts = elements.map(element => plain(textOf(element)));
    const same = elements.filter((_, i) => texts[i] === wanted);
    if (same.length || exact) return same;
    return elements.filter((_, i) => texts[i].toLowerCase().includes(wanted.toLowerCase()));
  }

  function labelOf(element) {
    const name = tabwright.nameOf(element);
    return name.from === "label" || name.from === "aria" ? name.text : "";
  }

  function byRole(scope, { value, name, exact }) {
    const role = ROLE_ALIASES[value] ?? value;
    const elements = within(scope, ROLE_SELECTORS[role] ?? "*").filter(element => tabwright.roleOf(element) === role);
    return name === null
      ? elements
      : byLabel(elements, { value: name, exact }, element => tabwright.nameOf(element).text);
  }

  // The innermost elements that contain the text.
  function byText(scope, { value, exact }) {
    const search = { wanted: plain(value), same: [], holding: [] };
    search.lower = search.wanted.toLowerCase();
    search.word = search.lower.split(" ").reduce((one, other) => (other.length > one.length ? other : one));
    for (const tree of trees(scope)) {
      searchInside(tree, search);
      for (const button of select(tree, "input"))
        if (isTextButton(button)) weigh(button, plain(button.value), search, { same: false, holding: false });
    }
    return search.same.length || exact ? search.same : search.holding;
  }

  // Of the elements found so far, those that contain the text; `innermost`, only those that contain no other of them.
  function keepContaining(scope, { value, exact, innermost }) {
    const wanted = plain(value).toLowerCase();
    const holding = scope.filter(element => {
      const text = plain(dom.tag(element) === "input" && isTextButton(element) ? element.value : readText(element));
      return exact ? text.toLowerCase() === wanted : text.toLowerCase().includes(wanted);
    });
    if (!innermost) return holding;
    return holding.filter(element => !holding.some(other => other !== element && dom.contains(element, other)));
  }

  function matches(element, selector) {
    try {
      return dom.matches(element, selector);
    } catch {
      throw new Malformed(`${JSON.stringify(selector)} is not a CSS selector`);
    }
  }

  const isTextButton = input => /^(submit|button|reset)$/.test(tabwright.inputType(input));

  // {same, holding}: whether something inside already matches.
  function searchInside(parent, search) {
    const inside = { same: false, holding: false };
    for (let child = parent.firstElementChild; child; child = dom.nextElement(child)) {
      // The longest word rules out most of a page, without reading it properly.
      if (IGNORED_TAGS.has(dom.tag(child)) || !dom.textContent(child).toLowerCase().includes(search.word)) continue;
      const found = weigh(child, plain(readText(child)), search, searchInside(child, search));
      inside.same ||= found.same;
      inside.holding ||= found.holding;
    }
    return inside;
  }

  function weigh(element, text, search, inside) {
    const same = text === search.wanted;
    const holding = text.toLowerCase().includes(search.lower);
    if (same && !inside.same) search.same.push(element);
    if (holding && !inside.holding) search.holding.push(element);
    return { same: same || inside.same, holding: holding || inside.holding };
  }

  function readText(element) {
    if (!dom.first(element, "head,script,style,template,noscript")) return dom.textContent(element);
    let text = "";
    for (let at = dom.firstChild(element); at; at = dom.nextSibling(at)) {
      if (dom.type(at) === 3) text += dom.text(at);
      else if (dom.type(at) === 1 && !IGNORED_TAGS.has(dom.tag(at))) text += readText(at);
    }
    return text;
  }

  // Role and name of an element: button "Save".
  tabwright.describe = function (element) {
    const role = tabwright.roleOf(element);
    const kind = role && role !== "none" ? role : dom.tag(element);
    const name =
      tabwright.nameOf(element).text || (isWidget(element) ? "" : tabwright.clean(readText(element).slice(0, 500)));
    return name ? `${kind} "${tabwright.cut(name, 60).replace(/["\\]/g, "\\$&")}"` : kind;
  };

  const isWidget = element => /^(input|select|textarea|iframe|html|body)$/.test(dom.tag(element));

  // Elements that the caller may have meant, for the error: [[label, number]…].
  tabwright.candidates = function (spec) {
    tabwright.clearCaches();
    const matches = tabwright.findMeant(spec).matches ?? [];
    const candidates = matches.length ? visibleFirst(matches, spec) : similar(spec);
    return candidates.slice(0, MAX_CANDIDATES).map(element => [tabwright.describe(element), tabwright.refOf(element)]);
  };

  function visibleFirst(elements, spec) {
    const visible = visibleMatches(elements, spec);
    return visible.length ? visible : elements;
  }

  function similar(spec) {
    const last = spec.steps.filter(step => step.value).pop();
    const wanted = pairs(last?.name ?? last?.value ?? "");
    const scored = [];
    for (const element of within([document], COMPARED)) {
      if (scored.length >= MAX_COMPARED) break;
      if (tabwright.hiddenReason(element)) continue;
      const texts = [tabwright.describe(element), nameIn(element), dom.attr(element, "id"), dom.attr(element, "class")];
      scored.push([Math.max(...texts.filter(Boolean).map(text => similarity(wanted, pairs(text)))), element]);
    }
    return scored
      .filter(([score]) => score > 0.15)
      .sort((one, other) => other[0] - one[0])
      .map(([, element]) => element);
  }

  const nameIn = element =>
    tabwright.nameOf(element).text || (isWidget(element) ? "" : plain(readText(element).slice(0, 200)));

  function pairs(text) {
    const found = new Set();
    for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
      for (let i = 0; i < word.length; i++) found.add(word.slice(i, i + 2));
    return found;
  }

  function similarity(one, other) {
    let shared = 0;
    for (const pair of one) if (other.has(pair)) shared++;
    return one.size + other.size ? (2 * shared) / (one.size + other.size) : 0;
  }
})(globalThis.tabwright);
