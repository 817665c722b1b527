// Types that the scripts of page tools share. Only `make check-js` reads it; the wheel leaves it out.

// A control that takes a value, or boxes that belong together.
interface PageField {
  kind: string;
  element: any;
  elements: any[];
}

// Fields that are submitted together.
interface PageGroup {
  container: Element;
  fields: PageField[];
  submit: Element | null;
}

interface PageList {
  parent: Element;
  items: Element[];
}

// A table of contents.
interface PageContents {
  parent: Element;
  links: Element[];
  purpose: string;
}

interface PagePanel {
  element: Element;
  buttons: Element[];
}

// Where an element is on the page.
interface PagePosition {
  landmark: string;
  onscreen: boolean;
  consent?: boolean;
}

type Facts = { [name: string]: any };

// The object that the scripts of page tools add their functions to.
interface PageFinder {
  // page_tools_elements.js
  all(selector: string): any[];
  take(elements: Iterable<any>, most: number, fits: (element: any) => boolean): any[];
  ancestors(element: Element): Generator<Element>;
  isWithin(element: Element, container: Element): boolean;
  isVisible(element: Element): boolean;
  isUsable(element: Element): boolean;
  isHoneypot(element: Element, label: string): boolean;
  position(element: Element): PagePosition;
  isConsentBanner(element: Element): boolean;
  suspects(): Element[];
  cleanText(text: string | null, most?: number): string;
  visibleText(element: Element, most: number): string;
  displayName(element: Element, most?: number): string;
  headingText(heading: Element, most?: number): string;

  // page_tools_fields.js
  fields(): PageField[];
  formOf(element: Element): HTMLFormElement | null;
  describeField(field: PageField): Facts;
  sharedWords(labels: string[]): string;

  // page_tools_buttons.js
  buttons(): any[];
  follows(later: Node, earlier: Node): boolean;
  isSubmit(button: Element): boolean;
  hasSubmitLabel(button: Element): boolean;
  hasCancelLabel(button: Element): boolean;
  submits(button: Element): boolean;
  startsSearch(button: Element): boolean;
  isUnrelated(button: Element): boolean;
  isFieldButton(button: Element): boolean;
  maySubmit(button: Element): boolean;
  madeButtons(): any[];
  pointedButton(container: Element): Element | null;
  isMenuSwitch(element: Element): boolean;
  submitLink(form: Element, fields: any[]): Element | null;
  actionLinks(): any[];
  toolButtons(buttons: Element[]): Element[];
  describeButton(button: Element): Facts;

  // page_tools_submit.js
  isChoice(field: PageField): boolean;
  isSearchField(field: PageField): boolean;
  SubmitButtons: new (buttons: Element[], elsewhere: Set<Element>) => any;

  // page_tools_groups.js
  groups(elsewhere: Set<Element>): { groups: PageGroup[]; singleFields: PageField[]; buttons: any[] };
  describeGroup(group: PageGroup): Facts;
  headingBefore(element: Element): string;
  describeSingleField(field: PageField): Facts;

  // page_tools_repeats.js
  containerAmong(elements: Iterable<Element>): (element: Element) => Element | undefined;
  repeatedForms(lists: PageList[], groups: PageGroup[]): { groups: Set<PageGroup>; byList: Map<PageList, any[]> };
  repeatedFields(lists: PageList[], fields: PageField[]): (field: PageField) => boolean;

  // page_tools_list_titles.js
  listTitle(parent: Element): string;
  listPurpose(parent: Element, openers: Element[], labels: string[], title: string): "navigation" | "sharing" | "text" | "contents" | "";

  // page_tools_lists.js
  lists(forms: Element[], elsewhere?: Element[]): PageList[];
  describeList(list: PageList, elsewhere: Set<Element | null>): Facts;

  // page_tools_pages.js
  pagination(): any;
  contents(): PageContents[];
  describeContents(contents: PageContents): Facts;

  // page_tools_controls.js
  tables(): Facts[];
  sortButton(head: Element): Element | null;
  choiceSets(): Facts[];
  buttonPanels(buttons: Element[]): PagePanel[];
  describePanel(panel: PagePanel): Facts;
}

interface Tabwright {
  finder: PageFinder;

  // page_tools.js
  pageTools(): string;
  pageToolsChanged(): boolean;
  pageToolsNextChange(ms: number): Promise<null> | null;
  pageToolWatchSubmit(container: number): void;
  pageToolErrors(numbers: number[]): [number, string, boolean][];
  pageToolAlerts(): string[];
  pageToolOptions(inDialogs: boolean): [number, string][];
  pageToolResults(maxItems: number, maxLength: number): { title: string; count: number; items: string[] } | null;
  pageToolState(number: number): Facts | null;
  pageToolButton(number: number): { label: string; link: boolean } | null;
  pageToolDefaultButton(number: number): { label: string; unrelated: boolean } | null;
  pageToolFetch(address: string, maxLength: number): Promise<string>;
  pageToolMismatches(pairs: [string, string][]): string[];

  // recording.js
  describeForRecording(number: number): Facts | null;

  // webmcp_forms.js
  listToolForms(): [number, string, string][];
}

// WebMCP: of the browser, or webmcp_polyfill.js.
interface Document {
  modelContext?: any;
}
