// For page tools: which fields belong together, with or without a form, what sends them, and what the whole is called.
"use strict";
(tabwright => {
  const { dom, offers } = tabwright;
  const BUTTONS = "button,input[type=submit i],input[type=button i],input[type=image i],[role=button],summary";
  const HEADINGS = "h1,h2,h3,h4,h5,h6,[role=heading],legend";
  // What stands in a form for a field of its own, not for the whole.
  const ACCESSORY =
    /^(one (more|less)|add one|remove one|fewer|clear|close|dismiss|show|hide|reveal|toggle|open|choose date|increase|decrease|increment|decrement|plus|minus|swap|switch|reset|help|info|what|why|voice|microphone|search by|use my|remove|delete|edit|cancel|back|previous|discard|collapse|expand|less|more|\+|-|−|–|×|✕|✖|x|\?|\.\.\.|…|▾|▼|▲)(\b|$|\s)|^(abbrechen|zurück|zurücksetzen|löschen|annuler|retour|effacer|отмена|назад|キャンセル|戻る|إلغاء)/i;
  const STEPPING = /^(go to )?(next|previous|prev) (page|month|year|week|day|slide|image|item)\b/i;
  const NEGATIVE =
    /^(cancel|close|back|previous|reset|clear|discard|delete|remove|no\b|dismiss|skip|abbrechen|zurück|annuler|retour|cancelar|отмена|назад|キャンセル|戻る|إلغاء)/i;
  const SENDING =
    /^(submit|go|ok|send|search|find|continue|next|save|apply|update|filter|add|create|book|sign|log|register|subscribe|join|pay|order|buy|checkout|confirm|done|publish|post|reply|comment|share|translate|convert|calculate|generate|show|get|start|verify|upload|check|set|change|request|enter|suchen|weiter|senden|speichern|anmelden|absenden|rechercher|envoyer|valider|continuer|enregistrer|buscar|enviar|guardar|поиск|найти|отправить|сохранить|検索|送信|保存|登録|次へ|إرسال|بحث|حفظ|搜索|提交|保存)/i;
  const PICKED = new Set(["select", "radio", "check", "checks", "spin", "listbox", "combobox", "color"]);
  const HIGHEST = 8;
  const MOST_BUTTONS = 600;

  // {groups, lone, buttons}: fields that are sent together, those that work on their own, and what can be pressed.
  offers.groups = function (elsewhere) {
    const buttons = offers.take(offers.all(BUTTONS), MOST_BUTTONS, offers.usable);
    const senders = new Senders(buttons.filter(button => !elsewhere.has(button)));
    const found = new Map();
    for (const field of offers.fields()) {
      const { key, container } = senders.of(field);
      if (!found.has(key)) found.set(key, { container, fields: [] });
      const group = found.get(key);
      group.fields.push(field);
      if (container && offers.within(group.container, container)) group.container = container;
    }
    const groups = [];
    const lone = [];
    for (const [key, { container, fields }] of found) {
      const submit = container && (senders.isButton(key) ? key : senders.for(container, fields));
      if (container && isWhole(fields, submit) && !offers.place(container).consent)
        groups.push({ container, fields, submit });
      else lone.push(...fields);
    }
    return { groups, lone: lone.filter(field => !joins(field, groups)), buttons };
  };

  // A box or list that stands among the fields of a group without a form, before its button, belongs to them.
  function joins(field, groups) {
    const group = groups.find(
      ({ container, submit, fields }) =>
        submit &&
        !(container instanceof HTMLFormElement) &&
        !dom.matches(container, "body,main,[role=main]") &&
        offers.within(field.element, container) &&
        follows(submit, field.element) &&
        !fields.some(isSearch),
    );
    if (!group) return false;
    const at = group.fields.findIndex(other => follows(other.element, field.element));
    group.fields.splice(at < 0 ? group.fields.length : at, 0, field);
    return true;
  }

  const isSearch = field => tabwright.roleOf(field.element) === "searchbox";

  // Boxes and lists work as soon as they are touched, unless something is there to send them with.
  function isWhole(fields, submit) {
    if (
      fields.some(field => !isPicked(field) || (field.kind === "combobox" && field.element instanceof HTMLInputElement))
    )
      return true;
    return submit ? sends(submit) : false;
  }

  const isPicked = field =>
    PICKED.has(field.kind) || (field.kind === "number" && tabwright.inputType(field.element) === "range");

  const sends = button => isSubmit(button) || SENDING.test(offers.called(button));

  // What a person would press to send fields, with or without a form.
  class Senders {
    constructor(buttons) {
      this.byForm = new Map();
      for (const button of buttons) {
        const form = offers.formOf(button);
        if (!this.byForm.has(form)) this.byForm.set(form, []);
        this.byForm.get(form).push(button);
      }
      const links = idleLinks();
      const free = (this.byForm.get(null) ?? []).filter(button => !isAccessory(button) && !inToolbar(button));
      this.free = [...free, ...links.filter(link => offers.formOf(link) === null)];
      this.links = links;
      this.parts = new Map();
      this.headings = null;
      this.known = new Set(this.free);
    }

    isButton(key) {
      return this.known.has(key);
    }

    // What a field is sent with: {key, container}; without a container it works by itself.
    of(field) {
      const form = offers.formOf(field.element);
      if (form) {
        const part = this.partsOf(form).find(({ container }) => offers.within(field.element, container));
        return part ?? { key: form, container: form };
      }
      const picked = isPicked(field);
      let up = 0;
      for (const at of offers.around(field.element)) {
        if (/^(form|search|dialog|alertdialog)$/.test(tabwright.roleOf(at)) || dom.tag(at) === "dialog")
          return { key: at, container: at };
        const whole = dom.matches(at, "body,main,[role=main]");
        if (whole && (picked || field.kind === "number")) break;
        const inside = (
          whole ? this.single().filter(button => !this.isParted(field.element, button)) : this.free
        ).filter(button => offers.within(button, at));
        const button =
          inside.find(one => follows(one, field.element) && sends(one)) ??
          (whole ? undefined : (inside.find(one => follows(one, field.element)) ?? inside[0]));
        if (
          button &&
          inside.length <= (sends(button) ? 40 : 8) &&
          !(picked && !(sends(button) && this.isNearest(button, field, at)))
        )
          return { key: button, container: at };
        if ((inside.length && picked) || ++up > HIGHEST || whole || dom.matches(at, "li,tr,nav")) break;
      }
      return { key: field, container: null };
    }

    // Whether a heading stands between a field and a button: then they are of different parts of the page.
    isParted(field, button) {
      this.headings ??= offers.all("h1,h2,h3,h4,h5,h6,[role=heading]");
      return this.headings.some(heading => follows(heading, field) && follows(button, heading));
    }

    // Those that no other is called like: what there are many of is no button of the page.
    single() {
      const often = new Map();
      for (const button of this.free) often.set(offers.called(button), (often.get(offers.called(button)) ?? 0) + 1);
      return this.free.filter(button => often.get(offers.called(button)) === 1);
    }

    // A form around the whole page has parts that are sent each with a button of its own: [{key, container}].
    partsOf(form) {
      if (!this.parts.has(form)) {
        const inside = [
          ...(this.byForm.get(form) ?? []).filter(isSubmit),
          ...this.links.filter(link => offers.formOf(link) === form),
        ];
        const sending = inside.filter(button => !NEGATIVE.test(offers.called(button)));
        const parts = sending.map(button => ({ key: button, container: areaOf(button, form) }));
        const apart =
          parts.length > 1 &&
          parts.every(
            ({ container }, at) =>
              container && parts.every((other, index) => index === at || !offers.within(other.key, container)),
          );
        this.parts.set(form, apart ? parts : []);
        for (const { key } of apart ? parts : []) this.known.add(key);
      }
      return this.parts.get(form);
    }

    // Whether nothing nearer to the button is what it sends.
    isNearest(button, field, container) {
      for (const at of offers.around(button)) {
        if (at === container) return true;
        if (dom.first(at, "input:not([type=hidden i]),select,textarea")) return offers.within(field.element, at);
      }
      return true;
    }

    // What sends the fields of a form or of a dialog: a button, else what looks like one, else null (the Enter key).
    for(container, fields) {
      const inside =
        container instanceof HTMLFormElement
          ? (this.byForm.get(container) ?? [])
          : this.free.filter(button => offers.within(button, container));
      const native = inside.filter(isSubmit);
      const chosen = native.find(button => !NEGATIVE.test(offers.called(button))) ?? native[0];
      if (chosen) return chosen;
      const likely = inside.filter(
        button => !isAccessory(button) && !inToolbar(button) && !NEGATIVE.test(offers.called(button)),
      );
      const last = fields.at(-1).elements.at(-1);
      return (
        likely.find(button => SENDING.test(offers.called(button))) ??
        likely.find(button => follows(button, last)) ??
        likely[0] ??
        link(container) ??
        null
      );
    }
  }

  const areaOf = (button, form) => {
    for (const at of offers.around(button)) {
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

  const isIdle = element => !dom.attr(element, "href") || /^(#$|#!|javascript:)/i.test(dom.attr(element, "href"));

  const idleLinks = () =>
    offers.take(
      offers.all("a"),
      MOST_BUTTONS,
      element =>
        isIdle(element) &&
        !dom.matches(element, "[role=button]") &&
        offers.usable(element) &&
        SENDING.test(offers.called(element)),
    );

  // A link that sends: it leads nowhere else, and says so.
  const link = container =>
    [...dom.all(container, "a,[onclick]")].find(
      element => offers.usable(element) && isIdle(element) && SENDING.test(offers.called(element)),
    ) ?? null;

  const follows = (later, earlier) => Boolean(earlier.compareDocumentPosition(later) & 4);

  const inToolbar = button =>
    dom.closest(button, "[role=toolbar],[role=menu],[role=menubar],[role=tablist],[role=listbox],[role=grid]") !== null;

  // A button that opens, clears or explains something.
  function isAccessory(button) {
    if (
      dom.matches(
        button,
        "[aria-haspopup],[aria-expanded],[aria-pressed],[type=reset i],summary,[role=switch],[role=tab],[role=combobox]",
      )
    )
      return true;
    const name = offers.called(button);
    return (ACCESSORY.test(name) || STEPPING.test(name)) && !dom.matches(button, "[type=submit]");
  }

  // A button that serves one field of a group, not the page.
  offers.isAside = button => isAccessory(button) && !STEPPING.test(offers.called(button));

  const TYPE = Object.getOwnPropertyDescriptor(HTMLButtonElement.prototype, "type").get;

  const isSubmit = element =>
    (element instanceof HTMLButtonElement &&
      TYPE.call(element) === "submit" &&
      (offers.formOf(element) !== null || dom.attr(element, "type") === "submit")) ||
    (element instanceof HTMLInputElement && /^(submit|image)$/.test(tabwright.inputType(element)));

  // What Python needs to know of a group.
  offers.describeGroup = function ({ container, fields, submit }) {
    const own = name => offers.words(dom.attr(container, name), 60);
    return {
      ref: tabwright.refOf(container),
      form: container instanceof HTMLFormElement,
      role: searchAround(container) ? "search" : tabwright.roleOf(container),
      titles: titles(container, fields),
      id: own("id"),
      name: own("name"),
      action: own("action"),
      submit: submit
        ? { ref: tabwright.refOf(submit), label: offers.called(submit, 80), native: isSubmit(submit) }
        : null,
      fields: fields.map(offers.describe),
      ...offers.place(submit ?? fields[0].element),
    };
  };

  const searchAround = container =>
    tabwright.roleOf(container) === "search" || dom.closest(container, "search,[role=search]") !== null;

  // What the page calls a group: its own label, the legend of all of it, the heading in it, before it, around it.
  function titles(container, fields) {
    const told = { aria: authored(container), legend: "", inside: "", before: "", around: "" };
    const set = [...dom.all(container, "fieldset")].find(one =>
      fields.every(field => offers.within(field.element, one)),
    );
    if (set) told.legend = offers.words(tabwright.nameOf(set).text, 80);
    const first = fields[0].element;
    const heading = [...dom.all(container, "h1,h2,h3,h4,h5,h6,[role=heading]")].find(one => offers.seen(one));
    if (heading && follows(first, heading)) told.inside = offers.called(heading, 80);
    else told.before = headingBefore(container);
    for (const at of offers.around(container))
      if (/^(dialog|alertdialog)$/.test(tabwright.roleOf(at))) told.around ||= authored(at) || headingIn(at);
    return told;
  }

  // A name that an author gave, not one that its content gives.
  function authored(element) {
    const name = tabwright.nameOf(element);
    return name.from === "aria" || (name.from === "native" && dom.tag(element) === "fieldset")
      ? offers.words(name.text, 80)
      : "";
  }

  const headingIn = element => {
    const heading = dom.first(element, "h1,h2,h3,h4,h5,h6,[role=heading]");
    return heading && offers.seen(heading) ? offers.called(heading, 80) : "";
  };

  // The heading that stands just before an element, a line or two of text between them at most.
  const headingBefore = (offers.headingBefore = function (element) {
    for (let at = element, up = 0; at && up < 5 && !dom.matches(at, "body,main"); at = tabwright.parentOf(at), up++) {
      let between = 0;
      for (let before = at.previousElementSibling; before && between < 3; before = before.previousElementSibling) {
        if (dom.matches(before, HEADINGS)) return tabwright.isRendered(before) ? offers.called(before, 80) : "";
        if (dom.matches(before, "script,style,template,link")) continue;
        const inner = [...dom.all(before, HEADINGS)];
        if (inner.length === 1 && !dom.first(before, "form,ul,ol,table,article,nav,input,select,textarea,a[href]"))
          return tabwright.isRendered(inner[0]) ? offers.called(inner[0], 80) : "";
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

  // The buttons that are tools of their own: named, usable, and no part of anything else.
  offers.buttons = buttons => buttons.filter(button => !tabwright.isOff(button) && isWorthwhile(button));

  const IDLE =
    /^(close|dismiss|×|✕|x|back to top|scroll to top|to top|skip to|(next|previous|prev) (slide|image|item)|go to slide|schließen|fermer|cerrar|закрыть|閉じる|إغلاق)\b/i;

  function isWorthwhile(button) {
    if (
      dom.matches(
        button,
        "summary,[role=tab],[role=menuitem],[role=option],[role=switch],[role=combobox],[aria-haspopup=listbox]",
      )
    )
      return false;
    if (dom.closest(button, "[role=tablist],[role=menu],[role=menubar],[role=listbox],[role=tree],[role=radiogroup]"))
      return false;
    const name = offers.called(button, 80);
    return /[\p{L}\p{N}]/u.test(name) && (!IDLE.test(name) || offers.place(button).land === "dialog");
  }

  offers.describeButton = button => ({
    ref: tabwright.refOf(button),
    label: offers.called(button, 80),
    pressed: dom.attr(button, "aria-pressed") ?? undefined,
    expanded: dom.attr(button, "aria-expanded") ?? undefined,
    ...offers.place(button),
  });

  offers.describeLone = field => ({ field: offers.describe(field), before: "", ...offers.place(field.element) });
})(globalThis.tabwright);
