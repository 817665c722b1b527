// In our isolated world, for browsers without WebMCP: the forms that are declared as tools, each as its ref number,
// name and description.
"use strict";
(tabwright => {
  tabwright.listToolForms = function () {
    const { dom } = tabwright;
    const { matches = [] } = tabwright.find({
      steps: [{ by: "css", value: "form[toolname][tooldescription]" }],
      nth: null,
    });
    return matches
      .slice(0, 100)
      .map(form => [
        tabwright.refOf(form),
        ...["toolname", "tooldescription"].map(name => dom.attr(form, name).slice(0, 1000)),
      ]);
  };
})(globalThis.tabwright);
