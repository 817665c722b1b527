// Which pages agents may use: web pages, except sites that the user excluded.

const PAGE_SCHEMES = ["http:", "https:", "data:", "blob:"];
const STORES = ["chromewebstore.google.com", "chrome.google.com"];

// Why agents may not use a URL; "" if they may.
export function objection(url, excluded) {
  if (!url || url === "about:blank" || url === "about:srcdoc") return "";
  const address = parse(url);
  if (!address || !PAGE_SCHEMES.includes(address.protocol)) return "Chrome's own pages are not available";
  if (STORES.includes(hostOf(address))) return "Chrome does not allow extensions in its store";
  return objectionToSite(url, excluded);
}

// The message for a URL of an excluded site; "" if it is not excluded.
export function objectionToSite(url, excluded) {
  const host = hostname(url);
  return excluded.some(site => host === site || host.endsWith(`.${site}`)) ? `the user excludes ${host}` : "";
}

// Whether two URLs may belong to one site, whose frames share a process: their hosts end alike.
export function maySharePage(one, other) {
  const [ending, otherEnding] = [one, other].map(url => hostname(url).split(".").slice(-2).join("."));
  return ending === otherEnding;
}

// Why agents may not open a URL; "" if they may.
export function objectionToOpening(url, excluded) {
  if (url === "about:blank") return "";
  const address = parse(url);
  if (!address || !["http:", "https:"].includes(address.protocol))
    return "only http, https and about:blank can be opened";
  return objection(url, excluded);
}

// The host that the user typed: as a URL, a host or *.host; null if it is invalid.
export function parseSite(typed) {
  const bare = typed.trim().replace(/^\*\./, "");
  const address = parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(bare) ? bare : `http://${bare}`);
  return address && /^(https?):$/.test(address.protocol) && address.hostname ? hostOf(address) : null;
}

export function originOf(url) {
  return parse(url)?.origin ?? "null";
}

export function hostname(url) {
  const address = parse(url);
  return address ? hostOf(address) : "";
}

function hostOf(address) {
  // A blob belongs to the origin that created it.
  const creator = address.protocol === "blob:" ? (parse(address.pathname) ?? address) : address;
  return creator.hostname.replace(/\.$/, "");
}

function parse(url) {
  try {
    return new URL(url);
  } catch {
    return null;
  }
}
