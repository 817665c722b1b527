// Lists the rendered elements of a document with what a person could notice of each, for comparing two states of a
// page. Sent on demand.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const MAX_TEXT = 2_000;
  const SKIPPED = new Set("script style template noscript head meta link title br wbr".split(" "));
  // What names an element across changes of the page.
  const IDENTITY = "id data-testid data-test data-cy name for".split(" ");
  const ATTRIBUTES = (
    "href src alt title placeholder type role disabled readonly required aria-label aria-expanded aria-checked " +
    "aria-selected aria-pressed aria-current aria-invalid aria-disabled"
  ).split(" ");
  // Computed values say how it looks. Values that Chrome derives from the layout are read as they were specified:
  // `auto` stays `auto`, so that an element that only makes room for another one does not count as changed.
  const LOOK = (
    "color background-color background-image border-top border-right border-bottom border-left border-radius " +
    "box-shadow opacity visibility filter font-family font-size font-weight font-style text-align " +
    "text-decoration-line text-transform letter-spacing line-height white-space list-style-type"
  ).split(" ");
  const LAYOUT = (
    "transform translate rotate scale position top right bottom left margin-top margin-right margin-bottom " +
    "margin-left float order display width height padding-top padding-right padding-bottom padding-left " +
    "row-gap column-gap flex-direction justify-content align-items align-self"
  ).split(" ");

  // {elements, styles, left_out}: the elements in document order, each with the index of its parent.
  tabwright.elementTree = function ({ most }) {
    tabwright.clearCaches();
    const elements = [];
    let leftOut = 0;
    const visit = (element, above) => {
      if (SKIPPED.has(dom.tag(element)) || !isShown(element)) return;
      if (elements.length >= most) {
        leftOut += 1;
        return;
      }
      const children = tabwright.childrenOf(element);
      const index = elements.push(describe(element, above, children)) - 1;
      for (const child of children) if (dom.type(child) === Node.ELEMENT_NODE) visit(child, index);
    };
    visit(dom.body() ?? dom.root(), -1);
    return { elements, styles: [...LOOK, ...LAYOUT], left_out: leftOut };
  };

  // An element with display: contents has no box, but its children have.
  const isShown = element => tabwright.isRendered(element) || tabwright.styleOf(element).display === "contents";

  function describe(element, above, children) {
    const own = children.filter(child => dom.type(child) === Node.TEXT_NODE).map(child => dom.text(child));
    return {
      parent: above,
      tag: dom.tag(element),
      role: tabwright.roleOf(element) ?? "",
      name: tabwright.cut(tabwright.nameOf(element).text, 100),
      identity: IDENTITY.map(name => dom.attr(element, name) ?? "").join("\n"),
      text: tabwright.cut(tabwright.clean(own.join(" ")), MAX_TEXT),
      value: readValue(element),
      attributes: Object.fromEntries(
        ATTRIBUTES.filter(name => dom.has(element, name)).map(name => [
          name,
          tabwright.cut(dom.attr(element, name), 500),
        ]),
      ),
      style: styleOf(element),
    };
  }

  function readValue(element) {
    if (element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(tabwright.inputType(element)))
      return element.checked ? "checked" : "not checked";
    if (/^(input|select|textarea)$/.test(dom.tag(element)) && "value" in element)
      return tabwright.cut(tabwright.maskSecret(element, String(element.value)), MAX_TEXT);
    return "";
  }

  function styleOf(element) {
    const computed = getComputedStyle(element);
    const specified = element.computedStyleMap();
    return [
      ...LOOK.map(name => computed.getPropertyValue(name)),
      ...LAYOUT.map(name => specified.get(name)?.toString() ?? ""),
    ];
  }
})(globalThis.tabwright);
