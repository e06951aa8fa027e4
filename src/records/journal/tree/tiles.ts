import { emptyRoot, leafHash, type Node, nodeHash, perfectNodes, type LeafRange } from './merkle.ts';

/**
 * The tree as tiles (C2SP tlog-tiles). Tile `n` of a level has up to 256 hashes. At level 0 they are hashes of leaves, and at higher levels hashes of
 * the full tiles below. Hashes are only appended, so a wider tile also serves a smaller tree.
 */
export type TileId = { level: number; n: number };
/** Tiles by {@link tileKey}, each the concatenation of its hashes. */
export type Tiles = ReadonlyMap<string, Buffer>;

export const tileWidth = 256;
export const hashBytes = 32;
/** The level of the commitments, besides the levels of the tree. */
export const bundleLevel = -1;

export function tileKey({ level, n }: TileId): string {
  return `${level}/${n}`;
}

export function tileIdOf(key: string): TileId {
  const [level = '', n = ''] = key.split('/');
  return { level: Number(level), n: Number(n) };
}

/** The last tile of each level, which is where a tree grows. */
export function lastOfEachLevel(tiles: Tiles): Tiles {
  const last = new Map<number, TileId & { hashes: Buffer }>();
  for (const [key, hashes] of tiles) {
    const { level, n } = tileIdOf(key);
    if (n >= (last.get(level)?.n ?? 0)) last.set(level, { level, n, hashes });
  }
  return new Map([...last.values()].map((tile) => [tileKey(tile), tile.hashes]));
}

function placeOf({ height, index }: Node): TileId & { offset: number; count: number } {
  const count = 2 ** (height % 8);
  const first = index * count;
  return { level: Math.floor(height / 8), n: Math.floor(first / tileWidth), offset: first % tileWidth, count };
}

/** Returns the tiles that the hashes of these ranges need. */
export function tilesOf(ranges: readonly LeafRange[]): TileId[] {
  const places = ranges.flatMap(perfectNodes).map(placeOf);
  return [...new Map(places.map(({ level, n }) => [tileKey({ level, n }), { level, n }])).values()];
}

/** Thrown if a tile lacks a hash, so that the tiles do not belong to a tree of that size. */
export class MissingHash extends Error {}

function nodeIn(tiles: Tiles, node: Node): Buffer {
  const { level, n, offset, count } = placeOf(node);
  const tile = tiles.get(tileKey({ level, n }));
  if (!tile || tile.length < (offset + count) * hashBytes)
    throw new MissingHash(`tile ${n} of level ${level} lacks hashes that the tree must have`);
  return perfectRoot(tile.subarray(offset * hashBytes, (offset + count) * hashBytes));
}

/** Computes the root over consecutive hashes; their number is a power of two. */
function perfectRoot(joined: Buffer): Buffer {
  const hashes = Buffer.from(joined);
  for (let count = joined.length / hashBytes; count > 1; count /= 2) {
    // Each result overwrites only hashes that were already read.
    for (let i = 0; i < count / 2; i += 1) {
      const at = i * 2 * hashBytes;
      nodeHash(hashes.subarray(at, at + hashBytes), hashes.subarray(at + hashBytes, at + 2 * hashBytes)).copy(hashes, i * hashBytes);
    }
  }
  return hashes.subarray(0, hashBytes);
}

/** Hashes of perfect subtrees, which never change while the tree grows. */
export type KnownNodes = Map<string, Buffer>;

/**
 * Returns a function that hashes ranges of the tree. It caches subtrees in `known`, because neighboring proofs and growing trees share most of
 * them. Throws {@link MissingHash}.
 */
export function rangeHasher(tiles: Tiles, known: KnownNodes = new Map()): (range: LeafRange) => Buffer {
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

/** Appends entries to a tree of `size`, with the last tile of each level and the last bundle. Returns the complete changed tiles. */
export function appendEntries(edge: Tiles, size: number, entries: readonly Buffer[]): { id: TileId; hashes: Buffer }[] {
  const changed = new Map<string, { id: TileId; parts: Buffer[]; width: number }>();

  /** Adds a hash at a position of a level. Returns the tile if it is now full. */
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

/** Formats `1234067` as `x001/x234/067`. */
export function tileIndexPath(n: number): string {
  const groups = [String(n % 1_000).padStart(3, '0')];
  for (let rest = Math.floor(n / 1_000); rest > 0; rest = Math.floor(rest / 1_000))
    groups.unshift(`x${String(rest % 1_000).padStart(3, '0')}`);
  return groups.join('/');
}

/** Parses `<L>/<N>[.p/<W>]`, with `entries` as a separate level; undefined for any other spelling. `width` is 256 for a full tile. */
export function parseTilePath(path: string): (TileId & { width: number }) | undefined {
  const found = /^(\d{1,2}|entries)\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/.exec(path);
  if (!found) return undefined;
  const [, level = '', index = '', width] = found;
  const n = Number(index.replaceAll(/[x/]/g, ''));
  const tile = { level: level === 'entries' ? bundleLevel : Number(level), n, width: width === undefined ? tileWidth : Number(width) };
  // Each tile has one address: no leading zeros, and no partial tile of full width.
  if (tileIndexPath(n) !== index || (level !== 'entries' && String(tile.level) !== level)) return undefined;
  return tile.level <= 63 && (width === undefined || tile.width < tileWidth) ? tile : undefined;
}
