/** A name that nothing else has. Without https, as in a demonstration on a phone, there is no `randomUUID`. */
export function newId(): string {
  const native: Partial<Pick<Crypto, 'randomUUID'>> = crypto;
  return native.randomUUID?.() ?? randomHex();
}

function randomHex(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
