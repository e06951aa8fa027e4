import type { Database, Transaction } from '../../../platform/database/database.ts';
import { type BulkListener, eventId, eventOf } from '../../../platform/journal/record.ts';
import { type Checkpoint, parseCheckpoint } from '../tree/checkpoint.ts';
import { entryRecorded } from '../events.ts';
import { commitment, recordOf } from '../tree/leaf.ts';
import { isConsistent, leafHash, type TreeHead } from '../tree/merkle.ts';
import { presentEntry } from '../present.ts';
import { consistencyProof } from '../tree/proofs.ts';
import { appendEntries, type KnownNodes, MissingHash, rangeHasher, tileKey, type TileId, type Tiles } from '../tree/tiles.ts';
import * as queries from '../tree/queries.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

/** Thrown if the stored tree does not match the signed one. No more checkpoints are signed until an operator has checked the tree. */
export class BrokenTree extends Error {}

export type Lease = { owner: string; leaseSeconds: number };
export type Integration = Lease & {
  teams: queries.TeamFilter;
  /** Maximum entries of a batch. */
  limit: number;
  now: Date;
  /** Throws {@link BrokenTree} unless one of the service’s keys signed the stored checkpoint. */
  authenticate: (checkpoint: Checkpoint) => Promise<void>;
  sign: (head: TreeHead) => Promise<string>;
  /** The largest tree that this process has seen. The stored tree must equal this tree or extend it. */
  remembered: TreeHead | undefined;
  /** Whether the new checkpoint is published at once. Otherwise witnesses cosign it first. */
  publish: boolean;
  /** Called with the entries, in the transaction that makes them leaves. */
  announce: BulkListener;
};
export type Integrated = { head: TreeHead; integrated: number };

/** Reads the state of the tree, and whether entries wait to be added. */
export async function readLog(database: Database): Promise<queries.LogRow> {
  const log = await database.asSystem('read the state of the audit tree', (tx) => tx.first(queries.readLog, {}));
  if (!log) throw new BrokenTree('the row with the state of the audit tree is missing');
  return log;
}

/**
 * Adds the next entries to the tree and signs it in one transaction: tiles, positions, checkpoint and events are committed together. Returns
 * undefined while another sequencer has the lease. Throws {@link BrokenTree}.
 */
export function integrateEntries(database: Database, work: Integration): Promise<Integrated | undefined> {
  return database.asSystem('integrate audit entries', async (tx) => {
    const { log, due, last } = await pipelined({
      log: () => tx.first(queries.takeLease, { owner: work.owner, leaseSeconds: work.leaseSeconds }),
      due: () => tx.all(queries.dueEntries, { ...work.teams, limit: work.limit }),
      last: () => tx.all(queries.lastTiles, {}),
    });
    if (!log) return undefined;
    const edge: Tiles = new Map(last.map((tile) => [tileKey(tile), tile.hashes]));
    const known: KnownNodes = new Map();
    const before = await storedHead(tx, log, { edge, known }, work);
    if (due.length === 0 && log.checkpoint !== null) return { head: before, integrated: 0 };

    const numbers = numberEntries(due);
    const entries = due.map((row, i) => commitment(recordOf(row, numbers[i] ?? 0).record));
    const tiles = appendEntries(edge, before.size, entries);
    const size = before.size + due.length;
    const after = new Map([...edge, ...tiles.map(({ id, hashes }) => [tileKey(id), hashes] as const)]);
    const head = { size, root: rangeHasher(after, known)([0, size]) };
    const note = await work.sign(head);
    const { placed, advanced } = await pipelined({
      placed: () =>
        tx.first(queries.placeEntries, {
          teams: due.map((row) => row.team_id),
          ids: due.map((row) => row.id),
          first: before.size,
          numbers,
        }),
      tiles: () => tx.all(queries.putTiles, tileColumns(tiles)),
      advanced: () => tx.first(queries.advanceLog, { owner: work.owner, from: before.size, to: size, checkpoint: note }),
      kept: () => tx.all(queries.keepCheckpoint, { size, note, at: work.now }),
      published: () => (work.publish ? tx.all(queries.publishCheckpoint, { owner: work.owner, size, note, at: work.now }) : undefined),
    });
    if (placed?.placed !== due.length || !advanced) throw new Error('another process changed the audit tree');
    // After all writes, so that an error of a listener is not taken for an error of a write.
    const withoutAddress = new Set(placed.without_address);
    await tx.all(queries.limitLockWait, {});
    await work.announce(
      tx,
      entryRecorded,
      due.map((row, i) => ({
        team: row.team_id,
        event: () =>
          eventOf(entryRecorded, {
            id: eventId(row.id),
            teamId: row.team_id,
            timestamp: row.at,
            targetId: row.id,
            data: {
              ...presentEntry(withoutAddress.has(row.id) ? { ...row, ip: null } : row),
              number: numbers[i] ?? 0,
              index: before.size + i,
              leafHash: leafHash(entries[i] ?? Buffer.alloc(0)).toString('base64'),
            },
          }),
      })),
    );
    return { head, integrated: due.length };
  });
}

function tileColumns(tiles: readonly { id: TileId; hashes: Buffer }[]) {
  return { levels: tiles.map(({ id }) => id.level), ns: tiles.map(({ id }) => id.n), hashes: tiles.map(({ hashes }) => hashes) };
}

/** Numbers the entries within each team. */
function numberEntries(due: readonly queries.DueRow[]): number[] {
  const last = new Map<string, number>();
  return due.map(({ team_id: team, integrated }) => {
    const number = (last.get(team) ?? integrated) + 1;
    last.set(team, number);
    return number;
  });
}

/** Returns the teams of the next entries. */
export async function teamsDue(database: Database, teams: queries.TeamFilter, limit: number): Promise<string[]> {
  const rows = await database.asSystem('find the teams of the next entries', (tx) => tx.all(queries.dueTeams, { ...teams, limit }));
  return rows.map(({ team_id: team }) => team);
}

/** The last tiles of the stored tree, and the hashes computed from them in this transaction. */
type Edge = { edge: Tiles; known: KnownNodes };

/** Returns the head of the stored tree. Verifies first that its tiles give the signed root, and that it extends the last tree of this process. */
async function storedHead(
  tx: Transaction,
  log: Omit<queries.LogRow, 'due'>,
  { edge, known }: Edge,
  { authenticate, remembered }: Integration,
): Promise<TreeHead> {
  if (log.checkpoint === null) {
    if (log.size !== 0 || edge.size > 0 || remembered) throw new BrokenTree('the audit tree has leaves but no checkpoint');
    return { size: 0, root: rangeHasher(edge)([0, 0]) };
  }
  const checkpoint = parseCheckpoint(log.checkpoint);
  if (!checkpoint || checkpoint.size !== log.size) throw new BrokenTree('the stored checkpoint does not have the size of the audit tree');
  await authenticate(checkpoint);
  if (!rootOf({ edge, known }, checkpoint.size)?.equals(checkpoint.root))
    throw new BrokenTree(`the tiles of the audit tree do not give the root of the checkpoint at ${checkpoint.size} entries`);
  if (remembered && !(await extendsHead(tx, remembered, checkpoint)))
    throw new BrokenTree(
      `the audit tree of ${checkpoint.size} entries does not extend the tree of ${remembered.size} that this process has seen: it was rolled back or forked`,
    );
  return checkpoint;
}

function rootOf({ edge, known }: Edge, size: number): Buffer | undefined {
  try {
    return rangeHasher(edge, known)([0, size]);
  } catch (error) {
    if (error instanceof MissingHash) return undefined;
    throw error;
  }
}

async function extendsHead(tx: Transaction, seen: TreeHead, stored: TreeHead): Promise<boolean> {
  if (stored.size < seen.size) return false;
  return isConsistent(seen, stored, await consistencyProof(tx, seen.size, stored.size));
}

/** Returns the newest and the published checkpoint, if this process has the lease. Returns undefined while another process has it. */
export function unpublished(database: Database, lease: Lease): Promise<Omit<queries.LogRow, 'due'> | undefined> {
  return database.asSystem('find a checkpoint to publish', (tx) => tx.first(queries.takeLease, lease));
}

/** Publishes a checkpoint. Returns false if another process has acquired the lease. */
export async function publish(database: Database, owner: string, published: { size: number; note: string; at: Date }): Promise<boolean> {
  const done = await database.asSystem('publish a checkpoint', (tx) => tx.first(queries.publishCheckpoint, { owner, ...published }));
  return done !== undefined;
}

/** Returns a consistency proof for a witness. */
export function proveToWitness(database: Database, from: number, to: number): Promise<Buffer[]> {
  return database.asSystem('prove consistency to a witness', (tx) => consistencyProof(tx, from, to));
}

export async function releaseLease(database: Database, owner: string): Promise<void> {
  await database.asSystem('release the lease of the audit tree', (tx) => tx.all(queries.releaseLease, { owner }));
}

/** Keeps only the last checkpoint of each hour, for checkpoints older than a day. */
export async function deleteSurplusCheckpoints(database: Database, now: Date): Promise<void> {
  await database.asSystem('thin old checkpoints', (tx) =>
    tx.all(queries.deleteSurplusCheckpoints, { before: new Date(now.getTime() - 86_400_000) }),
  );
}

const eraseBatchSize = 5_000;

/** Erases the addresses of entries older than `days`; their leaves stay unchanged. Returns the number of addresses. */
export async function eraseOldAddresses(database: Database, now: Date, days: number): Promise<number> {
  const before = new Date(now.getTime() - days * 86_400_000);
  for (let total = 0; ;) {
    const erased = await database.asSystem('erase old addresses of the journal', async (tx) => {
      const rows = await tx.all(queries.eraseAddressesBefore, { before, limit: eraseBatchSize });
      await tx.all(queries.eraseEvents, { teams: rows.map((row) => row.team_id), events: rows.map((row) => eventId(row.id)) });
      return rows.length;
    });
    total += erased;
    if (erased < eraseBatchSize) return total;
  }
}
