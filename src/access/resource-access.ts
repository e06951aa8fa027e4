import { roleOnly, type Via } from '../platform/access-reason.ts';
import { type Actor, isTeamManager } from '../platform/scope.ts';
import { can, type Permission, type Relations, relationsFor, type ResourceType, type TypeWith } from './can.ts';

/** The permissions of an actor on one resource. */
export type ResourceAccess<Type extends ResourceType> = {
  can(permission: Permission<Type>): boolean;
  /** Returns `via: 'role'` for a journal entry if only the role in the team gives the permission. */
  byRole(permission: Permission<Type>): { via?: 'role' };
  /** The source of the permission to view the resource. */
  via: Via;
};

/** The caller as statement parameters; `access_principals` returns the principals of the caller. */
export type PrincipalFilter = { caller: string | null; person: boolean };
export const callerOf = (actor: Actor): PrincipalFilter => ({ caller: 'id' in actor ? actor.id : null, person: actor.type === 'user' });

/** Returns the permissions of the actor on a resource; undefined if the actor cannot view it, for a 404. */
export function accessTo<Type extends ResourceType>(actor: Actor, type: Type, facts: Relations): ResourceAccess<Type> | undefined {
  const has = (by: Actor, permission: Permission<Type>) => can(by, type, permission, facts);
  if (!has(actor, 'view')) return undefined;
  // The rights of the same person without the role of an administrator.
  const plain: Actor = actor.type === 'user' && isTeamManager(actor) ? { ...actor, role: 'member' } : actor;
  const byRole = (permission: Permission<Type>) => (has(actor, permission) && !has(plain, permission) ? roleOnly : {});
  const via = (): Via => {
    if (actor.type === 'system') return 'system';
    if (actor.type !== 'user') return 'client';
    if (actor.role === 'auditor') return 'audit';
    if (facts.relations.includes('owner')) return 'owner';
    if ('via' in byRole('view')) return 'role';
    const byShare = can(plain, type, 'view', { ...facts, relations: facts.relations.filter((relation) => relation !== 'participant') });
    return byShare ? 'share' : 'task';
  };
  return { can: (permission) => has(actor, permission), byRole, via: via() };
}

/** The relations of an actor to a resource in a container, as returned by the SQL function `access_facts`. */
export type Facts = { relations: string[]; inherited: string[]; excluded: boolean; outsider: boolean };
export const factsAreThere = {
  relations: 'the function returns an array',
  inherited: 'as above',
  excluded: 'never null',
  outsider: 'as above',
};

/** The name of a resource. */
export type ResourceName = { id: string; name: string };
/** Returns the relations of an actor to a resource in a container, for {@link can}. */
export const relationsOf = ({ inherited, ...facts }: Facts): Relations => ({ ...facts, from: { parent: inherited } });
/** Returns the resources among these that the actor can view. */
export const viewable = <Row extends Facts>(actor: Actor, type: TypeWith<'view'>, rows: readonly Row[]): Row[] =>
  rows.filter((row) => can(actor, type, 'view', relationsOf(row)));

/** The permissions of an actor on a resource in a container. */
export type ContainedAccess<Type extends TypeWith<'edit' | 'share'>> = ResourceAccess<Type> & {
  /** Whether the actor can rename, move and delete the resource. A grant to edit the resource alone is not sufficient. */
  placed: boolean;
  /** Returns `via: 'role'` for a journal entry if only the role in the team gives that right. */
  placedByRole: { via?: 'role' };
  /** Whether the actor can restore the resource from the bin. */
  restores: boolean;
};

export function accessToContained<Type extends TypeWith<'edit' | 'share'>>(
  actor: Actor,
  type: Type,
  { inherited, relations, ...barriers }: Facts,
): ContainedAccess<Type> | undefined {
  const from = { parent: inherited };
  const access = accessTo(actor, type, { relations, from, ...barriers });
  if (!access) return undefined;
  // The access from the owner column and the container. Most requests do not need it.
  const placing = () => accessTo(actor, type, { relations: relations.filter((relation) => relation === 'owner'), from, ...barriers });
  return {
    ...access,
    get placed() {
      return placing()?.can('edit') ?? false;
    },
    get placedByRole() {
      return placing()?.byRole('edit') ?? {};
    },
    get restores() {
      return access.can('share') || (actor.type !== 'user' && access.can('edit'));
    },
  };
}

/** The access levels in responses: to read, write or manage. */
export type AccessLevel = 'read' | 'write' | 'manage';
export const levelOf = <Type extends TypeWith<'edit' | 'manage'>>(access: ResourceAccess<Type>): AccessLevel =>
  access.can('manage') ? 'manage' : access.can('edit') ? 'write' : 'read';

/** Returns the level of a share with the whole team, for responses. */
export function teamLevelOf(relations: readonly string[]): { teamAccess?: 'read' | 'write' } {
  if (relations.length === 0) return {};
  return { teamAccess: relations.includes('editor') ? 'write' : 'read' };
}

/**
 * Parameters of a list. `all`: by the role, the caller has the `wanted` permission on every resource, at this `level`. The other members are the
 * relations that are sufficient for a permission.
 */
export type Audience = PrincipalFilter & {
  all: boolean;
  level: AccessLevel | null;
  wanted: string[];
  editing: string[];
  managing: string[];
};
export function audienceOf<Type extends TypeWith<'view' | 'edit' | 'manage'>>(
  actor: Actor,
  type: Type,
  wanted: Permission<Type> & ('view' | 'manage') = 'view',
): Audience {
  const byRole = accessTo(actor, type, { relations: [] });
  return {
    ...callerOf(actor),
    all: byRole?.can(wanted) ?? false,
    level: byRole ? levelOf(byRole) : null,
    wanted: relationsFor(actor, type, wanted),
    editing: relationsFor(actor, type, 'edit'),
    managing: relationsFor(actor, type, 'manage'),
  };
}
