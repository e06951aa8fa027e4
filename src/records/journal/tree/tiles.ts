import { emptyRoot, leafHash, type Node, nodeHash, perfectNodes, type Range } from './merkle.ts';

/**
 * The tree as tiles (C2SP tlog-tiles): tile `n` of a level holds up to 256 hashes, at level 0 of leaves, above of the full
 * tiles below. A tile that is known wider than a tree needs serves that tree as well: hashes are only ever appended.
 */
export type TileId = { level: number; n: number };
/** Tiles by {@link tileKey}, each the concatenation of its hashes. */
export type Tiles = ReadonlyMap<string, Buffer>;

export const tileWidth = 256;
export const hashBytes = 32;
/** Where the commitments are kept, beside the levels of the tree. */
export const bundleLevel = -1;

export function tileKey({ level, n }: TileId): string {
  return `${level}/${n}`;
}

function placeOf({ height, index }: Node): TileId & { offset: number; count: number } {
  const count = 2 ** (height % 8);
  const first = index * count;
  return { level: Math.floor(height / 8), n: Math.floor(first / tileWidth), offset: first % tileWidth, count };
}

/** The tiles that the hashes of these ranges are computed from. */
export function tilesOf(ranges: readonly Range[]): TileId[] {
  const places = ranges.flatMap(perfectNodes).map(placeOf);
  return [...new Map(places.map(({ level, n }) => [tileKey({ level, n }), { level, n }])).values()];
}

/** A hash that a tile should hold and does not: the tiles are not those of a tree of that size. */
export class MissingHash extends Error {}

function nodeIn(tiles: Tiles, node: Node): Buffer {
  const { level, n, offset, count } = placeOf(node);
  const tile = tiles.get(tileKey({ level, n }));
  if (!tile || tile.length < (offset + count) * hashBytes)
    throw new MissingHash(`tile ${n} of level ${level} lacks hashes that the tree must have`);
  return perfectRoot(tile.subarray(offset * hashBytes, (offset + count) * hashBytes));
}

/** The root over a power of two of hashes that stand one after another. */
function perfectRoot(joined: Buffer): Buffer {
  const hashes = Buffer.from(joined);
  for (let count = joined.length / hashBytes; count > 1; count /= 2) {
    // A hash is put where the first of its pair was or before it: what is still to be read stands behind.
    for (let i = 0; i < count / 2; i += 1) {
      const at = i * 2 * hashBytes;
      nodeHash(hashes.subarray(at, at + hashBytes), hashes.subarray(at + hashBytes, at + 2 * hashBytes)).copy(hashes, i * hashBytes);
    }
  }
  return hashes.subarray(0, hashBytes);
}

/** Hashes of perfect subtrees, which stay what they are while the tree grows. */
export type KnownNodes = Map<string, Buffer>;

/**
 * Hashes ranges of the tree. Subtrees that were hashed once are remembered in `known`: proofs of neighbours share most of theirs, and so
 * does a tree with the one that it extends. Throws {@link MissingHash}.
 */
export function rangeHasher(tiles: Tiles, known: KnownNodes = new Map()): (range: Range) => Buffer {
  const remembered = (node: Node): Buffer => {
    const key = `${node.height}/${node.index}`;
    const found = known.get(key) ?? nodeIn(tiles, node);
    known.set(key, found);
    return found;
  };
  return (range) => {
    const hashes = perfectNodes(range).map(remembered);
    return hashes.length === 0 ? emptyRoot : hashes.reduceRight((right, left) => nodeHash(left, right));
  };
}

/** Appends entries to a tree of `size`, given the last tile of each level and the last bundle: the tiles that changed, whole. */
export function appendEntries(edge: Tiles, size: number, entries: readonly Buffer[]): { id: TileId; hashes: Buffer }[] {
  const changed = new Map<string, { id: TileId; parts: Buffer[]; width: number }>();

  /** Puts a hash at a place of a level, and says which tile it filled, if it did. */
  function put(level: number, at: number, hashed: Buffer): Buffer | undefined {
    const id = { level, n: Math.floor(at / tileWidth) };
    const key = tileKey(id);
    let tile = changed.get(key);
    if (!tile) {
      const width = at % tileWidth;
      const kept = width === 0 ? Buffer.alloc(0) : (edge.get(key)?.subarray(0, width * hashBytes) ?? Buffer.alloc(0));
      if (kept.length !== width * hashBytes)
        throw new MissingHash(`tile ${id.n} of level ${level} lacks hashes that a tree of ${size} leaves must have`);
      tile = { id, parts: [kept], width };
      changed.set(key, tile);
    }
    tile.parts.push(hashed);
    tile.width += 1;
    if (tile.width < tileWidth) return undefined;
    const whole = Buffer.concat(tile.parts);
    tile.parts = [whole];
    return whole;
  }

  entries.forEach((entry, i) => {
    put(bundleLevel, size + i, entry);
    let full = put(0, size + i, leafHash(entry));
    let at = size + i;
    for (let level = 1; full; level += 1) {
      at = Math.floor(at / tileWidth);
      full = put(level, at, perfectRoot(full));
    }
  });
  return [...changed.values()].map(({ id, parts }) => ({ id, hashes: Buffer.concat(parts) }));
}

/** `1234067` as `x001/x234/067`. */
export function tileIndexPath(n: number): string {
  const groups = [String(n % 1_000).padStart(3, '0')];
  for (let rest = Math.floor(n / 1_000); rest > 0; rest = Math.floor(rest / 1_000))
    groups.unshift(`x${String(rest % 1_000).padStart(3, '0')}`);
  return groups.join('/');
}

/** Reads `<L>/<N>[.p/<W>]`, with `entries` as a level of its own; nothing for any other spelling. `width` is 256 of a full tile. */
export function parseTilePath(path: string): (TileId & { width: number }) | undefined {
  const found = /^(\d{1,2}|entries)\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/.exec(path);
  if (!found) return undefined;
  const [, level = '', index = '', width] = found;
  const n = Number(index.replaceAll(/[x/]/g, ''));
  const tile = { level: level === 'entries' ? bundleLevel : Number(level), n, width: width === undefined ? tileWidth : Number(width) };
  // One address a tile: no leading zeroes, no partial tile that is full.
  if (tileIndexPath(n) !== index || (level !== 'entries' && String(tile.level) !== level)) return undefined;
  return tile.level <= 63 && (width === undefined || tile.width < tileWidth) ? tile : undefined;
}
