// Cookies and tokens are the person's logins: what goes to the hub and what comes from it is without them.

const TELLING = /^(Network|Fetch)\./;
const COOKIES = /^(set-)?cookie2?$/i;
// Headers that let whoever sends them in, by the names that sites give them: x-api-key, private-token, x-session-id.
const TOKENS = /(^|-)(authorization|auth|api-?key|token|secret|password|session(-?id)?)$/i;
// Headers of an answer that change what Chrome keeps of cookies.
const CHANGING = /^(set-cookie2?|clear-site-data)$/i;
const HEADS = new Set(["headers", "requestHeaders"]);
const LEFT_OUT = new Set([
  "associatedCookies",
  "blockedCookies",
  "exemptedCookies",
  "headersText",
  "requestHeadersText",
]);
const STORAGE = new Set([
  "local_storage",
  "indexeddb",
  "cache_storage",
  "service_workers",
  "file_systems",
  "websql",
  "storage_buckets",
]);

// What an event tells, without logins.
export function withoutLogins(method, params) {
  return TELLING.test(method) ? cleaned(params) : params;
}

function cleaned(told) {
  if (Array.isArray(told)) return told.filter(one => !isLogin(one?.name)).map(cleaned);
  if (typeof told !== "object" || told === null) return told;
  const kept = Object.entries(told).filter(([name]) => !LEFT_OUT.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, HEADS.has(name) ? head(value) : cleaned(value)]));
}

function head(headers) {
  if (Array.isArray(headers)) return cleaned(headers);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isLogin(name)));
}

function isLogin(name) {
  return COOKIES.test(name) || TOKENS.test(name);
}

// The tokens among the headers of a request that was stopped, as the protocol takes them. Chrome adds cookies itself.
export function tokensOf({ headers }) {
  return Object.entries(headers)
    .filter(([name]) => TOKENS.test(name))
    .map(([name, value]) => ({ name, value }));
}

// The parameters of a command, such that a request which goes on with other headers keeps the tokens that its page gave
// it and the hub was not told, and that no cookie is changed by what is answered in a site's place.
export function changingNone(method, params, tokens) {
  if (method === "Fetch.continueRequest" && Array.isArray(params.headers)) {
    const given = new Set(params.headers.map(({ name }) => String(name).toLowerCase()));
    return { ...params, headers: [...params.headers, ...tokens.filter(({ name }) => !given.has(name.toLowerCase()))] };
  }
  if (method !== "Fetch.fulfillRequest" || !Array.isArray(params.responseHeaders)) return params;
  return {
    ...params,
    responseHeaders: params.responseHeaders.filter(({ name }) => !CHANGING.test(String(name).trim())),
  };
}

// Whether these kinds of storage, as the protocol names them, are all named and none of them cookies.
export function isStorageAlone(types) {
  const named = String(types ?? "")
    .split(",")
    .map(type => type.trim())
    .filter(Boolean);
  return named.length > 0 && named.every(type => STORAGE.has(type));
}
