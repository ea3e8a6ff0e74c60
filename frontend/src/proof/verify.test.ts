// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { someBalances } from '@/testing/proof/balances';
import { book, hashOf, makeProof, someTransactions, type Written } from '@/testing/proof/file';
import { log, origin, signer, witness } from '@/testing/proof/log';
import { toHex, utf8 } from './bytes';
import { type Fault, ProofFailure } from './failure';
import { parseKeys } from './note';
import { proofReader, verifyFile } from './verify';

function verify(text: string, keys = `${log.key}\n${witness.key}`, parts = 1) {
  const reader = proofReader();
  const bytes = utf8(text);
  const step = Math.ceil(bytes.length / parts);
  for (let at = 0; at < bytes.length; at += step) reader.push(bytes.slice(at, at + step));
  return verifyFile(reader.finish(), parseKeys(keys) ?? []);
}

function faultOf(text: string, keys?: string): Fault | null {
  try {
    verify(text, keys);
    return null;
  } catch (error) {
    if (error instanceof ProofFailure) return error.fault;
    throw error;
  }
}

describe('a proof file', () => {
  it('has the hash of the ledger, which is pinned there', () => {
    const hash = hashOf(5, new Uint8Array(32), [
      1,
      9,
      'withdrawal',
      12,
      1_700_000_000_000,
      1_700_000_000_001,
      'key',
      'user:1',
      '',
      null,
      [
        [101, 1, 0, '-40', '60', 2],
        [103, 1, 0, '40', '60', null],
      ],
    ]);
    // crates/wallet/src/books/chain.rs
    expect(toHex(hash)).toBe('d6a1a7df1a4c1bfe7291cf2a5caf0228b0f63a85a01641b0da613bbb3dd40c7b');
  });

  it('is verified from its first line to its last', () => {
    const made = makeProof({ transactions: someTransactions(40) });
    const verified = verify(made.text);
    expect(verified).toMatchObject({
      origin,
      book: 5,
      month: '2026-11',
      previous: 0,
      transactions: 40,
      last: 40,
      index: 300n,
      balances: null,
      checkpoint: { origin, size: 306n },
      cosignatures: [{ name: 'witness.example/w1', at: 1_795_860_000n }],
    });
    expect(toHex(verified.hash)).toBe(toHex(made.hash));
    expect(made.text.endsWith(verified.note)).toBe(true);
  });

  it('may arrive in parts of any size', () => {
    const { text } = makeProof();
    for (const parts of [2, 3, 17, 400]) expect(verify(text, log.key, parts).last).toBe(4);
  });
});

const november = makeProof({ balances: someBalances });
const lines = november.text.split('\n');
const at = (start: string) => lines.findIndex((line) => line.startsWith(start));
const first = at('[1,');

/** The file with some of its lines changed. */
function changed(change: (lines: string[]) => void): string {
  const copy = [...lines];
  change(copy);
  return copy.join('\n');
}

const replacedIn = (whole: string) => (from: string | RegExp, to: string) => {
  const text = whole.replace(from, to);
  if (text === whole) throw new Error(`nothing to replace: ${from}`);
  return text;
};

const replaced = replacedIn(november.text);
/** Without balances, which would say first that the book is another one. */
const changedAlone = replacedIn(makeProof().text);

describe('what does not hold', () => {
  it('is not this file', () => {
    expect(faultOf(november.text)).toBeNull();
    expect(verify(november.text).balances).toMatchObject({ day: '2026-11-27', sequence: 4 });
  });

  it.each<[string, string]>([
    ['nothing', ''],
    ['another version', replaced('placard-proof/1', 'placard-proof/2')],
    ['a mark in front', `\ufeff${november.text}`],
    ['other ends of lines', replaced(/\n/g, '\r\n')],
    ['a last line that does not end', november.text.slice(0, -1)],
    ['an empty line more', `${november.text}\n`],
    ['a cut file', november.text.slice(0, november.text.indexOf('== inclusion'))],
    ['an order changed', changed((all) => all.splice(2, 2, ...all.slice(2, 4).reverse()))],
    ['a field more', changed((all) => all.splice(3, 0, 'name: somebody'))],
    ['an extra line', replaced('@v1\n', '@v1\nextra AAAA\n')],
    ['a zero in front', replaced('book: 5', 'book: 05')],
    ['a sign', replaced('book: 5', 'book: +5')],
    ['minus zero', replaced('book: 5', 'book: -0')],
    ['a month that is none', replaced('month: 2026-11', 'month: 2026-13')],
    ['another month', replaced('month: 2026-11', 'month: 2026-12')],
    ['the month before', replaced('month: 2026-11', 'month: 2026-10')],
    ['a day that is none', replaced('made: 2026-11-28', 'made: 2026-11-31')],
    ['a gap', changed((all) => all.splice(first, 1))],
    ['a line twice', changed((all) => all.splice(first, 0, all[first] ?? ''))],
    [
      'lines swapped',
      changed((all) => all.splice(first, 2, ...all.slice(first, first + 2).reverse())),
    ],
    ['a count too high', replaced('transactions: 4', 'transactions: 5')],
    ['a count too low', replaced('transactions: 4', 'transactions: 3')],
    ['a space in a line', replaced('[1,1,', '[1, 1,')],
    ['a number written otherwise', replaced('[1,1,"recharge",40', '[1,1,"recharge",4e1')],
    ['a number with a fraction', replaced('[1,1,"recharge",40', '[1,1,"recharge",40.0')],
    ['a letter written otherwise', replaced('"recharge"', '"\\u0072echarge"')],
    ['an upper-case escape', replaced('\\u001f', '\\u001F')],
    ['a slash with an escape', replaced('"plan"', '"pl\\/an"')],
    ['an amount of zeros', replaced('"-10"', '"-010"')],
    ['an amount too large', replaced('"-10000000"', '"-9223372036854775809"')],
    ['an amount as a number', replaced('"-10"', '-10')],
    ['more in a line', changed((all) => all.splice(first, 1, `${all[first]},`))],
    ['a proof too long', replaced(/\n\nads/, `\n${'A'.repeat(43)}=`.repeat(64).concat('\n\nads'))],
    ['base64 with rests', replaced(/=\n\nads/, '!\n\nads')],
    ['no signatures', november.text.slice(0, november.text.indexOf('— '))],
    ['a signature that is no line of one', `${november.text}— x\n`],
  ])('by its form: %s', (_, text) => {
    expect(faultOf(text)).toBe('form');
  });

  it.each<[string, string]>([
    ['a digit of an amount', changedAlone('"9999970"', '"9999971"')],
    ['a remark', changedAlone('quoted', 'noted')],
    ['a time', changedAlone(/"plan",41,1/, '"plan",41,2')],
    ['a key that was none', changedAlone(',null,"user:5"', ',"","user:5"')],
    ['a balance that was none', changedAlone('"10",null,null', '"10","10",null')],
    [
      'the hash before',
      changedAlone(/previous: 0 0{64}/, `previous: 1 ${'0'.repeat(64)}`).replace(
        /\n\[(\d)/g,
        (_, n) => `\n[${Number(n) + 1}`,
      ),
    ],
    ['another place', changedAlone(/index 300/, 'index 299')],
    ['another book', makeProof().text.replace(`book: ${book}`, 'book: 6')],
  ])('by the log: %s', (_, text) => {
    expect(faultOf(text)).toBe('inclusion');
  });

  it('by the day of the balances', () => {
    const other = (change: (text: string) => string) =>
      faultOf(changed((all) => all.splice(at('leaf: '), 1, change(all[at('leaf: ')] ?? ''))));
    expect(other((leaf) => leaf.replace(/ \d+$/, ' 9'))).toBe('balances');
    expect(other((leaf) => leaf.replace('leaf: 1', 'leaf: 0'))).toBe('balances');
    expect(other((leaf) => leaf.replace('leaf: 1', 'leaf: 4'))).toBe('balances');
    expect(other((leaf) => leaf.replace(' 4 9', ' 9 9'))).toBe('form');
    expect(faultOf(replaced(/totals: \d/, 'totals: 9'))).toBe('balances');
    expect(faultOf(replaced('day: 2026-11-27', 'day: 2026-11-26'))).toBe('balances');
    expect(faultOf(replaced(/sum: (.*) \d+\n/, 'sum: $1 9223372036854775807\n'))).toBe('balances');
    expect(faultOf(replaced(/index: 301/, 'index: 302'))).toBe('balances');
    const balances: typeof someBalances = (hashes) =>
      someBalances(hashes, { available: 9_999_971n });
    expect(faultOf(makeProof({ balances }).text)).toBe('balances');
  });

  it('by a leaf that two users could be shown', () => {
    const ofNobody: typeof someBalances = (hashes) => someBalances(hashes.slice(0, 1));
    const { text } = makeProof({ balances: ofNobody });
    expect(text).toMatch(/\nleaf: 1 [0-9a-f]{64} 0 9999970 /);
    expect(faultOf(text)).toBe('balances');
  });

  it('by who signed', () => {
    const mallory = signer(origin, 9);
    const sign = (signatures: (text: string) => string) => faultOf(makeProof({ signatures }).text);
    expect(sign((text) => mallory.sign(text))).toBe('signature');
    expect(sign((text) => log.sign(text.replace('3', '4')))).toBe('signature');
    expect(sign((text) => log.sign(text) + log.sign(`${text}more\n`))).toBe('signature');
    expect(sign((text) => mallory.sign(text) + log.sign(text))).toBeNull();
    expect(sign((text) => log.sign(text) + witness.cosign(`${text}more\n`, 5))).toBe('cosignature');
    expect(sign((text) => log.sign(text) + witness.sign(text))).toBe('cosignature');
    const other = signer('ads.example.com/other', 7);
    const signedByBoth = (text: string) =>
      faultOf(
        makeProof({ signatures: (own) => log.sign(own) + other.sign(own + text) }).text,
        `${other.key}\n${log.key}`,
      );
    expect(signedByBoth('')).toBeNull();
    expect(signedByBoth('more\n')).toBe('signature');
    expect(faultOf(november.text, mallory.key)).toBe('signature');
    expect(faultOf(november.text, signer('ads.example.com/other', 7).key)).toBe('origin');
    expect(faultOf(changedAlone(/\n\nads.example.com/, '\n\nads.example.org'))).toBe('origin');
  });
});

describe('a file', () => {
  it('may be of a month in which nothing happened', () => {
    const hash = hashOf(book, new Uint8Array(32), someTransactions(1)[0] as Written);
    const { text } = makeProof({ transactions: [], previous: { sequence: 1, hash } });
    expect(verify(text)).toMatchObject({ transactions: 0, previous: 1, last: 1 });
    expect(faultOf(makeProof({ transactions: [] }).text)).toBe('form');
  });

  it('may be of a log that began after another', () => {
    const { text } = makeProof({ extensions: ['previous ads.example.com/placard 7 abc='] });
    expect(verify(text).checkpoint.extensions).toHaveLength(1);
  });

  it('has amounts and texts to their last digit', () => {
    const [one] = someTransactions(1) as [Written];
    const most = '9223372036854775807';
    const least = '-9223372036854775808';
    one[10] = [
      [101, book, 0, most, least, 1],
      [101, book, -3, '-9007199254740993', '9007199254740993', null],
      [101, book, 9_007_199_254_740_991, '-4294967296', '-1', 14],
    ];
    one[3] = -9_007_199_254_740_991;
    one[8] = '\u0000\b\f\t\u007f\u2028\ud83d\ude00/\\';
    expect(verify(makeProof({ transactions: [one] }).text).transactions).toBe(1);
  });
});
