// The variables and names of callers' scripts in the hardened world.
// A Location runs javascript: addresses in the page's own world, and the windows of other frames have worlds that may
// not be hardened yet. Neither can be changed, so scripts must not get one. They get a window whose properties are
// checked; literal names are checked before a script runs; computed names and functions that return all values, here.
"use strict";
(() => {
  const real = globalThis;
  if (real.guarded === true) return;
  class Refused extends Error {}
  const { defineProperty, entries, freeze, fromEntries, getOwnPropertyDescriptor, getOwnPropertyNames, keys, values } =
    Object;
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

  // The browser calls timers and listeners with the window as `this`. Built-in functions could pass it on.
  const { toString: functionSource } = () => {}; // `Function` is closed
  const { exec } = RegExp.prototype;
  const { get: stored, set: store } = WeakMap.prototype;
  const isBuiltIn = /\{ \[native code\] \}$/;
  const callbacks = new WeakMap();
  const withoutThis = inner => {
    if (typeof inner !== "function" || apply(exec, isBuiltIn, [apply(functionSource, inner, [])]) === null)
      return inner;
    const known = apply(stored, callbacks, [inner]);
    if (known !== undefined) return known;
    const outer = (...args) => apply(inner, undefined, args);
    apply(store, callbacks, [inner, outer]);
    return outer;
  };
  const guardCallbacks = (holder, wanted, place = 0, check = _ => {}) => {
    for (const name of wanted) {
      const found = holder && getOwnPropertyDescriptor(holder, name);
      const inner = found && (found.value ?? found.set);
      if (typeof inner !== "function") continue;
      const outer = {
        /** @this {any} */
        [name](...args) {
          check(args[place]);
          if (args.length > place) args[place] = withoutThis(args[place]);
          return apply(inner, this, args);
        },
      }[name];
      const changed = found.value ? { value: outer, writable: false } : { get: found.get, set: outer };
      defineProperty(holder, name, { ...changed, enumerable: found.enumerable, configurable: false });
    }
  };
  guardCallbacks(real, ["requestAnimationFrame", "requestIdleCallback", "queueMicrotask"]);
  guardCallbacks(real, ["setTimeout", "setInterval"], 0, value => {
    if (typeof value !== "function") refuse("text as code");
  });
  guardCallbacks(EventTarget.prototype, ["addEventListener", "removeEventListener"], 1);
  // Some handlers of a body are those of the window.
  for (const type of [HTMLElement, HTMLBodyElement, HTMLFrameSetElement])
    guardCallbacks(
      type.prototype,
      type === HTMLElement
        ? ["onblur", "onerror", "onfocus", "onload", "onresize", "onscroll"]
        : getOwnPropertyNames(type.prototype).filter(name => name.startsWith("on")),
    );

  // The window of scripts. Windows recognize themselves by a property that nothing can change.
  const isWindow = value => typeof value === "object" && value !== null && value.window === value;
  const give = value => {
    if (value === real) return scope;
    return isWindow(value) && value !== scope ? refuse("another frame") : value;
  };
  // Only the window's methods are called with the real one: others could pass it on.
  const windowMethods = new WeakSet();
  const { has: hasMember } = WeakSet.prototype;
  const collectMethods = (holder, wanted) => {
    for (const name of wanted) {
      const found = name[0] >= "a" && name[0] <= "z" && getOwnPropertyDescriptor(holder, name)?.value;
      const isMethod = typeof found === "function" && !getOwnPropertyDescriptor(found, "prototype");
      if (isMethod) windowMethods.add(found);
    }
  };
  for (const holder of [real, windowPrototype, EventTarget.prototype])
    collectMethods(holder, getOwnPropertyNames(holder));
  collectMethods(Object.prototype, ["hasOwnProperty", "propertyIsEnumerable", "toString"]);
  const method = inner =>
    apply(hasMember, windowMethods, [inner]) ? (...args) => give(apply(inner, real, args)) : inner;
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
      real[name] = typeof name === "string" && name[0] === "o" && name[1] === "n" ? withoutThis(value) : value;
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
    guardedResult: (value, limit) => tabwrightResult(value, limit, all),
    guardedRegExp: (source, flags) => new NativeRegExp(source, flags),
    guardedThis: give,
    guardedLocation: replaced.location,
    guardedScope: scope,
    guardedFrames: () => areFramesGuarded(real.top),
    guarded: true,
  };
  for (const name of keys(helpers)) defineProperty(real, name, { value: helpers[name] });
})();
