import { isBehindBarrier, viewerOf } from '#access';
import { randomUUIDv7 } from 'node:crypto';
import { binnedFolder, lockTree, readableFolder } from '#folders';
import type { ListPage } from '../../../platform/database/json-page.ts';
import { isUuid, notFound, pathId } from '../../../platform/identifiers.ts';
import { record } from '../../../platform/journal/record.ts';
import { Problem, problems } from '../../../platform/problems.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import { reach } from '../access.ts';
import { holdLifted, holdPlaced } from '../events.ts';
import { accessToDocument } from '../policy.ts';
import { documentProblems } from '../problems.ts';
import { reachBinned } from '../queries.ts';
import * as queries from './queries.ts';
import type { Hold, PlaceHold } from './schemas.ts';

/** Maximum active holds of a team. Each deletion checks them. */
const maxActiveHolds = 1_000;

type Target = { folder: string | null; document: string | null; barred: boolean };

/**
 * Places a legal hold on a document, or on a folder with its present and future content. Both may be in the bin. A hold gives no access, and a
 * barrier hides its folder from administrators that it excludes. Errors: 400, 404, 409 `hold_limit`.
 */
export async function placeHold(scope: Scope, { folderId, documentId, reason }: PlaceHold): Promise<Hold> {
  const { db, team, actor } = scope;
  if (actor.type !== 'user') throw new Error('only a person may place a legal hold');
  if ((folderId === undefined) === (documentId === undefined))
    throw problems.validation_failed('Give exactly one of `folderId` and `documentId`.');
  // Deletions, moves and purges share this lock. Later ones find the hold.
  const { target, active } = await db.locked(lockTree, { team }, async () => ({
    target: folderId === undefined ? await holdDocumentTarget(scope, documentId ?? '') : await holdFolderTarget(scope, folderId),
    active: await db.first(queries.countActiveHolds, { team, most: maxActiveHolds }),
  }));
  if ((active?.holds ?? 0) >= maxActiveHolds)
    throw documentProblems.hold_limit(
      `Your team has ${maxActiveHolds} active legal holds, which is the maximum. Place one on a folder above, or lift some.`,
    );
  const { barred, ...on } = target;
  const id = randomUUIDv7();
  const said = reason.trim();
  db.send(queries.insertHold, { team, id, ...on, reason: said, by: actor.id, at: scope.now });
  await record(scope, holdPlaced, id, { ...eventData(on), reason: said }, barred);
  return getHold(scope, id);
}

async function holdFolderTarget(scope: Scope, id: string): Promise<Target> {
  const { folder } = await readableFolder(scope, id, 'any').catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'not_found') return binnedFolder(scope, id);
    throw error;
  });
  return { folder: folder.id, document: null, barred: isBehindBarrier(folder.barrier_id) };
}

async function holdDocumentTarget(scope: Scope, given: string): Promise<Target> {
  const id = pathId(given, 'document');
  const kept = await reach(scope, id);
  const document = kept?.document ?? (await scope.db.first(reachBinned, { team: scope.team, id, ...viewerOf(scope.actor) }));
  if (!document || accessToDocument(scope.actor, document) === undefined) throw notFound('document');
  return { folder: null, document: document.id, barred: isBehindBarrier(document.barrier_id) };
}

/** Lifts a hold. Other holds on the resource stay active. Errors: 404, 409 `hold_lifted`. */
export async function liftHold(scope: Scope, id: string, reason: string): Promise<Hold> {
  const { db, team, actor } = scope;
  if (actor.type !== 'user') throw new Error('only a person may lift a legal hold');
  const row = await found(scope, id);
  const said = reason.trim();
  if (!(await db.first(queries.liftHold, { team, id: row.id, by: actor.id, at: scope.now, reason: said })))
    throw documentProblems.hold_lifted('This legal hold is already lifted. Read it to see who lifted it and why.');
  const on = { folder: row.folder_id, document: row.document_id };
  await record(scope, holdLifted, row.id, { ...eventData(on), reason: said }, isBehindBarrier(row.barrier_id));
  return getHold(scope, row.id);
}

/** Returns a hold. Errors: 404. */
export async function getHold(scope: ReadScope | Scope, id: string): Promise<Hold> {
  return present(await found(scope, id));
}

type HoldFilters = { status?: string | undefined; folderId?: string | undefined; documentId?: string | undefined };

/** Returns a page of the team’s holds as JSON text, or undefined if there are none. Errors: 400. */
export async function listHolds(
  scope: ReadScope,
  { status, folderId, documentId }: HoldFilters,
  page: { after: string; limit: number },
): Promise<ListPage | undefined> {
  if (folderId !== undefined && documentId !== undefined)
    throw problems.validation_failed('A hold is on one resource: filter by either `folderId` or `documentId`.');
  const id = folderId ?? documentId ?? null;
  if (id !== null && !isUuid(id)) return undefined;
  const which = folderId !== undefined ? 'folder' : documentId !== undefined ? 'document' : 'all';
  return scope.db.first(queries.listHolds[which], {
    team: scope.team,
    user: viewerOf(scope.actor).user,
    status: status ?? null,
    id,
    ...page,
  });
}

async function found({ db, team, actor }: ReadScope | Scope, id: string) {
  const row = await db.first(queries.findHold, { team, id: pathId(id, 'legal hold'), user: viewerOf(actor).user });
  if (!row) throw notFound('legal hold');
  return row;
}

const eventData = ({ folder, document }: { folder: string | null; document: string | null }) => ({
  ...(folder === null ? {} : { folderId: folder }),
  ...(document === null ? {} : { documentId: document }),
});

function present(row: queries.HoldRow): Hold {
  return {
    id: row.id,
    ...eventData({ folder: row.folder_id, document: row.document_id }),
    status: row.lifted_at === null ? 'standing' : 'lifted',
    reason: row.reason,
    createdBy: row.created_by,
    createdByType: 'user',
    createdAt: row.created_at,
    ...(row.lifted_by === null ? {} : { liftedBy: row.lifted_by }),
    ...(row.lifted_at === null ? {} : { liftedAt: row.lifted_at }),
    ...(row.lift_reason === null ? {} : { liftReason: row.lift_reason }),
  };
}
