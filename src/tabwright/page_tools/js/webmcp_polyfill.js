// In the page's own world: provides `document.modelContext` in browsers without it, before the page's scripts run.
// Reports changed tools through a binding, which it hides from the page.
"use strict";
(() => {
  const BINDING = "__tabwrightTools";
  const notify = globalThis[BINDING];
  delete globalThis[BINDING];
  if ("modelContext" in Document.prototype || "modelContext" in document) return;

  const NAME = /^[A-Za-z0-9_.-]{1,128}$/;
  const MAX_TOOLS = 200;
  const tools = new Map();

  class ModelContext extends EventTarget {
    async registerTool(tool, { signal } = /** @type {{ signal?: AbortSignal }} */ ({})) {
      const { name, title = "", description, inputSchema, annotations, execute } = tool ?? {};
      if (typeof execute !== "function") throw new TypeError("A tool needs a function execute.");
      if (typeof description !== "string" || !description) throw new TypeError("A tool needs a description.");
      if (!NAME.test(name)) throw new DOMException("Invalid tool name", "InvalidStateError");
      if (tools.has(name)) throw new DOMException("Duplicate tool name", "InvalidStateError");
      if (tools.size >= MAX_TOOLS) throw new DOMException("Too many tools", "QuotaExceededError");
      signal?.throwIfAborted();
      const schema = inputSchema === undefined ? undefined : JSON.parse(JSON.stringify(inputSchema));
      tools.set(name, { declaration: { name, title, description, inputSchema: schema, annotations }, execute });
      signal?.addEventListener("abort", () => {
        tools.delete(name);
        changed(this);
      });
      changed(this);
    }

    async getTools() {
      return [...tools.values()].map(({ declaration }) => ({ ...declaration, origin: location.origin, window }));
    }

    // The result as JSON, as Chrome's own gives it.
    async executeTool(tool, input, { signal } = /** @type {{ signal?: AbortSignal }} */ ({})) {
      const found = tools.get(tool?.name);
      if (!found) throw new DOMException("Tool not found", "NotFoundError");
      if (typeof input !== "object" || input === null) throw new TypeError("The input must be an object.");
      const stopped = new Promise((_, reject) =>
        signal?.addEventListener("abort", () => {
          this.dispatchEvent(Object.assign(new Event("toolcancel"), { toolName: found.declaration.name }));
          reject(signal.reason);
        }),
      );
      const result = await Promise.race([
        found.execute(input, { signal: signal ?? new AbortController().signal }),
        stopped,
      ]);
      return result === undefined ? null : JSON.stringify(result);
    }
  }

  for (const name of ["toolchange", "toolcancel"]) {
    let listener = null;
    Object.defineProperty(ModelContext.prototype, `on${name}`, {
      configurable: true,
      enumerable: true,
      get: () => listener,
      set(value) {
        if (listener) this.removeEventListener(name, listener);
        listener = typeof value === "function" ? value : null;
        if (listener) this.addEventListener(name, listener);
      },
    });
  }

  function changed(context) {
    notify?.("");
    context.dispatchEvent(new Event("toolchange"));
  }

  const context = new ModelContext();
  Object.defineProperty(Document.prototype, "modelContext", {
    configurable: true,
    enumerable: true,
    get: () => context,
  });
})();
