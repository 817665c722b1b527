// Fields that are built of elements with ARIA roles: what kind one is, the options that it offers, the value it shows.
// Python operates them with real keys and clicks, and asks here what came of it.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const OPTIONS = [
    "[role=option]",
    "[role=radio],input[type=radio i]",
    "[role=menuitemradio],[role=menuitemcheckbox],[role=menuitem],[role=treeitem]",
  ];
  const ALL_OPTIONS = OPTIONS.join();
  // Any text can be searched for, and a suggestion may start the search.
  const SITE_SEARCH = "search,[role=search],[enterkeyhint=search i]";
  const POPUPS = /^(dialog|grid|tree|menu)$/;
  const MAX_LISTED = 8;
  const MAX_NAMES = 30;
  const MAX_LEVELS = 6;
  const innerText = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "innerText").get;
  const CHECKED = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "checked").get;

  // {control, known: the options that were visible before it was opened}
  let widget = { control: null, known: new Set() };

  // "steps": moved by keys. "list": its options are inside. "popup": opens a list. "suggest": a text field with a list.
  // "" for any other field.
  tabwright.widgetKind = function (control) {
    const role = tabwright.roleOf(control);
    const typable = tabwright.isTextInput(control) || (control instanceof HTMLElement && dom.editable(control));
    if (control instanceof HTMLSelectElement) return "";
    if (role === "slider" || role === "spinbutton") return typable ? "" : "steps";
    if (role === "listbox" || role === "radiogroup") return "list";
    const fixed = control.readOnly === true || dom.attr(control, "aria-readonly") === "true";
    if (typable && !fixed) return suggests(control, role) ? "suggest" : "";
    if (role === "combobox" || dom.attr(control, "aria-haspopup") === "listbox") return "popup";
    if (dom.attr(control, "aria-haspopup") === "dialog" && !typable) return "popup";
    return tabwright.isField(control) ? "" : "list"; // a group of radio buttons
  };

  function suggests(control, role) {
    if (dom.closest(control, SITE_SEARCH) || POPUPS.test(dom.attr(control, "aria-haspopup") ?? "")) return false;
    if (role === "combobox" || dom.attr(control, "aria-haspopup") === "listbox") return !dom.has(control, "list");
    if (/^(list|both)$/.test(dom.attr(control, "aria-autocomplete") ?? "")) return true;
    const around = tabwright.parentOf(control);
    return Boolean(around && dom.closest(around, "[role=combobox]"));
  }

  tabwright.holdWidget = function (control) {
    const visible = [...allOptions()].filter(isShown);
    widget = { control, known: new Set(visible) };
    control.focus();
    return { expanded: isExpanded(control), ...steps(control) };
  };

  const isShown = element => tabwright.hiddenReason(element) === "";

  function* allOptions() {
    for (const tree of tabwright.trees([document]))
      yield* tree instanceof Element ? dom.all(tree, ALL_OPTIONS) : tree.querySelectorAll(ALL_OPTIONS);
  }

  function isExpanded(control) {
    for (let at = control, i = 0; at && i < 3; at = tabwright.parentOf(at), i++) {
      const expanded = dom.attr(at, "aria-expanded");
      if (expanded !== null) return expanded === "true";
    }
    return false;
  }

  // The visible options of the widget: inside it, in the list that it controls, or anywhere else since it was opened.
  function offeredOptions() {
    const { control, known } = widget;
    const own = tabwright.isTextInput(control) ? [] : optionsIn(control);
    if (own.length) return ofOneKind(own);
    const lists = controlledLists(control);
    const controlled = lists.flatMap(optionsIn);
    if (controlled.length) return ofOneKind(controlled);
    const drawn = lists.flatMap(drawnOptions);
    return drawn.length ? drawn : ofOneKind([...allOptions()].filter(option => isShown(option) && !known.has(option)));
  }

  function ofOneKind(found) {
    const kind = OPTIONS.find(selector => found.some(option => dom.matches(option, selector)));
    return found.filter(option => dom.matches(option, kind));
  }

  // The options that are drawn for the eye near a list for screen readers, which is hidden: the element with the name of
  // its first option, and the elements like it.
  function drawnOptions(list) {
    const hidden = [...tabwright.descendants(list)].find(inner => dom.matches(inner, "[role=option]"));
    const popup = hidden && visibleAround(list);
    if (!popup) return [];
    const name = nameOf(hidden);
    const texts = [...tabwright.descendants(popup)].filter(inner => isShown(inner) && !dom.contains(list, inner));
    const drawn = texts.filter(inner => inner instanceof HTMLElement && textIn(inner) === name).pop();
    for (let at = drawn; at && at !== popup; at = tabwright.parentOf(at)) {
      const alike = [...dom.parentNode(at).children].filter(other => isAlike(at, other) && isShown(other));
      if (alike.length > 1) return alike;
    }
    return drawn ? [drawn] : [];
  }

  function visibleAround(element) {
    let at = element;
    while (at && (!isShown(at) || dom.rect(at).width * dom.rect(at).height === 0)) at = tabwright.parentOf(at);
    return at && !/^(body|html)$/.test(dom.tag(at)) ? at : null;
  }

  const firstClass = element => (dom.attr(element, "class") ?? "").trim().split(/\s+/)[0];
  const isAlike = (one, other) => dom.tag(one) === dom.tag(other) && firstClass(one) === firstClass(other);

  const optionsIn = element =>
    [...tabwright.descendants(element)].filter(
      inner => dom.matches(inner, ALL_OPTIONS) && (isShown(inner) || inner instanceof HTMLInputElement),
    );

  function controlledLists(control) {
    const lists = [];
    for (let at = control, i = 0; at && i < 3; at = tabwright.parentOf(at), i++)
      for (const attribute of ["aria-controls", "aria-owns"])
        for (const id of (dom.attr(at, attribute) ?? "").split(/\s+/)) {
          const list = id && byId(at, id);
          if (list) lists.push(list);
        }
    return [...new Set(lists)];
  }

  function byId(element, id) {
    for (let root = dom.ownerRoot(element); root; root = root instanceof ShadowRoot ? dom.ownerRoot(root.host) : null) {
      const found = root instanceof Document || root instanceof ShadowRoot ? dom.byId(root, id) : null;
      if (found) return found;
    }
    return null;
  }

  const nameOf = option =>
    tabwright.clean(tabwright.nameOf(option).text || (option instanceof HTMLElement ? innerText.call(option) : ""));

  function isSelected(option) {
    if (option instanceof HTMLInputElement) return CHECKED.call(option);
    return dom.attr(option, "aria-selected") === "true" || dom.attr(option, "aria-checked") === "true";
  }

  // The option with that name, in any case, or with that value.
  function match(options, wanted) {
    const name = tabwright.clean(wanted);
    const lower = name.toLowerCase();
    return (
      options.find(option => nameOf(option) === name) ??
      options.find(option => nameOf(option).toLowerCase() === lower) ??
      options.find(option => ["data-value", "value"].some(attribute => dom.attr(option, attribute) === wanted))
    );
  }

  // {found: for each value its option or null, extra: selected options that are not wanted, …}
  function describeOptions(values) {
    tabwright.clearCaches();
    const { control } = widget;
    if (!control || !dom.isConnected(control)) return null;
    const options = offeredOptions();
    const found = values.map(value => match(options, value) ?? null);
    const multiple = options.some(option => dom.closest(option, "[aria-multiselectable=true]"));
    return {
      found,
      options,
      expanded: isExpanded(control) || (options.length > 0 && tabwright.widgetKind(control) !== "list"),
      multiple,
      extra: multiple ? options.filter(option => isSelected(option) && !found.includes(option)) : [],
    };
  }

  const fact = option => ({
    number: tabwright.refOf(option),
    name: nameOf(option),
    selected: isSelected(option) && !isOnlyProposed(option),
    disabled: tabwright.isInactive(option),
  });

  // Whether an option is marked only because the keyboard would choose it next, as lists of suggestions do.
  function isOnlyProposed(option) {
    const { control } = widget;
    if (!tabwright.isTextInput(control) || control.readOnly) return false;
    const name = nameOf(option).toLowerCase();
    return !boxes(control).some(
      box =>
        box instanceof HTMLElement && !dom.contains(box, option) && innerText.call(box).toLowerCase().includes(name),
    );
  }

  // Waits until all wanted options are there; else until the list has not changed for `quiet` ms, or `most` ms are over.
  // A list that is not open is waited for `first` ms.
  tabwright.waitForOptions = async function (values, { quiet, first, most }) {
    const start = performance.now();
    let [seen, since] = ["", start];
    for (;;) {
      const state = describeOptions(values);
      if (!state) return null;
      const now = performance.now();
      const names = JSON.stringify(state.options.slice(0, 50).map(nameOf));
      if (names !== seen) [seen, since] = [names, now];
      const settled = state.options.length > 0 && now - since >= quiet;
      const absent = state.options.length === 0 && !state.expanded && now - start >= first;
      if (state.found.every(Boolean) || settled || absent || now - start >= most) return report(state);
      await tabwright.nextChange(60);
    }
  };

  const report = ({ found, options, expanded, multiple, extra }) => ({
    expanded,
    multiple,
    found: found.map(option => option && fact(option)),
    extra: extra.slice(0, MAX_NAMES).map(fact),
    names: options.slice(0, MAX_NAMES).map(option => tabwright.cut(nameOf(option), 60)),
    listed: options.slice(0, MAX_LISTED).map(option => [tabwright.cut(nameOf(option), 60), tabwright.refOf(option)]),
    count: options.length,
  });

  // Whether the widget shows these names, or the options numbered so are selected; waits for it up to `ms`.
  tabwright.waitForChosen = async function (names, numbers, ms) {
    const deadline = performance.now() + ms;
    for (;;) {
      tabwright.clearCaches();
      const { control } = widget;
      if (!control || !dom.isConnected(control)) return null;
      const chosen = numbers.every(number => {
        const option = tabwright.nodeOf(number);
        return option instanceof Element && dom.isConnected(option) && isSelected(option);
      });
      const inDialog = numbers.some(number => isInDialog(tabwright.nodeOf(number), control));
      // A list shows all names, chosen or not.
      const held = (chosen && !inDialog) || (tabwright.widgetKind(control) !== "list" && shows(control, names));
      if (held || performance.now() >= deadline)
        return { held, inDialog: chosen && inDialog, shown: shownText(control), expanded: isExpanded(control) };
      await tabwright.nextChange(100);
    }
  };

  // What the widget shows after `ms`, if not the choice any more; null if it still does, or is gone.
  tabwright.watchChoice = async function (names, numbers, ms) {
    await new Promise(resolve => setTimeout(resolve, ms));
    const state = await tabwright.waitForChosen(names, numbers, 0);
    return state === null || state.held ? null : { value: state.shown, reverted: true, secret: false };
  };

  // Whether an option is in a dialog that the widget has opened, where the choice may have to be confirmed.
  function isInDialog(option, control) {
    if (!(option instanceof Element) || !dom.isConnected(option) || !isShown(option)) return false;
    const dialog = dom.closest(option, "dialog,[role=dialog],[role=alertdialog]");
    return dialog !== null && !dom.contains(dialog, control);
  }

  // Waits up to `ms` for the list to close; whether it is still open.
  tabwright.isStillOpen = async function (ms) {
    const deadline = performance.now() + ms;
    const { control } = widget;
    while (control && dom.isConnected(control) && isExpanded(control)) {
      if (performance.now() >= deadline) return true;
      await tabwright.nextChange(50);
    }
    return false;
  };

  const shownText = element => {
    const own = textIn(element);
    if (own || !tabwright.isTextInput(element)) return own;
    const around = boxes(element).map(textIn).find(Boolean);
    return around ?? "";
  };

  // The text of an element, with the values of the fields inside.
  function textIn(element) {
    const values = [element, ...tabwright.descendants(element)]
      .filter(inner => inner instanceof HTMLInputElement && !tabwright.isSecret(inner) && isShown(inner))
      .map(inner => inner.value);
    return tabwright.clean([element instanceof HTMLElement ? innerText.call(element) : "", ...values].join(" "));
  }

  // The elements around a control that belong to it alone.
  function boxes(control) {
    const found = [];
    for (let at = tabwright.parentOf(control); at && found.length < MAX_LEVELS; at = tabwright.parentOf(at)) {
      if (/^(body|html|form|fieldset|dialog|tr|table)$/.test(dom.tag(at))) break;
      if (tabwright.fieldsInside(at).some(field => field !== control && !dom.contains(field, control))) break;
      found.push(at);
    }
    return found;
  }

  function shows(control, names) {
    const wanted = names.map(name => name.toLowerCase());
    return [control, ...boxes(control)].some(box => {
      const text = textIn(box).toLowerCase();
      return wanted.every(name => text.includes(name));
    });
  }

  // For fields that keys move: {now, least, most, text}.
  function steps(control) {
    const number = name => {
      const value = parseFloat(dom.attr(control, name) ?? "");
      return Number.isFinite(value) ? value : null;
    };
    return {
      now: number("aria-valuenow"),
      least: number("aria-valuemin"),
      most: number("aria-valuemax"),
      text: tabwright.clean(dom.attr(control, "aria-valuetext") ?? ""),
    };
  }

  // The same after keys were pressed: once it has changed and stands still, or after a while.
  tabwright.stepsAfter = async function (before) {
    const { control } = widget;
    const deadline = performance.now() + 400;
    for (let last = before; control && dom.isConnected(control); ) {
      const now = steps(control);
      const changed = now.now !== before.now || now.text !== before.text;
      if ((changed && now.now === last.now && now.text === last.text) || performance.now() >= deadline) return now;
      last = now;
      await new Promise(resolve => setTimeout(resolve, 40));
    }
    return null;
  };
})(globalThis.tabwright);
