/** How far each step of the four rounds rotates. */
const turns = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const;

type Words = [a: number, b: number, c: number, d: number];

/** The lower-case hex MD5 of a text (RFC 1321), which browsers do not compute themselves. */
export function md5(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(((bytes.length + 72) >> 6) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const words = new DataView(padded.buffer);
  words.setUint32(padded.length - 8, bytes.length * 8, true);
  let state: Words = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
  for (let block = 0; block < padded.length; block += 64) {
    let [a, b, c, d] = state;
    for (let step = 0; step < 64; step++) {
      const round = (step >> 4) as 0 | 1 | 2 | 3;
      const mixed = [(b & c) | (~b & d), (d & b) | (~d & c), b ^ c ^ d, c ^ (b | ~d)] as const;
      const at = [step, 5 * step + 1, 3 * step + 5, 7 * step] as const;
      const word = words.getInt32(block + (at[round] % 16) * 4, true);
      const constant = Math.floor(Math.abs(Math.sin(step + 1)) * 2 ** 32);
      const sum = (a + mixed[round] + constant + word) | 0;
      const turn = turns[round][(step & 3) as 0 | 1 | 2 | 3];
      [a, d, c, b] = [d, c, b, (b + ((sum << turn) | (sum >>> (32 - turn)))) | 0];
    }
    state = [state[0] + a, state[1] + b, state[2] + c, state[3] + d];
  }
  const digest = new DataView(new ArrayBuffer(16));
  for (const [at, word] of state.entries()) digest.setInt32(at * 4, word, true);
  return [...new Uint8Array(digest.buffer)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
