import { isBehindBarrier, noBarrier, viewerOf } from '#access';
import { actorToday } from '#documents';
import { lockTargetFolder, mayRelocate, notYours as notYoursToMove, type AccessibleLocation, readableFolder, topFor } from '#folders';
import { lockMember } from '#teams';
import { requireStartable } from '#workflows';
import { Problem, problems } from '../../platform/problems.ts';
import type { Actor, ReadScope, Scope } from '../../platform/scope.ts';
import { accessToInterface, holdsScope, type InterfaceAccess } from './policy.ts';
import { interfaceProblems } from './problems.ts';
import { type InterfaceRow, reachInterface } from './queries.ts';
import type { Definition } from './schemas.ts';

/**
 * The settings that give other people or workflows access to submissions, or erase them. A member who changes one must have the right to read
 * submissions and to perform the action. Chancery checks this when the setting is saved, when it is published, and each time it takes effect.
 */
const useMembers = [
  'notify',
  'folderId',
  'createsDocument',
  'startsTemplate',
  'bindsRegistryTypeId',
  'bindsRegistryFields',
  'bindsRegistryPending',
  'then',
  'retainDays',
] as const;
type Uses = Pick<Definition['config'], (typeof useMembers)[number]>;

/** Returns the settings that differ between two definitions. */
export function changedUses(before: Uses, after: Uses): (keyof Uses)[] {
  // A disabled setting or an empty list equals a missing one.
  const said = (value: unknown) => JSON.stringify(value === false || (Array.isArray(value) && value.length === 0) ? null : (value ?? null));
  return useMembers.filter((member) => said(before[member]) !== said(after[member]));
}

const scopesFor: Partial<Record<keyof Uses, string>> = { createsDocument: 'documents:write', startsTemplate: 'workflows:write' };

/** Checks that a client or agent has the scopes of effects that it configures. Throws 403 `insufficient_scope`. */
export function requireScopeFor(actor: Actor, called: keyof Uses, members: readonly (keyof Uses)[] = [called]): void {
  if (!('scopes' in actor)) return;
  const lacking = [...new Set(members.flatMap((member) => scopesFor[member] ?? []))].filter((scope) => !actor.scopes.has(scope));
  if (lacking.length === 0) return;
  const named = lacking.map((scope) => `\`${scope}\``).join(' and ');
  throw problems.insufficient_scope(
    `\`config.${called}\` needs the scope ${named}, which this client does not have. Add the scope to the client, or omit the member.`,
  );
}

/** The settings with the same effect as an output. The binding to a registry requires its own scope. */
const settingOf = { document: 'createsDocument', workflow: 'startsTemplate', record: 'bindsRegistryTypeId' } as const;

/** Checks that a client or agent has the scopes of outputs. Throws 403 `insufficient_scope`. */
export function requireScopesOf(actor: Actor, outputs: NonNullable<Uses['then']>): void {
  const members = outputs.map(({ make }) => settingOf[make]);
  requireScopeFor(actor, 'then', members);
}

/** The folder of the submissions, and whether the effects use the rights of the actor after this change. */
export type Granted = { place: Pick<AccessibleLocation, 'parent' | 'barrier_id'>; changed: boolean };

/** The owner, creator and current folder of a form. */
type Answers = Pick<InterfaceRow, 'owner_id' | 'created_by' | 'folder_id' | 'barrier_id'>;

/** The access of the actor to the form, and the members that {@link lockNamedMembers} locked. */
type Setting = { access: Pick<InterfaceAccess, 'can'>; row: Answers; namedMembers: NamedMembers };

/** The access of a creator to a new interface. */
export const asCreator = {
  access: { can: () => true },
  row: { owner_id: '', created_by: '', folder_id: null, barrier_id: noBarrier },
} as const;

/** Returns whether the actor can configure effects of submissions. */
export const maySetUses = ({ can }: Pick<InterfaceAccess, 'can'>): boolean => can('edit') && can('view_submissions');

/** The members in a definition, locked until the transaction ends. */
export type NamedMembers = { members: ReadonlySet<string> };

/**
 * Locks the members that a definition names, before the form is locked. Offboarding locks in the same order: first the member, then the transferred
 * resources.
 */
export async function lockNamedMembers({ db, team }: Pick<Scope, 'db' | 'team'>, { notify }: Pick<Uses, 'notify'>): Promise<NamedMembers> {
  const members = new Set<string>();
  // In a fixed order, because concurrent transactions lock several members.
  for (const id of (notify ?? []).toSorted()) if (await db.first(lockMember, { team, id })) members.add(id);
  return { members };
}

/**
 * Checks that the actor can set the effects that `after` changes. For an unchanged effect, the member who configured it stays responsible. Locks all
 * resources that `after` names until the transaction ends. Throws 403, 422 `interface_invalid`, `parent_not_found`.
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
  if (changed.includes('then')) requireScopesOf(scope.actor, after.then ?? []);
  const moves = changed.includes('folderId') || before === 'none';
  const place = moves ? await placeFor(scope, after.folderId) : { parent: after.folderId ?? null, barrier_id: row.barrier_id };
  if (moves && 'user_id' in place) refuseTaking(scope, { access, row }, place);
  if (changed.includes('startsTemplate') && after.startsTemplate !== undefined) await requireTemplate(scope, after.startsTemplate);
  if (changed.includes('notify')) requireMembers(after.notify ?? [], namedMembers.members);
  return { place, changed: changed.length > 0 };
}

const placeFor = (scope: Scope, folderId: string | undefined) =>
  folderId === undefined ? topFor(scope) : lockTargetFolder(scope, folderId, 'any');

const notYours = (members: readonly string[]) =>
  problems.forbidden(
    `You can edit this form but cannot read its submissions. Ask a member with that right to set ${members.map((member) => `\`config.${member}\``).join(', ')}.`,
  );

export const invalid = (pointer: string, reason: string) =>
  interfaceProblems.interface_invalid(`The definition has errors: ${pointer} ${reason}.`, {
    errors: [{ name: pointer.split('/').at(-1) ?? '', pointer, reason, rule: 'reference' }],
  });

/**
 * Rejects a folder of another owner. Answers belong to the owner of the form. In a folder of another owner, a barrier could exclude the owner of the
 * answers. Throws 403.
 */
function refuseTaking({ actor }: Scope, { access, row }: Pick<Setting, 'access' | 'row'>, to: AccessibleLocation): void {
  if (access.can('manage') || (actor.type === 'client' && actor.id === row.created_by)) return;
  if (to.parent === null || to.parent === row.folder_id || to.user_id === row.owner_id) return;
  throw problems.forbidden(
    'The folder and the form have different owners. Choose a folder of the owner of the form, or ask the owner of the folder or an administrator to set it.',
  );
}

/** Checks that a form can start the template without parameters. Throws 422 `interface_invalid`. */
export async function requireTemplate(scope: Scope, name: string): Promise<void> {
  await requireStartable(scope, name).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    const reason = error.status === 404 ? 'is not a workflow template' : `names a template that a form cannot start: ${error.detail}`;
    throw invalid('/config/startsTemplate', reason);
  });
}

function requireMembers(ids: readonly string[], members: ReadonlySet<string>): void {
  const missing = ids.findIndex((id) => !members.has(id));
  if (missing !== -1) throw invalid(`/config/notify/${missing}`, 'is not an active member of your team');
}

/**
 * Keeps submissions behind their barrier. Only the owner of the folder, or an administrator who is a member of the barrier, can move them out. Throws
 * 403.
 */
export async function refuseLeavingBarrier(scope: Scope, row: InterfaceRow, place: Granted['place']): Promise<void> {
  if (row.published_version === null || row.folder_id === null || row.folder_id === place.parent || !isBehindBarrier(row.barrier_id))
    return;
  const { folder, access } = await readableFolder(scope, row.folder_id, 'any').catch((error: unknown) => {
    throw error instanceof Problem && error.status === 404 ? notYoursToMove() : error;
  });
  if (place.barrier_id !== folder.barrier_id && !mayRelocate(access, { within: false })) throw notYoursToMove();
}

/** A form, and the member who configured its effects. */
export type UsedBy = { id: string; owner_id: string; uses_by: string };

/**
 * Returns the actor for the effects: the member who configured them, or the owner of the form after that member left the team. Returns `undefined` if
 * this actor can no longer edit the form and read its submissions. Publishing again sets a new actor.
 */
export async function actionGrantor(scope: Pick<ReadScope, 'db' | 'team'>, used: UsedBy): Promise<Actor | undefined> {
  const actor = (await actorToday(scope, used.uses_by)) ?? (await actorToday(scope, used.owner_id));
  if (!actor || !holdsScope(actor, 'interfaces:write')) return undefined;
  const row = await scope.db.first(reachInterface, { team: scope.team, id: used.id, ...viewerOf(actor) });
  const access = row && accessToInterface(actor, row);
  return access && maySetUses(access) ? actor : undefined;
}
