// For page tools: what a list of items is called, and whether it only leads through the site or to other services.
"use strict";
(tabwright => {
  const { dom, finder } = tabwright;
  // Words in the class or id of a list, or of what is just around it, that name what it lists.
  const NOUNS =
    /^(answers?|articles?|categories|chapters?|comments?|companies|courses?|directives?|documents?|downloads?|events?|examples?|files?|folders?|galleries|games?|guides?|headlines?|images?|issues?|jobs?|lessons?|members?|messages?|movies?|news|notes?|notifications?|offers?|orders?|packages?|people|photos?|playlists?|podcasts?|popular|posts?|products?|projects?|questions?|recent|recipes?|recommended|related|releases?|replies|reports?|results?|reviews?|series|songs?|stories|tags?|tasks?|teams?|threads?|topics?|tracks?|trending|tutorials?|updates?|users?|videos?)$/i;
  const NAVIGATION =
    /^(nav|navbar|navigation|topnav|sidenav|(main|site|sub|top|side|primary|secondary|mobile|footer|header)-?(nav|menu|links)|nav-?(list|links|menu|bar|tabs)|menu|menu-?(list|items)|sub-?menu|breadcrumbs?|footer|site-footer|lang(uages?)?|locales?)$/i;
  const SHARING = /^(social\w*|share\w*|sharing|sharedaddy|follow-?us|addthis\w*)$/i;
  const SERVICES =
    /\b(facebook|twitter|linkedin|whatsapp|pinterest|tumblr|reddit|instagram|youtube|telegram|mastodon|flipboard|e-?mail|rss|print|copy link|share|google\+|vk|messenger|pocket)\b/i;
  const HOME = /^(home(page)?|main page|startseite|start|accueil|inicio|início|главная|ホーム|首页|首頁|홈)$/i;
  const LEGAL =
    /^(privacy|terms|imprint|impressum|datenschutz|contact( us)?|kontakt|about( us)?|legal|cookies?|careers|mentions légales|aviso legal)\b/i;
  const ACCOUNT =
    /^(sign (in|up|out)|log ?(in|out)|register|my account|einloggen|anmelden|connexion|iniciar sesión|войти)$/i;
  const SHARES = /^(share|follow|teilen|partager|compart|condividi|delen|поделиться)/i;
  const TITLE = "[class*=title i],[class*=header i],[class*=heading i],dt,caption,legend";
  const MIN_PARAGRAPHS = 3;
  const MAX_LEVELS = 3;

  // "navigation" or "sharing" for lists that few people come for, "text" for a part of one, "contents"
  // for links within the page, else "".
  finder.listPurpose = function (parent, openers, labels, title) {
    const words = wordsAround(parent);
    const most = (all, fits) => all.length > 0 && all.filter(fits).length >= all.length * 0.7;
    if (
      SHARES.test(title) ||
      SHARES.test(labels[0] ?? "") ||
      words.some(word => SHARING.test(word)) ||
      most(labels, isService)
    )
      return "sharing";
    if (dom.closest(parent, "nav,[role=navigation]") || most(labels, isNumber)) return "navigation";
    if (most(openers, isWithinPage)) return "contents";
    if (!title && isAmongParagraphs(dom.closest(parent, "table") ?? parent)) return "text";
    const isMarked = words.some(word => NAVIGATION.test(word)) || isMenu(parent) || labels.some(isAboutSite);
    return !title && most(labels, isShort) && (isMarked || (isPlain(parent) && !most(openers, isView)))
      ? "navigation"
      : "";
  };

  // Whether a list is a part of a text.
  const isAmongParagraphs = element =>
    [...(element.parentElement?.children ?? [])].filter(child => dom.matches(child, "p")).length >= MIN_PARAGRAPHS;

  const isMenu = parent => dom.matches(parent, ":is(ul,ol):is([class*=nav i],[class*=menu i],[class*=sidebar i])");
  const isNumber = label => /^[\d.,]+$/.test(label);
  const isService = label => SERVICES.test(label) && label.length <= 40;
  const isAboutSite = label => HOME.test(label) || LEGAL.test(label) || ACCOUNT.test(label);
  const isShort = label => label.length <= 24 && label.split(/\s+/).length <= 3;
  // A list of nothing but links, without a title, is a menu if their labels are short.
  const isPlain = parent =>
    dom.matches(parent, "ul,ol") && [...parent.children].every(item => dom.all(item, "a,button").length === 1);
  // Whether a link only changes what a script shows here, such as a filter.
  const isView = element => /^#/.test(dom.attr(element, "href") ?? "#");

  // Whether a link leads to another place of this page, not to a view that a script shows.
  function isWithinPage(element) {
    const [, id] = (dom.attr(element, "href") ?? "").match(/^#(.+)/) ?? [];
    return (
      id !== undefined && (dom.byId(document, id) ?? dom.first(dom.root(), `a[name="${CSS.escape(id)}"]`)) !== null
    );
  }

  // The words of the classes and ids of an element and what is just around it, if it contains little else.
  function wordsAround(element) {
    const words = [];
    let at = element;
    for (let up = 0; up < MAX_LEVELS && at && !dom.matches(at, "body,main,article"); up++) {
      words.push(...`${dom.attr(at, "id") ?? ""} ${dom.attr(at, "class") ?? ""}`.split(/\s+/));
      at = tabwright.parentOf(at);
    }
    return words.filter(Boolean);
  }

  // The word of a class or id that names what a list contains.
  const identifierTitle = parent =>
    wordsAround(parent)
      .flatMap(word => word.split(/[-_]+|(?<=[a-z])(?=[A-Z])/))
      .filter(word => NOUNS.test(word))
      .map(word =>
        /(s|news|people|popular|recent|recommended|related|trending)$/i.test(word) ? word : `${word}s`,
      )[0] ?? "";

  // The title of a list: its own label, that of its table or section, or the heading in or before it.
  finder.listTitle = listTitle;
  function listTitle(parent) {
    const name = tabwright.nameOf(parent);
    if (name.from === "aria") return finder.cleanText(name.text, 80);
    const isRows = dom.matches(parent, "table,tbody,[role=grid],[role=table],[role=rowgroup]");
    const table = isRows ? dom.closest(parent, "table,[role=grid],[role=table]") : null;
    if (table && tabwright.nameOf(table).text) return finder.cleanText(tabwright.nameOf(table).text, 80);
    const inside = table
      ? null
      : [...parent.children].find(child => dom.matches(child, "h1,h2,h3,h4,h5,h6,header,[role=heading]"));
    const heading = inside && (dom.matches(inside, "header") ? dom.first(inside, "h1,h2,h3,h4,h5,h6") : inside);
    if (heading && tabwright.isRendered(heading)) return finder.headingText(heading);
    const before = finder.headingBefore(table ?? parent);
    if (before) return before;
    const section = dom.closest(parent, "section,[role=region],aside,[role=complementary]");
    if (section && tabwright.nameOf(section).from === "aria")
      return finder.cleanText(tabwright.nameOf(section).text, 80);
    return labelBefore(parent) || identifierTitle(parent) || pageTitle(parent);
  }

  // The text of a box that is marked as a title, just before a list or the boxes around it.
  function labelBefore(parent) {
    let at = parent;
    for (
      let up = 0;
      up < MAX_LEVELS && at && !dom.matches(at, "body,main,article");
      up++, at = tabwright.parentOf(at)
    ) {
      const before = at.previousElementSibling;
      if (!before) continue;
      const text = dom.matches(before, TITLE) ? finder.visibleText(before, 80) : "";
      return text.split(/\s+/).length <= 6 && !dom.first(before, "a,button,input") ? text : "";
    }
    return "";
  }

  // The heading of the page, if it is a word or two, such as "Users"; for a list in its main part.
  function pageTitle(parent) {
    if (!dom.matches(parent, "tbody,table,ul,ol,div,section") || dom.closest(parent, "nav,header,aside,footer"))
      return "";
    const headings = finder.all("h1,h2").filter(heading => finder.isVisible(heading));
    const heading = headings.find(one => dom.matches(one, "h1")) ?? headings[0];
    const text = heading && finder.follows(parent, heading) ? finder.headingText(heading, 40) : "";
    return /^\p{L}+( \p{L}+)?s$/u.test(text) ? text : "";
  }
})(globalThis.tabwright);
