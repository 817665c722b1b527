// What the scripts of the isolated world share. Only `make check-js` reads it; the wheel leaves it out.

// One way to find elements, as Python sends it: see find/selector.py.
interface Step {
  by: string;
  value?: string;
  name?: string | null;
  exact?: boolean;
  number?: number;
  index?: number;
}

interface Selector {
  steps: Step[];
  nth: number | null;
}

// A reason why something could not be done; the other members depend on it.
interface Fault {
  fault: string;
  [fact: string]: any;
}

// Part of the page that can be scrolled into view, in pixels of the viewport.
interface Region {
  left: number;
  top: number;
  right: number;
  bottom: number;
  nowhere?: boolean;
}

// How the inside of an element is seen: opacity, and the region for children in the flow and for positioned ones.
interface Colour {
  red: number;
  green: number;
  blue: number;
  alpha: number;
}

interface Effect {
  opacity: number;
  blur: number;
  flat: Colour | null;
}

// core/paint.js
interface Paint {
  FAINT: number;
  WHITE: Colour;
  colour(text: string): Colour;
  isSimilar(one: Colour, other: Colour): boolean;
  plainGradient(image: string): Colour | null;
  ink(element: Element, style: CSSStyleDeclaration): Colour;
  hasOtherPaint(element: Element, style: CSSStyleDeclaration): boolean;
  effectOf(filter: string): Effect;
  isMaskedAway(style: CSSStyleDeclaration): boolean;
}

interface View {
  opacity: number;
  blur: number;
  flat: { ink: Colour; owner: Element } | null;
  undrawn: View | null;
  flow: Region;
  positioned: Region;
}

interface Name {
  text: string;
  from: "" | "aria" | "content" | "label" | "native" | "placeholder" | "title";
}

// Milliseconds: see snapshot/observe.py.
type Pace = { quiet: number; first: number; most: number };
type Box = { left: number; top: number; right: number; bottom: number; width: number; height: number };
type Tree = Document | ShadowRoot | Element;
type Pseudo = "::before" | "::after";
type Operation = (element: any, args?: any) => { [fact: string]: any };
// How an element is shown to a person who approves a call.
type Shown = { label: string; facts: { [fact: string]: string } };
type Retarget = (element: Element) => Element | null;

// Properties of nodes, read through their prototypes.
interface Dom {
  readyState(): DocumentReadyState;
  type(node: Node): number;
  text(node: Node): string;
  textContent(node: Node): string;
  parentNode(node: Node): any;
  firstChild(node: Node): any;
  nextSibling(node: Node): any;
  isConnected(node: Node): boolean;
  ownerRoot(node: Node): any;
  contains(node: Node, other: Node): boolean;
  tag(element: Element): string;
  namespace(element: Element): string;
  firstElement(element: Element): Element | null;
  nextElement(element: Element): Element | null;
  previousElement(element: Element): Element | null;
  openRoot(element: Element): ShadowRoot | null;
  slot(element: Element): HTMLSlotElement | null;
  attr(element: Element, name: string): string | null;
  has(element: Element, name: string): boolean;
  hasAny(element: Element): boolean;
  matches(element: Element, selector: string): boolean;
  closest(element: Element, selector: string): any;
  all(element: Element, selector: string): NodeListOf<any>;
  first(element: Element, selector: string): any;
  rect(element: Element): DOMRect;
  scrollLeft(element: Element): number;
  scrollTop(element: Element): number;
  scrollWidth(element: Element): number;
  scrollHeight(element: Element): number;
  clientLeft(element: Element): number;
  clientTop(element: Element): number;
  clientWidth(element: Element): number;
  clientHeight(element: Element): number;
  editable(element: HTMLElement): boolean;
  root(): HTMLElement;
  body(): HTMLElement | null;
  byTag(tag: string): HTMLCollectionOf<any>;
  documentAll(selector: string): NodeListOf<any>;
  byId(root: Node, id: string): Element | null;
  active(root: Document | ShadowRoot): Element | null;
  sheets(root: Document | ShadowRoot): StyleSheetList;
  adopted(root: Document | ShadowRoot): CSSStyleSheet[];
}

// One line of a snapshot: a node, or text when the role is "".
interface SnapshotRow {
  depth: number;
  role: string;
  flags: number;
  name: string;
  element: Element | null;
  states: string[] | null;
  whole: boolean;
  unusual: boolean;
  source: Element | null;
  toString(depth?: number): string;
}

interface SnapshotRows {
  numberAlike(): void;
  list: SnapshotRow[];
  spaced: boolean;
  block: boolean;
  readonly length: number;
  node(depth: number, role: string, flags: number, element: Element | null): SnapshotRow;
  flushText(place: any): void;
  startBox(place: any, isBlock: boolean): void;
  onlyControl(at: number): SnapshotRow | null;
  dropSameControl(at: number): void;
  holdsOnly(at: number, roles: Set<string>): boolean;
  remove(at: number): void;
  textInside(at: number): string;
  hasOnlyText(at: number): boolean;
  isPlain(at: number): boolean;
  dropNamedText(at: number): void;
  toString(): string;
}

interface WalkOptions {
  maxVisited?: number;
  from?: Element | null;
  maxNodes?: number;
  budgetMs?: number;
  // Whether to leave out an element.
  skip?: ((element: Element) => boolean) | null;
}

interface SnapshotWalk {
  rows: SnapshotRows;
  truncated: boolean;
  modal: Element | null;
  unseen: Set<Node>;
  answer(): string;
}

// Which rules an attempt to find an article applies: see read/main_text.js.
type Strictness = { unlikely: boolean; weights: boolean; clean: boolean };

// The global object that every script of the isolated world adds its functions to.
interface SecretRules {
  origins: string[];
  hidden: boolean;
}

interface Tabwright {
  done?: boolean;

  // core/page.js
  onClearCaches(clear: () => void): void;
  clearCaches(): void;
  title(): string;
  callIfDefined(name: string, ...args: any[]): any;

  // core/dom.js
  dom: Dom;
  canHostShadow(tag: string): boolean;
  shadowRootOf(element: Element): ShadowRoot | null;
  onShadowRoot(listener: (root: ShadowRoot) => void): void;
  contentRootOf(element: Element): Element | ShadowRoot;
  assignedNodesOf(slot: Element): Node[] | null;
  childrenOf(element: Element): any[];
  parentOf(element: Node): Element | null;
  focusedElement(): Element | null;

  // core/hygiene.js
  invisiblePattern: string;
  stripped: number;
  clean(text: unknown): string;
  squeeze(text: unknown): string;
  cut(text: string, most: number): string;

  // core/visibility.js
  readStyle(element: Element): CSSStyleDeclaration;
  styleOf(element: Element): CSSStyleDeclaration;
  rootView(): View;
  childView(element: Element, style: CSSStyleDeclaration, view: View, position?: string, overflow?: string): View;
  viewOf(element: Element): View;
  textHiddenReason(node: Node, parent: Element, style: CSSStyleDeclaration, place: any): "" | "clipped" | "faint";
  isBoxVisible(element: Element, style: CSSStyleDeclaration, view: View, outerView: View): boolean;
  parseColour(text: string): Colour;
  paint: Paint;
  isGeneratedHidden(element: Element, style: CSSStyleDeclaration): boolean;
  isCover(element: Element, style: CSSStyleDeclaration, view: View, position: string): boolean;
  coveredTexts(texts: { node: Node; parent: Element; box: Box }[], covers: Element[]): Set<Node>;
  isBehindBackground(element: Element, style: CSSStyleDeclaration): boolean;
  isVisible(element: Element): boolean;
  areVisible(...elements: (Element | null)[]): boolean[];
  isRendered(element: Element): boolean;

  // core/visible_text.js
  visibleText(element: Element): { text: string; hidden: number };

  // core/roles.js
  INTERACTIVE_ROLES: Set<string>;
  roleOf(element: Element): string;
  isFocusable(element: Element): boolean;
  isEditingHost(element: Element): boolean;
  isDisabled(element: Element): boolean;
  inputType(element: Element): string;

  // core/counters.js
  counterText(
    counter: string,
    element: Element,
    pseudo: Pseudo,
    findPlaces: () => { element: Element; pseudo: Pseudo | "" }[],
  ): string;

  // core/generated.js
  isInline(display: string): boolean;
  generated(element: Element, pseudo: Pseudo): { text: string; separate: boolean; hidden?: string };
  hasGeneratedText(element: Element): boolean;

  // core/internals.js
  startCustomElements(): void;
  noteCustomElement(element: Element): void;
  newCustomElements(): number;
  takeCustomElements(): Element[];
  registerInternals(entries: [number, string, Record<string, string>][]): boolean;
  internalRole(element: Element): string;
  internalState(element: Element, name: string): string;

  // core/labels.js
  labelsOf(element: Element): readonly HTMLLabelElement[];
  allIn(root: any, selector: string): NodeListOf<any>;

  // core/shown_values.js
  shownInBox(control: Element): { value: string; placeholder: string };

  // core/names.js
  namesFromContent(element: Element, role: string): boolean;
  nameOf(element: Element): Name;
  ariaOwnerOf(element: Element): Element | null;
  isAriaHidden(element: Element): boolean;
  transformText(text: string, textTransform: string): string;
  descriptionOf(element: Element, name: string): string;

  // core/refs.js
  countFrom(next: number, name: string, ...args: any[]): any;
  nextNumber(): number;
  refOf(node: Node): number;
  numberOf(node: Node): number;
  hasRef(node: Node, limit: number): boolean;
  nodeOf(number: number): any;
  numbered(): Generator<[number, any]>;
  isAlive(number: number): boolean;
  replaceNode(from: number, to: number): boolean;
  closedRootOf(host: Element): ShadowRoot | null;
  registerRoot(host: Element, root: ShadowRoot): void;
  needsExamining(element: Element): boolean;
  mayHaveClosedRoot(element: Element): boolean;
  suspects: Element[];
  examineSuspects(): Element[];

  // snapshot/identity.js
  describePage(): { title: string; identity: string };
  isParsed(): boolean;
  identifyPage(rows?: number, hasFront?: boolean): string;

  // core/guesses.js
  guessName(element: Element, role: string): string;
  guessStates(element: Element, role: string, disabled: boolean): string[];

  // core/listeners.js
  onListeners(callback: () => void): void;
  registerListeners(ids: number[], added: number[], ...nodes: Node[]): boolean;
  registerDelegated(selectors: string[]): void;
  registerHandled(positions: [number, string][], count: number): void;
  hasClickListener(element: Element): boolean;

  // core/tables.js
  slotOf(cell: Element): { column: number; moved: boolean; colspan: number; rowspan: number } | null;
  columnsFromAbove(row: Element): number[];
  sectionOf(group: Element): string;
  noteHiddenCell(element: Element, tag: string): void;

  // core/states.js
  statesOf(element: any, role: string, name: string, off: boolean, focused: boolean): string[] | null;
  isSecret(element: Element): boolean;
  maskSecret(element: Element, value: string): string;

  // snapshot/rows.js
  FLAGS: Record<"CLICKABLE" | "INVISIBLE" | "OUTSIDE" | "EDITABLE" | "SCROLLS" | "SPACED" | "BLOCK", number>;
  isTextLevel(role: string): boolean;
  Rows: new () => SnapshotRows;
  matchesVisibleText(name: string, shown: string): boolean;

  // snapshot/usable.js
  mayBeClickable(tag: string): boolean;
  isUsable(element: Element, role: string, place: any, inner: any): boolean;
  isWholeControl(role: string): boolean;
  isLeafControl(role: string): boolean;
  fills(inner: Element, outer: Element): boolean;
  scrolls(element: Element, overflow: string): boolean;
  isIdleField(element: any): boolean;
  isBehindStyledControl(element: Element, place: any): boolean;
  smallScroller(element: Element): DOMRect | null;

  // snapshot/cards.js
  findCards(root: Element): {
    roleOf(element: Element, role: string): string;
    addStates(row: any, element: Element): void;
  };

  // snapshot/look.js
  completeStates(
    states: string[] | null,
    row: SnapshotRow,
    element: Element,
    place: any,
    inner: any,
    isEmpty: boolean,
  ): string[] | null;

  // snapshot/covers.js
  mayCover(element: Element, style: CSSStyleDeclaration, position: string): boolean;
  putCoversFirst(
    rows: SnapshotRows,
    boxes: { element: Element; rows: SnapshotRow[] }[],
    texts: { parent: Element; box: Box }[],
    modal: Element | null,
  ): void;

  // snapshot/hidden_texts.js
  HiddenTexts: new () => {
    nodes: number;
    characters: number;
    faint: number;
    clipped: number;
    count(text: string, reason: string): void;
    countNode(node: Node): void;
    countChildren(element: Element): void;
  };

  // snapshot/place.js
  tagFactsOf(tag: string): any;
  Place: new (outer: any, kind: any, depth: number, view: View | null, outside: boolean) => any;

  // snapshot/snapshot.js
  snapshot(options: { root?: number; from?: number; maxNodes?: number; budgetMs?: number; everything?: boolean }): string;
  walked?: boolean;
  scheduled(): string;
  hasScheduled(mark: string): boolean;
  untilIdle(): Promise<boolean>;
  untilIdleFrame(): Promise<boolean>;
  usesDatabase(): Promise<boolean>;
  walk(root: Element, options: WalkOptions): SnapshotWalk;
  Walk: new (root: Element, options: any, unseen: Set<Node>) => any;

  // snapshot/naming.js
  shownName(
    walk: any,
    element: Element,
    row: SnapshotRow,
    kind: any,
    at: number,
    before: { clipped: number; faint: number; unusual: number },
  ): string;
  countHiddenName(hidden: any, image: Element): void;
  hasBrokenImage(element: Element): boolean;

  // snapshot/scene.js
  Scene: new (walk: Pick<SnapshotWalk, "truncated" | "modal" | "unseen"> & { rows: any }, skipped: Set<Element>) => any;

  // snapshot/compare.js
  Comparison: new (before: any, after: any) => any;
  changedRow(before: any, unit: any): string;

  // snapshot/changes.js
  Changes: new (comparison: any, watch: any) => any;

  // snapshot/watch.js
  forgetScene(): void;
  keepScene(walk: SnapshotWalk): void;
  Watch: new () => any;
  isTextField(control: unknown): boolean;
  mayBeSeen(element: Element): boolean;

  // snapshot/transitions.js
  revealingAnimations(watch: any): Animation[];
  isAnimated(watch: any): boolean;
  endsSoon(watch: any, ms: number): boolean;
  hasScriptedAnimation(): boolean;
  isRevealPrepared(watch: any): boolean;

  // snapshot/effects.js
  startObserving(): { walked: boolean; title: string };
  stopObserving(): void;
  waitUntilQuiet(pace: Pace): Promise<null>;
  settle(pace: Pace): Promise<null>;
  settleAndReport(pace: Pace): Promise<any>;
  reportEffects(): any;
  reportAgain(): any;
  wasInSnapshot(element: Element): boolean;

  // act/locate.js
  pick(selector: Selector): any;
  find(selector: Selector): any;
  count(selector: Selector): any;
  trees(scope: Node[]): Tree[];
  forgetTrees(): void;
  suspectHosts(): number;
  describe(element: Element): string;
  candidates(selector: Selector): [string, number][];

  // act/approved.js
  showAt(number: number, x: number, y: number): Shown | null;
  showFocused(number: number): Shown | null;
  fromInputPoint(x: number, y: number): number[];
  intoFrame(owner: Element, x: number, y: number): number[] | null;
  isFocused(owner: Element): boolean;
  extendApproval(number: number, ref: number): Shown | null;
  forgetApproval(number: number): void;
  approvalFault(how: any, elements: Element[]): any;
  judgeInput(number: number, event: any): { label: string; around: boolean };

  // act/actionability.js
  operations: { [name: string]: Operation };
  retargets: { [name: string]: Retarget };
  refOfHeld(): number | null;
  takeHeld(): Element | null;
  prepare(selector: Selector, how: any): any;
  hiddenReason(element: Element): string;
  isInactive(element: Element): boolean;
  elementAt(x: number, y: number): Element | null;
  throughFrame(owner: any, x: number, y: number, mustReach: boolean): Promise<any>;
  waitForPaint(): Promise<void>;
  boxThroughFrame(owner: any, box: [number, number, number, number]): [number, number, number, number];
  viewport(): [number, number];
  waitForPress(): Promise<string>;
  endPressGuard(): string;

  // act/retarget.js
  isTextInput(element: unknown): boolean;
  isFileInput(element: unknown): boolean;
  isCheckInput(element: unknown): boolean;
  visibleLabels(element: Element): HTMLLabelElement[];
  isField(element: Element): boolean;
  takesKeyboard(element: Element): boolean;
  fieldsInside(element: Element): any[];
  descendants(element: Element): Generator<any>;

  fieldAround(element: Element): any;

  // act/prefer.js
  findMeant(selector: Selector): any;
  preferControls(matches: Element[]): Element[];

  // act/widgets.js
  widgetKind(control: any): "" | "steps" | "list" | "popup" | "suggest";
  holdWidget(control: any): { expanded: boolean };
  waitForOptions(values: string[], pace: Pace): Promise<any>;
  waitForChosen(names: string[], numbers: number[], ms: number): Promise<any>;
  watchChoice(names: string[], numbers: number[], ms: number): Promise<any>;
  isStillOpen(ms: number): Promise<boolean>;
  stepsAfter(before: any): Promise<any>;

  // act/drag.js
  watchDrag(): void;
  hasDragStarted(): boolean;
  hasDragEnded(): boolean;
  watchDrop(): void;
  hasDropped(): boolean;

  // act/calendar.js
  findDay(wanted: number[], not: number[] | null, ms: number): Promise<any>;

  // act/fields.js
  waitForOtherValue(before: string, ms: number): Promise<string>;
  holdFileInput(input: HTMLInputElement): { click: boolean; multiple: boolean; accept: string; folders: boolean };
  heldField(): any;
  clearFiles(): void;
  heldFiles(): string[] | null;
  readFilled(): Promise<string | null>;
  filledField(): any;
  watchField(ms: number): Promise<any>;
  checkField(ms: number): Promise<{ changed: any } | null>;
  holdAgain(): void;
  readDrawn(wanted: string): Promise<{ same: boolean; shown: string }>;
  isKeptAfterBlur(ms: number): Promise<boolean | null>;
  waitForChecked(wanted: boolean, ms: number): Promise<boolean | null>;
  contentOf(control: any): string;

  // act/secrets.js
  fillSecret(args: { value: string; clear: boolean }, rules: SecretRules): any;
  typeSecret(step: { text: string; key: any }, rules: SecretRules): Promise<any>;
  keyArrived(): boolean;

  // act/picture.js
  pixelRatio(): number;
  describeAt(x: number, y: number): string;
  boxesOf(numbers: number[]): [number, number, number, number, number][];
  scrollBack(x: number, y: number): void;

  // act/scroll.js
  scrollPage(dx: number, dy: number): any;

  // act/state.js
  readPageState(whole: boolean): any;
  restoreEntries(kind: string, entries: [string, string][]): void;
  restoreFields(fields: any[]): void;
  restoreScroll(x: number, y: number): Promise<void>;

  // act/storage.js
  webStorage(kind: string, operation: string, key?: string, value?: string): any;
  listDatabases(): Promise<any>;
  readStore(name: string, store: string, skip: number, limit: number): Promise<any>;
  clearDatabase(name: string): Promise<any>;

  // act/wait.js
  prepareWithin(selector: Selector, how: any, ms: number, temporary: string[]): Promise<any>;
  nextChange(ms: number): Promise<null>;
  checkState(selector: Selector, state: string): any;

  // standalone/document_bytes.js
  documentBytes(most: number): Promise<{ body: string } | Fault | null>;

  // standalone/extract.js
  extractFields(spec: any): any;
  domContext(spec: { start: number; most: number }): any;
  elementTree(spec: { most: number }): { elements: object[]; styles: string[]; left_out: number };

  // read/parts.js
  parts: {
    ElementPart: new (tag: string, element?: Element | null, label?: string) => any;
    build(element: Element): any;
    copy(part: any): any;
    EMBEDS: Set<string>;
  };

  // read/candidates.js
  classWeight(part: any): number;
  splitAtBreaks(page: any): void;
  Search: new (page: any, strict: Strictness) => { run(): any };

  // read/cleaning.js, read/clutter.js
  cleanArticle(article: any, strict: Strictness): void;
  removeClutter(article: any): void;

  // read/main_text.js
  findArticle(): any;

  // read/reading.js
  readPage(options: { root?: number; article?: boolean; maxNodes?: number; budgetMs?: number }): string;
}

declare var tabwright: Tabwright;

// Chrome has them, TypeScript's library does not.
interface Element {
  scrollIntoViewIfNeeded?(center: boolean): void;
}

interface CSSStyleDeclaration {
  webkitTextSecurity: string;
}

// standalone/evaluate.js: the text of the caller's script takes its place.
declare var BODY: unknown;

// standalone/focus.js: a binding that Python adds.
declare var __tabwrightFront: ((payload: string) => void) | undefined;
