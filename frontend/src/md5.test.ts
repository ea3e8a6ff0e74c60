import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { md5 } from './md5';

/** Of RFC 1321. */
const known = [
  ['', 'd41d8cd98f00b204e9800998ecf8427e'],
  ['a', '0cc175b9c0f1b6a831c399e269772661'],
  ['abc', '900150983cd24fb0d6963f7d28e17f72'],
  ['message digest', 'f96b697d7cb7938d525a2f31aaf161d0'],
  ['abcdefghijklmnopqrstuvwxyz', 'c3fcd3d76192e4007dfb496cca67e13b'],
  [
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
    'd174ab98d277d9f5a5611c2c9f419d9f',
  ],
] as const;

describe('md5', () => {
  it.each(known)('of "%s"', (text, digest) => {
    expect(md5(text)).toBe(digest);
  });

  it('is that of every length, and of UTF-8', () => {
    const signs = [...'0123456789é密🔑'];
    let text = '';
    for (let length = 0; length < 300; length++) {
      text += signs[length % signs.length];
      expect(md5(text)).toBe(createHash('md5').update(text).digest('hex'));
    }
  });
});
