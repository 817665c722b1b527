// In our isolated world: describes an element so that it can be found again later. A label counts as its control, and
// the text of a button as the button.
"use strict";
(tabwright => {
  tabwright.describeForRecording = function (number) {
    const { dom } = tabwright;
    tabwright.clearCaches();
    const node = tabwright.nodeOf(number);
    if (!(node instanceof Element)) return null;
    const PRESSABLE =
      /^(button|link|tab|menuitem|menuitemcheckbox|menuitemradio|option|checkbox|radio|switch|treeitem|combobox|summary)$/;
    const SECRET = /password|one-time-code|cc-number|cc-csc|cc-exp/;

    function controlOf() {
      if (node instanceof HTMLLabelElement && node.control) return node.control;
      let at = node;
      for (let step = 0; at && step < 5; step++, at = tabwright.parentOf(at)) {
        if (PRESSABLE.test(tabwright.roleOf(at)) || /^(input|select|textarea)$/.test(dom.tag(at))) return at;
      }
      return node;
    }

    function path(element) {
      const id = dom.attr(element, "id");
      if (id && /^[A-Za-z][\w-]*$/.test(id) && !/\d{3}/.test(id)) return `#${id}`;
      const tag = dom.tag(element),
        name = dom.attr(element, "name");
      if (name && /^[\w.[\]-]+$/.test(name) && tag !== "form") return `${tag}[name="${name}"]`;
      const parent = dom.parentNode(element);
      if (!(parent instanceof Element) || tag === "body") return tag;
      let place = 1;
      for (let at = dom.firstElement(parent); at !== element; at = dom.nextElement(at))
        if (dom.tag(at) === tag) place++;
      return `${path(parent)} > ${tag}:nth-of-type(${place})`;
    }

    const element = controlOf();
    const role = tabwright.roleOf(element),
      name = tabwright.nameOf(element);
    const attributes = `${dom.attr(element, "type") ?? ""} ${dom.attr(element, "autocomplete") ?? ""}`.toLowerCase();
    return {
      number: tabwright.refOf(element),
      role,
      name: name.text,
      label: name.from === "label" || name.from === "aria" ? name.text : "",
      placeholder: dom.attr(element, "placeholder") ?? "",
      testid: ["data-testid", "data-test-id", "data-test"].map(key => dom.attr(element, key)).find(Boolean) ?? "",
      field: dom.attr(element, "name") ?? dom.attr(element, "id") ?? "",
      css: path(element),
      secret: SECRET.test(attributes),
    };
  };
})(globalThis.tabwright);
