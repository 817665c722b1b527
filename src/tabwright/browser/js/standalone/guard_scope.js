// The variables and names of callers' scripts in the hardened world.
// A Location runs javascript: addresses in the page's own world, and the windows of other frames have worlds that may
// not be hardened yet. Neither can be changed, so scripts must not get one. They get a window whose properties are
// checked; literal names are checked before a script runs; computed names and functions that return all values, here.
"use strict";
(() => {
  const real = globalThis;
  if (real.guarded === true) return;
  class Refused extends Error {}
  const { defineProperty, entries, freeze, fromEntries, getOwnPropertyDescriptor, keys, values } = Object;
  const { apply, construct, deleteProperty } = Reflect;
  const { parse, stringify } = JSON;
  const { unscopables } = Symbol;
  const NativeProxy = Proxy;
  const NativeRegExp = RegExp;
  const windowPrototype = Window.prototype;
  const refuse = what => {
    throw new Refused(`${what} is out of reach of the script`);
  };
  const text = value => `${value}`;
  const set = names => {
    const made = { __proto__: null };
    for (const name of names.split(/\s+/)) made[name] = true;
    return made;
  };

  const names = set(`location Object Reflect Proxy JSON toJSON constructor __proto__ __lookupGetter__
    __lookupSetter__ __defineGetter__ __defineSetter__`);
  const key = value => {
    if (typeof value === "number" || typeof value === "symbol") return value;
    const name = text(value);
    return name in names ? refuse(`the computed name ${name}`) : name;
  };
  const all = holder => {
    const leads = holder != null && getOwnPropertyDescriptor(holder, "location")?.configurable === false;
    return leads ? refuse("location") : holder;
  };
  const join = (...parts) => {
    let joined = "";
    for (let i = 0; i < parts.length; i++) joined += text(parts[i]);
    return joined;
  };

  // What stands in for a Location, Object and JSON.
  const place = { __proto__: null, toString: () => text(real.location) };
  for (const part of ["href", "origin", "protocol", "host", "hostname", "port", "pathname", "search", "hash"])
    defineProperty(place, part, {
      get: () => real.location[part],
      set: value => {
        if (part !== "hash") refuse(`location.${part}`);
        real.location.hash = text(value);
      },
      enumerable: true,
    });
  for (const part of ["assign", "replace", "reload"]) place[part] = () => refuse(`location.${part}`);
  const checkedObject = {
    keys,
    values: holder => values(all(holder)),
    entries: holder => entries(all(holder)),
    fromEntries,
  };
  const checkedJson = {
    parse: (source, reviver) => (reviver === undefined ? parse(source) : refuse("a function for JSON.parse")),
    stringify: (value, replacer, space) =>
      typeof replacer === "function" ? refuse("a function for JSON.stringify") : stringify(value, replacer, space),
  };
  const replaced = {
    __proto__: null,
    location: freeze(place),
    Object: freeze(checkedObject),
    JSON: freeze(checkedJson),
  };

  // The window of scripts. Windows recognize themselves by a property that nothing can change.
  const isWindow = value => typeof value === "object" && value !== null && value.window === value;
  const give = value => {
    if (value === real) return scope;
    return isWindow(value) && value !== scope ? refuse("another frame") : value;
  };
  const method = inner => {
    if (getOwnPropertyDescriptor(inner, "prototype") !== undefined) return inner; // a class
    return (...args) => give(apply(inner, real, args));
  };
  const scopeHandler = {
    __proto__: null,
    has: (_, name) => !(name in helpers) && name in real,
    get: (_, name) => {
      if (name === unscopables) return undefined;
      if (name in replaced) return replaced[name];
      if (name === "Reflect" || name === "Proxy") refuse(name);
      const value = real[name];
      return typeof value === "function" ? method(value) : give(value);
    },
    set: (_, name, value) => {
      if (name in names || name in replaced) refuse(text(name));
      real[name] = value;
      return true;
    },
    deleteProperty: (_, name) => deleteProperty(real, name),
    defineProperty: () => refuse("a property of the window"),
    getPrototypeOf: () => windowPrototype,
    setPrototypeOf: () => false,
    preventExtensions: () => false,
  };
  const scope = new NativeProxy({ __proto__: null }, scopeHandler);

  // Where the browser gives the window to scripts, or takes it.
  const guardGetter = (type, name) => {
    const found = getOwnPropertyDescriptor(real[type]?.prototype ?? {}, name);
    if (!found) return;
    const get = /** @this {any} */ function () {
      return give(apply(found.get, this, []));
    };
    defineProperty(real[type].prototype, name, { get, enumerable: true, configurable: false });
  };
  for (const name of ["target", "currentTarget", "srcElement"]) guardGetter("Event", name);
  for (const type of ["MouseEvent", "FocusEvent"]) guardGetter(type, "relatedTarget");
  guardGetter("Touch", "target");
  guardGetter("IntersectionObserver", "root");
  const { composedPath } = Event.prototype;
  const path = /** @this {any} */ function () {
    const nodes = apply(composedPath, this, []);
    for (let i = 0; i < nodes.length; i++) nodes[i] = give(nodes[i]);
    return nodes;
  };
  defineProperty(Event.prototype, "composedPath", { value: path });
  for (const name of [
    ..."UIEvent MouseEvent PointerEvent KeyboardEvent WheelEvent FocusEvent".split(" "),
    ..."InputEvent CompositionEvent TouchEvent DragEvent".split(" "),
  ]) {
    const inner = real[name];
    if (!inner) continue;
    /** @type {any} */
    const handler = {
      __proto__: null,
      construct(_, args, target) {
        if (args[1]?.view === scope) args[1] = { ...args[1], view: real };
        return construct(inner, args, target === replaced[name] ? inner : target);
      },
    };
    replaced[name] = new NativeProxy(inner, handler);
    for (const old of ["initUIEvent", "initMouseEvent", "initKeyboardEvent", "initCompositionEvent"]) {
      const found = getOwnPropertyDescriptor(inner.prototype, old)?.value;
      if (!found) continue;
      const init = /** @this {any} */ function (...args) {
        if (args[3] === scope) args[3] = real;
        return apply(found, this, args);
      };
      defineProperty(inner.prototype, old, { value: init });
    }
  }

  // Scripts that only read run with the real window: they may start only if every frame they reach is hardened.
  const lengthOf = getOwnPropertyDescriptor(real, "length");
  defineProperty(real, "length", { get: lengthOf.get, set: undefined, configurable: false });
  const areFramesGuarded = window => {
    try {
      if (window.guarded !== true) return false;
    } catch {} // a frame of another origin is out of reach, but frames inside it may not be
    for (let i = 0; i < window.length; i++) if (!areFramesGuarded(window[i])) return false;
    return true;
  };
  for (const name of ["values", "entries", "assign"]) {
    const inner = Object[name];
    const outer = (...args) => {
      for (let i = 0; i < args.length; i++) all(args[i]);
      return apply(inner, Object, args);
    };
    defineProperty(Object, name, { value: outer });
  }
  const helpers = {
    __proto__: null,
    guardedKey: (...given) => key(given[given.length - 1]),
    guardedAll: all,
    guardedText: join,
    guardedRegExp: (source, flags) => new NativeRegExp(source, flags),
    guardedThis: give,
    guardedLocation: replaced.location,
    guardedScope: scope,
    guardedFrames: () => areFramesGuarded(real.top),
    guarded: true,
  };
  for (const name of keys(helpers)) defineProperty(real, name, { value: helpers[name] });
})();
