// What a page is when it is not an ordinary one: a file that Chrome shows, an error, a bot challenge, a login form, a
// dialog that covers everything, an empty app, or a picture. One word, "" for an ordinary page. Only clear cases count.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  // A page with less text has one purpose.
  const SHORT = 1200;
  const MAX_NODES = 4000;
  const MANY_ROWS = 200;
  const anyOf = patterns => new RegExp(patterns.join("|"), "i");
  const NO_TEXT = new Set(["script", "style", "noscript", "template", "textarea", "title", "option"]);

  // The identity and title of this document, for Python after a navigation.
  tabwright.describePage = () => {
    tabwright.clearCaches();
    return { title: document.title, identity: tabwright.identifyPage() };
  };

  // Whether all content of this document is there; deferred scripts and images may be missing.
  tabwright.isParsed = () => dom.readyState() !== "loading";

  // `rows`: how long a snapshot of it is, if that is known. `hasFront`: whether anything may be in front of the page; to
  // find out by a point takes 0.2 ms after a change.
  tabwright.identifyPage = function (rows = 0, hasFront = true) {
    if (parent !== window) return "";
    const type = viewerOf(document.contentType);
    if (type || !dom.body()) return type;
    if (document.URL.startsWith("chrome-error:")) return "browser error";
    const text = rows > MANY_ROWS ? { text: "", whole: false } : sample();
    collectParts();
    return (
      (isChallenge(text) && "challenge") ||
      (hasFront && coverKind()) ||
      (isConsentPage(text) && "consent page") ||
      (isError() && "error") ||
      (isLogin(text) && "login") ||
      (isEmpty(text) && "loading") ||
      pictureKind(text)
    );
  };

  // A file that Chrome shows as a page.
  function viewerOf(type) {
    if (type === "text/html" || type === "application/xhtml+xml")
      return dom.documentAll("body > embed[type='application/pdf']:only-child").length ? "pdf" : "";
    if (/[/+]json$/.test(type)) return "json";
    if (type === "application/pdf") return "pdf";
    if (type.startsWith("image/")) return "image";
    if (/^(video|audio)\//.test(type)) return "media";
    if (/[/+]xml$/.test(type)) return "xml";
    return "text";
  }

  // The beginning of the visible text; `whole` if that is all.
  function sample() {
    let text = "";
    let visited = 0;
    const walker = document.createTreeWalker(dom.body(), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const holder = dom.parentNode(node);
      if (++visited > MAX_NODES || text.length > SHORT) return { text, whole: false };
      if (!/\S/.test(dom.text(node)) || NO_TEXT.has(dom.tag(holder)) || !tabwright.mayBeSeen(holder)) continue;
      text += ` ${dom.text(node).trim()}`;
    }
    return { text, whole: true };
  }

  const isSeen = element => {
    if (!tabwright.mayBeSeen(element)) return false;
    const box = dom.rect(element);
    return box.width > 8 && box.height > 8;
  };

  const seen = selector => [...dom.documentAll(selector)].filter(isSeen);

  // What ordinary pages are asked for, by tag: Chrome remembers such collections until the document changes, and a
  // search by selector takes 0.1 ms on a long page.
  const parts = { h1: [], input: [], canvas: [], video: [], img: [] };
  const SELECTED = { input: "[type=password]", img: "[usemap]" };

  function collectParts() {
    for (const tag of Object.keys(parts)) {
      const all = [...dom.byTag(tag)];
      parts[tag] = tag in SELECTED ? all.filter(element => dom.matches(element, SELECTED[tag])) : all;
    }
  }

  const titles = () => [document.title, ...parts.h1.slice(0, 3).map(dom.textContent)];

  // Parts of titles: "Not found | Example" has "Not found".
  const titleParts = () => titles().flatMap(title => title.split(/\s[|–—·:-]\s|\s*[|»]\s*/).map(tabwright.clean));

  const CHALLENGE_TITLE = anyOf([
    "^just a moment",
    "^attention required",
    "^access denied",
    "^are you (a )?(robot|human)",
    "^(human|security) (verification|check)",
    "^verify (that )?you are (a )?human",
    "^checking your browser",
    "^robot check",
    "^pardon our interruption",
    "^ddos-guard",
  ]);
  const CHALLENGE_TEXT = anyOf([
    "verify (that )?you('|’| a)re (a )?human",
    "checking (if the site connection is secure|your browser)",
    "unusual traffic from your",
    "press (&|and) hold",
    "not a robot",
    "are you a robot",
    "complete the (security check|captcha)",
    "solve (the|this) captcha",
    "enable javascript and cookies to continue",
  ]);
  const CHALLENGE_PARTS = `#challenge-form,#challenge-running,#challenge-stage,#cf-challenge-running,.cf-browser-verification,
    #px-captcha,[id^=cf-chl],form[action*=validateCaptcha],iframe[src*='captcha-delivery.com']`;
  const CAPTCHAS = `.g-recaptcha,.h-captcha,.cf-turnstile,iframe[src*='recaptcha/api2/anchor'],iframe[src*='hcaptcha.com'],
    iframe[src*='challenges.cloudflare.com']`;
  const TEXT_FIELDS = "input:not([type]),input[type=text],input[type=email],input[type=password],textarea";

  function isChallenge({ text, whole }) {
    if (!whole || text.length > SHORT) return false;
    if (dom.documentAll(CHALLENGE_PARTS).length) return true;
    const wordy = CHALLENGE_TEXT.test(text);
    if (titleParts().some(title => CHALLENGE_TITLE.test(title)) && (wordy || seen(CAPTCHAS).length)) return true;
    return (wordy || seen(CAPTCHAS).length > 0) && seen(TEXT_FIELDS).length === 0 && text.length < SHORT / 2;
  }

  const CONSENT = anyOf([
    "\\bcookies?\\b",
    "\\bconsent",
    "privacy (choices|settings|preferences)",
    "\\bgdpr\\b",
    "datenschutz",
    "zustimm",
    "confidentialité",
  ]);
  const ACCEPT = anyOf([
    "^(i |yes,? i )?(accept|agree|allow)",
    "^(ok(ay)?|got it)\\b",
    "^(alle )?(akzeptieren|zustimmen)",
    "^(tout |j'|j’)?accepte",
    "^(aceptar|accetta|aceitar|accepteren|принять|同意)",
  ]);
  const BUTTONS = "button,a,[role=button],input[type=button],input[type=submit]";

  // What covers the middle of the page.
  function coverKind() {
    const cover = coverAt(innerWidth / 2, innerHeight / 2);
    if (!cover) return "";
    if (dom.tag(cover) === "iframe")
      return /consent|cookie|privacy|sp_message/i.test(`${dom.attr(cover, "id")} ${dom.attr(cover, "title")}`)
        ? "consent"
        : "";
    const inside = selector => [...dom.all(cover, selector)].filter(isSeen);
    if (inside("input[type=password]").length === 1) return "login dialog";
    const text = dom.textContent(cover).slice(0, 20000);
    return CONSENT.test(text) && inside(BUTTONS).some(isAccept) ? "consent" : "";
  }

  const labelOf = button => tabwright.clean(dom.textContent(button) || dom.attr(button, "value") || "");

  const isAccept = button => ACCEPT.test(labelOf(button));

  function coverAt(x, y) {
    const hit = Document.prototype.elementFromPoint.call(document, x, y);
    let cover = null;
    for (let at = hit; at && at !== dom.body() && at !== dom.root(); at = tabwright.parentOf(at))
      if (tabwright.styleOf(at).position === "fixed" || dom.matches(at, ":modal")) cover = at;
    return cover;
  }

  const isConsentPage = ({ text }) =>
    /^consent\.|^(www\.)?[^/]*\/(cookie-?)?consent\b/.test(location.host + location.pathname) &&
    CONSENT.test(text) &&
    seen(BUTTONS).some(isAccept);

  const SUBJECT =
    "(sorry[!,.]* |oops[!,.]* )*((the |this |that )?(page|site|file|url|content)( you (requested|are looking for))? )?";
  const ERROR = anyOf([
    `^${SUBJECT}((was |is )?not found|(could|can) ?not be found|(could|ca)n['’]t be found|(does not|doesn['’]t) exist)[.!]?$`,
    "^((http )?(error|fehler|erreur)( code)? ?)?[:#]?(40[0134]|410|429|50[0234])( error)?( page)?[.!]?$",
    "^(error )?(40[0134]|410|50[0234])[ :,–-]+((page|file) )?(not found|forbidden|bad gateway|unauthori[sz]ed|.*server error|service unavailable)[.!]?$",
    "^(internal server error|bad gateway|service (temporarily )?unavailable|access denied|forbidden|gateway timeout)[.!]?$",
    "^(seite nicht gefunden|page introuvable|página no encontrada|pagina non trovata|página não encontrada)[.!]?$",
    "^(страница не найдена|页面不存在|ページが見つかりません)",
  ]);
  const isError = () => titleParts().some(part => part.length < 80 && ERROR.test(part));

  const LOGIN = anyOf([
    "^(please )?(log|sign)[ -]?(in|on)\\b",
    "\\b(log|sign)[ -]?in$",
    "^(anmelden|anmeldung|einloggen|connexion|se connecter|iniciar sesión|accedi|entrar|inloggen|logga in|zaloguj)",
    "^(вход|войти|登录|登錄|ログイン|로그인)",
  ]);
  const LOGIN_PATH = /[/._-](log-?in|log-?on|sign-?in|signon|sso|auth(enticate|entication|orize)?)([/._-]|$)/i;

  function isLogin({ text, whole }) {
    const passwords = parts.input.filter(isSeen);
    if (passwords.length > 1) return false;
    const short = whole && text.length <= SHORT;
    const named = titleParts().some(part => part.length < 60 && LOGIN.test(part));
    if (!passwords.length) return short && named && seen(TEXT_FIELDS).length === 1;
    if (dom.attr(passwords[0], "autocomplete") === "new-password") return false;
    return named || (short && asksForLogin(passwords[0]));
  }

  const OTHER_FORM = anyOf([
    "sign[ -]?up",
    "create",
    "regist",
    "\\bjoin",
    "confirm",
    "continue",
    "change",
    "reset",
    "unlock",
  ]);

  // Whether the buttons of a form say so; without such words, a name and a password are enough.
  function asksForLogin(password) {
    const form = dom.closest(password, "form") ?? dom.body();
    // Not links: forms to sign up have one to log in.
    const texts = [...dom.all(form, BUTTONS)].filter(one => dom.tag(one) !== "a" && isSeen(one)).map(labelOf);
    if (texts.some(text => LOGIN.test(text))) return true;
    if ([...texts, ...titles()].some(text => OTHER_FORM.test(text))) return false;
    return LOGIN_PATH.test(location.pathname) || [...dom.all(form, TEXT_FIELDS)].filter(isSeen).length === 2;
  }

  const APP_ROOTS = "#root,#app,#__next,#__nuxt,#___gatsby,#main-app,app-root,[ng-version],[data-reactroot]";
  const WAITING =
    "[class*=skeleton i],[class*=spinner i],[class*=loader i],[class*=loading i],[aria-busy=true],[role=progressbar]";
  const CONTENT =
    "img,picture,video,canvas,iframe,embed,object,input:not([type=hidden]),textarea,select,button,a[href]";

  function isEmpty({ text, whole }) {
    const shown = text.replace(/loading|please wait|[\s.…]/gi, "");
    if (!whole || shown.length > 20 || seen(CONTENT).length) return false;
    if (seen(WAITING).length || shown.length < text.replace(/[\s.…]/g, "").length) return true;
    return dom.documentAll("script").length > 0 && dom.documentAll(APP_ROOTS).length > 0;
  }

  // A picture that fills most of the window, which only a screenshot shows.
  function pictureKind({ text, whole }) {
    for (const element of [...parts.canvas, ...parts.video, ...parts.img]) {
      const tag = dom.tag(element);
      if (tag !== "canvas" && !(whole && text.length <= SHORT)) continue;
      if (isSeen(element) && fillsWindow(dom.rect(element)) && isInFront(element))
        return tag === "img" ? "image map" : tag;
    }
    return "";
  }

  function fillsWindow(box) {
    const width = Math.min(box.right, innerWidth) - Math.max(box.left, 0);
    const height = Math.min(box.bottom, innerHeight) - Math.max(box.top, 0);
    return width > 0 && height > 0 && width * height >= innerWidth * innerHeight * 0.5;
  }

  const isInFront = element => {
    const box = dom.rect(element);
    const x = (Math.max(box.left, 0) + Math.min(box.right, innerWidth)) / 2;
    const y = (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2;
    const hit = Document.prototype.elementFromPoint.call(document, x, y);
    if (parseInt(tabwright.styleOf(element).zIndex, 10) < 0) return false; // decoration behind the text
    return hit === element || (hit !== null && dom.tag(hit) === "area");
  };
})(globalThis.tabwright);
