// For page tools: which fields belong together, and their titles.
"use strict";
(tabwright => {
  const { dom, finder } = tabwright;
  const HEADINGS = "h1,h2,h3,h4,h5,h6,[role=heading],legend";
  const { follows } = finder;

  // {groups, singleFields, buttons}: fields that are submitted together, those that work alone, and all buttons.
  finder.groups = function (elsewhere) {
    const buttons = finder.buttons();
    const submitButtons = new finder.SubmitButtons(buttons, elsewhere);
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
    const alone = singleFields.filter(field => !joinsGroup(field, groups) && !finder.isMenuSwitch(field.element));
    const made = submitButtons.made.filter(element => dom.matches(element, "[onclick],.btn,.button"));
    return { groups, singleFields: alone, buttons: [...buttons, ...made] };
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
        !fields.some(finder.isSearchField) &&
        !finder.isSearchField(field),
    );
    if (!group) return false;
    const at = group.fields.findIndex(other => follows(other.element, field.element));
    group.fields.splice(at < 0 ? group.fields.length : at, 0, field);
    return true;
  }

  // Whether fields make a form: boxes and lists take effect at once unless there is a submit button.
  function isForm(fields, submit) {
    if (
      fields.some(
        field => !finder.isChoice(field) || (field.kind === "combobox" && field.element instanceof HTMLInputElement),
      )
    )
      return true;
    return submit ? finder.submits(submit) : false;
  }

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
        ? { ref: tabwright.refOf(submit), label: finder.displayName(submit, 80), native: finder.isSubmit(submit) }
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
        if (dom.matches(before, HEADINGS)) return tabwright.isRendered(before) ? finder.headingText(before) : "";
        if (dom.matches(before, "script,style,template,link")) continue;
        const inner = [...dom.all(before, HEADINGS)];
        if (inner.length === 1 && !dom.first(before, "form,ul,ol,table,article,nav,input,select,textarea,a[href]"))
          return tabwright.isRendered(inner[0]) ? finder.headingText(inner[0]) : "";
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

  finder.describeSingleField = field => ({
    field: finder.describeField(field),
    before: "",
    ...finder.position(field.element),
  });
})(globalThis.tabwright);
