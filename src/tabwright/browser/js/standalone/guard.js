// Hardens the world that callers' scripts run in: access to cookies, storage, the network, other frames or the page's
// own world, and turning text into code, throws there. The page's own world is not changed.
// Scripts may replace every built-in. So all that the checks use is taken here, before any script runs, and what is
// allowed is listed where it can be: a setter or an attribute that is not listed is refused.
"use strict";
(() => {
  const real = globalThis;
  if (real.guarded === true) return;
  class Refused extends Error {}
  const { defineProperty, freeze, getOwnPropertyDescriptor, getOwnPropertyNames, getPrototypeOf, keys } = Object;
  const { apply } = Reflect;
  const { parse, stringify } = JSON;
  const { toLowerCase } = String.prototype;
  const { exec } = RegExp.prototype;
  const { querySelector: queryElement } = Element.prototype;
  const { querySelector: queryFragment } = DocumentFragment.prototype;
  const NativeProxy = Proxy;
  const NativeRegExp = RegExp;
  const getter = (type, name) => getOwnPropertyDescriptor(type.prototype, name).get;
  const typeOf = getter(Node, "nodeType");
  const parentOf = getter(Node, "parentNode");
  const nameOf = getter(Element, "localName");
  const ownerOf = getter(Attr, "ownerElement");
  const attrNameOf = getter(Attr, "name");

  const refuse = what => {
    throw new Refused(`${what} is out of reach of the script`);
  };
  const text = value => `${value}`;
  const lower = value => apply(toLowerCase, value, []);
  const set = names => {
    const made = { __proto__: null };
    for (const name of names.split(/\s+/)) made[name] = true;
    return made;
  };
  const matches = (pattern, value) => apply(exec, pattern, [value]) !== null;

  // `close` makes properties throw; `guard` runs a check before methods and setters.
  const close = (holder, names, of = "") => {
    for (const name of typeof names === "string" ? names.split(/\s+/) : names) {
      if (!holder || !(name in holder)) continue;
      const closed = () => refuse(of + name);
      defineProperty(holder, name, { get: closed, set: closed, enumerable: false, configurable: false });
    }
  };
  const guard = (holder, names, check) => {
    for (const name of typeof names === "string" ? names.split(/\s+/) : names) {
      const found = holder && getOwnPropertyDescriptor(holder, name);
      const inner = found && (found.value ?? found.set);
      if (typeof inner !== "function" || !found.configurable) continue;
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
  const prototypes = names => names.split(/\s+/).flatMap(name => real[name]?.prototype ?? []);

  // Cookies, storage, the network, other windows, text as code.
  close(
    real,
    `localStorage sessionStorage indexedDB caches cookieStore sharedStorage eval Function open frames
    parent opener Worker SharedWorker WebAssembly fetch fetchLater XMLHttpRequest WebSocket WebSocketStream EventSource
    WebTransport RTCPeerConnection webkitRTCPeerConnection BroadcastChannel navigation DOMParser XSLTProcessor
    webkitRequestFileSystem webkitResolveLocalFileSystemURL documentPictureInPicture showOpenFilePicker
    showSaveFilePicker showDirectoryPicker launchQueue Notification PaymentRequest PresentationRequest ShadowRealm
    FontFace Audio trustedTypes frameElement speechSynthesis SpeechRecognition webkitSpeechRecognition LanguageModel
    Translator Summarizer Writer Rewriter Proofreader LanguageDetector IdleDetector queryLocalFonts getScreenDetails
    fence viewport crashReport external IdentityProvider IdentityCredential PublicKeyCredential DigitalCredential
    FederatedCredential PasswordCredential OTPCredential PushManager Profiler ReportingObserver FileSystemObserver`,
  );
  for (const kind of [() => {}, async () => {}, function* () {}, async function* () {}])
    close(getPrototypeOf(kind), "constructor", "Function as ");
  // Its functions get the `this` of functions on the stack.
  defineProperty(Error, "prepareStackTrace", { value: undefined });
  close(
    Document.prototype,
    `cookie defaultView domain execCommand requestStorageAccess requestStorageAccessFor hasStorageAccess
    browsingTopics hasPrivateToken hasRedemptionRecord fragmentDirective`,
    "document.",
  );
  close(
    Document,
    getOwnPropertyNames(Document).filter(name => /HTML/.test(name)),
    "Document.",
  );
  close(URL, "createObjectURL", "URL.");
  const plainNavigator = set(`constructor appCodeName appName appVersion cookieEnabled deviceMemory doNotTrack
    hardwareConcurrency language languages maxTouchPoints mimeTypes onLine pdfViewerEnabled platform plugins product
    productSub userActivation userAgent userAgentData vendor vendorSub webdriver connection javaEnabled`);
  close(
    Navigator.prototype,
    getOwnPropertyNames(Navigator.prototype).filter(name => !(name in plainNavigator)),
    "navigator.",
  );
  close(real.CSS, "paintWorklet animationWorklet layoutWorklet registerProperty", "CSS.");
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
    close(real[type]?.prototype, names, `${type}.`);
  guard(History.prototype, "pushState replaceState", (_, args) => {
    if (args[2] != null) refuse("an address");
  });

  // Markup, and elements whose content runs in the page's own world or is loaded.
  refuseCalls(Document.prototype, "write writeln open importNode adoptNode");
  refuseCalls(Node.prototype, "cloneNode");
  refuseCalls(Range.prototype, "cloneContents insertNode surroundContents createContextualFragment");
  for (const holder of prototypes("Element ShadowRoot DocumentFragment Document Range"))
    refuseCalls(
      holder,
      getOwnPropertyNames(holder).filter(name => /HTML|Unsafe/.test(name) && !/^get|^create/.test(name)),
    );
  const runningTags = set(`script iframe frame frameset object embed applet portal fencedframe base link meta
    animate animatemotion animatetransform set`);
  const running = keys(runningTags).join();
  const refusedTags = { __proto__: null, ...runningTags, ...set("form use foreignobject") };
  const local = name => {
    let from = 0;
    for (let i = 0; i < name.length; i++) if (name[i] === ":") from = i + 1;
    let found = "";
    for (let i = from; i < name.length; i++) found += name[i];
    return lower(found);
  };
  const element = place => (_, args) => {
    const name = local((args[place] = text(args[place])));
    if (name in refusedTags) refuse(`a new <${name}>`);
  };
  guard(Document.prototype, "createElement", element(0));
  guard(Document.prototype, "createElementNS", element(1));
  guard(DOMImplementation.prototype, "createDocument", element(1));

  // Kinds of nodes, by what the browser knows of them: classes and their names can be replaced.
  const kindOf = value => {
    try {
      return apply(typeOf, value, []);
    } catch {
      return 0;
    }
  };
  const tagOf = node => (kindOf(node) === 1 ? lower(apply(nameOf, node, [])) : "");
  const isScript = node => tagOf(node) === "script";
  const isStyle = node => tagOf(node) === "style";

  // Styles that load something.
  const loading = /url\s*\((?!\s*["']?(?:#|data:))|src\s*\(|image-set|@import|\\/i;
  const css = value => (matches(loading, value) ? refuse("an address in a style") : value);
  const styles = (_, args) => {
    for (let i = 0; i < args.length; i++)
      if (args[i] != null && typeof args[i] !== "number") args[i] = css(text(args[i]));
  };
  for (const holder of prototypes("CSSStyleSheet CSSGroupingRule CSSStyleRule CSSKeyframesRule"))
    guard(holder, "insertRule addRule replace replaceSync appendRule", styles);
  guard(real.StylePropertyMap?.prototype, "set append", styles);
  for (const holder of prototypes("CanvasRenderingContext2D OffscreenCanvasRenderingContext2D"))
    guard(holder, "filter", styles);
  guard(Element.prototype, "animate", (_, args) => {
    args[0] = args[0] == null ? null : parse(css(stringify(args[0])));
  });
  refuseCalls(real.KeyframeEffect?.prototype, "setKeyframes");
  close(real, "KeyframeEffect");
  const styleHandler = freeze({
    __proto__: null,
    get(style, name) {
      const value = style[name];
      if (typeof value !== "function") return value;
      return (...args) => {
        styles(style, args);
        return apply(value, style, args);
      };
    },
    set(style, name, value) {
      style[name] = value == null ? value : css(text(value));
      return true;
    },
    defineProperty: () => refuse("a property of a style"),
  });
  const guardStyle = (holder, found) =>
    defineProperty(holder, "style", {
      get() {
        return new NativeProxy(apply(found.get, this, []), styleHandler);
      },
      set(value) {
        apply(found.set, this, [css(text(value))]);
      },
      configurable: false,
    });
  for (const name of getOwnPropertyNames(real))
    if (/^CSS\w*(?:Rule|Declarations|Descriptors)$/.test(name)) {
      const found = getOwnPropertyDescriptor(real[name]?.prototype ?? {}, "style");
      if (found?.get) guardStyle(real[name].prototype, found);
    }

  // Properties and attributes of elements that neither run nor load anything.
  const plain = set(`accessKey align alt ariaNotify autocapitalize autocomplete autocorrect autofocus bgColor border
    caption cellPadding cellSpacing checked className classList color colSpan cols compact contentEditable controls
    currentTime dateTime defaultChecked defaultMuted defaultSelected defaultValue dir dirName disabled draggable
    enterKeyHint files headers height hidden high htmlFor id indeterminate inert inputMode label lang length loop low max
    maxLength min minLength multiple muted name noValidate open optimum part pattern placeholder playbackRate popover
    readOnly required returnValue reversed role rowSpan rows scope scrollLeft scrollTop selected selectedIndex
    selectionDirection selectionEnd selectionStart size slot span spellcheck start step tabIndex tBodies text tFoot tHead
    textContent innerText outerText title translate type vAlign value valueAsDate valueAsNumber volume width wrap
    for class style x y z cx cy r rx ry x1 y1 x2 y2 dx dy d points viewbox transform opacity fill stroke
    rotate offset preserveaspectratio pathlength orient cursor display visibility overflow`);
  const plainAttributes = { __proto__: null };
  for (const name of keys(plain)) plainAttributes[lower(name)] = true;
  const isWord = /^(?:data|aria)-/;
  const scheme = "javascript:";
  const isJavascriptUrl = value => {
    let met = 0;
    for (let i = 0; i < value.length && met < scheme.length; i++) {
      if (value[i] <= " ") continue;
      const letter = lower(value[i]);
      met = letter === scheme[met] ? met + 1 : letter === "j" ? 1 : 0;
    }
    return met === scheme.length;
  };
  const free = set("title alt value placeholder label id class name");
  const checkAttribute = (holder, name, value) => {
    const key = local(name);
    const tag = tagOf(holder);
    if (tag in runningTags) refuse(`${key} of a <${tag}>`);
    if (matches(isWord, key)) return;
    const inert = key in plainAttributes || (matches(/-/, key) && key !== "http-equiv" && key !== "accept-charset");
    if ((key[0] === "o" && key[1] === "n") || !inert) refuse(`the attribute ${key}`);
    if (isJavascriptUrl(value)) refuse("a javascript: address");
    if (!(key in free)) css(value);
  };
  const attribute = place => (holder, args) =>
    checkAttribute(holder, (args[place] = text(args[place])), (args[place + 1] = text(args[place + 1])));
  guard(Element.prototype, "setAttribute", attribute(0));
  guard(Element.prototype, "setAttributeNS", attribute(1));
  guard(Element.prototype, "toggleAttribute", (holder, args) => checkAttribute(holder, (args[0] = text(args[0])), ""));
  guard(Element.prototype, "removeAttribute removeAttributeNS removeAttributeNode", holder => {
    const tag = tagOf(holder);
    if (tag in runningTags) refuse(`the attributes of a <${tag}>`);
  });
  refuseCalls(Element.prototype, "setAttributeNode setAttributeNodeNS");
  refuseCalls(NamedNodeMap.prototype, "setNamedItem setNamedItemNS removeNamedItem removeNamedItemNS");
  guard(Attr.prototype, "value", (attr, args) =>
    checkAttribute(apply(ownerOf, attr, []), apply(attrNameOf, attr, []), (args[0] = text(args[0]))),
  );
  refuseCalls(real.SVGAnimatedString?.prototype, "baseVal");

  // The text of scripts and styles, and of attributes through node methods.
  const refuseText = (node, args, name) => {
    if (kindOf(node) === 2) refuse("the text of an attribute");
    const parent = kindOf(node) === 0 ? null : apply(parentOf, node, []);
    if (isScript(node) || isScript(parent)) refuse("the text of a script");
    if (isStyle(parent)) refuse("a part of a style's text");
    if (!isStyle(node)) return;
    if (name !== "textContent" && name !== "innerText") refuse("a part of a style's text");
    args[0] = css(text(args[0] ?? ""));
  };
  const movable = value => {
    const kind = kindOf(value);
    const tag = tagOf(value);
    const holds = kind === 1 ? queryElement : queryFragment;
    if (tag in runningTags) refuse(`moving a <${tag}>`);
    if ((kind === 1 || kind === 11) && apply(holds, value, [running]) !== null) refuse("moving a script or frame");
  };
  const insert = (node, args, name) => {
    refuseText(node, args, name);
    for (let i = 0; i < args.length; i++) movable(args[i]);
  };
  guard(Node.prototype, "textContent nodeValue normalize", refuseText);
  guard(Node.prototype, "appendChild insertBefore replaceChild", insert);
  guard(Document.prototype, "body", insert);
  const editing = "appendData insertData replaceData deleteData splitText data insertAdjacentText";
  const inserting = "append prepend replaceChildren before after replaceWith moveBefore insertAdjacentElement";
  for (const holder of prototypes("Element Document DocumentFragment CharacterData DocumentType Text")) {
    guard(holder, inserting, insert);
    guard(holder, editing, refuseText);
  }
  guard(HTMLElement.prototype, "innerText outerText", refuseText);

  // Every other setter of every kind of element.
  const guardSetters = (holder, all) => {
    for (const name of getOwnPropertyNames(holder)) {
      const found = getOwnPropertyDescriptor(holder, name);
      if (!found.set || !found.configurable || (name[0] === "o" && name[1] === "n" && !all)) continue;
      if (name === "style") guardStyle(holder, found);
      else if (all || (!(name in plain) && !/^aria/.test(name))) refuseCalls(holder, [name]);
    }
  };
  for (const name of getOwnPropertyNames(real)) {
    if (!/^(?:HTML|SVG|MathML)\w*Element$|^Element$/.test(name)) continue;
    guardSetters(real[name].prototype, /^(?:HTML|SVG)Script/.test(name));
  }

  // Chrome takes the iterator of the built-in matchAll for a side effect, and refuses it to scripts that only read.
  const matchAll = /** @this {any} */ function (pattern) {
    const given = pattern instanceof NativeRegExp;
    if (given && !pattern.global) throw new TypeError("matchAll must be called with a global RegExp");
    const copy = given ? new NativeRegExp(pattern) : new NativeRegExp(pattern, "g");
    const whole = text(this);
    const all = [];
    copy.lastIndex = given ? pattern.lastIndex : 0;
    for (let found; (found = apply(exec, copy, [whole])); all.push(found)) if (found[0] === "") copy.lastIndex++;
    return all.values();
  };
  defineProperty(String.prototype, "matchAll", { value: matchAll, writable: true, configurable: true });
})();
