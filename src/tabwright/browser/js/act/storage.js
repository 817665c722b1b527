// Web storage and IndexedDB of a frame's origin. Where the browser denies access, the result has `refused`.
"use strict";
(tabwright => {
  const VALUE_LIMIT = 10_000;

  // localStorage and sessionStorage: all entries, one entry, set, remove, clear.
  tabwright.webStorage = function (kind, operation, key, value) {
    try {
      const storage = kind === "local" ? localStorage : sessionStorage;
      if (operation === "all")
        return {
          entries: Array.from({ length: storage.length }, (_, i) => [storage.key(i), storage.getItem(storage.key(i))]),
        };
      if (operation === "get") return { value: storage.getItem(key) };
      if (operation === "set") storage.setItem(key, value);
      if (operation === "remove") storage.removeItem(key);
      if (operation === "clear") storage.clear();
      return {};
    } catch (error) {
      return refusal(error);
    }
  };

  tabwright.listDatabases = () =>
    catchRefusal(async () => {
      const found = [];
      for (const { name } of await indexedDB.databases()) found.push(await withDatabase(name, describe));
      return { databases: found };
    });

  tabwright.readStore = (name, store, skip, limit) =>
    catchRefusal(() => ifExists(name, database => read(database, store, skip, limit)));

  tabwright.clearDatabase = name => catchRefusal(() => ifExists(name, clear));

  function refusal(error) {
    return { refused: error.name, message: String(error.message) };
  }

  async function catchRefusal(work) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof DOMException) return refusal(error);
      throw error;
    }
  }

  function resultOf(request) {
    return new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  }

  // Opening a database that does not exist would create it.
  async function ifExists(name, work) {
    const known = (await indexedDB.databases()).map(database => database.name);
    return known.includes(name) ? withDatabase(name, work) : { missing: "database", known };
  }

  async function withDatabase(name, work) {
    const database = await resultOf(indexedDB.open(name));
    try {
      return await work(database);
    } finally {
      database.close();
    }
  }

  async function describe(database) {
    const stores = [];
    const names = [...database.objectStoreNames];
    const transaction = names.length ? database.transaction(names, "readonly") : null;
    for (const name of names) {
      const store = transaction.objectStore(name);
      stores.push({
        name,
        count: await resultOf(store.count()),
        keyPath: store.keyPath,
        indexes: [...store.indexNames],
      });
    }
    return { name: database.name, version: database.version, stores };
  }

  async function read(database, name, skip, limit) {
    const known = [...database.objectStoreNames];
    if (!known.includes(name)) return { missing: "store", known };
    const store = database.transaction([name], "readonly").objectStore(name);
    const total = await resultOf(store.count());
    const records = [];
    if (skip >= total) return { total, records };
    const request = store.openCursor();
    let cursor = await resultOf(request);
    if (cursor && skip) {
      cursor.advance(skip);
      cursor = await resultOf(request);
    }
    while (cursor && records.length < limit) {
      records.push([toJson(cursor.key), toJson(cursor.value)]);
      cursor.continue();
      cursor = await resultOf(request);
    }
    return { total, records };
  }

  async function clear(database) {
    const names = [...database.objectStoreNames];
    if (!names.length) return { cleared: [] };
    const transaction = database.transaction(names, "readwrite");
    for (const name of names) transaction.objectStore(name).clear();
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
    });
    return { cleared: names };
  }

  // A stored value as JSON; what JSON cannot represent is described.
  function toJson(value) {
    const seen = new Set();
    const text = JSON.stringify(value, function (key, item) {
      item = this[key];
      if (typeof item === "bigint") return `${item}n`;
      if (item === null || typeof item !== "object") return item;
      if (seen.has(item)) return "(seen above)";
      seen.add(item);
      if (item instanceof Date) return Number.isNaN(item.getTime()) ? "invalid date" : item.toISOString();
      if (item instanceof Map) return Object.fromEntries(item);
      if (item instanceof Set) return [...item];
      if (item instanceof Blob) return `(${item.size} bytes of ${item.type || "unknown type"})`;
      if (item instanceof ArrayBuffer || ArrayBuffer.isView(item)) return `(${item.byteLength} bytes)`;
      return item;
    });
    if (text === undefined) return null;
    return text.length > VALUE_LIMIT ? tabwright.cut(text, VALUE_LIMIT) : JSON.parse(text);
  }
})(globalThis.tabwright);
