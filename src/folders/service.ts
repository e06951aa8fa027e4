import { randomUUIDv7 } from 'node:crypto';
import type { ListPage } from '../platform/database/json-page.ts';
import { violates } from '../platform/database/errors.ts';
import { isUuid, notFound, pathId } from '../platform/identifiers.ts';
import { record } from '../platform/journal/record.ts';
import type { ReadScope, Scope } from '../platform/scope.ts';
import { cleanName, nameKey } from '../platform/text.ts';
import { readableFolder, viewerOf, writableFolder } from './access.ts';
import { folderCreated, folderDeleted, folderMoved, folderRestored, folderUpdated } from './events.ts';
import { mergeMetadata } from './metadata.ts';
import { presentFolder } from './present.ts';
import { folderProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { CreateFolder, Folder, UpdateFolder } from './schemas.ts';

/** Folders nest at most this deep. */
const maxDepth = 64;
const ownMembers = [
  'id',
  'name',
  'parentId',
  'userId',
  'description',
  'color',
  'childrenCount',
  'documentsCount',
  'shareCount',
  'createdAt',
  'updatedAt',
];

/** A folder with the version that its ETag names. */
export type Versioned<T> = { value: T; version: number };

/** A page of the actor's folders as JSON text, written by the database. */
export function listFolders(scope: ReadScope, page: { after: string; limit: number }): Promise<ListPage | undefined> {
  const user = viewerOf(scope.actor);
  return scope.db.first(user === null ? queries.listForClient : queries.listForPerson, { team: scope.team, user, ...page });
}

/** One folder the actor may read. Errors: 404 `not_found`. */
export async function getFolder(scope: ReadScope, id: string): Promise<Versioned<Folder>> {
  const found = await readableFolder(scope, id);
  return { value: presentFolder(found), version: found.version };
}

/** Creates a folder. Errors: 409 `name_taken`, 422 `parent_not_found`, `folder_too_deep`, 403 on a read-only share. */
export async function createFolder(scope: Scope, input: CreateFolder): Promise<Versioned<Folder>> {
  const name = cleanName(input.name);
  const metadata = mergeMetadata({}, input, ownMembers);
  const parent = input.parentId ?? null;
  const user = parent === null ? await ownerForActor(scope) : await ownerOfPlace(scope, parent);
  const id = randomUUIDv7();
  const description = input.description ?? null;
  const color = input.color ?? null;
  await Promise.all([
    scope.db.all(queries.insertFolder, {
      team: scope.team,
      id,
      parent,
      user,
      name,
      nameKey: nameKey(name),
      description,
      color,
      metadata: JSON.stringify(metadata),
      at: scope.now,
    }),
    record(scope, folderCreated, id, announced(name, parent)),
  ]).catch(nameTaken(name));
  const at = scope.now.toISOString();
  const value = presentFolder({
    id,
    name,
    parent_id: parent,
    user_id: user,
    description,
    color,
    metadata,
    version: 1,
    created_at: at,
    updated_at: at,
    children: 0,
    documents: 0,
    shares: 0,
  });
  return { value, version: 1 };
}

/** Changes the members that are given; `parentId` moves. Errors as create, and 412 when `expect` names another version. */
export async function updateFolder(
  scope: Scope,
  id: string,
  input: UpdateFolder,
  expect: (version: number) => void,
): Promise<Versioned<Folder>> {
  // The tree before the row, as every move does: two that race would otherwise wait for one another.
  if (input.parentId !== undefined) await scope.db.all(queries.lockTree, { team: scope.team });
  const kept = await changeable(scope, id, expect);
  const moves = input.parentId !== undefined && input.parentId !== kept.parent_id;
  const name = input.name === undefined ? kept.name : cleanName(input.name);
  await Promise.all([
    scope.db.all(queries.updateFolder, {
      team: scope.team,
      id: kept.id,
      name,
      nameKey: nameKey(name),
      description: input.description === undefined ? kept.description : input.description,
      color: input.color === undefined ? kept.color : input.color,
      metadata: JSON.stringify(mergeMetadata(kept.metadata, input, ownMembers)),
      at: scope.now,
    }),
    record(scope, folderUpdated, kept.id, announced(name, kept.parent_id)),
  ]).catch(nameTaken(name));
  if (moves) await place(scope, { ...kept, name }, input.parentId ?? null);
  return getFolder(scope, kept.id);
}

/** Moves a folder under another, or to the top with null. Errors: 409 `folder_cycle`, `name_taken`, 422 `folder_too_deep`, `parent_not_found`. */
export async function moveFolder(
  scope: Scope,
  id: string,
  parentId: string | null,
  expect: (version: number) => void,
): Promise<Versioned<Folder>> {
  await scope.db.all(queries.lockTree, { team: scope.team });
  const kept = await changeable(scope, id, expect);
  await place(scope, kept, parentId);
  return getFolder(scope, kept.id);
}

/** Moves a folder to the bin; with `recursive`, all below it too. Errors: 409 `folder_not_empty`. */
export async function deleteFolder(
  scope: Scope,
  id: string,
  recursive: 'recursive' | 'empty-only',
  expect: (version: number) => void,
): Promise<void> {
  const folderId = pathId(id, 'folder');
  await scope.db.all(queries.lockTree, { team: scope.team });
  const kept = await changeable(scope, folderId, expect);
  if (recursive === 'empty-only' && kept.children + kept.documents > 0) {
    throw folderProblems.folder_not_empty(
      'The folder still holds folders or documents. Move or delete them first, or add `?recursive=true` to move everything to the bin.',
    );
  }
  await scope.db.all(queries.binSubtree, { team: scope.team, id: folderId, at: scope.now });
  await record(scope, folderDeleted, folderId, announced(kept.name, kept.parent_id));
}

/** Takes a folder and what was deleted with it out of the bin; to the top when its former place is gone. */
export async function restoreFolder(scope: Scope, id: string): Promise<Versioned<Folder>> {
  const folderId = pathId(id, 'folder');
  await scope.db.all(queries.lockTree, { team: scope.team });
  const binned = await scope.db.first(queries.findBinned, { team: scope.team, id: folderId });
  const viewer = viewerOf(scope.actor);
  if (!binned || (viewer !== null && binned.user_id !== viewer)) throw notFound('folder');
  const parent = binned.parent_id && (await scope.db.first(queries.holdFolder, { team: scope.team, id: binned.parent_id }));
  if (!parent) await scope.db.all(queries.moveToTop, { team: scope.team, id: folderId });
  await Promise.all([
    scope.db.all(queries.restoreSubtree, { team: scope.team, id: folderId, at: scope.now }),
    record(scope, folderRestored, folderId, announced(binned.name, parent ? binned.parent_id : null)),
  ]).catch(nameTaken(binned.name));
  return getFolder(scope, folderId);
}

/** A folder the actor may change, locked, with counts read under the lock; `expect` compares `If-Match`. */
async function changeable(scope: Scope, id: string, expect: (version: number) => void) {
  const folderId = pathId(id, 'folder');
  const [, found] = await Promise.all([
    scope.db.first(queries.lockFolder, { team: scope.team, id: folderId }),
    writableFolder(scope, folderId),
  ]);
  expect(found.version);
  return found;
}

/** Puts a folder under another; the caller holds the tree's lock. */
async function place(scope: Scope, kept: { id: string; name: string; user_id: string }, parentId: string | null): Promise<void> {
  const user = parentId === null ? kept.user_id : await roomFor(scope, kept.id, parentId);
  await Promise.all([
    scope.db.all(queries.moveFolder, { team: scope.team, id: kept.id, parent: parentId, user, at: scope.now }),
    record(scope, folderMoved, kept.id, announced(kept.name, parentId)),
  ]).catch(nameTaken(kept.name));
}

/** Checks under the tree's lock that a subtree fits under its new place; returns whose tree that is. */
async function roomFor(scope: Scope, moved: string, parentId: string): Promise<string> {
  const parent = await ownerOf(scope, parentId);
  const [path, subtree] = await Promise.all([
    scope.db.first(queries.pathOf, { team: scope.team, id: parentId, moved }),
    scope.db.first(queries.heightOf, { team: scope.team, id: moved }),
  ]);
  if (path?.through)
    throw folderProblems.folder_cycle('The target lies inside the folder that is to be moved. Choose a target outside of it.');
  if ((path?.depth ?? 0) + (subtree?.height ?? 1) > maxDepth) throw tooDeep();
  return parent;
}

/** For what is put into a folder: the folder must be writable, and stays until the transaction ends. Errors: 422 `parent_not_found`. */
export async function holdFolderFor(scope: Scope, folderId: string): Promise<void> {
  await Promise.all([
    isUuid(folderId) ? scope.db.all(queries.holdFolder, { team: scope.team, id: folderId }) : undefined,
    ownerOf(scope, folderId),
  ]);
}

/** The tree a new leaf joins: its owner, after checking depth, holding the place against deletion and moves. */
async function ownerOfPlace(scope: Scope, parentId: string): Promise<string> {
  if (!isUuid(parentId)) throw noParent();
  const [, , owner, path] = await Promise.all([
    scope.db.all(queries.shareTree, { team: scope.team }),
    scope.db.all(queries.holdFolder, { team: scope.team, id: parentId }),
    ownerOf(scope, parentId),
    scope.db.first(queries.pathOf, { team: scope.team, id: parentId, moved: null }),
  ]);
  if ((path?.depth ?? 0) + 1 > maxDepth) throw tooDeep();
  return owner;
}

async function ownerOf(scope: Scope, parentId: string): Promise<string> {
  if (!isUuid(parentId)) throw noParent();
  const parent = await scope.db.first(queries.reachFolder, { team: scope.team, id: parentId, user: viewerOf(scope.actor) });
  if (!parent || parent.access !== 'write') throw noParent();
  return parent.user_id;
}

/** Folders of a person are theirs; those of an API client belong to the team's owner. */
async function ownerForActor(scope: Scope): Promise<string> {
  if (scope.actor.type === 'user') return scope.actor.id;
  const owner = await scope.db.first(queries.ownerOfTeam, { team: scope.team });
  if (!owner) throw notFound('team owner');
  return owner.id;
}

function announced(name: string, parent: string | null) {
  return { name, ...(parent === null ? {} : { parentId: parent }) };
}

function nameTaken(name: string) {
  return (error: unknown): never => {
    if (violates(error, 'folder_name_once'))
      throw folderProblems.name_taken(`There is already a folder named “${name}” here. Choose another name.`);
    throw error;
  };
}

const noParent = () =>
  folderProblems.parent_not_found('`parentId` or `folderId` names no folder that you may write to. Check the identifier.');
const tooDeep = () => folderProblems.folder_too_deep(`Folders nest at most ${maxDepth} levels deep. Choose a place nearer to the top.`);
