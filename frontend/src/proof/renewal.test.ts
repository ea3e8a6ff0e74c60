// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { filler } from '@/testing/proof/file';
import { checkpointText, log, origin, signer, tilesOf } from '@/testing/proof/log';
import { utf8 } from './bytes';
import { type Checkpoint, parseCheckpoint } from './checkpoint';
import { type NoteKey, parseKey, renamed, writeKey } from './note';
import { renewalOf } from './renewal';

const keys = [parseKey(log.key) as NoteKey];
const leaves = Array.from({ length: 600 }, (_, at) => filler(at));
const first = leaves.slice(0, 300);
const second = leaves.slice(290, 390);
const names = [origin, `${origin}-2`, `${origin}-3`] as const;
const [one, two, three] = names.map((name) => signer(name, 7)) as [
  typeof log,
  typeof log,
  typeof log,
];

const line = (name: string, of: readonly Uint8Array[], why = 'lost') =>
  `previous ${checkpointText(of, { name }).trimEnd().replaceAll('\n', ' ')} ${why}`;
const opened = (text: string) => parseCheckpoint(text) as Checkpoint;
const seen = (count: number, of = first) => opened(checkpointText(of.slice(0, count)));
const signedBy = (by: typeof log, text: string) => utf8(`${text}\n${by.sign(text)}`);

const toSecond = line(origin, first);
const secondText = checkpointText(second, { name: names[1], extensions: [toSecond] });
/** The last of three logs. */
const now = opened(
  checkpointText(leaves, { name: names[2], extensions: [line(names[1], second, 'forked')] }),
);

const store = (changed: Record<string, Uint8Array | null> = {}) => {
  const there = new Map<string, Uint8Array | null>([
    ...tilesOf(first),
    ['2/checkpoint', signedBy(two, secondText)],
    ...Object.entries(changed),
  ]);
  return async (path: string) => there.get(path) ?? null;
};

describe('a log that follows another', () => {
  it('is found over all that were begun meanwhile', async () => {
    expect(await renewalOf(seen(280), now, keys, store())).toEqual({
      why: 'lost',
      ended: '300',
      saw: '280',
      seen: 'grew',
    });
    expect(await renewalOf(seen(300), now, keys, store())).toMatchObject({ seen: 'same' });
    const before = opened(checkpointText(second, { name: names[1] }));
    expect(await renewalOf(before, now, keys, store())).toMatchObject({
      why: 'forked',
      seen: 'same',
    });
  });

  it('is none, unless a known key signed all of them', async () => {
    const stranger = signer(names[1], 9);
    const other = checkpointText(second.slice(1), { name: names[1], extensions: [toSecond] });
    const without = checkpointText(second, { name: names[1] });
    for (const middle of [
      null,
      utf8('nothing\n'),
      signedBy(stranger, secondText),
      signedBy(two, other),
      signedBy(two, without),
    ]) {
      const read = store({ '2/checkpoint': middle });
      expect(await renewalOf(seen(280), now, keys, read)).toBeNull();
    }
  });

  it('is another one, if its end is not what was seen', async () => {
    const changed = first.with(3, filler(999));
    const read = store(Object.fromEntries(tilesOf(changed)));
    expect(await renewalOf(seen(280, changed), now, keys, store())).toBe('other');
    expect(await renewalOf(seen(300, changed), now, keys, store())).toBe('other');
    expect(await renewalOf(seen(280), now, keys, read)).toBe('other');
  });

  it('may have lost what was seen', async () => {
    const shorter = opened(
      checkpointText(leaves, { name: names[1], extensions: [line(origin, first.slice(0, 200))] }),
    );
    const lost = { why: 'lost', ended: '200', saw: '280', seen: 'shorter' };
    expect(await renewalOf(seen(280), shorter, keys, store())).toEqual(lost);
    expect(await renewalOf(seen(280), shorter, keys, async () => null)).toEqual(lost);
    const forked = first.with(3, filler(999)).slice(0, 280);
    const read = store(Object.fromEntries(tilesOf(forked)));
    expect(await renewalOf(seen(280, forked), shorter, keys, read)).toBe('other');
  });

  it('is not proved to have kept what was seen without its tiles', async () => {
    const read = async (path: string) => (path === '2/checkpoint' ? store()(path) : null);
    expect(await renewalOf(seen(280), now, keys, read)).toMatchObject({ seen: 'unproved' });
  });

  it.each([
    ['nothing', []],
    ['another word', [toSecond.replace('previous', 'Previous')]],
    ['a size with zeros', [toSecond.replace(' 300 ', ' 0300 ')]],
    ['no reason', [toSecond.replace(' lost', '')]],
    ['more words', [`${toSecond} more`]],
    ['a root that is none', [toSecond.replace('= lost', ' lost')]],
  ])('is not named by %s', async (_, extensions) => {
    const next = opened(checkpointText(leaves, { name: names[1], extensions }));
    expect(await renewalOf(seen(280), next, keys, store())).toBeNull();
  });
});

describe('a key', () => {
  it('is written as it was read, and signs another log under its name', () => {
    expect(keys.map(writeKey)).toEqual([one.key]);
    expect(keys.map((key) => writeKey(renamed(key, names[2])))).toEqual([three.key]);
  });
});
