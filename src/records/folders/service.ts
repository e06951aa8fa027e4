import { immediateAccessParamsOf, isBehindBarrier, viewerOf, viewOf } from '#access';
import { randomUUIDv7 } from 'node:crypto';
import { violates } from '../../platform/database/errors.ts';
import { type ListSearch, searchParams } from '../../platform/database/list-filters.ts';
import type { ListPage } from '../../platform/database/json-page.ts';
import type { ChangePage } from '../../platform/database/sorted-page.ts';
import { pathId } from '../../platform/identifiers.ts';
import { changesBetween } from '../../platform/journal/changes.ts';
import { record } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { cleanName, nameKey } from '../../platform/text.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { clientOf, type AccessibleFolder, readableFolder, writableFolder } from './access.ts';
import { folderCreated, folderMoved, folderUpdated } from './events.ts';
import { mergeMetadata } from './metadata.ts';
import { type AccessibleLocation, type FolderLocation, placeForMoved, placeForNew } from './folder-location.ts';
import type { FolderKind } from './policy.ts';
import { presentFolder } from './present.ts';
import { carry, changeBarriers, refuseDuringChange } from './barrier-changes.ts';
import { folderProblems } from './problems.ts';
import { refuseLeavingHold } from './holds.ts';
import * as queries from './queries.ts';
import type { CreateFolder, Folder, UpdateFolder } from './schemas.ts';
import * as tree from './tree-queries.ts';
import { lockImmediatelyVisible } from '../../platform/database/lock-tracking.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

const ownMembers = [
  'id',
  'name',
  'parentId',
  'matterId',
  'userId',
  'description',
  'color',
  'childrenCount',
  'documentsCount',
  'shareCount',
  'teamAccess',
  'barrier',
  'createdBy',
  'createdByType',
  'createdAt',
  'updatedAt',
];

/** Returns a page of folders that the actor may see, as JSON text from the database. */
export function listFolders(scope: ReadScope, { sort, ...page }: ChangePage, search: ListSearch = {}): Promise<ListPage | undefined> {
  const narrowed = search.ids ? 'ids' : page.since === null ? 'none' : 'since';
  return scope.db.first(queries.listFolders[narrowed][viewOf(scope.actor)][sort], {
    team: scope.team,
    ...viewerOf(scope.actor),
    ...searchParams(search),
    ...page,
  });
}

/** Returns a folder that the actor may read. Errors: 404. */
export async function getFolder(scope: ReadScope, id: string): Promise<Versioned<Folder>> {
  const { folder } = await readableFolder(scope, id);
  return { value: presentFolder(folder), version: folder.version };
}

/** Creates a folder. Errors: 409 `name_taken`, 422 `parent_not_found`, `folder_too_deep`. */
export async function createFolder(scope: Scope, input: CreateFolder): Promise<Versioned<Folder>> {
  const name = cleanName(input.name);
  const metadata = mergeMetadata({}, input, ownMembers);
  const place = await placeForNew(scope, input.parentId ?? null, input.matterId);
  const { parent, user_id: user, barrier_id: barrier } = place;
  const id = randomUUIDv7();
  const description = input.description ?? null;
  const color = input.color ?? null;
  if (scope.actor.type === 'system') throw new Error('a folder needs a creator');
  const { id: by, type: byType } = scope.actor;
  const client = clientOf(scope);
  await pipelined([
    () =>
      scope.db.all(queries.insertFolder, {
        team: scope.team,
        id,
        parent,
        user,
        client,
        by,
        byType,
        name,
        nameKey: nameKey(name),
        description,
        color,
        metadata: JSON.stringify(metadata),
        at: scope.now,
      }),
    () => record(scope, folderCreated, id, { ...eventData(name, place), ...place.access?.byRole('edit') }, isBehindBarrier(barrier)),
  ]).catch(nameTaken(name));
  const at = scope.now.toISOString();
  const value = presentFolder({
    id,
    name,
    parent_id: parent,
    matter_id: place.matter_id ?? null,
    user_id: user,
    barrier_id: barrier,
    made_by_client: client,
    created_by: by,
    created_by_type: byType,
    description,
    color,
    metadata,
    version: 1,
    created_at: at,
    updated_at: at,
    children: 0,
    documents: 0,
    shares: 0,
    team_access: null,
  });
  return { value, version: 1 };
}

/**
 * `expect` checks `If-Match`. The parameters of a change. `expect` checks `If-Match`. If the barrier of more than `maxDocuments` documents changes, a
 * job changes them instead of the request.
 */
type Changing = { expect: VersionCheck; maxDocuments: number };

/** Gives a moved folder and its content the owner and the barrier of the new location. */
async function carryOver(scope: Scope, folder: queries.FolderRow, place: FolderLocation, maxDocuments: number): Promise<void> {
  const carries = { user: place.user_id, from: folder.barrier_id, to: place.barrier_id };
  if (carries.user !== folder.user_id) await carry(scope, folder.id, carries);
  else if (carries.from !== carries.to) await changeBarriers(scope, { kind: 'move', id: folder.id, ...carries }, maxDocuments);
}

/** Changes the given members; `parentId` moves the folder. Errors: as for create and move, and 412 if `expect` finds another version. */
export async function updateFolder(
  scope: Scope,
  id: string,
  input: UpdateFolder,
  { expect, maxDocuments }: Changing,
): Promise<Versioned<Folder>> {
  const kept = await (input.parentId === undefined ? changeable : changeableInTree)(scope, id, expect);
  requireNaming(kept, input);
  const target = input.parentId === undefined ? undefined : targetOf(kept.folder, input.parentId);
  const moves = target !== undefined && target.id !== kept.folder.parent_id;
  const place = moves ? await moving(scope, kept, target) : placeOf(kept.folder);
  const { name, changes } = await write(scope, kept, input, place, maxDocuments);
  const barred = isBehindBarrier(kept.folder.barrier_id, place.barrier_id);
  const said = { ...eventData(name, place), ...(moves ? movedByRole(kept, place) : kept.access.byRole('edit')) };
  await pipelined([
    () => record(scope, folderUpdated, kept.folder.id, { ...said, changes }, barred),
    () => (moves ? record(scope, folderMoved, kept.folder.id, said, barred) : undefined),
  ]);
  return getFolder(scope, kept.folder.id);
}

/** Requires write access to the parent for a rename, because an error for a name in use discloses a sibling. Errors: 403. */
function requireNaming({ folder, access }: AccessibleFolder, { name }: UpdateFolder): void {
  if (access.placed || name === undefined || cleanName(name) === folder.name) return;
  throw problems.forbidden('The folder itself is shared with you, so you may rename only its content. Ask its owner to rename the folder.');
}

/** The new parent of a folder: a folder, the root of a matter, or null for the top of the tree. */
export type MoveTarget = { id: string | null; kind: FolderKind };
/** Returns the target of a request. Null is the top of the tree, which in a matter is the root. */
const targetOf = (folder: queries.FolderRow, parentId: string | null): MoveTarget =>
  parentId === null && folder.matter_id !== null ? { id: folder.matter_id, kind: 'matter' } : { id: parentId, kind: 'folder' };

/** Moves a folder to another parent, or to the top of its tree for null. Errors: see `placeForMoved`, and 409 `name_taken`. */
export async function moveFolder(
  scope: Scope,
  id: string,
  to: string | null | MoveTarget,
  { expect, maxDocuments }: Changing,
): Promise<Versioned<Folder>> {
  const kept = await changeableInTree(scope, id, expect);
  const place = await moving(scope, kept, to === null || typeof to === 'string' ? targetOf(kept.folder, to) : to);
  const { name } = await write(scope, kept, {}, place, maxDocuments);
  const said = { ...eventData(name, place), ...movedByRole(kept, place) };
  await record(scope, folderMoved, kept.folder.id, said, isBehindBarrier(kept.folder.barrier_id, place.barrier_id));
  return getFolder(scope, kept.folder.id);
}

async function moving(scope: Scope, { folder, access }: AccessibleFolder, { id: parentId, kind }: MoveTarget): Promise<AccessibleLocation> {
  if (!access.placed)
    throw problems.forbidden('The folder itself is shared with you, so you may move only its content. Ask its owner to move the folder.');
  const place = await placeForMoved(scope, folder, access, parentId, kind);
  await refuseDuringChange(scope, folder.id, place.parent);
  await refuseLeavingHold(scope, folder.parent_id, place.parent);
  return place;
}

const movedByRole = ({ access }: AccessibleFolder, place: AccessibleLocation) => ({
  ...access.byRole('share'),
  ...place.access?.byRole('share'),
});

const placeOf = (folder: queries.FolderRow): AccessibleLocation => ({
  parent: folder.parent_id,
  user_id: folder.user_id,
  barrier_id: folder.barrier_id,
  matter_id: folder.matter_id,
});

/**
 * Writes members and location of a folder together, and updates its content for another tree or barrier. A change by another actor than the client
 * that made the folder clears `made_by_client`; a move clears it for all content too.
 */
async function write(scope: Scope, { folder }: AccessibleFolder, input: UpdateFolder, place: FolderLocation, maxDocuments: number) {
  const name = input.name === undefined ? folder.name : cleanName(input.name);
  const description = input.description === undefined ? folder.description : input.description;
  const color = input.color === undefined ? folder.color : input.color;
  await pipelined([
    () => carryOver(scope, folder, place, maxDocuments),
    () =>
      place.parent === folder.parent_id
        ? undefined
        : scope.db.all(tree.takeOver, { team: scope.team, id: folder.id, client: clientOf(scope) }),
    () =>
      scope.db.all(queries.updateFolder, {
        team: scope.team,
        id: folder.id,
        name,
        nameKey: nameKey(name),
        description,
        color,
        metadata: JSON.stringify(mergeMetadata(folder.metadata, input, ownMembers)),
        parent: place.parent,
        client: clientOf(scope),
        at: scope.now,
      }),
  ]).catch(nameTaken(name));
  return {
    name,
    changes: changesBetween({ name: folder.name, description: folder.description, color: folder.color }, { name, description, color }),
  };
}

/** Locks a folder that the actor may change, and reads its counts under the lock. `expect` checks `If-Match`. */
async function changeable(scope: Scope, id: string, expect: VersionCheck): Promise<AccessibleFolder> {
  const of = { team: scope.team, id: pathId(id, 'folder') };
  const found = await lockImmediatelyVisible(
    scope.db,
    { atOnce: [queries.lockFolderDirectly, { ...of, ...immediateAccessParamsOf(scope.actor) }], lock: [queries.lockFolder, of] },
    () => writableFolder(scope, of.id),
  );
  expect(found.folder.version);
  return found;
}

/** Locks the tree, then the folder, in the same order as every move, to prevent deadlocks. */
export async function changeableInTree(scope: Scope, id: string, expect: VersionCheck): Promise<AccessibleFolder> {
  await writableFolder(scope, id);
  return scope.db.locked(tree.lockTree, { team: scope.team }, () => changeable(scope, id, expect));
}

/** The event data of a folder: its name, its parent and its matter. */
export function eventData(name: string, { parent, matter_id: matter }: Pick<FolderLocation, 'parent' | 'matter_id'>) {
  return { name, ...(parent === null || parent === matter ? {} : { parentId: parent }), ...(matter ? { matterId: matter } : {}) };
}

export const nameIsTaken = (name: string) =>
  folderProblems.name_taken(`There is already a folder named “${name}” here. Choose another name.`);

export function nameTaken(name: string) {
  return (error: unknown): never => {
    if (violates(error, 'folder_name_once')) throw nameIsTaken(name);
    throw error;
  };
}
