// For page tools: which fields belong together, with or without a form, what submits them, and their title.
"use strict";
(tabwright => {
  const { dom, finder } = tabwright;
  const BUTTONS = "button,input[type=submit i],input[type=button i],input[type=image i],[role=button],summary";
  const HEADINGS = "h1,h2,h3,h4,h5,h6,[role=heading],legend";
  // Labels of buttons that serve one field, not the whole form.
  const FIELD_BUTTON_LABEL =
    /^(one (more|less)|add one|remove one|fewer|clear|close|dismiss|show|hide|reveal|toggle|open|choose date|increase|decrease|increment|decrement|plus|minus|swap|switch|reset|help|info|what|why|voice|microphone|search by|use my|remove|delete|edit|cancel|back|previous|discard|collapse|expand|less|more|\+|-|−|–|×|✕|✖|x|\?|\.\.\.|…|▾|▼|▲)(\b|$|\s)|^(abbrechen|zurück|zurücksetzen|löschen|annuler|retour|effacer|отмена|назад|キャンセル|戻る|إلغاء)/i;
  const STEP_LABEL = /^(go to )?(next|previous|prev) (page|month|year|week|day|slide|image|item)\b/i;
  const CANCEL_LABEL =
    /^(cancel|close|back|previous|reset|clear|discard|delete|remove|no\b|dismiss|skip|abbrechen|zurück|annuler|retour|cancelar|отмена|назад|キャンセル|戻る|إلغاء)/i;
  const SUBMIT_LABEL =
    /^(submit|go|ok|send|search|find|continue|next|save|apply|update|filter|add|create|book|sign|log|register|subscribe|join|pay|order|buy|checkout|confirm|done|publish|post|reply|comment|share|translate|convert|calculate|generate|show|get|start|verify|upload|check|set|change|request|enter|suchen|weiter|senden|speichern|anmelden|absenden|rechercher|envoyer|valider|continuer|enregistrer|buscar|enviar|guardar|поиск|найти|отправить|сохранить|検索|送信|保存|登録|次へ|إرسال|بحث|حفظ|搜索|提交|保存)/i;
  const CHOICE_KINDS = new Set(["select", "radio", "check", "checks", "spin", "listbox", "combobox", "color"]);
  const MAX_LEVELS = 8;
  const MAX_BUTTONS = 600;

  // {groups, singleFields, buttons}: fields that are submitted together, those that work alone, and all buttons.
  finder.groups = function (elsewhere) {
    const buttons = finder.take(finder.all(BUTTONS), MAX_BUTTONS, finder.isUsable);
    const submitButtons = new SubmitButtons(buttons.filter(button => !elsewhere.has(button)));
    const found = new Map();
    for (const field of finder.fields()) {
      const { key, container } = submitButtons.of(field);
      if (!found.has(key)) found.set(key, { container, fields: [] });
      const group = found.get(key);
      group.fields.push(field);
      if (container && finder.isWithin(group.container, container)) group.container = container;
    }
    const groups = [];
    const singleFields = [];
    for (const [key, { container, fields }] of found) {
      const submit = container && (submitButtons.isButton(key) ? key : submitButtons.for(container, fields));
      if (container && isForm(fields, submit) && !finder.position(container).consent)
        groups.push({ container, fields, submit });
      else singleFields.push(...fields);
    }
    return { groups, singleFields: singleFields.filter(field => !joinsGroup(field, groups)), buttons };
  };

  // Adds a field that stands among the fields of a group without a form, before its button, to that group.
  function joinsGroup(field, groups) {
    const group = groups.find(
      ({ container, submit, fields }) =>
        submit &&
        !(container instanceof HTMLFormElement) &&
        !dom.matches(container, "body,main,[role=main]") &&
        finder.isWithin(field.element, container) &&
        follows(submit, field.element) &&
        !fields.some(isSearch),
    );
    if (!group) return false;
    const at = group.fields.findIndex(other => follows(other.element, field.element));
    group.fields.splice(at < 0 ? group.fields.length : at, 0, field);
    return true;
  }

  const isSearch = field => tabwright.roleOf(field.element) === "searchbox";

  // Whether fields make a form: boxes and lists take effect at once unless there is a submit button.
  function isForm(fields, submit) {
    if (
      fields.some(field => !isChoice(field) || (field.kind === "combobox" && field.element instanceof HTMLInputElement))
    )
      return true;
    return submit ? submits(submit) : false;
  }

  const isChoice = field =>
    CHOICE_KINDS.has(field.kind) || (field.kind === "number" && tabwright.inputType(field.element) === "range");

  const submits = button => isSubmit(button) || SUBMIT_LABEL.test(finder.displayName(button));

  // Finds the button that submits fields, with or without a form.
  class SubmitButtons {
    constructor(buttons) {
      this.byForm = new Map();
      for (const button of buttons) {
        const form = finder.formOf(button);
        if (!this.byForm.has(form)) this.byForm.set(form, []);
        this.byForm.get(form).push(button);
      }
      const links = submitLinks();
      const free = (this.byForm.get(null) ?? []).filter(button => !isFieldButton(button) && !inToolbar(button));
      this.free = [...free, ...links.filter(link => finder.formOf(link) === null)];
      this.links = links;
      this.parts = new Map();
      this.headings = null;
      this.known = new Set(this.free);
    }

    isButton(key) {
      return this.known.has(key);
    }

    // What submits a field: {key, container}; without a container the field takes effect by itself.
    of(field) {
      const form = finder.formOf(field.element);
      if (form) {
        const part = this.partsOf(form).find(({ container }) => finder.isWithin(field.element, container));
        return part ?? { key: form, container: form };
      }
      const picked = isChoice(field);
      let up = 0;
      for (const at of finder.ancestors(field.element)) {
        if (/^(form|search|dialog|alertdialog)$/.test(tabwright.roleOf(at)) || dom.tag(at) === "dialog")
          return { key: at, container: at };
        const whole = dom.matches(at, "body,main,[role=main]");
        if (whole && (picked || field.kind === "number")) break;
        const inside = (
          whole ? this.uniquelyNamed().filter(button => !this.isSeparated(field.element, button)) : this.free
        ).filter(button => finder.isWithin(button, at));
        const button =
          inside.find(one => follows(one, field.element) && submits(one)) ??
          (whole ? undefined : (inside.find(one => follows(one, field.element)) ?? inside[0]));
        if (
          button &&
          inside.length <= (submits(button) ? 40 : 8) &&
          !(picked && !(submits(button) && this.isNearest(button, field, at)))
        )
          return { key: button, container: at };
        if ((inside.length && picked) || ++up > MAX_LEVELS || whole || dom.matches(at, "li,tr,nav")) break;
      }
      return { key: field, container: null };
    }

    // Whether a heading stands between a field and a button, so that they belong to different sections.
    isSeparated(field, button) {
      this.headings ??= finder.all("h1,h2,h3,h4,h5,h6,[role=heading]");
      return this.headings.some(heading => follows(heading, field) && follows(button, heading));
    }

    // The buttons with unique names; a repeated button does not belong to the page as a whole.
    uniquelyNamed() {
      const often = new Map();
      for (const button of this.free)
        often.set(finder.displayName(button), (often.get(finder.displayName(button)) ?? 0) + 1);
      return this.free.filter(button => often.get(finder.displayName(button)) === 1);
    }

    // A form around the whole page has parts, each with its own submit button: [{key, container}].
    partsOf(form) {
      if (!this.parts.has(form)) {
        const inside = [
          ...(this.byForm.get(form) ?? []).filter(isSubmit),
          ...this.links.filter(link => finder.formOf(link) === form),
        ];
        const sending = inside.filter(button => !CANCEL_LABEL.test(finder.displayName(button)));
        const parts = sending.map(button => ({ key: button, container: areaOf(button, form) }));
        const apart =
          parts.length > 1 &&
          parts.every(
            ({ container }, at) =>
              container && parts.every((other, index) => index === at || !finder.isWithin(other.key, container)),
          );
        this.parts.set(form, apart ? parts : []);
        for (const { key } of apart ? parts : []) this.known.add(key);
      }
      return this.parts.get(form);
    }

    // Whether no other field is nearer to the button.
    isNearest(button, field, container) {
      for (const at of finder.ancestors(button)) {
        if (at === container) return true;
        if (dom.first(at, "input:not([type=hidden i]),select,textarea")) return finder.isWithin(field.element, at);
      }
      return true;
    }

    // What submits the fields of a form or dialog: a button, else a link like one, else null (the Enter key).
    for(container, fields) {
      const inside =
        container instanceof HTMLFormElement
          ? (this.byForm.get(container) ?? [])
          : this.free.filter(button => finder.isWithin(button, container));
      const native = inside.filter(isSubmit);
      const chosen = native.find(button => !CANCEL_LABEL.test(finder.displayName(button))) ?? native[0];
      if (chosen) return chosen;
      const likely = inside.filter(
        button => !isFieldButton(button) && !inToolbar(button) && !CANCEL_LABEL.test(finder.displayName(button)),
      );
      const last = fields.at(-1).elements.at(-1);
      return (
        likely.find(button => SUBMIT_LABEL.test(finder.displayName(button))) ??
        likely.find(button => follows(button, last)) ??
        likely[0] ??
        link(container) ??
        null
      );
    }
  }

  const areaOf = (button, form) => {
    for (const at of finder.ancestors(button)) {
      if (at === form) return null;
      if (
        dom.first(
          at,
          "input:not([type=hidden i],[type=submit i],[type=button i],[type=image i],[type=reset i]),select,textarea",
        )
      )
        return at;
    }
    return null;
  };

  const leadsNowhere = element => !dom.attr(element, "href") || /^(#$|#!|javascript:)/i.test(dom.attr(element, "href"));

  const submitLinks = () =>
    finder.take(
      finder.all("a"),
      MAX_BUTTONS,
      element =>
        leadsNowhere(element) &&
        !dom.matches(element, "[role=button]") &&
        finder.isUsable(element) &&
        SUBMIT_LABEL.test(finder.displayName(element)),
    );

  // A link that submits, by its label, and leads nowhere.
  const link = container =>
    [...dom.all(container, "a,[onclick]")].find(
      element => finder.isUsable(element) && leadsNowhere(element) && SUBMIT_LABEL.test(finder.displayName(element)),
    ) ?? null;

  const follows = (later, earlier) => Boolean(earlier.compareDocumentPosition(later) & 4);

  const inToolbar = button =>
    dom.closest(button, "[role=toolbar],[role=menu],[role=menubar],[role=tablist],[role=listbox],[role=grid]") !== null;

  // A button that opens, clears or explains something.
  function isFieldButton(button) {
    if (
      dom.matches(
        button,
        "[aria-haspopup],[aria-expanded],[aria-pressed],[type=reset i],summary,[role=switch],[role=tab],[role=combobox]",
      )
    )
      return true;
    const name = finder.displayName(button);
    return (FIELD_BUTTON_LABEL.test(name) || STEP_LABEL.test(name)) && !dom.matches(button, "[type=submit]");
  }

  // A button that serves one field of a group, not the page.
  finder.isFieldButton = button => isFieldButton(button) && !STEP_LABEL.test(finder.displayName(button));

  const TYPE = Object.getOwnPropertyDescriptor(HTMLButtonElement.prototype, "type").get;

  const isSubmit = element =>
    (element instanceof HTMLButtonElement &&
      TYPE.call(element) === "submit" &&
      (finder.formOf(element) !== null || dom.attr(element, "type") === "submit")) ||
    (element instanceof HTMLInputElement && /^(submit|image)$/.test(tabwright.inputType(element)));

  // What Python needs to know about a group.
  finder.describeGroup = function ({ container, fields, submit }) {
    const own = name => finder.cleanText(dom.attr(container, name), 60);
    return {
      ref: tabwright.refOf(container),
      form: container instanceof HTMLFormElement,
      role: searchAround(container) ? "search" : tabwright.roleOf(container),
      titles: titlesOf(container, fields),
      id: own("id"),
      name: own("name"),
      action: own("action"),
      submit: submit
        ? { ref: tabwright.refOf(submit), label: finder.displayName(submit, 80), native: isSubmit(submit) }
        : null,
      fields: fields.map(finder.describeField),
      ...finder.position(submit ?? fields[0].element),
    };
  };

  const searchAround = container =>
    tabwright.roleOf(container) === "search" || dom.closest(container, "search,[role=search]") !== null;

  // The titles of a group: its own label, a legend, the heading in it, before it, around it.
  function titlesOf(container, fields) {
    const titles = { aria: authoredName(container), legend: "", inside: "", before: "", around: "" };
    const set = [...dom.all(container, "fieldset")].find(one =>
      fields.every(field => finder.isWithin(field.element, one)),
    );
    if (set) titles.legend = finder.cleanText(tabwright.nameOf(set).text, 80);
    const first = fields[0].element;
    const heading = [...dom.all(container, "h1,h2,h3,h4,h5,h6,[role=heading]")].find(one => finder.isVisible(one));
    if (heading && follows(first, heading)) titles.inside = finder.displayName(heading, 80);
    else titles.before = headingBefore(container);
    for (const at of finder.ancestors(container))
      if (/^(dialog|alertdialog)$/.test(tabwright.roleOf(at))) titles.around ||= authoredName(at) || headingIn(at);
    return titles;
  }

  // The name that the author gave, not one computed from the content.
  function authoredName(element) {
    const name = tabwright.nameOf(element);
    return name.from === "aria" || (name.from === "native" && dom.tag(element) === "fieldset")
      ? finder.cleanText(name.text, 80)
      : "";
  }

  const headingIn = element => {
    const heading = dom.first(element, "h1,h2,h3,h4,h5,h6,[role=heading]");
    return heading && finder.isVisible(heading) ? finder.displayName(heading, 80) : "";
  };

  // The heading just before an element, with at most two lines of text between them.
  const headingBefore = (finder.headingBefore = function (element) {
    for (let at = element, up = 0; at && up < 5 && !dom.matches(at, "body,main"); at = tabwright.parentOf(at), up++) {
      let between = 0;
      for (let before = at.previousElementSibling; before && between < 3; before = before.previousElementSibling) {
        if (dom.matches(before, HEADINGS)) return tabwright.isRendered(before) ? finder.displayName(before, 80) : "";
        if (dom.matches(before, "script,style,template,link")) continue;
        const inner = [...dom.all(before, HEADINGS)];
        if (inner.length === 1 && !dom.first(before, "form,ul,ol,table,article,nav,input,select,textarea,a[href]"))
          return tabwright.isRendered(inner[0]) ? finder.displayName(inner[0], 80) : "";
        if (inner.length) return "";
        if (
          dom.first(before, "form,ul,ol,table,article,nav") ||
          dom.matches(before, "form,ul,ol,table,article,nav,section")
        )
          return "";
        between++;
      }
    }
    return "";
  });

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
    expanded: dom.attr(button, "aria-expanded") ?? undefined,
    ...finder.position(button),
  });

  finder.describeSingleField = field => ({
    field: finder.describeField(field),
    before: "",
    ...finder.position(field.element),
  });
})(globalThis.tabwright);
