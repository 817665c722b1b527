// In the page's own world: runs a tool of the page, and cancels it after a number of milliseconds.
async function runTool(name, input, timeout, maxLength) {
  const context = document.modelContext;
  const tool = (await context?.getTools?.())?.find(known => known.name === name);
  if (!tool) return { gone: true };
  const signal = AbortSignal.timeout(timeout);
  try {
    const text = await context.executeTool(tool, input, { signal });
    return { text: text === null || text === undefined ? null : String(text).slice(0, maxLength) };
  } catch (error) {
    return signal.aborted ? { late: true } : { thrown: String(error).slice(0, 1000) };
  }
}
