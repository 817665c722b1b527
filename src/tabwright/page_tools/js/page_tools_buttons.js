// For page tools: what a button is for, by its markup and its label: submit fields, search, serve one field.
"use strict";
(tabwright => {
  const { dom, finder } = tabwright;
  const BUTTONS = "button,input[type=submit i],input[type=button i],input[type=image i],[role=button],summary";
  // Elements that scripts often make into buttons.
  const MADE_BUTTONS =
    ":is(a,div,span,td,p,li,img):is([onclick],[tabindex],[class*=btn i],[class*=button i],[class*=submit i],[id*=btn i],[id*=button i],[id*=submit i])";
  // Labels of buttons that serve one field, not the whole form.
  const FIELD_BUTTON_LABEL =
    /^(one (more|less)|add one|remove one|fewer|clear|close|dismiss|show|hide|reveal|toggle|open|choose date|increase|decrease|increment|decrement|plus|minus|swap|switch|reset|help|info|what|why|how|learn|forgot|view|see|tooltip|voice|microphone|search by|use my|remove|delete|edit|cancel|back|previous|discard|collapse|expand|less|more|\+|-|−|–|×|✕|✖|x|\?|\.\.\.|…|▾|▼|▲)(\b|$|\s)|^(abbrechen|zurück|zurücksetzen|löschen|annuler|retour|effacer|отмена|назад|キャンセル|戻る|إلغاء)/i;
  const STEP_LABEL = /^(go to )?(next|previous|prev) (page|month|year|week|day|slide|image|item)\b/i;
  const CANCEL_LABEL =
    /^(cancel|close|back|previous|reset|clear|discard|delete|remove|no\b|dismiss|skip|abbrechen|zurück|annuler|retour|cancelar|отмена|назад|キャンセル|戻る|إلغاء)/i;
  const LOGIN_LABEL =
    /^(log|sign|einloggen|anmelden|login|connexion|se connecter|s.identifier|iniciar|acceder|entrar|ingresar|accedi|inloggen|aanmelden|zaloguj|přihlásit|prihlásiť|logga in|log ind|logg inn|kirjaudu|giriş|bejelentkez|conectare|autentificare|prijava|masuk|đăng nhập|войти|вход|увійти|вхід|ログイン|登录|登入|登錄|로그인|تسجيل|دخول|התחבר|เข้าสู่ระบบ)/i;
  const SUBMIT_LABEL =
    /^(submit|go|ok|send|search|find|continue|next|save|apply|update|filter|add|create|book|register|subscribe|join|pay|order|buy|checkout|confirm|done|publish|post|reply|comment|share|translate|convert|calculate|generate|show|get|start|verify|upload|check|set|change|request|enter|suchen|weiter|senden|speichern|absenden|registrieren|rechercher|envoyer|valider|continuer|enregistrer|buscar|enviar|guardar|continuar|поиск|найти|отправить|сохранить|продолжить|зарегистр|検索|送信|保存|登録|次へ|إرسال|بحث|حفظ|搜索|提交|保存|注册|註冊|確定|确定|送出|확인|가입)/i;
  const SEARCH_LABEL =
    /\b(search|find|filter|go|ok|apply|submit|look ?up|show results)\b|such|finden|filtern|anwenden|cherch|\bvalider|busc|buscar|pesquis|cerca|zoek|szukaj|\bs[öø][kg]|hled|hae|ara\b|поиск|найти|искать|検索|絞り込|搜|查|검색|بحث|חיפוש|ค้นหา|🔍|🔎/i;
  // Labels of buttons that work on what the page shows, not on what was typed.
  const UNRELATED_LABEL =
    /^(export|import|print|download|refresh|reload|mark|select all|copy|sort|expand|collapse|log ?out|sign ?out|menu|settings|columns|next|previous|prev|older|newer|new|add|create|compose|delete|remove|archive|pay|buy|send|exportieren|drucken|herunterladen|exporter|imprimer|télécharger|exportar|imprimir|descargar|экспорт|печать|скачать)\b/i;
  const DROPDOWN = "[data-toggle=dropdown],[data-bs-toggle=dropdown],.dropdown-toggle";
  // Links that do something, or lead to where it is done.
  const ACTION_LINK =
    /^\W*(add|new|create|compose|write|edit|change|delete|upload|import|export|download|book|reserve|buy|order|check ?out|apply|subscribe|donate|start|get started|try|reply|ask|neu|erstellen|hinzufügen|bearbeiten|herunterladen|ajouter|créer|nouveau|télécharger|crear|nuevo|añadir|descargar|criar|novo|baixar|создать|добавить|скачать|追加|作成|新規|ダウンロード|添加|新建|下载)(\s|$|\W)/i;
  // Links that people look for on any page.
  const WELL_KNOWN_LINK =
    /^\W*(log ?in|sign ?in|sign ?up|register|create (an )?account|join( now)?|(my |view |shopping )*(cart|basket|bag)|(einloggen|anmelden|registrieren|warenkorb|connexion|s.inscrire|panier|iniciar sesión|registrarse|carrito|entrar|accedi|registrati|carrello|inloggen|войти|регистрация|корзина|ログイン|新規登録|登录|登入|注册|로그인))\W*\d*\W*$/i;
  const MAX_ACTION_LABEL_LENGTH = 30;
  const MAX_BUTTONS = 600;
  const MAX_LABEL_LENGTH = 40;

  // Every usable button of the page.
  finder.buttons = () => finder.take(finder.all(BUTTONS), MAX_BUTTONS, finder.isUsable);

  finder.follows = (later, earlier) => Boolean(earlier.compareDocumentPosition(later) & 4);

  const TYPE = Object.getOwnPropertyDescriptor(HTMLButtonElement.prototype, "type").get;

  // Whether the browser itself submits a form when it is pressed.
  finder.isSubmit = element =>
    (element instanceof HTMLButtonElement &&
      TYPE.call(element) === "submit" &&
      (finder.formOf(element) !== null || dom.attr(element, "type") === "submit")) ||
    (element instanceof HTMLInputElement && /^(submit|image)$/.test(tabwright.inputType(element)));

  finder.hasSubmitLabel = button => isSubmitText(finder.displayName(button));

  const isSubmitText = text => SUBMIT_LABEL.test(text) || LOGIN_LABEL.test(text);

  finder.hasCancelLabel = button => CANCEL_LABEL.test(finder.displayName(button));

  finder.submits = button => finder.isSubmit(button) || finder.hasSubmitLabel(button);

  // Whether a button may start a search, by its label; one without a label is an icon.
  finder.startsSearch = function (button) {
    const name = finder.displayName(button);
    return SEARCH_LABEL.test(name) || !/[\p{L}\p{N}]/u.test(name);
  };

  // An amount ("$2") is chosen, it submits nothing.
  finder.isUnrelated = button =>
    /^(?=.*\d)\P{L}+$/u.test(finder.displayName(button)) || UNRELATED_LABEL.test(finder.displayName(button));

  const inToolbar = button =>
    dom.closest(button, "[role=toolbar],[role=menu],[role=menubar],[role=tablist],[role=listbox],[role=grid]") !== null;

  // A button that opens, clears or explains something.
  function servesField(button) {
    if (
      dom.matches(
        button,
        `[aria-haspopup],[aria-expanded],[aria-pressed],[type=reset i],summary,[role=switch],[role=tab],[role=combobox],${DROPDOWN}`,
      )
    )
      return true;
    const name = finder.displayName(button);
    return (FIELD_BUTTON_LABEL.test(name) || STEP_LABEL.test(name)) && !dom.matches(button, "[type=submit]");
  }

  // A button that serves one field of a group, not the page.
  finder.isFieldButton = button => servesField(button) && !STEP_LABEL.test(finder.displayName(button));

  // Whether a button may submit fields: it belongs neither to one of them nor to a toolbar.
  finder.maySubmit = button => !servesField(button) && !inToolbar(button);

  const leadsNowhere = element => !dom.attr(element, "href") || /^(#$|#!|javascript:)/i.test(dom.attr(element, "href"));

  // Links and other elements that work as submit buttons, by their label.
  finder.madeButtons = () => {
    const found = finder.take(finder.all(`a,${MADE_BUTTONS}`), MAX_BUTTONS, isMadeButton);
    return found.filter(element => !found.some(other => other !== element && finder.isWithin(other, element)));
  };

  const isMadeButton = element =>
    leadsNowhere(element) &&
    (dom.tag(element) !== "a" || dom.matches(element, MADE_BUTTONS) || isShortText(element)) &&
    !dom.matches(element, "[role=button]") &&
    hasShortSubmitText(element) &&
    !dom.first(element, "input,select,textarea,button") &&
    finder.isUsable(element);

  // Links that look like buttons and say that something is done, and those to log in, sign up or see the cart.
  finder.actionLinks = () => finder.take(finder.all("a[href]"), MAX_BUTTONS, isActionLink);

  function isActionLink(link) {
    const text = dom.textContent(link).trim() || dom.attr(link, "aria-label") || "";
    if (
      text.length > MAX_ACTION_LABEL_LENGTH ||
      dom.closest(link, "footer,[role=contentinfo],p,[role=menu],[role=tablist]")
    )
      return false;
    if (!WELL_KNOWN_LINK.test(text) && !(ACTION_LINK.test(text) && !inNavigation(link) && looksLikeButton(link)))
      return false;
    return finder.isUsable(link);
  }

  // A link that looks like the submit button of a form and follows its fields.
  finder.submitLink = (form, fields) =>
    [...dom.all(form, "a[href]")].find(
      link =>
        finder.follows(link, fields.at(-1).elements.at(-1)) &&
        hasShortSubmitText(link) &&
        looksLikeButton(link) &&
        finder.isUsable(link),
    ) ?? null;

  const inNavigation = link => dom.closest(link, "nav,[role=navigation]") !== null;

  function looksLikeButton(link) {
    if (
      dom.matches(link, "[role=button]") ||
      /(^|[\s_-])(btn|button|cta)($|[\s_-])/i.test(dom.attr(link, "class") ?? "")
    )
      return true;
    const style = tabwright.styleOf(link);
    return (
      style.display !== "inline" &&
      parseFloat(style.paddingLeft) >= 4 &&
      (parseFloat(style.borderTopWidth) > 0 || !/, 0\)$|^transparent$/.test(style.backgroundColor))
    );
  }

  const isShortText = element => dom.textContent(element).trim().split(/\s+/).length <= 3;

  // The plain text is checked first: it is cheaper than the computed name.
  function hasShortSubmitText(element) {
    const text = dom.textContent(element).trim() || dom.attr(element, "alt") || dom.attr(element, "aria-label") || "";
    return text.length <= MAX_LABEL_LENGTH && isSubmitText(text.trim());
  }

  // An element of a container that a script made into a submit button without any mark but its cursor.
  finder.pointedButton = container =>
    [...dom.all(container, "div,span,p,td,img,b")]
      .slice(0, 300)
      .find(element => tabwright.styleOf(element).cursor === "pointer" && isMadeButton(element)) ?? null;

  // Whether a box only opens a menu, or a branch of a tree of links, that style sheets draw.
  finder.isMenuSwitch = element => opensBranch(element) || hasMenuName(element);

  function opensBranch(element) {
    const [label] = tabwright.labelsOf(element);
    const branch = label?.nextElementSibling;
    return (
      dom.matches(element, "input[type=checkbox i]") &&
      branch instanceof Element &&
      dom.matches(branch, "ul,ol") &&
      dom.first(branch, "a[href]") !== null
    );
  }

  const hasMenuName = element =>
    dom.matches(
      element,
      "input[type=checkbox i]:is([id*=menu i],[class*=menu i],[id*=nav i],[class*=nav i],[class*=toggle i])",
    ) &&
    !/\p{L}/u.test(
      tabwright
        .labelsOf(element)
        .map(label => finder.visibleText(label, 40))
        .join(""),
    );

  // The buttons that become tools: named, usable, and not part of anything else.
  finder.toolButtons = buttons => buttons.filter(button => !tabwright.isInactive(button) && isTool(button));

  const UNIMPORTANT_LABEL =
    /^(close|dismiss|×|✕|x|back to top|scroll to top|to top|skip to|(next|previous|prev) (slide|image|item)|go to slide|schließen|fermer|cerrar|закрыть|閉じる|إغلاق)\b/i;

  function isTool(button) {
    if (
      dom.matches(
        button,
        "summary,[role=tab],[role=menuitem],[role=option],[role=switch],[role=combobox],[aria-haspopup=listbox]",
      )
    )
      return false;
    if (dom.closest(button, "[role=tablist],[role=menu],[role=menubar],[role=listbox],[role=tree],[role=radiogroup]"))
      return false;
    const name = finder.displayName(button, 80);
    return (
      /[\p{L}\p{N}]/u.test(name) && (!UNIMPORTANT_LABEL.test(name) || finder.position(button).landmark === "dialog")
    );
  }

  finder.describeButton = button => ({
    ref: tabwright.refOf(button),
    label: finder.displayName(button, 80),
    pressed: dom.attr(button, "aria-pressed") ?? undefined,
    expanded:
      dom.attr(button, "aria-expanded") ?? (dom.matches(button, `[aria-haspopup],${DROPDOWN}`) ? "false" : undefined),
    ...finder.position(button),
  });
})(globalThis.tabwright);
