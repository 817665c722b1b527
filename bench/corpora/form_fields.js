// Evaluated in a page of the forms corpus after its tools were listed: the fields that a person wrote down, and the
// controls behind the parameters of the tools.
(numbers => {
  const TYPED =
    "input:not([type=checkbox i],[type=radio i],[type=file i],[type=range i],[type=color i]),textarea,select";
  // Scripts fill these in, and they are visible only because the corpus has no style sheets.
  const BY_SCRIPT = /captcha-response|^fake\w*remembered$|^autofill\w*$/i;

  const isVisible = element => {
    const box = element.getBoundingClientRect();
    const away = box.right + scrollX <= 0 || box.bottom + scrollY <= 0;
    const shown = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    return shown && !away && box.width > 2 && box.height > 2 && !element.closest("[aria-hidden=true],[inert]");
  };

  // A person can fill in what is visible, unless it is disabled, shows a value that cannot be changed, or is a
  // script's own field.
  const isFillable = element =>
    isVisible(element) &&
    !element.matches(":disabled,[readonly],[aria-disabled=true]") &&
    !BY_SCRIPT.test(element.name || element.id);

  const describe = element => {
    const { name, id, placeholder, type } = element;
    const value = element.getAttribute("aria-label") || placeholder || name || id || "no name";
    return `${element.localName}${type ? ` ${type}` : ""} ${JSON.stringify(String(value).slice(0, 60))}`;
  };

  const facts = element => ({ fillable: isFillable(element), text: describe(element) });

  return {
    fields: [...document.querySelectorAll("[data-manual-scoring]")].map(element => ({
      number: tabwright.refOf(element),
      scoring: element.dataset.manualScoring,
      ...facts(element),
    })),
    controls: numbers.map(number => {
      const element = tabwright.nodeOf(number);
      return { number, typed: element.matches(TYPED), ...facts(element) };
    }),
    buttons: [...document.querySelectorAll("[data-manual-submit]")].map(element =>
      (element.innerText || element.value || element.getAttribute("aria-label") || "").trim().slice(0, 40),
    ),
  };
});
