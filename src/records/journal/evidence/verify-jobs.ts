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
  lastOfEachLevel,
  MissingHash,
  rangeHasher,
  tileIdOf,
  tileKey,
  type TileId,
  type Tiles,
  tileWidth,
} from '../tree/tiles.ts';
import type { KnownCheckpoints } from './known-checkpoints.ts';
import * as queries from '../tree/queries.ts';
import { unbound } from '../canonical-number.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

/** The first error of a verification. `seq` is the index of the leaf, from 0; `entryId` is the identifier of the row, if there is one. */
export type JournalError = {
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
      /** Input for the next verification. */
      known: KnownCheckpoints;
    }
  | { ok: false; error: JournalError };

class VerificationFailure extends Error {
  readonly error: JournalError;
  constructor(error: JournalError) {
    super(error.message);
    this.error = error;
  }
}

const page = 10 * tileWidth;

/**
 * Age in milliseconds up to which all checkpoints must exist. After a day the service keeps one for each hour, and the clocks of nodes may differ by
 * an hour.
 */
const unthinnedMs = 23 * 3_600_000;
const recentHours = 24;

/**
 * Recomputes the tree from the rows of the journal, and compares it with the stored tiles, each stored checkpoint and the newest one. `keys`
 * returns the trusted keys for an origin; `known` is the result of an earlier verification. Returns the first error.
 */
export async function verifyJournal(
  database: Database,
  keys: (origin: string) => Verifier[],
  known?: KnownCheckpoints,
): Promise<JournalVerdict> {
  try {
    return await new JournalWalk(database, keys, known).verify();
  } catch (error) {
    if (error instanceof VerificationFailure) return { ok: false, error: error.error };
    throw error;
  }
}

/** One verification. Its steps throw {@link VerificationFailure} for an error. */
class JournalWalk {
  readonly #database: Database;
  readonly #keys: (origin: string) => Verifier[];
  readonly #known: KnownCheckpoints | undefined;
  /** The checkpoint of the earlier verification. */
  readonly #earlier: Checkpoint | undefined;
  /** The last tiles of the tree computed from the rows. */
  #edge: Tiles = new Map();
  #last = { seq: -1, id: smallestId };
  /** The number of checkpoints that match the rows, and the size of the largest. */
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
    if (!log?.checkpoint) throw new VerificationFailure({ kind: 'checkpoint', message: 'there is no signed checkpoint' });
    const newest = signed(log.checkpoint, log.size, this.#keys);
    const shown = shownToReaders(log, newest);
    if (this.#earlier && this.#earlier.size > newest.size)
      throw new VerificationFailure(rolledBack(this.#earlier, `but the tree now has ${newest.size}`));
    for (let start = 0; start < newest.size || start === 0; start += page) await this.#verifyPage(start, newest, shown);
    if (!rangeHasher(this.#edge)([0, newest.size]).equals(newest.root))
      throw new VerificationFailure(rewritten(this.#agreed.size, newest.size));
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

  /** Compares the rows of a page with their tiles, and the tree up to there with its checkpoints. */
  async #verifyPage(start: number, newest: Checkpoint, shown: readonly StoredCheckpoint[]): Promise<void> {
    const end = Math.min(start + page, newest.size);
    const { rows, stored, checkpoints } = await this.#read((tx) =>
      pipelined({
        // One extra row reveals a second row with the last index.
        rows: () => tx.all(queries.leavesFrom, { ...this.#last, size: end, limit: page + 1 }),
        stored: () => loadTiles(tx, bundlesAndLeaves(start, end)),
        checkpoints: () => tx.all(queries.checkpointsAfter, { after: start === 0 ? -1 : start, limit: page + 1 }),
      }),
    );
    const commitments = rows.map((row) => commitment(recordOf(row, row.number).record));
    await compareRows(this.#database, { rows, commitments, stored, start, end, newest });
    this.#erased += rows.filter((row) => row.ip_digest !== null).length;
    const grown = appendEntries(this.#edge, start, commitments);
    this.#edge = new Map([...this.#edge, ...grown.map(({ id, hashes }) => [tileKey(id), hashes] as const)]);
    const isHere = (size: number) => size <= end && (size > start || start === 0);
    this.#compareCheckpoints([...checkpoints, ...shown].filter(({ size }) => isHere(size)));
    const earlier = this.#earlier;
    if (earlier && isHere(earlier.size) && !rangeHasher(this.#edge)([0, earlier.size]).equals(earlier.root))
      throw new VerificationFailure(rolledBack(earlier, 'now with another root'));
    const ids = grown.map(({ id }) => id);
    compareTiles(await this.#read((tx) => loadTiles(tx, ids)), grown);
    this.#edge = lastOfEachLevel(this.#edge);
    this.#last = { seq: end - 1, id: rows.at(-1)?.id ?? this.#last.id };
  }

  #compareCheckpoints(checkpoints: readonly StoredCheckpoint[]): void {
    const hashOf = rangeHasher(this.#edge);
    for (const { size, note } of checkpoints) {
      const checkpoint = signed(note, size, this.#keys);
      if (!hashOf([0, size]).equals(checkpoint.root)) throw new VerificationFailure(rewritten(this.#agreed.size, size));
      this.#agreed = { size: Math.max(this.#agreed.size, size), count: this.#agreed.count + 1 };
    }
  }

  /** Checks for stored data that is not part of the tree. Returns the number of entries that wait to become leaves. */
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
      throw new VerificationFailure({
        kind: 'checkpoint',
        message: `a checkpoint is stored for ${stray.size} entries, a size that the tree never had`,
      });
    if (now?.size === newest.size) compareEnds(await this.#read((tx) => loadTiles(tx, [...this.#edge.keys()].map(tileIdOf))), this.#edge);
    if (outside) {
      throw new VerificationFailure({
        kind: 'inserted',
        seq: outside.seq,
        entryId: outside.id,
        message: `the row ${outside.id} of team ${outside.team_id} has leaf index ${outside.seq}, but the tree has ${outside.size} leaves: it was inserted, or the tree was rolled back`,
      });
    }
    if (surplus.length > 0) throw new VerificationFailure(surplusError(surplus));
    if (newestGone)
      throw new VerificationFailure({
        kind: 'checkpoint',
        message: `the newest signed checkpoint, at ${newestGone.size} entries, is missing in the stored checkpoints`,
      });
    return waiting?.pending ?? 0;
  }
}

type StoredCheckpoint = { size: number; note: string };

/** The error for a tree that does not extend the checkpoint of an earlier verification. */
function rolledBack({ size, root }: Checkpoint, present: string): JournalError {
  return {
    kind: 'rolled_back',
    message: `an earlier verification found a signed checkpoint at ${size} entries with the root ${root.toString('base64')}, ${present}: the journal was reset to an older state or replaced`,
  };
}

function surplusError(surplus: readonly { level: number; n: number; tiles: number; size: number }[]): JournalError {
  const [{ tiles, size } = { tiles: 0, size: 0 }] = surplus;
  const named = surplus.map(({ level, n }) => `tile ${n} of level ${level}`).join(', ');
  const more = tiles > surplus.length ? ` and ${tiles - surplus.length} more` : '';
  return { kind: 'tree', message: `extra tiles that no tree of ${size} entries has: ${named}${more}` };
}

/** Verifies that the known checkpoints are still stored. The service itself deletes some checkpoints that are older than a day. */
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
  const gone = (message: string) => new VerificationFailure({ kind: 'checkpoint', message: `signed checkpoints are missing: ${message}` });
  if ((found?.hours ?? 0) < hours)
    throw gone(
      `up to ${newest.hour} an earlier verification found checkpoints of ${hours} hours, but those of ${found?.hours ?? 0} hours are stored`,
    );
  if (fewer) throw gone(`for the hour from ${fewer.hour} an earlier verification found ${fewer.expected}, but ${fewer.found} are stored`);
}

function bundlesAndLeaves(start: number, end: number): TileId[] {
  const tiles = Math.ceil((end - start) / tileWidth);
  const first = start / tileWidth;
  return Array.from({ length: tiles }, (_, i) => [bundleLevel, 0].map((level) => ({ level, n: first + i }))).flat();
}

/** Parses a stored checkpoint and verifies its size and signature. */
function signed(note: string, size: number, keys: (origin: string) => Verifier[]): Checkpoint {
  const checkpoint = parseCheckpoint(note);
  if (!checkpoint || checkpoint.size !== size)
    throw new VerificationFailure({
      kind: 'checkpoint',
      message: `the checkpoint stored for ${size} entries is for another number of entries`,
    });
  if (!isSignedBy(checkpoint, keys(checkpoint.origin)))
    throw new VerificationFailure({
      kind: 'checkpoint',
      message: `the checkpoint at ${size} entries has no valid signature of a trusted key`,
    });
  return checkpoint;
}

function rewritten(from: number, to: number): JournalError {
  return {
    kind: 'tree',
    seq: from,
    message: `rows and tiles match each other but not the signed tree: leaves from ${from} up to ${to} were rewritten together with their tiles`,
  };
}

type LeafToCheck = queries.SequencedRow & { data_text: string };

type EntryPage = {
  rows: readonly LeafToCheck[];
  commitments: readonly Buffer[];
  stored: Tiles;
  start: number;
  end: number;
  newest: Checkpoint;
};

async function compareRows(database: Database, { rows, commitments, stored, start, end, newest }: EntryPage): Promise<void> {
  const kept = (level: number, seq: number) => {
    const at = (seq % tileWidth) * hashBytes;
    return stored.get(tileKey({ level, n: Math.floor(seq / tileWidth) }))?.subarray(at, at + hashBytes) ?? Buffer.alloc(0);
  };
  for (let [i, seq] = [0, start]; i < rows.length || seq < end; i += 1, seq += 1) {
    const row = rows[i];
    const own = commitments[i];
    if (!row || !own || row.seq > seq) throw new VerificationFailure(removed(seq, rows[i - 1], row));
    if (row.seq < seq) throw new VerificationFailure(inserted(row, row.seq, rows[i - 1]));
    if (own.equals(kept(bundleLevel, seq)) && leafHash(own).equals(kept(0, seq))) {
      const beside = unbound(row);
      if (beside !== undefined) throw new VerificationFailure(changed(row, beside));
      continue;
    }
    const rightful = rows.find((other, at) => other !== row && other.seq === seq && commitments[at]?.equals(kept(bundleLevel, seq)));
    throw new VerificationFailure(rightful ? inserted(row, seq, rightful) : await unlike(database, row, own, newest));
  }
}

function removed(seq: number, before: queries.SequencedRow | undefined, after: queries.SequencedRow | undefined): JournalError {
  const between = [before && `after the entry ${before.id}`, after && `before the entry ${after.id}`].filter(Boolean).join(' and ');
  return {
    kind: 'removed',
    seq,
    message: `leaf ${seq}${between ? `, ${between},` : ''} has no row: it was removed or moved`,
  };
}

function inserted(row: queries.SequencedRow, seq: number, rightful: queries.SequencedRow | undefined): JournalError {
  return {
    kind: 'inserted',
    seq,
    entryId: row.id,
    message: `the row ${row.id} of team ${row.team_id} was inserted at leaf ${seq}${rightful ? `, which belongs to the entry ${rightful.id}` : ''}`,
  };
}

function changed(row: queries.SequencedRow, beside?: string): JournalError {
  return {
    kind: 'changed',
    seq: row.seq,
    entryId: row.id,
    message: `the row ${row.id} of team ${row.team_id} at leaf ${row.seq} was changed${beside === undefined ? '' : `: it contains ${beside}`}`,
  };
}

/** Returns the error for a row whose hash (commitment) differs from the stored one. The signed tree shows whether the row or the tile was changed. */
function unlike(database: Database, row: queries.SequencedRow, own: Buffer, newest: Checkpoint): Promise<JournalError> {
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
        message: `the tiles at leaf ${row.seq} were changed; the row ${row.id} is as signed`,
      };
    const [bundle] = await tx.all(queries.bundlesHolding, { commitment: own });
    const about = { seq: row.seq, entryId: row.id };
    if (!bundle) return changed(row);
    const place = bundle.n * tileWidth + bundle.hashes.indexOf(own) / hashBytes;
    return {
      ...about,
      kind: 'reordered',
      message: `the row ${row.id} of team ${row.team_id} has leaf index ${row.seq} but is leaf ${place}`,
    };
  });
}

/** The published checkpoint, if there is one. It is verified with the others. */
function shownToReaders({ published, published_size: size }: queries.LogRow, newest: Checkpoint): StoredCheckpoint[] {
  if (published === null && size === null) return [];
  if (published === null || size === null || size > newest.size)
    throw new VerificationFailure({
      kind: 'checkpoint',
      message: `the published checkpoint at ${size} entries does not belong to this tree`,
    });
  return [{ size, note: published }];
}

/** Verifies that the last tiles end where the tree ends. The caller must ensure that the tree has not grown. */
function compareEnds(stored: Tiles, edge: Tiles): void {
  for (const [key, hashes] of edge) {
    if (stored.get(key)?.length === hashes.length) continue;
    const { level, n } = tileIdOf(key);
    throw new VerificationFailure({
      kind: 'tree',
      message: `tile ${n} of level ${level} has more hashes than the rows produce: it was changed`,
    });
  }
}

function compareTiles(stored: Tiles, computed: readonly { id: TileId; hashes: Buffer }[]): void {
  for (const { id, hashes } of computed) {
    const tile = stored.get(tileKey(id));
    // A partial tile may have grown since.
    const part = hashes.length < tileWidth * hashBytes ? tile?.subarray(0, hashes.length) : tile;
    if (part?.equals(hashes)) continue;
    const message = `tile ${id.n} of level ${id.level} does not match the rows: it was changed or removed`;
    throw new VerificationFailure({ kind: 'tree', seq: id.n * tileWidth ** (Math.max(id.level, 0) + 1), message });
  }
}
