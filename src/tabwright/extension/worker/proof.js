// Showing that a key is known without telling it: keyed hashes over random numbers of both sides.

const encoder = new TextEncoder();

export function random(bytes) {
  return hex(crypto.getRandomValues(new Uint8Array(bytes)));
}

export async function keyedHash(key, words) {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const made = await crypto.subtle.importKey("raw", encoder.encode(key), algorithm, false, ["sign"]);
  return hex(new Uint8Array(await crypto.subtle.sign("HMAC", made, encoder.encode(words.join("|")))));
}

// Takes as long for what differs early as for what differs late.
export function same(one, other) {
  if (typeof other !== "string" || one.length !== other.length) return false;
  let differs = 0;
  for (let at = 0; at < one.length; at++) differs |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return differs === 0;
}

function hex(bytes) {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");
}
