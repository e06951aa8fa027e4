import { notFound, pathId } from '../../../platform/identifiers.ts';
import type { ReadScope } from '../../../platform/scope.ts';
import { type Checkpoint, logVerifierKeys, parseCheckpoint, type WitnessKeys } from '../tree/checkpoint.ts';
import type { CheckpointAnswer, ConsistencyAnswer, ProofAnswer } from './schemas.ts';
import { addressOf, canonicalJson, recordLeaf, recordOf } from '../tree/leaf.ts';
import { consistencyRanges, rootOfInclusion } from '../tree/merkle.ts';
import { auditorOf } from '../auditor.ts';
import { auditProblems } from '../problems.ts';
import { hashRanges, inclusionProof } from '../tree/proofs.ts';
import * as queries from '../tree/queries.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

type JournalReader = Pick<ReadScope, 'db' | 'team'>;
export type Published = { log: number; checkpoint: Checkpoint; note: string; at: string };

/** Returns the published checkpoints of all trees, first that of this service. Throws `checkpoint_missing` before the first. */
export async function publishedCheckpoints(db: ReadScope['db']): Promise<[Published, ...Published[]]> {
  const rows = await db.all(queries.readPublished, {});
  const [own, ...others] = rows.map(({ log_id: log, published: note, published_at: at }): Published => {
    const checkpoint = parseCheckpoint(note);
    if (!checkpoint) throw new Error('the published checkpoint cannot be read');
    return { log, checkpoint, note, at };
  });
  if (own?.log !== queries.ownLog)
    throw auditProblems.checkpoint_missing(
      'No worker has signed a checkpoint yet. Start a worker, then send the request again in a second.',
    );
  return [own, ...others];
}

/** Returns the published checkpoint of this service. Throws `checkpoint_missing` before the first. */
export async function publishedCheckpoint(db: ReadScope['db']): Promise<Published> {
  const [own] = await publishedCheckpoints(db);
  return own;
}

/** Returns the published checkpoint with its verifier keys. */
export async function describeCheckpoint(scope: JournalReader, keys: WitnessKeys): Promise<CheckpointAnswer> {
  const { checkpoint, note, at } = await publishedCheckpoint(scope.db);
  const { origin, size, root, signatures } = checkpoint;
  return {
    origin,
    size,
    rootHash: root.toString('base64'),
    publishedAt: at,
    checkpoint: note,
    verifierKeys: logVerifierKeys(keys.publicKeys('witness'), origin),
    cosignedBy: signatures.map(({ name }) => name).filter((name) => name !== origin),
  };
}

/**
 * Proves that an entry of the team is a leaf of the published tree. Throws `not_found`, also for an entry of another team, and
 * `entry_not_integrated` within about a second after the action.
 */
export async function proveEntry(scope: JournalReader & Pick<ReadScope, 'actor'>, id: string): Promise<ProofAnswer> {
  const { row, published } = await pipelined({
    row: () => scope.db.first(queries.leafOfEntry, { team: scope.team, id: pathId(id, 'audit entry'), auditor: auditorOf(scope) }),
    published: () => publishedCheckpoints(scope.db).catch((error: Error) => error),
  });
  if (!row) throw notFound('audit entry');
  if (published instanceof Error) throw published;
  const tree = published.find(({ log }) => log === row.log_id);
  if (!tree || row.seq === null || row.number === null || row.seq >= tree.checkpoint.size) {
    throw auditProblems.entry_not_integrated(
      'The entry becomes a leaf of the tree within about a second. Send the request again after that.',
      {
        headers: { 'retry-after': '1' },
      },
    );
  }
  const { size, root } = tree.checkpoint;
  const { record, body } = recordOf(row, row.number);
  const address = addressOf(row);
  const leaf = recordLeaf(record);
  const path = await inclusionProof(scope.db, row.seq, size, tree.log);
  if (!rootOfInclusion(row.seq, size, leaf, path)?.equals(root))
    throw new Error(`the audit entry ${row.id} does not match leaf ${row.seq} of the tree: run \`audit verify\``);
  return {
    record,
    ...(body ? { body } : {}),
    ...(address ? { address } : {}),
    index: row.seq,
    treeSize: size,
    leafHash: leaf.toString('base64'),
    inclusionPath: path.map((hash) => hash.toString('base64')),
    checkpoint: tree.note,
    tlogProof: tlogProof(canonicalJson(record), row.seq, path, tree.note),
  };
}

/** A proof as a separate file (C2SP tlog-proof). */
function tlogProof(extra: string, index: number, path: readonly Buffer[], note: string): string {
  const lines = ['c2sp.org/tlog-proof@v1', `extra ${Buffer.from(extra).toString('base64')}`, `index ${index}`];
  return `${[...lines, ...path.map((hash) => hash.toString('base64'))].join('\n')}\n\n${note}`;
}

/** Proves that the tree of `to` leaves begins with the tree of `from` leaves. Throws `tree_size_out_of_range`. */
export async function proveConsistency(scope: JournalReader, sizes: { from: number; to?: number }): Promise<ConsistencyAnswer> {
  const { checkpoint } = await publishedCheckpoint(scope.db);
  const { from, to = checkpoint.size } = sizes;
  if (from > to || to > checkpoint.size)
    throw auditProblems.tree_size_out_of_range(
      `\`from\` must not be larger than \`to\`, and \`to\` must not be larger than ${checkpoint.size}, the size of the published tree.`,
    );
  const [fromRoot, toRoot, ...path] = await hashRanges(scope.db, [[0, from], [0, to], ...consistencyRanges(from, to)]);
  return {
    from,
    to,
    fromRootHash: fromRoot?.toString('base64') ?? '',
    toRootHash: toRoot?.toString('base64') ?? '',
    consistencyPath: path.map((hash) => hash.toString('base64')),
  };
}
