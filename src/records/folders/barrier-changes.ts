import { type BarrierChange, barriers } from '#access';
import { Type } from 'typebox';
import { violates } from '../../platform/database/errors.ts';
import { smallestId } from '../../platform/identifiers.ts';
import { defineJob, enqueue, PermanentFailure, type JobAttempt } from '../../platform/jobs/job.ts';
import type { SystemDependencies } from '../../platform/system-scope.ts';
import { record, recordAudit } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import { nameKey } from '../../platform/text.ts';
import { barrierChangeCompleted, barrierChangeStarted, barrierLifted, folderUpdated } from './events.ts';
import { folderProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { FolderBarrier } from './schemas.ts';
import * as tree from './tree-queries.ts';

/** A change of barriers: the folder and the folders below it that have the barrier `from` get the barrier `to`. All of them get the owner `user`. */
type Carrying = { user: string; from: string; to: string };
type BarrierChangeDraft = Carrying & { kind: BarrierChange['kind']; id: string };

export type BarrierProgress = Pick<FolderBarrier, 'status' | 'progress'>;

/** The status of a barrier: `active` unless a job raises or lifts it. */
export function progressOf(change: Pick<BarrierChange, 'kind' | 'documents_done' | 'documents_total'> | undefined): BarrierProgress {
  if (!change || change.kind === 'move') return { status: 'active' };
  const progress = { documents: change.documents_done, total: change.documents_total };
  return { status: change.kind === 'raise' ? 'raising' : 'removing', progress };
}

export const changeInProgress = () =>
  folderProblems.barrier_change_in_progress(
    'A job is changing barriers in this folder, in a folder above or below it, or in the target folder. Wait until the job ends, then send the request again.',
  );

/**
 * Rejects a barrier change while a job changes barriers at, above or below the folder or its new parent. The caller must hold the lock of the tree.
 * Errors: 409.
 */
export async function refuseDuringChange({ db, team }: Pick<Scope, 'db' | 'team'>, id: string, target: string | null): Promise<void> {
  if (await db.first(barriers.changesAround, { team, id, target })) throw changeInProgress();
}

export const carry = ({ db, team }: Pick<Scope, 'db' | 'team'>, id: string, { user, from: fromBarrier, to: toBarrier }: Carrying) =>
  db.all(tree.carrySubtree, { team, id, user, fromBarrier, toBarrier });

/**
 * Changes the barrier of a folder and everything below it. For more than `maxDocuments` documents, a job makes the change, and the function returns
 * its progress. A new barrier, or a move behind one, restricts access from the commit on. A barrier that is removed hides its content until the job ends. The caller
 * must hold the lock of the tree, and no other job may change barriers in it.
 */
export async function changeBarriers(scope: Scope, wanted: BarrierChangeDraft, maxDocuments: number): Promise<BarrierProgress | undefined> {
  const { db, team, now: at } = scope;
  const { kind, id, from, to } = wanted;
  const documents = (await db.first(tree.documentsBehind, { team, id, barrier: from }))?.documents ?? 0;
  if (documents <= maxDocuments) {
    await carry(scope, id, wanted);
    if (kind === 'raise') await db.all(tree.takeOver, { team, id, client: null });
    return undefined;
  }
  db.send(barriers.insertChange, { team, id, kind, from, to, documents, at });
  enqueue(scope, barrierChangeJob, { folder: id });
  await recordAudit(scope, barrierChangeStarted, id, { change: kind, documents });
  return progressOf({ kind, documents_done: 0, documents_total: documents });
}

const [page, statementMs] = [500, 3_600_000];

/**
 * Changes barriers one folder at a time, each with its documents in one transaction. After a crash it continues with the folders that still have the
 * old barrier. It locks the tree only at the end, because no other job may change barriers in this tree until then.
 */
export const barrierChangeJob = defineJob(
  'barrier-change',
  Type.Object({ folder: Type.String() }),
  {
    retries: 20,
    backoff: { first: 5, factor: 3, most: 3_600 },
    timeout: statementMs / 1_000,
    concurrency: 2,
    maxPerTeam: 1,
    counted: false,
  },
  async (deps: SystemDependencies, { folder: id }, { team, signal }: JobAttempt) => {
    if (team === undefined) throw new PermanentFailure('a barrier belongs to a team');
    const db = deps.database.reader(team);
    for (let after = smallestId; ;) {
      const change = await db.first(barriers.findChange, { team, id });
      if (!change) return;
      const behind = await db.all(barriers.containersBehind, { team, id, barrier: change.from_barrier, after, limit: page });
      for (const container of behind) {
        signal.throwIfAborted();
        await changeOne(deps, team, change, container.id);
      }
      after = behind.at(-1)?.id ?? smallestId;
      if (behind.length === 0 && (await complete(deps, team, change))) return;
    }
  },
);

/** Changes the barrier of one folder and its documents. When a barrier is lifted and a sibling has the same name, the folder is renamed. */
async function changeOne(deps: SystemDependencies, team: string, change: BarrierChange, id: string): Promise<void> {
  const { from_barrier: from, to_barrier: to } = change;
  const work = (renames: boolean) =>
    inTeam(deps, team, async (scope) => {
      const { db } = scope;
      const [barred] = await db.all(tree.lockBehind, { team, id, from });
      if (!barred) return;
      const locked = await db.first(tree.lockDocuments, { team, id });
      if (renames) await rename(scope, id);
      if (change.kind === 'raise') db.send(tree.takeOverDocuments, { team, id });
      await db.all(tree.changeBarrier, { team, id, from, to });
      db.send(barriers.countChanged, { team, id: change.id, documents: locked?.documents ?? 0 });
    });
  await work(false).catch((error: unknown) => {
    if (violates(error, 'folder_name_once')) return work(true);
    throw error;
  });
}

/** Appends the end of the folder’s identifier to its name. */
async function rename(scope: Scope, id: string): Promise<void> {
  const { db, team, now: at } = scope;
  const before = (await db.first(queries.nameOfFolder, { team, id }))?.name ?? '';
  const name = `${Array.from(before).slice(0, 200).join('')} (${id.slice(-6)})`;
  db.send(queries.renameFolder, { team, id, name, nameKey: nameKey(name), at });
  await record(scope, folderUpdated, id, { name, changes: { name: { from: before, to: name } } }, true);
}

/** Completes the change after the last folder. Returns false if a folder was created during the change. */
async function complete(deps: SystemDependencies, team: string, { id, from_barrier: barrier }: BarrierChange): Promise<boolean> {
  return inTeam(deps, team, async (scope) => {
    const { db, now: at } = scope;
    const behind = { team, id, barrier, after: smallestId, limit: 1 };
    const [left] = await db.locked(tree.lockTree, { team }, () => db.all(barriers.containersBehind, behind));
    if (left) return false;
    const change = await db.first(barriers.deleteChange, { team, id });
    if (!change) return true;
    if (change.kind === 'lift') {
      db.send(barriers.deleteBarrier, { team, barrier: id });
      await recordAudit(scope, barrierLifted, id, {});
    }
    db.send(queries.touchFolder, { team, id, at });
    await recordAudit(scope, barrierChangeCompleted, id, { change: change.kind, documents: change.documents_done });
    return true;
  });
}

/** Runs a transaction of the job. Its timeout is longer than that of requests, because one folder can have many documents. */
function inTeam<T>({ database, listeners, clock }: SystemDependencies, team: string, work: (scope: Scope) => Promise<T>): Promise<T> {
  const scope = { team, actor: { type: 'system' }, now: clock(), requestId: 'barrier-change', listeners } as const;
  return database.inTeam(team, (db) => work({ ...scope, db }), undefined, statementMs);
}
