import type { Reader } from '../../../platform/database/database.ts';
import { consistencyRanges, inclusionRanges, type LeafRange } from './merkle.ts';
import { rangeHasher, tileKey, type TileId, type Tiles, tilesOf } from './tiles.ts';
import * as queries from './queries.ts';

/** Reads tiles of a tree by identifier in one statement. */
export async function loadTiles(db: Reader, ids: readonly TileId[], log = queries.ownLog): Promise<Tiles> {
  if (ids.length === 0) return new Map();
  const rows = await db.all(queries.tilesById, { log, levels: ids.map(({ level }) => level), ns: ids.map(({ n }) => n) });
  return new Map(rows.map((row) => [tileKey(row), row.hashes]));
}

/** Returns the hashes of ranges of a stored tree. */
export async function hashRanges(db: Reader, ranges: readonly LeafRange[], log = queries.ownLog): Promise<Buffer[]> {
  return ranges.map(rangeHasher(await loadTiles(db, tilesOf(ranges), log)));
}

/** Returns an inclusion proof for one leaf (RFC 9162 §2.1.3); `index` < `size`. Its length grows with the logarithm of `size`. */
export function inclusionProof(db: Reader, index: number, size: number, log = queries.ownLog): Promise<Buffer[]> {
  return hashRanges(db, inclusionRanges(index, size), log);
}

/** Returns a consistency proof between two sizes of the tree (RFC 9162 §2.1.4); `from` ≤ `to`. */
export function consistencyProof(db: Reader, from: number, to: number): Promise<Buffer[]> {
  return hashRanges(db, consistencyRanges(from, to));
}
