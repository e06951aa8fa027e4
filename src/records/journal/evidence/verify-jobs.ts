import type { Database, Transaction } from '../../../platform/database/database.ts';
import { smallestId } from '../../../platform/identifiers.ts';
import { type Checkpoint, isSignedBy, parseCheckpoint } from '../tree/checkpoint.ts';
import { commitment, recordOf } from '../tree/leaf.ts';
import { leafHash, rootOfInclusion } from '../tree/merkle.ts';
import type { Verifier } from '../tree/note.ts';
import { inclusionProof, loadTiles } from '../tree/proofs.ts';
import {
  appendEntries,
  bundleLevel,
  hashBytes,
  MissingHash,
  rangeHasher,
  tileKey,
  type TileId,
  type Tiles,
  tileWidth,
} from '../tree/tiles.ts';
import type { KnownCheckpoints } from './known-checkpoints.ts';
import * as queries from '../tree/queries.ts';
import { unbound } from '../canonical-number.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

/** The first thing that does not hold. `seq` is the leaf's place, from 0; `entryId` the row it is about, where there is one. */
export type Fault = {
  kind: 'changed' | 'removed' | 'inserted' | 'reordered' | 'tree' | 'checkpoint' | 'rolled_back';
  message: string;
  seq?: number;
  entryId?: string;
};
export type JournalVerdict =
  | {
      ok: true;
      size: number;
      origin: string;
      rootHash: string;
      checkpoints: number;
      pending: number;
      addressesErased: number;
      /** For the next verification. */
      known: KnownCheckpoints;
    }
  | { ok: false; fault: Fault };

class Found extends Error {
  readonly fault: Fault;
  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}

const page = 10 * tileWidth;

/** After a day the service keeps one checkpoint an hour. Clocks of nodes may differ by an hour. */
const unthinnedMs = 23 * 3_600_000;
const recentHours = 24;

/**
 * Recomputes the tree from the journal's rows and compares it with the stored tiles, with each signed checkpoint, and with
 * the newest. `keys` returns the trusted keys for an origin; `known` is the result of an earlier verification. Returns the first error.
 */
export async function verifyJournal(
  database: Database,
  keys: (origin: string) => Verifier[],
  known?: KnownCheckpoints,
): Promise<JournalVerdict> {
  try {
    return await new JournalWalk(database, keys, known).verify();
  } catch (error) {
    if (error instanceof Found) return { ok: false, fault: error.fault };
    throw error;
  }
}

/** One verification. Its steps throw {@link Found} for what does not hold. */
class JournalWalk {
  readonly #database: Database;
  readonly #keys: (origin: string) => Verifier[];
  readonly #known: KnownCheckpoints | undefined;
  /** The checkpoint of the earlier verification. */
  readonly #earlier: Checkpoint | undefined;
  /** The last tiles of the tree that the rows make. */
  #edge: Tiles = new Map();
  #last = { seq: -1, id: smallestId };
  /** The checkpoints that the rows agree with, and the size of the largest. */
  #agreed = { size: 0, count: 0 };
  #erased = 0;

  constructor(database: Database, keys: (origin: string) => Verifier[], known: KnownCheckpoints | undefined) {
    this.#database = database;
    this.#keys = keys;
    this.#known = known;
    this.#earlier = known && parseCheckpoint(known.checkpoint);
  }

  async verify(): Promise<JournalVerdict> {
    const log = await this.#read((tx) => tx.first(queries.readLog, {}));
    if (!log?.checkpoint) throw new Found({ kind: 'checkpoint', message: 'there is no signed checkpoint' });
    const newest = signed(log.checkpoint, log.size, this.#keys);
    const shown = shownToReaders(log, newest);
    if (this.#earlier && this.#earlier.size > newest.size) throw new Found(rolledBack(this.#earlier, `and the tree has ${newest.size}`));
    for (let start = 0; start < newest.size || start === 0; start += page) await this.#verifyPage(start, newest, shown);
    if (!rangeHasher(this.#edge)([0, newest.size]).equals(newest.root)) throw new Found(rewritten(this.#agreed.size, newest.size));
    const pending = await this.#verifyBeyond(newest);
    if (this.#known) await compareHours(this.#database, this.#known);
    const hours = await this.#read((tx) => tx.all(queries.newestCheckpointHours, { limit: recentHours }));
    return {
      ok: true,
      size: newest.size,
      origin: newest.origin,
      rootHash: newest.root.toString('base64'),
      checkpoints: this.#agreed.count - shown.length,
      pending,
      addressesErased: this.#erased,
      known: {
        checkpoint: log.checkpoint,
        hours: hours[0]?.hours ?? 0,
        recent: hours.map(({ hour, checkpoints }) => ({ hour, checkpoints })),
      },
    };
  }

  #read<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#database.asSystem('verify the audit journal', work);
  }

  /** Compares the rows of a page with their tiles, and with the checkpoints of the tree up to there. */
  async #verifyPage(start: number, newest: Checkpoint, shown: readonly StoredCheckpoint[]): Promise<void> {
    const end = Math.min(start + page, newest.size);
    const { rows, stored, checkpoints } = await this.#read((tx) =>
      pipelined({
        // One more than there may be: a second row of the last place.
        rows: () => tx.all(queries.leavesFrom, { ...this.#last, size: end, limit: page + 1 }),
        stored: () => loadTiles(tx, bundlesAndLeaves(start, end)),
        checkpoints: () => tx.all(queries.checkpointsAfter, { after: start === 0 ? -1 : start, limit: page + 1 }),
      }),
    );
    const commitments = rows.map((row) => commitment(recordOf(row, row.number)));
    await compareRows(this.#database, { rows, commitments, stored, start, end, newest });
    this.#erased += rows.filter((row) => row.ip_digest !== null).length;
    const grown = appendEntries(this.#edge, start, commitments);
    this.#edge = new Map([...this.#edge, ...grown.map(({ id, hashes }) => [tileKey(id), hashes] as const)]);
    const isHere = (size: number) => size <= end && (size > start || start === 0);
    this.#compareCheckpoints([...checkpoints, ...shown].filter(({ size }) => isHere(size)));
    const earlier = this.#earlier;
    if (earlier && isHere(earlier.size) && !rangeHasher(this.#edge)([0, earlier.size]).equals(earlier.root))
      throw new Found(rolledBack(earlier, 'with another root'));
    const ids = grown.map(({ id }) => id);
    compareTiles(await this.#read((tx) => loadTiles(tx, ids)), grown);
    this.#edge = lastOfEachLevel(this.#edge);
    this.#last = { seq: end - 1, id: rows.at(-1)?.id ?? this.#last.id };
  }

  #compareCheckpoints(checkpoints: readonly StoredCheckpoint[]): void {
    const hashOf = rangeHasher(this.#edge);
    for (const { size, note } of checkpoints) {
      const checkpoint = signed(note, size, this.#keys);
      if (!hashOf([0, size]).equals(checkpoint.root)) throw new Found(rewritten(this.#agreed.size, size));
      this.#agreed = { size: Math.max(this.#agreed.size, size), count: this.#agreed.count + 1 };
    }
  }

  /** Looks for what is stored and no part of the tree. Returns how many entries wait to become leaves. */
  async #verifyBeyond(newest: Checkpoint): Promise<number> {
    const { outside, waiting, stray, newestGone, surplus, now } = await this.#read((tx) =>
      pipelined({
        outside: () => tx.first(queries.leafOutside, {}),
        waiting: () => tx.first(queries.countPending, {}),
        stray: () => tx.first(queries.checkpointOutside, {}),
        newestGone: () => tx.first(queries.newestMissing, {}),
        surplus: () => tx.all(queries.surplusTiles, { limit: 10 }),
        now: () => tx.first(queries.readLog, {}),
      }),
    );
    if (stray)
      throw new Found({ kind: 'checkpoint', message: `a checkpoint is stored for ${stray.size} entries, a size the tree never had` });
    if (now?.size === newest.size) compareEnds(await this.#read((tx) => loadTiles(tx, [...this.#edge.keys()].map(tileIdOf))), this.#edge);
    if (outside) {
      throw new Found({
        kind: 'inserted',
        seq: outside.seq,
        entryId: outside.id,
        message: `the row ${outside.id} of team ${outside.team_id} says it is leaf ${outside.seq}, and the tree has ${outside.size}: it was inserted, or the tree was rolled back`,
      });
    }
    if (surplus.length > 0) throw new Found(surplusFault(surplus));
    if (newestGone)
      throw new Found({
        kind: 'checkpoint',
        message: `the signed checkpoint at ${newestGone.size} entries, the newest, is gone from the stored checkpoints`,
      });
    return waiting?.pending ?? 0;
  }
}

type StoredCheckpoint = { size: number; note: string };

/** Returns the fault of a tree that does not extend the checkpoint of an earlier verification. */
function rolledBack({ size, root }: Checkpoint, present: string): Fault {
  return {
    kind: 'rolled_back',
    message: `an earlier verification knew a signed checkpoint at ${size} entries with the root ${root.toString('base64')}, ${present}: the journal was put back to an older state or replaced`,
  };
}

function surplusFault(surplus: readonly { level: number; n: number; tiles: number; size: number }[]): Fault {
  const [{ tiles, size } = { tiles: 0, size: 0 }] = surplus;
  const named = surplus.map(({ level, n }) => `tile ${n} of level ${level}`).join(', ');
  const more = tiles > surplus.length ? ` and ${tiles - surplus.length} more` : '';
  return { kind: 'tree', message: `surplus tiles, which no tree of ${size} entries has: ${named}${more}` };
}

/** Verifies that the known checkpoints are still stored. The service itself thins out those older than a day. */
async function compareHours(database: Database, { hours, recent }: KnownCheckpoints): Promise<void> {
  const [newest] = recent;
  if (!newest) return;
  const { found, fewer } = await database.asSystem('verify the audit journal', (tx) =>
    pipelined({
      found: () => tx.first(queries.countCheckpointHours, { through: newest.hour }),
      fewer: () =>
        tx.first(queries.hourWithFewer, {
          hours: recent.map(({ hour }) => hour),
          checkpoints: recent.map(({ checkpoints }) => checkpoints),
          since: new Date(database.clock.now() - unthinnedMs),
        }),
    }),
  );
  const gone = (message: string) => new Found({ kind: 'checkpoint', message: `signed checkpoints are gone: ${message}` });
  if ((found?.hours ?? 0) < hours)
    throw gone(
      `up to ${newest.hour} an earlier verification knew checkpoints of ${hours} hours, and those of ${found?.hours ?? 0} are stored`,
    );
  if (fewer) throw gone(`of the hour from ${fewer.hour} an earlier verification knew ${fewer.expected}, and ${fewer.found} are stored`);
}

function bundlesAndLeaves(start: number, end: number): TileId[] {
  const tiles = Math.ceil((end - start) / tileWidth);
  const first = start / tileWidth;
  return Array.from({ length: tiles }, (_, i) => [bundleLevel, 0].map((level) => ({ level, n: first + i }))).flat();
}

/** A stored checkpoint, once its size and signature hold. */
function signed(note: string, size: number, keys: (origin: string) => Verifier[]): Checkpoint {
  const checkpoint = parseCheckpoint(note);
  if (!checkpoint || checkpoint.size !== size)
    throw new Found({ kind: 'checkpoint', message: `the checkpoint stored for ${size} entries is not one for ${size} entries` });
  if (!isSignedBy(checkpoint, keys(checkpoint.origin)))
    throw new Found({ kind: 'checkpoint', message: `the checkpoint at ${size} entries carries no valid signature of a trusted key` });
  return checkpoint;
}

function rewritten(from: number, to: number): Fault {
  return {
    kind: 'tree',
    seq: from,
    message: `rows and tiles match each other but not the signed tree: leaves from ${from} up to ${to} were rewritten together with their tiles`,
  };
}

type LeafToCheck = queries.SequencedRow & { data_text: string };

type Page = {
  rows: readonly LeafToCheck[];
  commitments: readonly Buffer[];
  stored: Tiles;
  start: number;
  end: number;
  newest: Checkpoint;
};

async function compareRows(database: Database, { rows, commitments, stored, start, end, newest }: Page): Promise<void> {
  const kept = (level: number, seq: number) => {
    const at = (seq % tileWidth) * hashBytes;
    return stored.get(tileKey({ level, n: Math.floor(seq / tileWidth) }))?.subarray(at, at + hashBytes) ?? Buffer.alloc(0);
  };
  for (let [i, seq] = [0, start]; i < rows.length || seq < end; i += 1, seq += 1) {
    const row = rows[i];
    const own = commitments[i];
    if (!row || !own || row.seq > seq) throw new Found(removed(seq, rows[i - 1], row));
    if (row.seq < seq) throw new Found(inserted(row, row.seq, rows[i - 1]));
    if (own.equals(kept(bundleLevel, seq)) && leafHash(own).equals(kept(0, seq))) {
      const beside = unbound(row);
      if (beside !== undefined) throw new Found(changed(row, beside));
      continue;
    }
    const rightful = rows.find((other, at) => other !== row && other.seq === seq && commitments[at]?.equals(kept(bundleLevel, seq)));
    throw new Found(rightful ? inserted(row, seq, rightful) : await unlike(database, row, own, newest));
  }
}

function removed(seq: number, before: queries.SequencedRow | undefined, after: queries.SequencedRow | undefined): Fault {
  const between = [before && `after the entry ${before.id}`, after && `before the entry ${after.id}`].filter(Boolean).join(' and ');
  return {
    kind: 'removed',
    seq,
    message: `leaf ${seq}${between ? `, ${between},` : ''} has no row: it was removed or given another place`,
  };
}

function inserted(row: queries.SequencedRow, seq: number, rightful: queries.SequencedRow | undefined): Fault {
  return {
    kind: 'inserted',
    seq,
    entryId: row.id,
    message: `the row ${row.id} of team ${row.team_id} was inserted at leaf ${seq}${rightful ? `, which is the entry ${rightful.id}` : ''}`,
  };
}

function changed(row: queries.SequencedRow, beside?: string): Fault {
  return {
    kind: 'changed',
    seq: row.seq,
    entryId: row.id,
    message: `the row ${row.id} of team ${row.team_id} at leaf ${row.seq} was changed${beside === undefined ? '' : `: it holds ${beside}`}`,
  };
}

/** A row whose commitment is not the stored one: which of the two the signed tree holds decides what was touched. */
function unlike(database: Database, row: queries.SequencedRow, own: Buffer, newest: Checkpoint): Promise<Fault> {
  return database.asSystem('verify the audit journal', async (tx) => {
    const path = await inclusionProof(tx, row.seq, newest.size).catch((error: unknown) => {
      if (error instanceof MissingHash) return [];
      throw error;
    });
    if (rootOfInclusion(row.seq, newest.size, leafHash(own), path)?.equals(newest.root))
      return {
        kind: 'tree',
        seq: row.seq,
        entryId: row.id,
        message: `the tiles at leaf ${row.seq} were altered; the row ${row.id} is as it was signed`,
      };
    const [bundle] = await tx.all(queries.bundlesHolding, { commitment: own });
    const about = { seq: row.seq, entryId: row.id };
    if (!bundle) return changed(row);
    const place = bundle.n * tileWidth + bundle.hashes.indexOf(own) / hashBytes;
    return {
      ...about,
      kind: 'reordered',
      message: `the row ${row.id} of team ${row.team_id} has leaf ${row.seq} and is leaf ${place}`,
    };
  });
}

/** The checkpoint that readers are shown, where there is one: it is checked with the others. */
function shownToReaders({ published, published_size: size }: queries.LogRow, newest: Checkpoint): StoredCheckpoint[] {
  if (published === null && size === null) return [];
  if (published === null || size === null || size > newest.size)
    throw new Found({ kind: 'checkpoint', message: `the published checkpoint at ${size} entries is not one of this tree` });
  return [{ size, note: published }];
}

function tileIdOf(key: string): TileId {
  const [level = '', n = ''] = key.split('/');
  return { level: Number(level), n: Number(n) };
}

/** The last tiles end where the tree ends, while nothing was added meanwhile. */
function compareEnds(stored: Tiles, edge: Tiles): void {
  for (const [key, hashes] of edge) {
    if (stored.get(key)?.length === hashes.length) continue;
    const { level, n } = tileIdOf(key);
    throw new Found({ kind: 'tree', message: `tile ${n} of level ${level} holds more than the rows make: it was altered` });
  }
}

function compareTiles(stored: Tiles, computed: readonly { id: TileId; hashes: Buffer }[]): void {
  for (const { id, hashes } of computed) {
    const tile = stored.get(tileKey(id));
    // A tile that is not full may have grown since.
    const part = hashes.length < tileWidth * hashBytes ? tile?.subarray(0, hashes.length) : tile;
    if (part?.equals(hashes)) continue;
    const message = `tile ${id.n} of level ${id.level} does not match the rows: it was altered or removed`;
    throw new Found({ kind: 'tree', seq: id.n * tileWidth ** (Math.max(id.level, 0) + 1), message });
  }
}

/** What the next page needs of the tree so far. */
function lastOfEachLevel(tiles: Tiles): Tiles {
  const last = new Map<number, TileId & { hashes: Buffer }>();
  for (const [key, hashes] of tiles) {
    const { level, n } = tileIdOf(key);
    if (n >= (last.get(level)?.n ?? 0)) last.set(level, { level, n, hashes });
  }
  return new Map([...last.values()].map((tile) => [tileKey(tile), tile.hashes]));
}
