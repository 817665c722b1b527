// Called in our world, where the browser has no WebMCP: the forms that declare themselves tools, each as its number,
// name and description; and the next free number.
function listToolForms(next) {
  const { dom } = tabwright;
  tabwright.numbering.start(next);
  const { matches = [] } = tabwright.find({
    steps: [{ by: "css", value: "form[toolname][tooldescription]" }],
    nth: null,
  });
  const forms = matches
    .slice(0, 100)
    .map(form => [
      tabwright.refOf(form),
      ...["toolname", "tooldescription"].map(name => dom.attr(form, name).slice(0, 1000)),
    ]);
  return { forms, next: tabwright.numbering.next };
}
