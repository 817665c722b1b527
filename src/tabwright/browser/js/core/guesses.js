// Guesses where markup says nothing: what a control without a name is for, and a state that only a class or style shows.
// Never part of a name. Only a few plain words of an attribute are used: what nobody sees must not speak to agents.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const words = text => new Set(text.trim().split(/\s+/));
  const ICON_CONTROLS = words("button generic link menuitem summary tab");
  const FIELDS = words(
    "checkbox color combobox date datetime inputtime radio searchbox slider spinbutton switch textbox",
  );
  const MAX_WORDS = 4;
  const MAX_INNER = 30;

  const TEST_IDS = ["data-testid", "data-test-id", "data-test", "data-qa", "data-cy"];
  const TOOLTIPS = ["data-tooltip", "data-title", "data-original-title", "data-bs-original-title", "data-tip"];
  const ICON_ATTRIBUTES = ["data-icon", "data-lucide", "data-feather", "icon"];
  // Families of icons: the rest of the class is the icon.
  const ICON_CLASS = new RegExp(
    "^(?:fa|bi|mdi|ti|ri|bx|bxs|la|pi|ph|uil|ion|typcn|glyphicon|octicon|codicon|anticon|dashicons|lucide|feather" +
      "|icon|icons|ico|svg-icon|ui-icon|el-icon|k-i|ql|i-[a-z]+)[-_]+([a-z][\\w-]*)$|^([a-z][\\w-]*?)[-_]+icon$",
    "i",
  );
  // Classes that say what a control does, whatever style sheet they come from.
  const TELLING =
    words(`add align archive attach back bold bookmark calendar cart clear close collapse color comment copy cut delete
    dismiss download edit expand favorite filter forward fullscreen hamburger heart heading help home indent info italic
    like login logout menu minus more mute next notifications paste pause pin play plus prev previous print quote redo
    refresh remove reply retweet save search send settings share sort star strike trash underline undo unlike upload user
    zoom`);
  const NOISE =
    words(`icon icons ico btn button link svg img image line fill filled outline outlined solid regular light
    thin duotone brands sharp rounded round circle square alt lg md sm xs xl xxl px js fa fas far fab id el ui wrapper
    container root react field input control component element item the default small large medium white black dark
    spin fw stack pulse inverse flip rotate fixed layers class style block inner outer text label
    checkbox radio form box hover`);
  // File names of pictures that another one replaces, or that show nothing.
  const PLACEHOLDER = /transparent|lazy|blank|spacer|pixel|placeholder|loading|empty|dummy|sprite|background|gradient/;
  const ADDRESS = /^url\("?(.*?)"?\)/;
  const MAX_DRAWN = 5; // elements whose style is asked for
  const OTHER_WORDS = {
    x: "close",
    xmark: "close",
    times: "close",
    bars: "menu",
    hamburger: "menu",
    prev: "previous",
    ellipsis: "more",
    kebab: "more",
    dots: "more",
    magnifier: "search",
  };
  const SHORT_WORDS = words("css html pdf rss tv xml x sms up qr to my");

  // Words of an identifier, "" if it holds none: "btnAddToCart-2" is "add to cart". With more digits it was generated.
  function readWords(identifier) {
    if (!identifier || identifier.length > 80 || /\d{3}/.test(identifier)) return "";
    const parts = identifier
      .replace(/([a-z\d])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .split(/[^a-z\d]+/)
      .map(part => part.replace(/\d+$/, ""))
      .filter(part => part && !NOISE.has(part));
    if (!parts.length || parts.length > MAX_WORDS || !parts.every(isWord)) return "";
    return [...new Set(parts.map(part => (Object.hasOwn(OTHER_WORDS, part) ? OTHER_WORDS[part] : part)))].join(" ");
  }

  const isWord = part => SHORT_WORDS.has(part) || (/^[a-z]{3,16}$/.test(part) && /[aeiouy]/.test(part));

  // What a control without a name looks like, in a few words; "" if nothing says.
  tabwright.guessName = function (element, role) {
    if (FIELDS.has(role)) return fromField(element, role);
    if (!ICON_CONTROLS.has(role)) return "";
    const parts = [element];
    if (!collectIconParts(element, parts) || dom.first(element, HAS_NAME_OF_ITS_OWN)) return "";
    const said = fromIcon(parts) || fromAround(element) || fromOwn(element);
    return said || firstOf(parts.slice(0, MAX_DRAWN), drawnWords);
  };

  // Collects the elements inside. False if there is text or much more than an icon: most containers end here at once.
  function collectIconParts(element, parts) {
    for (let at = dom.firstChild(element); at; at = dom.nextSibling(at)) {
      const type = dom.type(at);
      if (type === 3 && /\S/.test(dom.text(at)) && tabwright.clean(dom.text(at)) !== "") return false;
      if (type !== 1) continue;
      if (parts.push(at) > MAX_INNER || !collectIconParts(at, parts)) return false;
    }
    return true;
  }

  const HAS_NAME_OF_ITS_OWN =
    "a[href],button,input,select,textarea,iframe,video,canvas,img[alt]:not([alt='']),[tabindex]";

  const firstOf = (names, read) => {
    for (const name of names) {
      const found = read(name);
      if (found) return found;
    }
    return "";
  };

  const fromAttributes = (element, names) => firstOf(names, name => readWords(dom.attr(element, name)));

  function fromIcon(parts) {
    const [element] = parts;
    return (
      fromAttributes(element, TOOLTIPS) ||
      fromAttributes(element, TEST_IDS) ||
      firstOf(parts, spriteWords) ||
      firstOf(parts, part => fromAttributes(part, ICON_ATTRIBUTES)) ||
      firstOf(parts, part => (dom.tag(part).endsWith("-icon") ? readWords(dom.attr(part, "name")) : "")) ||
      firstOf(parts, iconClassWords) ||
      firstOf(parts, fileWords)
    );
  }

  // <use href="#icon-trash">
  const spriteWords = part =>
    dom.tag(part) === "use"
      ? readWords((dom.attr(part, "href") ?? dom.attr(part, "xlink:href") ?? "").split("#")[1])
      : "";

  const classesOf = element => (dom.attr(element, "class") ?? "").split(/\s+/).filter(Boolean);

  const iconClassWords = part =>
    firstOf(classesOf(part), name => {
      const [, after, before] = ICON_CLASS.exec(name) ?? [];
      return readWords(after ?? before);
    });

  const fileWords = part => (/^(img|input)$/.test(dom.tag(part)) ? wordsOfFile(dom.attr(part, "src") ?? "") : "");

  // The file of a picture that a style sheet draws.
  function drawnWords(part) {
    const { content, backgroundImage, maskImage } = tabwright.styleOf(part);
    return firstOf([content, backgroundImage, maskImage], value => wordsOfFile(ADDRESS.exec(value ?? "")?.[1] ?? ""));
  }

  function wordsOfFile(address) {
    if (address === "" || /^(data|blob):/i.test(address)) return "";
    const file = address.split(/[?#]/)[0].split("/").pop();
    return PLACEHOLDER.test(file.toLowerCase()) ? "" : readWords(file.replace(/\.[a-z]+$/i, ""));
  }

  // A wrapper that holds nothing else, or the custom element whose shadow root holds the control.
  function fromAround(element) {
    const parent = tabwright.parentOf(element);
    const root = dom.ownerRoot(element);
    const host = root instanceof ShadowRoot ? root.host : null;
    const alone = parent && dom.firstElement(parent) === element && !dom.nextElement(element);
    const wrapper = alone && tabwright.clean(dom.textContent(parent)) === "" ? parent : null;
    const from = holder => holder && fromAttributes(holder, ["title", "aria-label", ...TOOLTIPS, ...TEST_IDS]);
    return from(wrapper) || from(host) || (host && fromAttributes(host, ["icon", "name"])) || "";
  }

  // The id of a link is where other links lead.
  const fromOwn = element =>
    (dom.tag(element) === "a" ? "" : fromAttributes(element, ["name", "id"])) ||
    firstOf(classesOf(element), name => tellingWord(name));

  const tellingWord = name =>
    readWords(
      name
        .replace(/([a-z\d])([A-Z])/g, "$1-$2")
        .toLowerCase()
        .split(/[^a-z]+/)
        .find(part => TELLING.has(part)),
    );

  const PURPOSES = words("email tel url password search");

  function fromField(element, role) {
    const type = dom.tag(element) === "input" ? tabwright.inputType(element) : "";
    const isChoice = role === "radio" || role === "checkbox";
    const choice = isChoice ? readWords((dom.attr(element, "value") ?? "").replace(/^(on|yes|true)$/i, "")) : "";
    if (choice || role === "radio") return choice; // all radio buttons of a group have the same name
    return (
      readWords((dom.attr(element, "autocomplete") ?? "").replace(/^(on|off)$/i, "")) ||
      fromAttributes(element, ["name", "id", ...TEST_IDS]) ||
      fromAround(element) ||
      (PURPOSES.has(type) ? type : "")
    );
  }

  const SELECTED =
    /(?:^|[-_])(?:active|selected|current)$|^current[-_](?:menu|page)[-_]item$|^router-link-exact-active$/i;
  const DISABLED = /(?:^|[-_])disabled$/i;
  // Almost no class has one of these; the exact test is slower.
  const MARKED = /active|selected|current|disabled/i;
  const NONE = [];
  const STATED = "[aria-selected],[aria-current],[aria-pressed],[aria-checked],[aria-disabled],:disabled";
  const STATEFUL = words("button generic link menuitem tab");

  // States that only a class shows: "looks selected", "looks disabled".
  tabwright.guessStates = function (element, role, disabled) {
    if (!STATEFUL.has(role)) return NONE;
    const own = dom.attr(element, "class") ?? "";
    const parent = dom.parentNode(element);
    // Many style sheets mark the list item of a link.
    const outer = parent instanceof HTMLLIElement ? (dom.attr(parent, "class") ?? "") : "";
    if (!MARKED.test(own) && !MARKED.test(outer)) return NONE;
    const holder = outer !== "" && dom.firstElement(parent) === element ? parent : element;
    return statesByClass(element, own, holder, holder === element ? "" : outer, disabled);
  };

  function statesByClass(element, own, holder, outer, disabled) {
    const states = [];
    if (!disabled && (hasClass(own, DISABLED) || hasClass(outer, DISABLED)) && isInactive(element))
      states.push("looks disabled");
    const selected = hasClass(own, SELECTED) ? element : hasClass(outer, SELECTED) ? holder : null;
    if (selected && !dom.matches(element, STATED) && isOnlyOne(selected)) states.push("looks selected");
    return states;
  }

  const hasClass = (classes, pattern) => Boolean(classes) && classes.split(/\s+/).some(name => pattern.test(name));

  const isInactive = element => {
    const style = tabwright.styleOf(element);
    return style.pointerEvents === "none" || style.cursor === "not-allowed";
  };

  // Whether it is the only one of its kind among its siblings that has such a class.
  function isOnlyOne(element) {
    const parent = dom.parentNode(element);
    if (!(parent instanceof Element)) return false;
    let others = 0;
    for (let at = dom.firstElement(parent); at; at = dom.nextElement(at)) {
      if (at === element || !isAlike(at, element)) continue;
      if (hasClass(dom.attr(at, "class"), SELECTED)) return false;
      others++;
    }
    return others > 0;
  }

  // Of the same tag, with the same classes except those of the state.
  function isAlike(one, other) {
    if (dom.tag(one) !== dom.tag(other)) return false;
    const plain = classesOf(one).filter(name => !SELECTED.test(name));
    const expected = classesOf(other).filter(name => !SELECTED.test(name));
    return expected.length ? expected.some(name => plain.includes(name)) : true;
  }
})(globalThis.tabwright);
