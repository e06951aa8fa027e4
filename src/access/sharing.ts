import type { TObject } from 'typebox';
import type { Statement } from '../platform/database/statement.ts';
import type { Act } from '../platform/journal/acts.ts';
import { recordAct } from '../platform/journal/record.ts';
import { problems } from '../platform/problems.ts';
import type { ReadScope, Scope } from '../platform/scope.ts';
import type { sharedMembers, unsharedMembers } from './events.ts';
import type { ResourceAccess } from './resource-access.ts';
import type { AccessList, Grant, ShareBody } from './schemas.ts';
import { accessListOf, presentGrant, principalOf, putShare, refuseOneself, revokeShare, sharesOf } from './shares.ts';

type SharedResource<Type extends 'registry' | 'template'> = {
  resource: { id: string; user_id: string; created_at: string };
  access: ResourceAccess<Type>;
};

/** A type of resource that is shared for reading or writing. */
export type SharedType<Type extends 'registry' | 'template'> = {
  type: Type;
  /** Its name in sentences. */
  noun: string;
  /** Keeps the row of one until the transaction ends. */
  hold: Statement<{ team: string; id: string }, { id: string }>;
  /** One that the actor may view. Errors: 404. */
  find: (scope: ReadScope | Scope, id: string) => Promise<SharedResource<Type>>;
  shared: Act<TObject<typeof sharedMembers>, never>;
  unshared: Act<TObject<typeof unsharedMembers>, never>;
};

export type Sharing = {
  /** Who has access, why and since when, and the readings by role. Errors: 403, 404. */
  list(scope: ReadScope, id: string): Promise<AccessList>;
  /** Shares with a member, a group or the whole team. Errors: 400, 403, 404 `member_not_found`, `group_not_found`, 409 `shared_with_oneself`. */
  share(scope: Scope, id: string, input: ShareBody): Promise<Grant>;
  /** Revokes a share. Errors: 403, 404. */
  revoke(scope: Scope, id: string, grant: string): Promise<void>;
};

const relationOf = { read: 'viewer', write: 'editor' } as const;

export function openSharing<Type extends 'registry' | 'template'>({ type, noun, hold, find, shared, unshared }: SharedType<Type>): Sharing {
  const sharable = async (scope: Scope, id: string) => {
    const found = await find(scope, id);
    if (!found.access.can('share'))
      throw problems.forbidden(`Only the owner of a ${noun} and administrators share it. An API client cannot share it.`);
    return { ...found, one: { type, noun, id: found.resource.id } };
  };
  return {
    async list(scope, id) {
      const { resource, access } = await find(scope, id);
      if (!access.can('manage')) throw problems.forbidden(`Only the owner of a ${noun} and administrators see who has access to it.`);
      const shares = await sharesOf(scope, type, resource.id);
      return accessListOf(scope, { id: resource.id, owner: resource.user_id, since: resource.created_at }, shares.map(presentGrant));
    },

    async share(scope, id, input) {
      const { resource, access, one } = await sharable(scope, id);
      refuseOneself(scope, input.userId);
      const row = await putShare(scope, { ...one, owner: resource.user_id, hold }, input, [relationOf[input.access]]);
      await recordAct(scope, shared, resource.id, { ...principalOf(row), access: input.access, ...access.byRole('share') });
      return presentGrant(row);
    },

    async revoke(scope, id, grant) {
      const { resource, access, one } = await sharable(scope, id);
      const row = await revokeShare(scope, one, grant);
      await recordAct(scope, unshared, resource.id, { ...principalOf(row), ...access.byRole('share') });
    },
  };
}
