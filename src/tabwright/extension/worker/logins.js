// Removes cookies and tokens, the user's logins, from events for the hub and from its commands.

const NETWORK_EVENTS = /^(Network|Fetch)\./;
const COOKIES = /^(set-)?cookie2?$/i;
// Headers that grant access, by their usual names: x-api-key, private-token, x-session-id.
const TOKENS = /(^|-)(authorization|auth|api-?key|token|secret|password|session(-?id)?)$/i;
// Response headers that change cookies.
const COOKIE_CHANGING = /^(set-cookie2?|clear-site-data)$/i;
const HEADER_FIELDS = new Set(["headers", "requestHeaders"]);
const OMITTED = new Set([
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

// Returns the parameters of an event without logins.
export function removeLogins(method, params) {
  return NETWORK_EVENTS.test(method) ? clean(params) : params;
}

function clean(value) {
  if (Array.isArray(value)) return value.filter(one => !isLogin(one?.name)).map(clean);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => !OMITTED.has(name));
  return Object.fromEntries(
    fields.map(([name, value]) => [name, HEADER_FIELDS.has(name) ? cleanHeaders(value) : clean(value)]),
  );
}

function cleanHeaders(headers) {
  if (Array.isArray(headers)) return clean(headers);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isLogin(name)));
}

function isLogin(name) {
  return COOKIES.test(name) || TOKENS.test(name);
}

// Returns the token headers of a paused request, as the protocol takes them. Chrome adds cookies itself.
export function tokensOf({ headers }) {
  return Object.entries(headers)
    .filter(([name]) => TOKENS.test(name))
    .map(([name, value]) => ({ name, value }));
}

// Returns the parameters of a command so that a request continued with other headers keeps the tokens of its page,
// which the hub did not see, and a mocked response changes no cookie.
export function protectLogins(method, params, tokens) {
  if (method === "Fetch.continueRequest" && Array.isArray(params.headers)) {
    const given = new Set(params.headers.map(({ name }) => String(name).toLowerCase()));
    return { ...params, headers: [...params.headers, ...tokens.filter(({ name }) => !given.has(name.toLowerCase()))] };
  }
  if (method !== "Fetch.fulfillRequest" || !Array.isArray(params.responseHeaders)) return params;
  return {
    ...params,
    responseHeaders: params.responseHeaders.filter(({ name }) => !COOKIE_CHANGING.test(String(name).trim())),
  };
}

// Whether all these storage types, as the protocol names them, are known and none is cookies.
export function isStorageAlone(types) {
  const named = String(types ?? "")
    .split(",")
    .map(type => type.trim())
    .filter(Boolean);
  return named.length > 0 && named.every(type => STORAGE.has(type));
}
