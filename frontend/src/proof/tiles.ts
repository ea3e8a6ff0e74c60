/** The proof that a log only grew, made from its tiles (C2SP tlog-tiles). */
import { extendsTree, type Hash, nodeHash, type TreeHead } from './tree';

const width = 256n;
/** Levels of the tree between two levels of tiles. */
const height = 8;

/**
 * The folder of a log's tiles. A log that began anew has a number at the end of its name, and a
 * folder of its own.
 */
export function tileFolder(origin: string): string {
  const number = /\/placard(?:-simulated)?-(\d+)$/.exec(origin)?.[1];
  return number ? `${number}/` : '';
}

/** A row of up to 256 hashes of the tree: of leaves at level 0, of full tiles below at every other. */
type Tile = { level: number; index: bigint; width: number };

/** Reads a tile's bytes at its path; null if there is none. */
export type TileReader = (path: string) => Promise<Uint8Array | null>;

type Range = { from: bigint; to: bigint };

export function tilePath({ level, index, width: count }: Tile): string {
  const groups = [String(index % 1000n).padStart(3, '0')];
  for (let rest = index / 1000n; rest > 0n; rest /= 1000n) {
    groups.unshift(`x${String(rest % 1000n).padStart(3, '0')}`);
  }
  const full = `tile/${level}/${groups.join('/')}`;
  return count === Number(width) ? full : `${full}.p/${count}`;
}

/** The largest power of two below the number of leaves: how many are on the left. */
function split(leaves: bigint): bigint {
  let left = 1n;
  while (left * 2n < leaves) left *= 2n;
  return left;
}

/** The ranges of leaves whose hashes prove that a tree of `older` leaves is the beginning of one of `newer`. */
function consistency(older: bigint, newer: bigint): Range[] {
  if (older === 0n) return [];
  const path: Range[] = [];
  let [from, to] = [0n, newer];
  while (to !== older) {
    const middle = from + split(to - from);
    if (older <= middle) {
      path.unshift({ from: middle, to });
      to = middle;
    } else {
      path.unshift({ from, to: middle });
      from = middle;
    }
  }
  return from > 0n ? [{ from, to }, ...path] : path;
}

/** A complete subtree: where its hashes are, and how many. */
type Part = { tile: Tile; first: number; count: number };

/** The complete subtrees of a range, the largest first, as the tiles of a tree of `size` leaves have them. */
function partsOf({ from, to }: Range, size: bigint): Part[] {
  const parts: Part[] = [];
  for (let at = from; at < to; ) {
    let tall = 0;
    while (at + 2n ** BigInt(tall + 1) <= to) tall += 1;
    const level = Math.floor(tall / height);
    const above = BigInt(tall % height);
    const first = (at >> BigInt(tall)) << above;
    const index = first / width;
    const there = (size >> BigInt(level * height)) - index * width;
    const tile = { level, index, width: Number(there < width ? there : width) };
    parts.push({ tile, first: Number(first % width), count: 2 ** Number(above) });
    at += 2n ** BigInt(tall);
  }
  return parts;
}

/** The root over as many hashes as a power of two. */
function complete(hashes: readonly Hash[]): Hash | undefined {
  let row = hashes;
  while (row.length > 1) {
    const pairs: Hash[] = [];
    for (let at = 0; at + 1 < row.length; at += 2) {
      const [left, right] = row.slice(at, at + 2);
      if (left && right) pairs.push(nodeHash(left, right));
    }
    row = pairs;
  }
  return row[0];
}

/**
 * Whether one tree is the beginning of another, by the tiles of the newer one; null if they are not there. What is read
 * is not believed: only hashes that lead to both roots prove it.
 */
export async function onlyGrew(
  older: TreeHead,
  newer: TreeHead,
  read: TileReader,
): Promise<boolean | null> {
  if (older.size >= newer.size) return extendsTree(older, newer, []);
  const tiles = new Map<string, Promise<Hash[]>>();
  const hashesOf = (tile: Tile) => {
    const path = tilePath(tile);
    const known = tiles.get(path) ?? readTile(tile, read);
    tiles.set(path, known);
    return known;
  };
  const rootOf = async ({ tile, first, count }: Part) =>
    complete((await hashesOf(tile)).slice(first, first + count));
  const ranges = consistency(older.size, newer.size).map((range) => partsOf(range, newer.size));
  const roots = await Promise.all(ranges.map((parts) => Promise.all(parts.map(rootOf))));
  const proof = roots.map((parts) =>
    parts.reduceRight((right, left) => left && right && nodeHash(left, right)),
  );
  const known = proof.filter((hash) => hash !== undefined);
  return known.length === proof.length ? extendsTree(older, newer, known) : null;
}

/** A partial tile is removed when its full one is there, which begins with the same hashes. */
async function readTile(tile: Tile, read: TileReader): Promise<Hash[]> {
  const full = { ...tile, width: Number(width) };
  const own = await read(tilePath(tile));
  const bytes = own ?? (tile.width < full.width ? await read(tilePath(full)) : null);
  const count = bytes ? Math.min(tile.width, Math.floor(bytes.length / 32)) : 0;
  return Array.from({ length: count }, (_, at) =>
    (bytes ?? new Uint8Array()).slice(32 * at, 32 * at + 32),
  );
}
