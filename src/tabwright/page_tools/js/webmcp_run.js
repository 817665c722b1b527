// Called in the page's own world: runs one of the tools that it offers, and stops waiting after some milliseconds.
async function runTool(name, input, patience, most) {
  const context = document.modelContext;
  const tool = (await context?.getTools?.())?.find(known => known.name === name);
  if (!tool) return { gone: true };
  const signal = AbortSignal.timeout(patience);
  try {
    const text = await context.executeTool(tool, input, { signal });
    return { text: text === null || text === undefined ? null : String(text).slice(0, most) };
  } catch (error) {
    return signal.aborted ? { late: true } : { thrown: String(error).slice(0, 1000) };
  }
}
