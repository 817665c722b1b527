// Collects what can be done in a frame, as facts with ref numbers, which Python turns into page tools. Also has the
// functions that running a tool needs.
"use strict";
(tabwright => {
  const { dom, finder } = tabwright;
  const EVERYTHING = { subtree: true, childList: true, attributes: true, characterData: true };
  const MAX_GROUPS = 100;
  const MAX_LISTS = 20;
  let changes = null;

  // Returns the facts of this frame as JSON.
  tabwright.pageTools = function () {
    tabwright.clearCaches();
    watchChanges();
    const facts = inspect();
    tabwright.clearCaches();
    return JSON.stringify(facts);
  };

  function inspect() {
    const { elements: paging, ...pagination } = finder.pagination();
    const { groups, singleFields, buttons } = finder.groups(paging);
    const forms = groups
      .map(group => group.container)
      .filter(container => !dom.matches(container, "body,main,[role=main]"));
    const submitButtons = new Set(groups.map(group => group.submit));
    const contents = finder.contents();
    const contentsParents = contents.filter(({ purpose }) => purpose !== "headings").map(({ parent }) => parent);
    const lists = finder.lists(forms, contentsParents);
    const inItem = finder.containerAmong(
      lists.filter(isContent).flatMap(list => [...list.items, ...similarItemsIn(list)]),
    );
    const repeats = finder.repeatedForms(lists, groups);
    const isRepeated = finder.repeatedFields(lists, singleFields);
    const choiceSets = finder.choiceSets();
    const openers = new Set(choiceSets.map(choices => choices.ref));
    const inGroup = finder.containerAmong(forms);
    const isPart = button =>
      submitButtons.has(button) || (inGroup(button) && (finder.formOf(button) || finder.isFieldButton(button)));
    const otherButtons = buttons.filter(button => !paging.has(button) && !inItem(button) && !submitButtons.has(button));
    const freeButtons = finder.toolButtons(otherButtons.filter(button => !isPart(button)));
    const panels = finder.buttonPanels(
      finder.toolButtons(otherButtons.filter(button => dom.attr(button, "type") !== "submit")),
    );
    const inPanel = new Set(panels.flatMap(panel => panel.buttons));
    const inContents = finder.containerAmong(contentsParents);
    const links = finder
      .actionLinks()
      .filter(link => !paging.has(link) && !inItem(link) && !inContents(link) && !submitButtons.has(link));
    return {
      url: document.URL,
      groups: groups
        .filter(group => !repeats.groups.has(group))
        .slice(0, MAX_GROUPS)
        .map(finder.describeGroup),
      singleFields: singleFields
        .filter(field => !inItem(field.element) || !isRepeated(field))
        .slice(0, MAX_GROUPS)
        .map(finder.describeSingleField),
      buttons: [...new Set([...freeButtons, ...links])]
        .filter(button => !inPanel.has(button) && !isSortButton(button))
        .slice(0, MAX_GROUPS)
        .map(finder.describeButton)
        .filter(button => !openers.has(button.ref)),
      lists: [
        ...contents.map(finder.describeContents),
        ...largest(lists)
          .map(list => ({
            ...finder.describeList(list, submitButtons),
            groups: repeats.byList.get(list) ?? null,
          }))
          .filter(list => list.purpose !== "contents" || (!contentsParents.length && list.openers !== null)),
      ],
      tables: finder.tables(),
      pagination,
      choiceSets: [...choiceSets, ...panels.map(finder.describePanel)],
      search: declaredSearch(),
      suspects: (tabwright.suspects = finder.suspects()).length,
    };
  }

  const isSortButton = button => {
    const head = dom.closest(button, "th,[role=columnheader]");
    return head !== null && finder.sortButton(head) === button;
  };

  const isContent = ({ parent }) => dom.closest(parent, "nav,[role=navigation]") === null;

  // The lists with the most items, in page order.
  function largest(lists) {
    const chosen = new Set([...lists].sort((a, b) => b.items.length - a.items.length).slice(0, MAX_LISTS));
    return lists.filter(list => chosen.has(list));
  }

  // The children of a list that look like its items, beyond those that were inspected.
  const similarItemsIn = ({ parent, items }) =>
    [...parent.children].slice(items.length).filter(child => dom.tag(child) === dom.tag(items[0]));

  // How the site declares that it can be searched, for pages without a search form.
  function declaredSearch() {
    const link = dom.first(dom.root(), "link[rel~=search][type='application/opensearchdescription+xml']");
    return { openSearch: link ? link.href : "", template: actionTemplate() };
  }

  function actionTemplate() {
    for (const script of [...dom.documentAll("script[type='application/ld+json']")].slice(0, 20)) {
      try {
        const found = searchAction(JSON.parse(dom.textContent(script)), 0);
        if (found) return found;
      } catch {} // not JSON
    }
    return "";
  }

  function searchAction(value, depth) {
    if (depth > 8 || typeof value !== "object" || value === null) return "";
    if ([value["@type"]].flat().includes("SearchAction")) {
      const target = [value.target].flat()[0];
      const template = typeof target === "object" && target ? target.urlTemplate : target;
      if (typeof template === "string" && /\{[^}]+\}/.test(template)) return template.slice(0, 1000);
    }
    for (const inner of Object.values(value)) {
      const found = searchAction(inner, depth + 1);
      if (found) return found;
    }
    return "";
  }

  // Whether the page may have changed since it was last inspected.
  tabwright.pageToolsChanged = function () {
    if (changes === null) return true;
    changes.seen ||= changes.observer.takeRecords().length > 0;
    return changes.seen;
  };

  // Resolves once the page may have changed, or after `ms`; at once if it has changed since the last inspection.
  tabwright.pageToolsNextChange = ms => (tabwright.pageToolsChanged() ? null : tabwright.nextChange(ms));

  function watchChanges() {
    changes?.observer.disconnect();
    const watch = (changes = {
      seen: false,
      observer: new MutationObserver(() => {
        watch.seen = true;
      }),
    });
    for (const tree of tabwright.trees([document])) watch.observer.observe(tree, EVERYTHING);
  }

  for (const type of ["load", "resize", "toggle", "transitionend", "animationend"]) {
    addEventListener(
      type,
      () => {
        if (changes) changes.seen = true;
      },
      true,
    );
  }

  // Records which fields the browser rejects, until the form is submitted.
  let rejectedFields = null;
  let listening = new AbortController();
  tabwright.pageToolWatchSubmit = function (container) {
    const element = tabwright.nodeOf(container);
    const rejected = (rejectedFields = new Map());
    listening.abort();
    listening = new AbortController();
    const options = { capture: true, signal: listening.signal };
    // Neither event leaves the shadow root that it happens in.
    const root = element ? dom.ownerRoot(element) : document;
    root.addEventListener("invalid", ({ target }) => rejected.set(target, target.validationMessage), options);
    root.addEventListener("submit", () => rejected.clear(), options);
  };

  // The errors of fields: [[number, message, whether it prevents submitting]].
  tabwright.pageToolErrors = function (numbers) {
    tabwright.clearCaches();
    const faults = [];
    for (const number of numbers) {
      const element = tabwright.nodeOf(number);
      if (!element) continue;
      if (rejectedFields?.has(element)) faults.push([number, finder.cleanText(rejectedFields.get(element), 200), true]);
      else if (dom.attr(element, "aria-invalid") === "true") faults.push([number, messageOf(element), false]);
    }
    return faults;
  };

  function messageOf(element) {
    const ids = `${dom.attr(element, "aria-errormessage") ?? ""} ${dom.attr(element, "aria-describedby") ?? ""}`
      .trim()
      .split(/\s+/);
    const texts = ids
      .map(id => (id ? dom.byId(dom.ownerRoot(element), id) : null))
      .filter(target => target && finder.isVisible(target));
    return (
      texts
        .map(target => finder.visibleText(target, 120))
        .filter(Boolean)
        .join(" ") || "not accepted"
    );
  }

  const LIVE_REGIONS = "[role=alert],[role=status],[role=log],[aria-live=polite],[aria-live=assertive],output";

  // The texts of alerts, status messages and live regions.
  tabwright.pageToolAlerts = function () {
    tabwright.clearCaches();
    return finder
      .all(LIVE_REGIONS)
      .slice(0, 50)
      .filter(finder.isVisible)
      .map(element => finder.visibleText(element, 200))
      .filter(Boolean);
  };

  const OPTIONS = "[role=option],[role=menuitem],[role=menuitemradio],[role=menuitemcheckbox],[role=treeitem]";

  // The visible options of a list that a control opened, or what a dialog offers: [[number, label]].
  tabwright.pageToolOptions = function (inDialogs) {
    tabwright.clearCaches();
    const options = finder.all(inDialogs ? `${OPTIONS},[role=dialog] button` : OPTIONS).filter(finder.isVisible);
    return options
      .slice(0, 500)
      .map(
        option =>
          /** @type {[number, string]} */ ([
            tabwright.refOf(option),
            finder.cleanText(tabwright.nameOf(option).text || dom.textContent(option)),
          ]),
      );
  };

  // The list with the most text, preferably in the main landmark: {title, count, items}; null if there is none.
  tabwright.pageToolResults = function (maxItems, maxLength) {
    tabwright.clearCaches();
    const inMain = list => finder.position(list.parent).landmark === "main";
    const lists = finder.lists([]).filter(list => !finder.position(list.parent).consent);
    const main = lists.filter(inMain);
    const weight = list => list.items.reduce((sum, item) => sum + Math.min(400, dom.textContent(item).length), 0);
    const best = (main.length ? main : lists).sort((a, b) => weight(b) - weight(a))[0];
    if (!best) return null;
    const items = best.items.slice(0, maxItems).map(item => finder.visibleText(item, maxLength));
    return { title: finder.listTitle(best.parent), count: best.items.length, items };
  };

  // The state of an element according to its attributes.
  tabwright.pageToolState = function (number) {
    const element = tabwright.nodeOf(number);
    if (!element) return null;
    const read = name => dom.attr(element, name);
    return {
      now: read("aria-valuenow"),
      selected: read("aria-selected"),
      expanded: read("aria-expanded"),
      pressed: read("aria-pressed"),
      checked: read("aria-checked"),
      secret: tabwright.isSecret(element),
    };
  };

  // The label of a button or link now, and whether it is a link to another page.
  tabwright.pageToolButton = function (number) {
    tabwright.clearCaches();
    const element = tabwright.nodeOf(number);
    if (!element) return null;
    return { label: finder.displayName(element, 80), link: dom.matches(element, "a[href]") };
  };

  // The button that the browser presses on Enter in a field; null if there is none.
  tabwright.pageToolDefaultButton = function (number) {
    tabwright.clearCaches();
    const element = tabwright.nodeOf(number);
    const form = element instanceof HTMLInputElement ? finder.formOf(element) : null;
    const button = form && finder.all("button,input").find(one => finder.isSubmit(one) && finder.formOf(one) === form);
    return button ? { label: finder.displayName(button, 80), unrelated: finder.isUnrelated(button) } : null;
  };

  // Fetches a text of this site, cut at `maxLength`; "" for other sites and failed requests.
  tabwright.pageToolFetch = async function (address, maxLength) {
    if (new URL(address, document.baseURI).origin !== location.origin) return "";
    const answer = await fetch(address, { credentials: "same-origin" });
    return answer.ok ? (await answer.text()).slice(0, maxLength) : "";
  };

  // Of pairs of pattern and value, returns the patterns that do not match, checked as the browser checks `pattern`.
  tabwright.pageToolMismatches = pairs =>
    pairs.filter(([pattern, value]) => !matches(pattern, value)).map(([pattern]) => pattern);

  function matches(pattern, value) {
    try {
      return new RegExp(pattern, "v").test(value);
    } catch {
      return true; // the browser ignores an invalid pattern
    }
  }
})(globalThis.tabwright);
