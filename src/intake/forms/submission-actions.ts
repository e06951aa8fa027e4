import { isBehindBarrier, noBarrier, viewerOf } from '#access';
import { actorToday } from '#documents';
import { holdFolderFor, mayRelocate, notYours as notYoursToMove, type AccessibleLocation, readableFolder, topFor } from '#folders';
import { holdMember } from '#teams';
import { requireStartable } from '#workflows';
import { Problem, problems } from '../../platform/problems.ts';
import type { Actor, ReadScope, Scope } from '../../platform/scope.ts';
import { accessToInterface, holdsScope, type InterfaceAccess } from './policy.ts';
import { interfaceProblems } from './problems.ts';
import { type InterfaceRow, reachInterface } from './queries.ts';
import type { Definition } from './schemas.ts';

/**
 * What is done with submissions beyond keeping them: each lets somebody hear of them, read them or act on them elsewhere, or ends
 * them. Who sets one must be able to read the submissions and to do that, when it is saved, when it is published and each time it
 * takes effect.
 */
const useMembers = [
  'notify',
  'folderId',
  'createsDocument',
  'startsTemplate',
  'bindsRegistryTypeId',
  'bindsRegistryFields',
  'bindsRegistryPending',
  'retainDays',
] as const;
type Uses = Pick<Definition['config'], (typeof useMembers)[number]>;

/** The uses that two definitions differ in. */
export function changedUses(before: Uses, after: Uses): (keyof Uses)[] {
  // What is off, or names nobody, is as if it were not there.
  const said = (value: unknown) => JSON.stringify(value === false || (Array.isArray(value) && value.length === 0) ? null : (value ?? null));
  return useMembers.filter((member) => said(before[member]) !== said(after[member]));
}

const scopesFor: Partial<Record<keyof Uses, string>> = { createsDocument: 'documents:write', startsTemplate: 'workflows:write' };

/** What a program has follow from submissions takes the scope that doing it takes. Errors: 403 `insufficient_scope`. */
export function requireScopeFor(actor: Actor, member: keyof Uses): void {
  const needed = scopesFor[member];
  if (needed === undefined || !('scopes' in actor) || actor.scopes.has(needed)) return;
  throw problems.insufficient_scope(`\`config.${member}\` needs the scope \`${needed}\`, which the program that sets it does not carry.`);
}

/** Where submissions live, and whether the actor is the one by whose right the uses are from now on. */
export type Granted = { place: Pick<AccessibleLocation, 'parent' | 'barrier_id'>; changed: boolean };

/** Whose an interface is, and where its submissions live so far. */
type Answers = Pick<InterfaceRow, 'owner_id' | 'created_by' | 'folder_id' | 'barrier_id'>;

/** How the actor stands to the interface whose uses they set; `held` is what they name and {@link holdNamed} has found. */
type Setting = { access: Pick<InterfaceAccess, 'can'>; row: Answers; namedMembers: NamedMembers };

/** How its maker stands to what is just made. */
export const asCreator = {
  access: { can: () => true },
  row: { owner_id: '', created_by: '', folder_id: null, barrier_id: noBarrier },
} as const;

/** Whether the actor may set what is done with submissions. */
export const maySetUses = ({ can }: Pick<InterfaceAccess, 'can'>): boolean => can('edit') && can('view_submissions');

/** What a definition names, as it is until the transaction ends. */
export type NamedMembers = { members: ReadonlySet<string> };

/**
 * Holds what a definition, or a change of one, names, before the interface is locked: whoever leaves the team holds themself first and
 * what is handed over afterwards, and so is it done here.
 */
export async function holdNamed({ db, team }: Pick<Scope, 'db' | 'team'>, { notify }: Pick<Uses, 'notify'>): Promise<NamedMembers> {
  const members = new Set<string>();
  // In one order for all who hold several.
  for (const id of (notify ?? []).toSorted()) if (await db.first(holdMember, { team, id })) members.add(id);
  return { members };
}

/**
 * Lets the actor set what `after` does with submissions, or refuses it; what was so `before` is somebody else's to answer for.
 * Everything that is named stays as it is until the transaction ends. Errors: 403, 422 `interface_invalid`, `parent_not_found`.
 */
export async function grantUses(
  scope: Scope,
  { access, row, namedMembers }: Setting,
  before: Uses | 'none',
  after: Uses,
): Promise<Granted> {
  const changed = changedUses(before === 'none' ? {} : before, after);
  if (changed.length > 0 && !maySetUses(access)) throw notYours(changed);
  for (const member of changed) if (after[member]) requireScopeFor(scope.actor, member);
  const moves = changed.includes('folderId') || before === 'none';
  const place = moves ? await placeFor(scope, after.folderId) : { parent: after.folderId ?? null, barrier_id: row.barrier_id };
  if (moves && 'user_id' in place) refuseTaking(scope, { access, row }, place);
  if (changed.includes('startsTemplate') && after.startsTemplate !== undefined) await requireTemplate(scope, after.startsTemplate);
  if (changed.includes('notify')) requireMembers(after.notify ?? [], namedMembers.members);
  return { place, changed: changed.length > 0 };
}

const placeFor = (scope: Scope, folderId: string | undefined) => (folderId === undefined ? topFor(scope) : holdFolderFor(scope, folderId));

const notYours = (members: readonly string[]) =>
  problems.forbidden(
    `You can edit this interface but cannot read its submissions. Ask a member with that right to set ${members.map((member) => `\`config.${member}\``).join(', ')}.`,
  );

export const invalid = (pointer: string, reason: string) =>
  interfaceProblems.interface_invalid(`The definition cannot be used as it is: ${pointer} ${reason}.`, {
    errors: [{ name: pointer.split('/').at(-1) ?? '', pointer, reason, rule: 'reference' }],
  });

/**
 * Answers live among what is the owner's of the interface: whoever may edit it takes them to nobody else, who could raise a barrier on that folder
 * against the owner. Errors: 403.
 */
function refuseTaking({ actor }: Scope, { access, row }: Pick<Setting, 'access' | 'row'>, to: AccessibleLocation): void {
  if (access.can('manage') || (actor.type === 'client' && actor.id === row.created_by)) return;
  if (to.parent === null || to.parent === row.folder_id || to.user_id === row.owner_id) return;
  throw problems.forbidden(
    'The folder has another owner than the interface. Choose a folder of the interface’s owner, or ask the folder’s owner or an administrator to set it.',
  );
}

/** A form can start the template that it names: it gives no parameters. Errors: 422 `interface_invalid`. */
export async function requireTemplate(scope: Scope, name: string): Promise<void> {
  await requireStartable(scope, name).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    const reason = error.status === 404 ? 'names no workflow template' : `names a template that a form cannot start: ${error.detail}`;
    throw invalid('/config/startsTemplate', reason);
  });
}

function requireMembers(ids: readonly string[], members: ReadonlySet<string>): void {
  const missing = ids.findIndex((id) => !members.has(id));
  if (missing !== -1) throw invalid(`/config/notify/${missing}`, 'names no active member of your team');
}

/** Submissions stay behind the barrier that they came behind, unless the owner of its folder or an administrator, inside, takes them out. Errors: 403. */
export async function refuseLeavingBarrier(scope: Scope, row: InterfaceRow, place: Granted['place']): Promise<void> {
  if (row.published_version === null || row.folder_id === null || row.folder_id === place.parent || !isBehindBarrier(row.barrier_id))
    return;
  const { folder, access } = await readableFolder(scope, row.folder_id).catch((error: unknown) => {
    throw error instanceof Problem && error.status === 404 ? notYoursToMove() : error;
  });
  if (place.barrier_id !== folder.barrier_id && !mayRelocate(access, { within: false })) throw notYoursToMove();
}

/** An interface, and who set what is done with its submissions. */
export type UsedBy = { id: string; owner_id: string; uses_by: string };

/**
 * By whose right submissions are used now: whoever set that, as what they are today and while they may read the submissions; once they
 * have left the team, its owner, to whom it was handed over. Undefined where that right has ended: it is set anew by publishing.
 */
export async function actionGrantor(scope: Pick<ReadScope, 'db' | 'team'>, used: UsedBy): Promise<Actor | undefined> {
  const actor = (await actorToday(scope, used.uses_by)) ?? (await actorToday(scope, used.owner_id));
  if (!actor || !holdsScope(actor, 'interfaces:write')) return undefined;
  const row = await scope.db.first(reachInterface, { team: scope.team, id: used.id, ...viewerOf(actor) });
  const access = row && accessToInterface(actor, row);
  return access && maySetUses(access) ? actor : undefined;
}
