// In the page's own world: the tools of its `document.modelContext` as JSON; none if they exceed a length.
async function listTools(maxLength) {
  const context = document.modelContext;
  if (typeof context?.getTools !== "function") return "[]";
  const tools = (await context.getTools()).map(({ name, description, inputSchema, annotations }) => ({
    name,
    description,
    inputSchema,
    annotations,
  }));
  const text = JSON.stringify(tools);
  return text.length > maxLength ? "[]" : text;
}
