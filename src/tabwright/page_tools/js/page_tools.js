// For page tools: one look at a frame that tells what can be done there, as facts with element numbers; Python names
// and types it. Also what running a tool needs to ask of the page.
"use strict";
(tabwright => {
  const { dom, offers } = tabwright;
  const EVERYTHING = { subtree: true, childList: true, attributes: true, characterData: true };
  const MOST_GROUPS = 100;
  const MOST_LISTS = 20;
  let changes = null;

  // The facts of this frame.
  tabwright.pageTools = function () {
    tabwright.clearCaches();
    watchChanges();
    const facts = look();
    tabwright.clearCaches();
    return JSON.stringify(facts);
  };

  function look() {
    const { elements: paging, ...pagination } = offers.pagination();
    const { groups, lone, buttons } = offers.groups(paging);
    const forms = groups
      .map(group => group.container)
      .filter(container => !dom.matches(container, "body,main,[role=main]"));
    const senders = new Set(groups.map(group => group.submit));
    const lists = offers.lists(forms);
    const inItem = finder(lists.flatMap(list => [...list.items, ...alikeIn(list)]));
    const choosers = offers.choosers();
    const openers = new Set(choosers.map(chooser => chooser.ref));
    const inGroup = finder(forms);
    const isPart = button =>
      senders.has(button) || (inGroup(button) && (offers.formOf(button) || offers.isAside(button)));
    const apartFrom = buttons.filter(button => !paging.has(button) && !inItem(button) && !senders.has(button));
    const free = offers.buttons(apartFrom.filter(button => !isPart(button)));
    const panels = offers.panels(offers.buttons(apartFrom.filter(button => dom.attr(button, "type") !== "submit")));
    const inPanel = new Set(panels.flatMap(panel => panel.buttons));
    return {
      url: document.URL,
      groups: groups
        .filter(group => !inItem(group.container))
        .slice(0, MOST_GROUPS)
        .map(offers.describeGroup),
      lone: lone
        .filter(field => !inItem(field.element))
        .slice(0, MOST_GROUPS)
        .map(offers.describeLone),
      buttons: free
        .filter(button => !inPanel.has(button))
        .slice(0, MOST_GROUPS)
        .map(offers.describeButton)
        .filter(button => !openers.has(button.ref)),
      lists: lists.slice(0, MOST_LISTS).map(list => ({ ...offers.describeList(list), groups: groupsIn(list, groups) })),
      tables: offers.tables(),
      pagination,
      choosers: [...choosers, ...panels.map(offers.describePanel)],
      search: searchElsewhere(),
      suspects: (tabwright.suspects = offers.suspects()).length,
    };
  }

  // The children of a list that look like its items, beyond those that were looked at.
  const alikeIn = ({ parent, items }) =>
    [...parent.children].slice(items.length).filter(child => dom.tag(child) === dom.tag(items[0]));

  // A function that tells which of some elements another one is in, or is.
  function finder(elements) {
    const known = new Set(elements);
    return element => (known.has(element) ? element : [...offers.around(element)].find(at => known.has(at)));
  }

  // The little forms of the items of a list: one for each item, or none at all.
  function groupsIn({ items }, groups) {
    const itemOf = finder(items);
    const byItem = new Map();
    for (const group of groups) {
      const item = itemOf(group.container);
      if (item && !byItem.has(item)) byItem.set(item, group);
    }
    if (byItem.size < 3) return null;
    return items.slice(0, MOST_GROUPS).map(item => (byItem.has(item) ? offers.describeGroup(byItem.get(item)) : null));
  }

  // How the site says it can be searched, for pages without a search box.
  function searchElsewhere() {
    const link = dom.first(dom.root(), "link[rel~=search][type='application/opensearchdescription+xml']");
    return { openSearch: link ? link.href : "", template: actionTemplate() };
  }

  function actionTemplate() {
    for (const script of [...dom.documentAll("script[type='application/ld+json']")].slice(0, 20)) {
      try {
        const found = searchAction(JSON.parse(dom.textContent(script)), 0);
        if (found) return found;
      } catch {} // what is no JSON says nothing
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

  // Whether the page may have changed since the last look.
  tabwright.pageToolsChanged = function () {
    if (changes === null) return true;
    changes.seen ||= changes.observer.takeRecords().length > 0;
    return changes.seen;
  };

  // Resolves once it may have, at the latest after `ms`: what came since somebody asked whether it had is not missed.
  tabwright.pageToolsChange = ms => (tabwright.pageToolsChanged() ? null : tabwright.nextChange(ms));

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

  for (const sign of ["load", "resize", "toggle", "transitionend", "animationend"]) {
    addEventListener(
      sign,
      () => {
        if (changes) changes.seen = true;
      },
      true,
    );
  }

  // Notes from now on which fields the browser refuses to send, until something is sent.
  let refused = null;
  let listening = new AbortController();
  tabwright.pageToolSending = function (container) {
    const element = tabwright.nodeOf(container);
    const held = (refused = new Map());
    listening.abort();
    listening = new AbortController();
    const how = { capture: true, signal: listening.signal };
    // Neither of the two leaves the shadow root that it happens in.
    const root = element ? dom.ownerRoot(element) : document;
    root.addEventListener("invalid", ({ target }) => held.set(target, target.validationMessage), how);
    root.addEventListener("submit", () => held.clear(), how);
  };

  // What the page has against the values of fields: [[number, message, whether it keeps them from being sent]].
  tabwright.pageToolFaults = function (numbers) {
    tabwright.clearCaches();
    const faults = [];
    for (const number of numbers) {
      const element = tabwright.nodeOf(number);
      if (!element) continue;
      if (refused?.has(element)) faults.push([number, offers.words(refused.get(element), 200), true]);
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
      .filter(target => target && offers.seen(target));
    return (
      texts
        .map(target => offers.shown(target, 120))
        .filter(Boolean)
        .join(" ") || "not accepted"
    );
  }

  const SPOKEN = "[role=alert],[role=status],[role=log],[aria-live=polite],[aria-live=assertive],output";

  // What the page says in the places meant for it.
  tabwright.pageToolAlerts = function () {
    tabwright.clearCaches();
    return offers
      .all(SPOKEN)
      .slice(0, 50)
      .filter(offers.seen)
      .map(element => offers.shown(element, 200))
      .filter(Boolean);
  };

  const OFFERED = "[role=option],[role=menuitem],[role=menuitemradio],[role=menuitemcheckbox],[role=treeitem]";

  // The options that are to be seen now, of a list that a control opened, or of a calendar: [[number, label]].
  tabwright.pageToolOptions = function (calendar) {
    tabwright.clearCaches();
    const options = offers
      .all(
        calendar ? `${OFFERED},[role=gridcell],[role=dialog] button,[role=grid] button,td button,[data-date]` : OFFERED,
      )
      .filter(offers.seen);
    return options
      .slice(0, 500)
      .map(
        option =>
          /** @type {[number, string]} */ ([
            tabwright.refOf(option),
            offers.words(tabwright.nameOf(option).text || dom.textContent(option)),
          ]),
      );
  };

  // The list that says most, in the main part of the page if that is marked: {title, count, items}; null without one.
  tabwright.pageToolResults = function (most, longest) {
    tabwright.clearCaches();
    const inMain = list => offers.place(list.parent).land === "main";
    const lists = offers.lists([]).filter(list => !offers.place(list.parent).consent);
    const main = lists.filter(inMain);
    const weight = list => list.items.reduce((sum, item) => sum + Math.min(400, dom.textContent(item).length), 0);
    const best = (main.length ? main : lists).sort((a, b) => weight(b) - weight(a))[0];
    if (!best) return null;
    const items = best.items.slice(0, most).map(item => offers.shown(item, longest));
    return { title: offers.listTitle(best.parent), count: best.items.length, items };
  };

  // The state of an element as its attributes tell it.
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
    };
  };

  // The text of an address of this site, cut.
  tabwright.pageToolFetched = async function (address, most) {
    if (new URL(address, document.baseURI).origin !== location.origin) return "";
    const answer = await fetch(address, { credentials: "same-origin" });
    return answer.ok ? (await answer.text()).slice(0, most) : "";
  };

  // Which values do not match the pattern of their field, as the browser itself would judge.
  tabwright.pageToolMismatches = pairs =>
    pairs.filter(([pattern, value]) => !matches(pattern, value)).map(([pattern]) => pattern);

  function matches(pattern, value) {
    try {
      return new RegExp(pattern, "v").test(value);
    } catch {
      return true; // the browser ignores a pattern that is none
    }
  }
})(globalThis.tabwright);
