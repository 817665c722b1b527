// In the page's own world: runs a tool of the page, and cancels it after a number of milliseconds; with `unfinished`, it
// may then go on.
async function runTool(name, input, timeout, maxLength, unfinished) {
  const context = document.modelContext;
  const tool = (await context?.getTools?.())?.find(known => known.name === name);
  if (!tool) return { gone: true };
  const signal = AbortSignal.timeout(timeout);
  const left = unfinished && new Promise(resolve => signal.addEventListener("abort", () => resolve({ left: true })));
  try {
    const running = context.executeTool(tool, input, unfinished ? {} : { signal });
    const text = await (unfinished ? Promise.race([running, left]) : running);
    if (text?.left) return text;
    return { text: text === null || text === undefined ? null : String(text).slice(0, maxLength) };
  } catch (error) {
    return signal.aborted ? { late: true } : { thrown: String(error).slice(0, 1000) };
  }
}
