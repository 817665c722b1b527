// Called in the page's own world: what its `document.modelContext` offers, as JSON of at most so many characters.
async function listTools(most) {
  const context = document.modelContext;
  if (typeof context?.getTools !== "function") return "[]";
  const tools = (await context.getTools()).map(({ name, description, inputSchema, annotations }) => ({
    name,
    description,
    inputSchema,
    annotations,
  }));
  const text = JSON.stringify(tools);
  return text.length > most ? "[]" : text;
}
