// For page tools: which button submits which fields, with or without a form.
"use strict";
(tabwright => {
  const { dom, finder } = tabwright;
  const CHOICE_KINDS = new Set(["select", "radio", "check", "checks", "spin", "listbox", "combobox", "color"]);
  const SEARCH_KINDS = new Set(["text", "editable", "combobox"]);
  const SEARCH_TEXT =
    /\b(search|filter|find|look ?up|type to)\b|^such|filtern|cherch|filtrer|\bbusc|pesquis|\bcerca|zoek|szukaj|поиск|найти|искать|фильтр|検索|絞り込|搜索|搜尋|筛选|검색|بحث|ابحث|חיפוש|ค้นหา/i;
  const SEARCH_NAME = /^(q|s|query|keywords?|search\w*|\w*(search|filter)|\w*search(field|box|input|bar|term|text))$/i;
  const ENTRY =
    "input:not([type=hidden i],[type=submit i],[type=button i],[type=image i],[type=reset i],[role=button]),select,textarea";
  // Labels of buttons that submit all fields before them.
  const GENERAL_LABEL =
    /^(submit|save( (all|changes))?|apply( changes)?|update|send|ok|continue|next|done|finish|confirm|speichern|absenden|weiter|enregistrer|valider|guardar|enviar|salvar|salva|opslaan|сохранить|отправить|保存|送信|提交)$/i;
  const WHOLE_PAGE = "body,main,[role=main]";
  const ENCLOSING = "[role=dialog],dialog,[class*=modal i],[class*=card i],[class*=popup i],[class*=panel i],section";
  const MAX_LEVELS = 8;
  // A button further away than this from a search box does something else.
  const MAX_SEARCH_LEVELS = 3;

  const { follows } = finder;

  finder.isChoice = field =>
    CHOICE_KINDS.has(field.kind) || (field.kind === "number" && tabwright.inputType(field.element) === "range");

  // Whether a field searches or filters, by its markup or label.
  const isSearch = (finder.isSearchField = function ({ kind, element }) {
    if (!SEARCH_KINDS.has(kind) || tabwright.isSecret(element)) return false;
    if (tabwright.roleOf(element) === "searchbox" || tabwright.inputType(element) === "search") return true;
    if (SEARCH_NAME.test(dom.attr(element, "name") ?? "") || SEARCH_NAME.test(dom.attr(element, "id") ?? ""))
      return true;
    return SEARCH_TEXT.test(`${tabwright.nameOf(element).text} ${dom.attr(element, "placeholder") ?? ""}`.trim());
  });

  // Finds the button that submits fields.
  finder.SubmitButtons = class {
    // The buttons in `elsewhere` lead to other pages of a list.
    constructor(buttons, elsewhere) {
      this.byForm = new Map();
      for (const button of buttons.filter(one => !elsewhere.has(one))) {
        const form = finder.formOf(button);
        if (!this.byForm.has(form)) this.byForm.set(form, []);
        this.byForm.get(form).push(button);
      }
      this.made = finder.madeButtons().filter(one => !elsewhere.has(one));
      const free = (this.byForm.get(null) ?? []).filter(finder.maySubmit);
      this.free = [...free, ...this.made.filter(link => finder.formOf(link) === null)];
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
      let up = 0;
      for (const at of finder.ancestors(field.element)) {
        if (/^(form|search|dialog|alertdialog)$/.test(tabwright.roleOf(at)) || dom.tag(at) === "dialog")
          return { key: at, container: at };
        const whole = dom.matches(at, WHOLE_PAGE);
        if (whole && (finder.isChoice(field) || field.kind === "number")) break;
        const inside = this.inside(at, field, whole);
        const button = isSearch(field) ? searchButton(inside, field, up) : this.nextButton(inside, field, at, whole);
        if (button) return { key: button, container: at };
        if ((inside.length && finder.isChoice(field)) || ++up > MAX_LEVELS || whole || isItem(at)) break;
      }
      return { key: field, container: null };
    }

    // The buttons in a container that may submit a field; of the whole page only those of the field's section.
    inside(container, field, whole) {
      const candidates = whole
        ? this.uniquelyNamed().filter(button => !this.isSeparated(field.element, button))
        : this.free;
      return candidates.filter(button => finder.isWithin(button, container));
    }

    // The button after a field that submits it, by its label, or one with another label next to it.
    nextButton(inside, field, container, whole) {
      const follow = inside.filter(one => follows(one, field.element));
      // A button beside another field belongs to that one, if there is one for all of them.
      const shared = follow.filter(one => this.isNearest(one, field, container));
      const after = shared.some(finder.submits) ? shared : follow;
      const button =
        this.ownOrGeneral(after, field) ?? (whole ? undefined : after.find(one => !finder.isUnrelated(one)));
      if (!button || inside.length > (finder.submits(button) ? 40 : 8)) return null;
      if (!finder.isChoice(field)) return button;
      // A box beside a link is ticked for itself.
      if (this.made.includes(button) && dom.tag(button) === "a" && !dom.has(button, "onclick")) return null;
      return finder.submits(button) && this.isNearest(button, field, container) ? button : null;
    }

    // The next button that submits; beyond a heading, one that is for everything before it ("Save").
    ownOrGeneral(after, field) {
      const submitting = after.filter(finder.submits);
      const [first] = submitting;
      if (!first || !this.isSeparated(field.element, first)) return first;
      return submitting.find(button => GENERAL_LABEL.test(finder.displayName(button))) ?? first;
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
          ...(this.byForm.get(form) ?? []).filter(finder.isSubmit),
          ...this.made.filter(link => finder.formOf(link) === form),
        ];
        const sending = inside.filter(button => !finder.hasCancelLabel(button));
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

    // What submits the fields of a form or dialog: a button, else an element made into one, else null (the Enter key).
    for(container, fields) {
      const isForm = container instanceof HTMLFormElement;
      const inside = isForm
        ? (this.byForm.get(container) ?? [])
        : this.free.filter(button => finder.isWithin(button, container));
      if (isSearchOnly(fields)) return searchSubmit(inside);
      const native = inside.filter(finder.isSubmit);
      const chosen = native.find(button => !finder.hasCancelLabel(button)) ?? native[0];
      return (
        chosen ??
        this.likely(container, inside, fields) ??
        (isForm ? (finder.submitLink(container, fields) ?? this.around(container)) : null)
      );
    }

    // A button that does not submit by itself, but follows the fields or is labelled like a submit button.
    likely(container, inside, fields) {
      const made = this.made.filter(element => finder.isWithin(element, container));
      const likely = inside.filter(button => finder.maySubmit(button) && !finder.hasCancelLabel(button));
      const last = fields.at(-1).elements.at(-1);
      return (
        likely.find(finder.hasSubmitLabel) ??
        made.find(element => follows(element, fields[0].element)) ??
        likely.find(button => follows(button, last) && !finder.isUnrelated(button)) ??
        likely.find(button => !finder.isUnrelated(button)) ??
        finder.pointedButton(container)
      );
    }

    // The button of a form that has none inside: it follows in the same dialog or card.
    around(form) {
      const box = dom.closest(form, ENCLOSING);
      if (!box || [...dom.all(box, "form")].length > 1) return null;
      return (
        this.free.find(
          button =>
            finder.isWithin(button, box) &&
            follows(button, form) &&
            finder.hasSubmitLabel(button) &&
            !finder.isUnrelated(button),
        ) ?? null
      );
    }
  };

  const isItem = element =>
    dom.matches(element, "nav") || (dom.matches(element, "li,tr") && !arrangesFields(tabwright.parentOf(element)));

  // Whether a list or table only arranges the fields of one form: each row has other fields.
  function arrangesFields(parent) {
    if (!parent) return false;
    const names = [...dom.all(parent, ENTRY)].slice(0, 40).map(ownName);
    const rows = [...parent.children].filter(row => dom.first(row, ENTRY)).length;
    return rows > 0 && names.length <= 3 * rows && new Set(names).size === names.length && !names.includes("");
  }

  // The name of a field, or its type and identifier without the numbers that rows of data have.
  function ownName(field) {
    const name = tabwright.nameOf(field).text;
    const identifier = (dom.attr(field, "name") || dom.attr(field, "id") || "").replace(/\d+/g, "#");
    return name || (identifier && `${tabwright.inputType(field)} ${identifier}`);
  }

  const isSearchOnly = fields => {
    const typed = fields.filter(field => !finder.isChoice(field) || isSearch(field));
    return typed.length === 1 && isSearch(typed[0]);
  };

  // The button of a search box without a form: near it, after it, and labelled like one or an icon.
  const searchButton = (inside, field, up) =>
    up > MAX_SEARCH_LEVELS
      ? null
      : (inside.find(one => follows(one, field.element) && finder.startsSearch(one) && isNamedOrClose(one, field)) ??
        null);

  // An icon must be in the same box as the field.
  const isNamedOrClose = (button, { element }) =>
    /[\p{L}\p{N}]/u.test(finder.displayName(button)) || tabwright.parentOf(button) === tabwright.parentOf(element);

  // The button of a search form: one labelled like it, else the browser's own unless it does something else.
  function searchSubmit(inside) {
    const native = inside.filter(finder.isSubmit);
    const likely = inside.filter(finder.maySubmit);
    return (
      native.find(finder.startsSearch) ??
      likely.find(finder.startsSearch) ??
      native.find(button => !finder.isUnrelated(button) && !finder.hasCancelLabel(button)) ??
      null
    );
  }

  const areaOf = (button, form) => {
    for (const at of finder.ancestors(button)) {
      if (at === form) return null;
      if (dom.first(at, ENTRY)) return at;
    }
    return null;
  };
})(globalThis.tabwright);
