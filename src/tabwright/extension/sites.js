// Where an agent may be: pages of the web, but for the sites that the person excludes.

const PAGES = ["http:", "https:", "data:", "blob:"];
const GALLERIES = ["chromewebstore.google.com", "chrome.google.com"];

// Why an agent may not be at an address; "" when it may.
export function objection(url, excluded) {
  if (!url || url === "about:blank" || url === "about:srcdoc") return "";
  const address = parsed(url);
  if (!address || !PAGES.includes(address.protocol)) return "pages such as this are Chrome's own";
  if (GALLERIES.includes(hostOf(address))) return "Chrome keeps everybody out of its store";
  return objectionToSite(url, excluded);
}

// Whether an address is of a site that the person excludes, and how that is said; "" when it is not.
export function objectionToSite(url, excluded) {
  const host = hostname(url);
  return excluded.some(site => host === site || host.endsWith(`.${site}`)) ? `the user excludes ${host}` : "";
}

// Whether two addresses may be of one site, whose frames Chrome keeps together: their names end alike.
export function related(one, other) {
  const [ending, otherEnding] = [one, other].map(url => hostname(url).split(".").slice(-2).join("."));
  return ending === otherEnding;
}

// Why an agent may not send a tab to an address; "" when it may.
export function objectionToOpening(url, excluded) {
  if (url === "about:blank") return "";
  const address = parsed(url);
  if (!address || !["http:", "https:"].includes(address.protocol))
    return "only http, https and about:blank can be opened";
  return objection(url, excluded);
}

// The host that a person means by what was typed: an address, a host, *.host; null when it is none.
export function siteOf(typed) {
  const bare = typed.trim().replace(/^\*\./, "");
  const address = parsed(/^[a-z][a-z0-9+.-]*:\/\//i.test(bare) ? bare : `http://${bare}`);
  return address && /^(https?):$/.test(address.protocol) && address.hostname ? hostOf(address) : null;
}

export function originOf(url) {
  return parsed(url)?.origin ?? "null";
}

export function hostname(url) {
  const address = parsed(url);
  return address ? hostOf(address) : "";
}

function hostOf(address) {
  // A blob is its maker's.
  const maker = address.protocol === "blob:" ? (parsed(address.pathname) ?? address) : address;
  return maker.hostname.replace(/\.$/, "");
}

function parsed(url) {
  try {
    return new URL(url);
  } catch {
    return null;
  }
}
