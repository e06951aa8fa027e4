import type { TObject } from 'typebox';
import type { Statement } from '../platform/database/statement.ts';
import type { AuditAction } from '../platform/journal/audit-actions.ts';
import { recordAudit } from '../platform/journal/record.ts';
import { problems } from '../platform/problems.ts';
import type { EventListener, ReadScope, Scope } from '../platform/scope.ts';
import type { ResourceType, TypeWith } from './can.ts';
import type { sharedMembers, unsharedMembers } from './events.ts';
import { type Transfer, transfersOwnership } from './listeners.ts';
import type { ResourceAccess } from './resource-access.ts';
import type { AccessList, Grant, ShareBody } from './schemas.ts';
import { accessListOf, presentGrant, principalOf, putShare, refuseOneself, revokeShare, sharesOf } from './shares.ts';

/** The resource types that can be shared for reading or writing. */
type SharedType = TypeWith<'edit' | 'manage' | 'share'>;

type SharedResource<Type extends SharedType> = { id: string; owner: string; since: string; access: ResourceAccess<Type> };

/** A resource type that can be shared for reading or writing. If its owner leaves, the successor becomes the owner. */
type Declaration<Type extends SharedType> = {
  type: Type;
  /** The type that its grants have, if another: a matter shares its root folder. */
  grantsOf?: ResourceType;
  /** The noun in messages. */
  noun: string;
  queries: { hold: Statement<{ team: string; id: string }, { id: string }> };
  /** Returns a resource that the actor can view. Throws 404. */
  find: (scope: ReadScope | Scope, id: string) => Promise<SharedResource<Type>>;
  acts: { shared: AuditAction<TObject<typeof sharedMembers>, never>; unshared: AuditAction<TObject<typeof unsharedMembers>, never> };
};
/** How the resources of a leaving member go to the successor. A matter goes with its root folder. */
type Handing = { queries: Pick<Transfer, 'handOver'>; acts: Pick<Transfer, 'handedOver'> };

export type Sharing = {
  noun: string;
  /** Lists the people with access, the reason and the start time, and the privileged access by role. Throws 403, 404. */
  list(scope: ReadScope, id: string): Promise<AccessList>;
  /** Shares with a member, a group or the whole team. Throws 400, 403, 404 `member_not_found`, `group_not_found`, 409 `self_share_not_allowed`. */
  share(scope: Scope, id: string, input: ShareBody): Promise<Grant>;
  /** Revokes a share. Throws 403, 404. */
  revoke(scope: Scope, id: string, grant: string): Promise<void>;
};

const relationOf = { read: 'viewer', write: 'editor', bind: 'binder' } as const;

/** Returns the sharing of a resource type, with a listener that transfers the resources of a leaving member. */
export function openSharing<Type extends SharedType>(declared: Declaration<Type> & Handing): Sharing & { listener: EventListener } {
  const { type, queries, acts } = declared;
  return { ...sharingOf(declared), listener: transfersOwnership({ type, handOver: queries.handOver, handedOver: acts.handedOver }) };
}

export function sharingOf<Type extends SharedType>({ type: declared, grantsOf, noun, queries, find, acts }: Declaration<Type>): Sharing {
  const type: ResourceType = grantsOf ?? declared;
  const sharable = async (scope: Scope, id: string) => {
    const found = await find(scope, id);
    if (!found.access.can('share'))
      throw problems.forbidden(`Only the owner of a ${noun} and administrators can share it. API clients cannot.`);
    return { ...found, role: found.access.byRole('share') };
  };
  return {
    noun,
    async list(scope, id) {
      const { access, ...resource } = await find(scope, id);
      if (!access.can('manage')) throw problems.forbidden(`Only the owner of a ${noun} and administrators see who has access to it.`);
      return accessListOf(scope, resource, (await sharesOf(scope, type, resource.id)).map(presentGrant));
    },

    async share(scope, id, input) {
      const { role, ...resource } = await sharable(scope, id);
      refuseOneself(scope, input.userId);
      requireClientToBind(input);
      const row = await putShare(scope, { ...resource, type, noun, hold: queries.hold }, input, [relationOf[input.access]]);
      await recordAudit(scope, acts.shared, resource.id, { ...principalOf(row), access: input.access, ...role });
      return presentGrant(row);
    },

    async revoke(scope, id, grant) {
      const { role, ...resource } = await sharable(scope, id);
      const row = await revokeShare(scope, { type, noun, id: resource.id }, grant);
      await recordAudit(scope, acts.unshared, resource.id, { ...principalOf(row), ...role });
    },
  };
}

/** Rejects `bind` for other principals than API clients, and other access for API clients. Throws 400. */
function requireClientToBind({ clientId, access }: ShareBody): void {
  if ((clientId !== undefined) === (access === 'bind')) return;
  throw problems.validation_failed('`access: bind` is only for API clients (`clientId`). Their scopes give them all other access.', {
    errors: [
      { name: 'access', pointer: '/access', reason: 'must be `bind` with `clientId`, and cannot be `bind` without it', rule: 'enum' },
    ],
  });
}
