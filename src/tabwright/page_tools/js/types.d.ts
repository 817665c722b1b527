// What the scripts of page tools share. Only `make check-js` reads it; the wheel leaves it out.

// A control that takes a value, or boxes that belong together.
interface PageField {
  kind: string;
  element: any;
  elements: any[];
}

// Fields that are sent together.
interface PageGroup {
  container: Element;
  fields: PageField[];
  submit: Element | null;
}

interface PageList {
  parent: Element;
  items: Element[];
}

interface PagePanel {
  element: Element;
  buttons: Element[];
}

// Where an element is on the page.
interface PagePlace {
  land: string;
  view: boolean;
  consent?: boolean;
}

type Facts = { [name: string]: any };

// The object that the scripts of page tools add their functions to.
interface PageOffers {
  // page_tools_sight.js
  all(selector: string): any[];
  take(elements: Iterable<any>, most: number, fits: (element: any) => boolean): any[];
  around(element: Element): Generator<Element>;
  within(element: Element, container: Element): boolean;
  seen(element: Element): boolean;
  usable(element: Element): boolean;
  isTrap(element: Element, label: string): boolean;
  place(element: Element): PagePlace;
  asksConsent(element: Element): boolean;
  suspects(): Element[];
  words(text: string | null, most?: number): string;
  shown(element: Element, most: number): string;
  called(element: Element, most?: number): string;

  // page_tools_fields.js
  fields(): PageField[];
  formOf(element: Element): HTMLFormElement | null;
  describe(field: PageField): Facts;
  sharedWords(labels: string[]): string;

  // page_tools_groups.js
  groups(elsewhere: Set<Element>): { groups: PageGroup[]; lone: PageField[]; buttons: any[] };
  isAside(button: Element): boolean;
  describeGroup(group: PageGroup): Facts;
  headingBefore(element: Element): string;
  buttons(buttons: Element[]): Element[];
  describeButton(button: Element): Facts;
  describeLone(field: PageField): Facts;

  // page_tools_lists.js
  lists(taken: Element[]): PageList[];
  describeList(list: PageList): Facts;
  listTitle(parent: Element): string;
  tables(): Facts[];
  pagination(): any;
  choosers(): Facts[];
  panels(buttons: Element[]): PagePanel[];
  describePanel(panel: PagePanel): Facts;
}

interface Tabwright {
  offers: PageOffers;

  // page_tools.js
  pageTools(): string;
  pageToolsChanged(): boolean;
  pageToolsChange(ms: number): Promise<null> | null;
  pageToolSending(container: number): void;
  pageToolFaults(numbers: number[]): [number, string, boolean][];
  pageToolAlerts(): string[];
  pageToolOptions(calendar: boolean): [number, string][];
  pageToolResults(most: number, longest: number): { title: string; count: number; items: string[] } | null;
  pageToolState(number: number): Facts | null;
  pageToolFetched(address: string, most: number): Promise<string>;
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
