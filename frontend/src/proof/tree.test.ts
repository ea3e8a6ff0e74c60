// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { filler } from '@/testing/proof/file';
import { leafOf, pathOf, rootOf, tilesOf } from '@/testing/proof/log';
import { fromBase64, toHex } from './bytes';
import { onlyGrew, tileFolder, tilePath } from './tiles';
import { emptyRoot, extendsTree, includes, leafHash, nodeHash, type TreeHead } from './tree';

const leaves = Array.from({ length: 700 }, (_, at) => filler(at));
const other = leaves.with(30, filler(9999));
const head = (count: number, of = leaves): TreeHead => ({
  size: BigInt(count),
  root: rootOf(of.slice(0, count)),
});
const tiles = (count: number, of = leaves) => {
  const all = tilesOf(of.slice(0, count));
  return async (path: string) => all.get(path) ?? null;
};

describe('the tree', () => {
  it('has the roots of Certificate Transparency', () => {
    // The leaves that implementations of RFC 6962 are tested with.
    const row = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657'].map((hex) =>
      leafHash(Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))),
    );
    expect(toHex(emptyRoot())).toMatch(/^e3b0c44298fc1c14/);
    const [a, b, c] = row as [Uint8Array, Uint8Array, Uint8Array];
    expect(toHex(a)).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d');
    expect(toHex(nodeHash(a, b))).toBe(
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    );
    expect(toHex(nodeHash(nodeHash(a, b), c))).toBe(
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    );
    expect(toHex(rootOf(row))).toBe(
      'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    );
  });

  it('includes each leaf at its place only', () => {
    for (const size of [1, 2, 3, 7, 8, 33]) {
      const tree = head(size);
      for (let at = 0; at < size; at += 1) {
        const path = pathOf(at, leaves.slice(0, size));
        const leaf = leaves[at] ?? leafOf(new Uint8Array());
        expect(includes(leaf, BigInt(at), tree, path)).toBe(true);
        expect(includes(leaf, BigInt(at), tree, [...path, leaf])).toBe(false);
        expect(includes(leaf, BigInt(at), head(size, other.toReversed()), path)).toBe(false);
        if (path.length) expect(includes(leaf, BigInt(at), tree, path.slice(1))).toBe(false);
        expect(includes(leaf, BigInt(at + 1), tree, path)).toBe(false);
      }
    }
  });
});

describe('a log', () => {
  it('only grew, by its tiles, from any size to any other', async () => {
    for (const newer of [1, 2, 5, 31, 32, 64, 255, 256, 257, 511, 512, 700]) {
      for (const older of [0, 1, 2, 3, 4, 16, 31, 32, 200, 255, 256, 300, 512, 699, 700]) {
        const grew = await onlyGrew(head(older), head(newer), tiles(newer));
        expect([older, newer, grew]).toEqual([older, newer, older <= newer]);
      }
    }
  });

  it('did not, if it is another one', async () => {
    for (const [older, newer] of [
      [31, 32],
      [64, 700],
      [256, 512],
      [300, 301],
      [512, 512],
    ] as const) {
      expect(await onlyGrew(head(older), head(newer, other), tiles(newer, other))).toBe(false);
      expect(await onlyGrew(head(older, other), head(newer), tiles(newer))).toBe(false);
    }
  });

  it('is not believed without its tiles, or with others', async () => {
    expect(await onlyGrew(head(300), head(700), async () => null)).toBeNull();
    expect(await onlyGrew(head(300), head(700), async () => new Uint8Array(8192))).toBe(false);
    expect(await onlyGrew(head(300), head(700), tiles(700, other))).toBe(false);
  });

  it('may have filled a tile meanwhile', async () => {
    const [now, later] = [tilesOf(leaves.slice(0, 400)), tilesOf(leaves)];
    const read = async (path: string) =>
      (path.startsWith('tile/0/') ? later : now).get(path) ?? null;
    expect(await onlyGrew(head(300), head(400), read)).toBe(true);
  });

  it('has its tiles where the standard says', () => {
    expect(tilePath({ level: 0, index: 1_234_067n, width: 256 })).toBe('tile/0/x001/x234/067');
    expect(tilePath({ level: 0, index: 273n, width: 112 })).toBe('tile/0/273.p/112');
    expect(tilePath({ level: 1, index: 0n, width: 256 })).toBe('tile/1/000');
    expect(tileFolder('ads.example.com/placard')).toBe('');
    expect(tileFolder('shop-3.example.com/placard-simulated')).toBe('');
    expect(tileFolder('ads.example.com/placard-2')).toBe('2/');
    expect(tileFolder('ads.example.com/placard-simulated-12')).toBe('12/');
  });

  it('is not extended by a proof that is too long, too short or of nothing', () => {
    const proof = [leaves[2] as Uint8Array];
    expect(extendsTree(head(2), head(3), proof)).toBe(true);
    expect(extendsTree(head(2), head(3), [])).toBe(false);
    expect(extendsTree(head(2), head(3), [...proof, ...proof])).toBe(false);
    expect(extendsTree(head(3), head(2), proof)).toBe(false);
    expect(
      extendsTree({ size: 0n, root: fromBase64('AAAA') ?? new Uint8Array() }, head(2), []),
    ).toBe(false);
  });
});
