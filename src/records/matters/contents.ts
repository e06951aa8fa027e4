import { isRole, scopesOfRole } from '#accounts';
import { callerOf, relationsFor, viewerOf, viewOf } from '#access';
import { documentFor, moveDocumentToMatter } from '#documents';
import { lockTreesShared, moveFolder, opensAt, readableFolder } from '#folders';
import { manageableRegistry, readableRegistry, setMatterOfRegistry } from '#registries';
import { unassignExcluded } from '#tasks';
import { mayEditWorkflow, setMatterOfWorkflow, workflowFor } from '#workflows';
import { notFound } from '../../platform/identifiers.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { Problem, problemCatalogue, problems } from '../../platform/problems.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { type AccessibleMatter, isBarred, readableMatter, requireRight } from './access.ts';
import { contentAdded, contentRemoved } from './events.ts';
import { presentContent } from './present.ts';
import { matterProblems } from './problems.ts';
import * as queries from './queries.ts';
import { type AddBody, type ContentType, contentTypes, type Item, type MatterContent } from './schemas.ts';
import { requireOpen, treeLockedMatter } from './service.ts';

type Page = { after: string; limit: number; type: string | null };

/** Returns a page of what lies in a matter and the actor may see, in the order of its creation. Errors: 404. */
export async function listContents(scope: ReadScope, id: string, page: Page): Promise<MatterContent[]> {
  const { root } = await readableMatter(scope, id);
  const { caller } = callerOf(scope.actor);
  const { user } = viewerOf(scope.actor);
  const all = viewOf(scope.actor) === 'all';
  const viewing = relationsFor(scope.actor, 'form', 'view');
  const types = readableTypes(scope);
  const found = await scope.db.all(queries.listContents, { team: scope.team, id: root.id, user, caller, all, viewing, types, ...page });
  return found.map(presentContent);
}

/** The area of the scopes of each type in a matter. */
const areas: Record<ContentType, string> = {
  folder: 'folders',
  document: 'documents',
  workflow: 'workflows',
  task: 'tasks',
  form: 'interfaces',
  registry: 'registries',
  signature_request: 'signatures',
};

/** Returns the types that the role or the scopes of the actor include. */
function readableTypes({ actor }: ReadScope): ContentType[] {
  if (actor.type === 'system') return [...contentTypes];
  const ofRole = actor.type === 'user' && isRole(actor.role) ? scopesOfRole(actor.role) : [];
  const scopes = 'scopes' in actor ? actor.scopes : new Set(ofRole);
  return contentTypes.filter((type) => scopes.has(`${areas[type]}:read`));
}

/** A resource to add or remove, where it is and who owns it. `at` is its position in the request. */
type LocatedItem = { item: Item; at: number; matter: string | null; container: string | null; owner: string };

/**
 * Adds resources to a matter, all or none. The actor must own them and may edit the matter. Errors: 403, 404, 409 `in_another_matter`,
 * `follows_document`, `matter_closed`, 422 `wider_audience` unless `confirm`.
 */
export async function addContents(scope: Scope, id: string, { items, confirm = false }: AddBody, maxDocuments: number): Promise<void> {
  const matter = await treeLockedMatter(scope, id);
  requireRight(matter, 'edit');
  requireOpen(matter.matter);
  const found = await findAll(scope, items);
  const elsewhere = found.find((one) => one.matter !== null && one.matter !== matter.root.id);
  if (elsewhere)
    throw pointing(elsewhere.at, matterProblems.in_another_matter('It lies in another matter. Remove it from that matter first.'));
  if (!confirm) await refuseWiderAudience(scope, matter, found);
  for (const type of lockOrder) {
    const moving = found.filter(({ item }) => item.type === type);
    for (const one of moving) await pointed(one.at, move(scope, one.item, matter.root.id, maxDocuments));
    // The events of folders and documents do so. Tasks are locked before registries.
    if (type === 'workflow' && moving.length > 0 && isBarred(matter)) await unassignExcluded(scope);
  }
  await noteContent(scope, matter, contentAdded, items);
}

/** Removes resources from a matter, all or none. They keep their owner. Errors: 403, 404, 409 `follows_document`, `matter_closed`. */
export async function removeContents(scope: Scope, id: string, items: readonly Item[], maxDocuments: number): Promise<void> {
  const matter = await treeLockedMatter(scope, id);
  requireRight(matter, 'edit');
  requireOpen(matter.matter);
  for (const one of await findAll(scope, items)) {
    if (one.matter !== matter.root.id) throw pointing(one.at, notFound('resource in this matter'));
    await pointed(one.at, move(scope, one.item, null, maxDocuments));
  }
  await noteContent(scope, matter, contentRemoved, items);
}

const noteContent = (scope: Scope, { root, access }: AccessibleMatter, act: typeof contentAdded, items: readonly Item[]) =>
  recordAudit(scope, act, root.id, { items: items.map(({ type, id }) => ({ type, id })), ...access.byRole('edit') });

/** The lock order of the types: docs/internals/locks.md. */
const lockOrder: readonly Item['type'][] = ['folder', 'document', 'workflow', 'registry'];

/** Returns the resources that the actor may move, in lock order. Errors: 403, 404. */
async function findAll(scope: Scope, items: readonly Item[]): Promise<LocatedItem[]> {
  const sorted = items
    .map(({ type, id }, at) => ({ item: { type, id: id.toLowerCase() }, at }))
    .toSorted((a, b) => lockOrder.indexOf(a.item.type) - lockOrder.indexOf(b.item.type) || (a.item.id < b.item.id ? -1 : 1));
  lockTreesShared(scope);
  const { actor } = scope;
  const found: LocatedItem[] = [];
  for (const { item, at } of sorted) {
    const needed = ['read', 'write'].map((right) => `${areas[item.type]}:${right}`);
    if ('scopes' in actor && !needed.every((each) => actor.scopes.has(each))) throw pointing(at, notFound(item.type));
    found.push({ item, at, ...(await pointed(at, finders[item.type](scope, item.id))) });
  }
  return found;
}

type ItemLocation = Omit<LocatedItem, 'item' | 'at'>;
const finders: Record<Item['type'], (scope: Scope, id: string) => Promise<ItemLocation>> = {
  async folder(scope, id) {
    const { folder, access } = await readableFolder(scope, id);
    if (!access.can('share')) throw notOwned();
    return { matter: folder.matter_id, container: folder.parent_id, owner: folder.user_id };
  },
  async document(scope, id) {
    const { document, access } = await documentFor(scope, id);
    if (!access.can('share')) throw notOwned();
    return { matter: document.matter_id, container: document.folder_id, owner: document.user_id };
  },
  async workflow(scope, id) {
    const row = await workflowFor(scope, id);
    if (!mayEditWorkflow(scope.actor, row)) throw notOwned();
    if (row.linked_document_id !== null)
      throw matterProblems.follows_document('This workflow is about a document of the team and is in the matter of that document.');
    return { matter: row.container_id, container: row.container_id, owner: row.owner_id };
  },
  async registry(scope, id) {
    const { registry, access } = await readableRegistry(scope, id);
    if (!access.can('share')) throw notOwned();
    return { matter: registry.container_id, container: registry.container_id, owner: registry.user_id };
  },
};

const notOwned = () => problems.forbidden('Only its owner and administrators can move it into or out of a matter. Ask one of them.');

async function move(scope: Scope, { type, id }: Item, matter: string | null, maxDocuments: number): Promise<void> {
  const expect = () => undefined;
  switch (type) {
    case 'folder':
      await moveFolder(scope, id, { id: matter, kind: matter === null ? 'folder' : 'matter' }, { expect, maxDocuments });
      return;
    case 'document':
      await moveDocumentToMatter(scope, id, matter);
      return;
    case 'workflow':
      await setMatterOfWorkflow(scope, id, matter);
      return;
    default:
      await manageableRegistry(scope, id, expect);
      setMatterOfRegistry(scope, id, matter);
  }
}

/**
 * Rejects content that more people would see in the matter: those with a share of the matter, or its responsible person. Content that leaves a
 * barrier counts as such. Errors: 422.
 */
async function refuseWiderAudience({ db, team }: Scope, { root }: AccessibleMatter, found: readonly LocatedItem[]): Promise<void> {
  const wider: LocatedItem[] = [];
  for (const one of found) {
    if (one.matter === root.id) continue;
    const way = { team, from: one.container, to: root.id };
    const opens =
      one.owner !== root.user_id ||
      (await db.first(queries.leavesBarrier, way))?.leaves === true ||
      (await db.first(opensAt, way))?.opens === true;
    if (opens) wider.push(one);
  }
  if (wider.length === 0) return;
  throw matterProblems.wider_audience(
    'In the matter, more people would see these resources. Send the request with `confirm: true` if that is intended.',
    {
      errors: wider.map(({ at }) => ({
        name: 'items',
        pointer: `/items/${at}`,
        reason: 'more people would see it',
        rule: 'wider_audience',
      })),
    },
  );
}

const pointed = <T>(at: number, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof Problem ? pointing(at, error) : error;
  });

/** Adds a pointer to the rejected item to a problem. */
function pointing(at: number, { code, detail, headers, members }: Problem): Problem {
  const kind = problemCatalogue.get(code);
  if (!kind) throw new Error(`unknown problem ${code}`);
  return new Problem(code, kind, detail, {
    headers,
    members,
    errors: [{ name: 'items', pointer: `/items/${at}`, reason: detail, rule: code }],
  });
}
