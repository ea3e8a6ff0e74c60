// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { signer } from '@/testing/proof/log';
import { toBase64, utf8 } from './bytes';
import { parseCheckpoint } from './checkpoint';
import { isPublicKey, signed } from './ed25519';
import { cosigned, isSigned, type NoteKey, parseKey, parseKeys, parseNote } from './note';

/** The note, keys and signatures of the tests of golang.org/x/mod/sumdb/note. */
const text =
  "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const peter = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const enoch = 'EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop';
const byPeter =
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
const byEnoch =
  '— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n';

const key = (written: string) => parseKey(written) as NoteKey;
const check = (note: string, of = peter) => {
  const parsed = parseNote(utf8(note));
  return parsed && isSigned(parsed, key(of));
};

describe('a note', () => {
  it('of the Go implementation is read', () => {
    const both = `${text}\n${byPeter}${byEnoch}`;
    expect(parseNote(utf8(both))?.text).toBe(text);
    expect([check(both), check(both, enoch)]).toEqual([true, true]);
  });

  it('is believed by its signature alone', () => {
    expect(check(`${text}\n${byEnoch}`)).toBeNull();
    expect(check(`${text.replace('your', 'my')}\n${byPeter}`)).toBe(false);
    expect(check(`${text}\n${byPeter}${byPeter.replace('x08go/ZJ', 'x08go/ZK')}`)).toBe(false);
  });

  it.each([
    '',
    text,
    `${text}${byPeter}`,
    `${text}\n`,
    `${text}\n${byPeter.trimEnd()}`,
    `${text}\n${byPeter}more\n`,
    `\u0001${text}\n${byPeter}`,
    `${text}\n${byPeter.replace('— ', '- ')}`,
    `${text}\n${byPeter.replace('PeterNeumann', 'Peter+Neumann')}`,
    `${text}\n— PeterNeumann x08gow==\n`,
    `${text}\n${byPeter.repeat(101)}`,
  ])('is none: %j', (note) => {
    expect(parseNote(utf8(note))).toBeNull();
  });

  it('has bytes that are text', () => {
    expect(parseNote(Uint8Array.of(0xff, ...utf8(`${text}\n${byPeter}`)))).toBeNull();
  });
});

describe('a key', () => {
  it('has the number that belongs to it', () => {
    expect(parseKey(peter)).toMatchObject({ name: 'PeterNeumann', kind: 'log' });
    const weak = `Weak+00000000+${toBase64(Uint8Array.of(1, ...new Uint8Array(32)))}`;
    const wrong = [
      '',
      'PeterNeumann',
      peter.replace('c74f20a3', 'c74f20a4'),
      peter.replace('+AR', '+BB'),
      weak,
    ];
    for (const one of wrong) expect(parseKey(one)).toBeNull();
  });

  it('stands on a line of its own', () => {
    expect(parseKeys(`# since 2026\n\n${peter}\n`)).toHaveLength(1);
    expect(parseKeys(`${peter}\nsomething\n`)).toBeNull();
    expect(parseKeys(signer('witness.example', 3, 4).key)).toBeNull();
  });
});

describe('a cosignature', () => {
  it('says when', () => {
    const witness = signer('witness.example/w1', 8, 4);
    const cosign = (lines: string) => {
      const note = parseNote(utf8(`${text}\n${byPeter}${lines}`));
      return note && cosigned(note, key(witness.key));
    };
    expect(cosign('')).toBeNull();
    expect(cosign(witness.cosign(text, 9))).toEqual({ name: 'witness.example/w1', at: 9n });
    const twice = witness.cosign(text, 12) + witness.cosign(text, 9);
    expect(cosign(twice)).toMatchObject({ at: 12n });
    expect(cosign(witness.cosign(`${text}more\n`, 9))).toBe(false);
    expect(cosign(witness.sign(text))).toBe(false);
  });
});

describe('a checkpoint', () => {
  // The example of C2SP tlog-checkpoint.
  const example =
    'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';

  it('is read, with what a log adds', () => {
    expect(parseCheckpoint(example)).toMatchObject({ size: 20_852_163n, extensions: [] });
    const most = example.replace('20852163', '9223372036854775807');
    expect(parseCheckpoint(most)?.size).toBe(2n ** 63n - 1n);
    expect(parseCheckpoint(`${example}more\n`)?.extensions).toEqual(['more']);
  });

  it.each([
    example.replace('20852163', '020852163'),
    example.replace('20852163', '+20852163'),
    example.replace('20852163', '-1'),
    example.replace('20852163', '9223372036854775808'),
    example.replace('I=\n', 'I=\n\n'),
    example.replace('I=\n', 'J=\n'),
    example.replace('CsUY', ''),
    example.replace('example.com/behind-the-sofa', ''),
    example.trimEnd(),
  ])('is none: %j', (wrong) => {
    expect(parseCheckpoint(wrong)).toBeNull();
  });
});

describe('a signature', () => {
  const bytes = (hex: string) =>
    Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  // RFC 8032, section 7.1, test 2.
  const publicKey = bytes('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c');
  const signature = bytes(
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  );

  it('is that of RFC 8032', () => {
    expect(signed(publicKey, Uint8Array.of(0x72), signature)).toBe(true);
    expect(signed(publicKey, Uint8Array.of(0x73), signature)).toBe(false);
    expect(signed(publicKey, Uint8Array.of(0x72), signature.subarray(1))).toBe(false);
  });

  it('has one form', () => {
    const larger = signature.slice();
    // The same number plus the order of the group.
    const order = bytes('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010');
    let carry = 0;
    for (const [at, byte] of order.entries()) {
      const sum = (larger[32 + at] ?? 0) + byte + carry;
      larger[32 + at] = sum & 0xff;
      carry = sum >> 8;
    }
    expect(signed(publicKey, Uint8Array.of(0x72), larger)).toBe(false);
  });

  it('is of no key that fits anything', () => {
    const identity = Uint8Array.of(1, ...new Uint8Array(31));
    expect(isPublicKey(identity)).toBe(false);
    expect(signed(identity, utf8('x'), new Uint8Array(64))).toBe(false);
  });
});
