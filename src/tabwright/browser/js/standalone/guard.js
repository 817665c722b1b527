// Hardens the world that callers' scripts run in: access to cookies, storage, the network or the page's own world, and
// turning text into code, throws there. The page's own world is not changed.
// A script may replace built-in methods, so the checks use only those that it cannot replace.
"use strict";
(() => {
  if (globalThis.guarded === true) return;
  class Refused extends Error {}
  const { defineProperty, getOwnPropertyDescriptor, getOwnPropertyNames, getPrototypeOf } = Object;
  const { apply } = Reflect;
  const lowered = String.prototype.toLowerCase;
  const refuse = what => {
    throw new Refused(`${what} is out of reach of the script`);
  };
  const text = value => `${value}`;
  const set = names => {
    const made = { __proto__: null };
    for (const name of names.split(/\s+/)) made[name] = true;
    return made;
  };

  // `close` makes properties throw; `guard` runs a check before methods and setters.
  const close = (holder, names, of = "") => {
    for (const name of names.split(/\s+/)) {
      if (!holder || !(name in holder)) continue;
      const closed = () => refuse(of + name);
      defineProperty(holder, name, { get: closed, set: closed, enumerable: false, configurable: false });
    }
  };
  const guard = (holder, names, check) => {
    for (const name of names.split(/\s+/)) {
      const found = holder && getOwnPropertyDescriptor(holder, name);
      const inner = found && (found.value ?? found.set);
      if (typeof inner !== "function") continue;
      const outer = {
        [name](...args) {
          check(this, args, name);
          return apply(inner, this, args);
        },
      }[name];
      const changed = found.value ? { value: outer, writable: false } : { get: found.get, set: outer };
      defineProperty(holder, name, { ...changed, enumerable: found.enumerable, configurable: false });
    }
  };
  const refuseCalls = (holder, names) => guard(holder, names, (_, args, name) => refuse(name));

  // Cookies, storage, the network, other windows, text as code.
  close(
    globalThis,
    `localStorage sessionStorage indexedDB caches cookieStore sharedStorage eval Function open frames
    parent opener Worker SharedWorker WebAssembly fetch fetchLater XMLHttpRequest WebSocket WebSocketStream EventSource
    WebTransport RTCPeerConnection BroadcastChannel navigation DOMParser XSLTProcessor webkitRequestFileSystem
    webkitResolveLocalFileSystemURL documentPictureInPicture showOpenFilePicker showSaveFilePicker showDirectoryPicker
    launchQueue Notification PaymentRequest PresentationRequest ShadowRealm`,
  );
  for (const kind of [() => {}, async () => {}, function* () {}, async function* () {}])
    close(getPrototypeOf(kind), "constructor", "Function as ");
  close(
    Document.prototype,
    "cookie defaultView domain execCommand requestStorageAccess requestStorageAccessFor",
    "document.",
  );
  close(Document, "parseHTML parseHTMLUnsafe", "Document.");
  close(URL, "createObjectURL", "URL.");
  close(
    Navigator.prototype,
    `serviceWorker sendBeacon storage storageBuckets credentials locks clipboard
    webkitPersistentStorage webkitTemporaryStorage usb hid serial bluetooth`,
    "navigator.",
  );
  close(globalThis.CSS, "paintWorklet animationWorklet layoutWorklet", "CSS.");
  for (const [type, names] of [
    ["UIEvent", "view"],
    ["MessageEvent", "source"],
    ["StorageEvent", "storageArea"],
    ["BaseAudioContext", "audioWorklet"],
    ["HTMLIFrameElement", "contentWindow contentDocument getSVGDocument"],
    ["HTMLFrameElement", "contentWindow contentDocument"],
    ["HTMLObjectElement", "contentWindow contentDocument getSVGDocument"],
    ["HTMLEmbedElement", "getSVGDocument"],
    ["HTMLFencedFrameElement", "config"],
    ["SVGScriptElement", "href"],
  ])
    close(globalThis[type]?.prototype, names, `${type}.`);
  guard(globalThis, "setTimeout setInterval", (_, args) => {
    if (typeof args[0] !== "function") refuse("text as code");
  });

  // Markup, and elements whose content runs in the page's own world.
  refuseCalls(Document.prototype, "write writeln open importNode adoptNode");
  refuseCalls(Node.prototype, "cloneNode");
  refuseCalls(Range.prototype, "createContextualFragment cloneContents insertNode surroundContents");
  for (const holder of [Element.prototype, ShadowRoot.prototype])
    refuseCalls(holder, "innerHTML outerHTML insertAdjacentHTML setHTML setHTMLUnsafe");
  const runningTags = set(`script iframe frame frameset object embed applet portal fencedframe base link meta
    animate animatemotion animatetransform set use foreignobject`);
  const local = name => {
    let from = 0;
    for (let i = 0; i < name.length; i++) if (name[i] === ":") from = i + 1;
    let found = "";
    for (let i = from; i < name.length; i++) found += name[i];
    return apply(lowered, found, []);
  };
  const element = place => (_, args) => {
    const name = local((args[place] = text(args[place])));
    if (name in runningTags) refuse(`a new <${name}>`);
  };
  guard(Document.prototype, "createElement", element(0));
  guard(Document.prototype, "createElementNS", element(1));
  guard(DOMImplementation.prototype, "createDocument", element(1));

  // Attributes that hold code.
  const scheme = "javascript:";
  const isJavascriptUrl = value => {
    let met = 0;
    for (let i = 0; i < value.length && met < scheme.length; i++) {
      if (value[i] <= " ") continue;
      const letter = apply(lowered, value[i], []);
      met = letter === scheme[met] ? met + 1 : letter === "j" ? 1 : 0;
    }
    return met === scheme.length;
  };
  const isScript = node => node instanceof HTMLScriptElement || node instanceof SVGScriptElement;
  const codeAttributes = set("srcdoc http-equiv ping");
  const checkAttribute = (holder, name, value) => {
    const key = local(name);
    if (isScript(holder)) refuse(`${key} of a script`);
    if ((key[0] === "o" && key[1] === "n") || key in codeAttributes) refuse(`the attribute ${key}`);
    if (isJavascriptUrl(value)) refuse("a javascript: address");
  };
  const ownerOf = getOwnPropertyDescriptor(Attr.prototype, "ownerElement").get;
  const nameOf = getOwnPropertyDescriptor(Attr.prototype, "name").get;
  const attribute = place => (holder, args) =>
    checkAttribute(holder, (args[place] = text(args[place])), (args[place + 1] = text(args[place + 1])));
  guard(Element.prototype, "setAttribute", attribute(0));
  guard(Element.prototype, "setAttributeNS", attribute(1));
  guard(Element.prototype, "toggleAttribute", (holder, args) => checkAttribute(holder, (args[0] = text(args[0])), ""));
  refuseCalls(Element.prototype, "setAttributeNode setAttributeNodeNS");
  refuseCalls(NamedNodeMap.prototype, "setNamedItem setNamedItemNS");
  guard(Attr.prototype, "value", (attr, args) =>
    checkAttribute(apply(ownerOf, attr, []), apply(nameOf, attr, []), (args[0] = text(args[0]))),
  );
  for (const [type, names] of [
    ["HTMLAnchorElement", "href ping"],
    ["HTMLAreaElement", "href ping"],
    ["HTMLFormElement", "action"],
    ["HTMLInputElement", "formAction"],
    ["HTMLButtonElement", "formAction"],
    ["HTMLIFrameElement", "src srcdoc"],
    ["HTMLFrameElement", "src"],
    ["HTMLEmbedElement", "src"],
    ["HTMLObjectElement", "data codeBase"],
    ["HTMLBaseElement", "href"],
    ["HTMLMetaElement", "content"],
    ["HTMLLinkElement", "href"],
    ["SVGAnimatedString", "baseVal"],
  ])
    guard(globalThis[type]?.prototype, names, (holder, args, name) =>
      checkAttribute(holder, name, (args[0] = text(args[0]))),
    );
  refuseCalls(HTMLAnchorElement.prototype, "protocol"); // can turn a harmless address into javascript:
  refuseCalls(HTMLAreaElement.prototype, "protocol");
  refuseCalls(HTMLMetaElement.prototype, "httpEquiv");

  // The text of scripts, and of attributes through node methods.
  const parentOf = getOwnPropertyDescriptor(Node.prototype, "parentNode").get;
  const refuseScriptText = node => {
    if (!(node instanceof Node)) return;
    if (node instanceof Attr) refuse("the text of an attribute");
    if (isScript(node) || isScript(apply(parentOf, node, []))) refuse("the text of a script");
  };
  for (const holder of [HTMLScriptElement.prototype, SVGScriptElement.prototype])
    for (const name of getOwnPropertyNames(holder)) {
      const found = getOwnPropertyDescriptor(holder, name);
      if (found.set && found.configurable) refuseCalls(holder, name);
    }
  guard(Node.prototype, "textContent nodeValue appendChild insertBefore replaceChild normalize", refuseScriptText);
  guard(HTMLElement.prototype, "innerText outerText", refuseScriptText);
  for (const holder of [Element.prototype, CharacterData.prototype, Text.prototype])
    guard(
      holder,
      `append prepend replaceChildren before after replaceWith moveBefore insertAdjacentText
      insertAdjacentElement data appendData insertData replaceData deleteData splitText`,
      refuseScriptText,
    );

  // Chrome takes the iterator of the built-in matchAll for a side effect, and refuses it to scripts that only read.
  const { exec } = RegExp.prototype;
  const matchAll = /** @this {any} */ function (pattern) {
    const given = pattern instanceof RegExp;
    if (given && !pattern.global) throw new TypeError("matchAll must be called with a global RegExp");
    const copy = given ? new RegExp(pattern) : new RegExp(pattern, "g");
    const whole = text(this);
    const all = [];
    copy.lastIndex = given ? pattern.lastIndex : 0;
    for (let found; (found = apply(exec, copy, [whole])); all.push(found)) if (found[0] === "") copy.lastIndex++;
    return all.values();
  };
  defineProperty(String.prototype, "matchAll", { value: matchAll, writable: true, configurable: true });

  // A Location runs javascript: addresses in the page's own world and cannot be changed, so scripts must not get one.
  // Literal names are checked before a script runs; computed names and functions that return all values, here.
  const names = set(`location Object Reflect Proxy JSON toJSON constructor __proto__ __lookupGetter__
    __lookupSetter__ __defineGetter__ __defineSetter__`);
  const key = value => {
    if (typeof value === "number" || typeof value === "symbol") return value;
    const name = text(value);
    return name in names ? refuse(`the computed name ${name}`) : name;
  };
  defineProperty(globalThis, "guardedKey", { value: (...given) => key(given[given.length - 1]) });
  const all = holder => {
    const leads = holder != null && getOwnPropertyDescriptor(holder, "location")?.configurable === false;
    return leads ? refuse("location") : holder;
  };
  defineProperty(globalThis, "guardedAll", { value: all });
  guard(Object, "values entries assign", (_, args) => {
    for (let i = 0; i < args.length; i++) all(args[i]);
  });
  defineProperty(globalThis, "guarded", { value: true });
})();
