// Proves knowledge of a key without sending it: keyed hashes over random numbers of both sides.

const encoder = new TextEncoder();

export function randomHex(bytes) {
  return hex(crypto.getRandomValues(new Uint8Array(bytes)));
}

export async function keyedHash(key, parts) {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", encoder.encode(key), algorithm, false, ["sign"]);
  return hex(new Uint8Array(await crypto.subtle.sign("HMAC", imported, encoder.encode(parts.join("|")))));
}

// Compares in constant time, so that timing reveals nothing.
export function equalInConstantTime(one, other) {
  if (typeof other !== "string" || one.length !== other.length) return false;
  let differs = 0;
  for (let at = 0; at < one.length; at++) differs |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return differs === 0;
}

function hex(bytes) {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");
}
