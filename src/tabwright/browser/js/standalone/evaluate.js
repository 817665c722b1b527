// Runs a caller's script and returns its value as JSON text of limited length. evaluate.py inserts the script below,
// where it sees none of our variables but `args`, and the functions of script_result.js.
async function tabwrightEvaluate(/** @type {[number, ...any[]]} */ ...tabwrightArguments) {
  return await (async (/** @type {Function} */ make, /** @type {number} */ limit, ...given) => {
    const sourceOf = value => Reflect.apply((() => {}).toString, value, []); // `Function` is out of reach when hardened
    const run = make(given, given[0], given);
    // A script that is a function is called; a function that a script returns is only named.
    const isScript = inner => {
      const blank = /^(?:[\s();]|\/\/.*|\/\*[\s\S]*?\*\/)*$/;
      const [before, after = "x", more] = sourceOf(run).split(inner);
      const start = before.replace(/^(?:(?:async )?function \(\)|\(\) =>) \{\s*return /, "");
      return more === undefined && blank.test(start) && blank.test(after.replace(/\}$/, ""));
    };
    let value = await Reflect.apply(run, globalThis, given);
    if (typeof value === "function" && !sourceOf(value).startsWith("class") && isScript(sourceOf(value)))
      value = await value(...given);
    return tabwrightResult(value, limit);
  })(
    args =>
      async function () {
        BODY;
      },
    ...tabwrightArguments,
  );
}
