import { hasEnd } from '#accounts';
import { memberRemoved, memberRoleChanged } from '#teams';
import type { Statement } from '../platform/database/statement.ts';
import { pipelined } from '../platform/database/pipelined.ts';
import type { AuditAction } from '../platform/journal/audit-actions.ts';
import { type EventListener, on } from '../platform/journal/listeners.ts';
import { record, recordAudit } from '../platform/journal/record.ts';
import { roleOnly } from '../platform/access-reason.ts';
import type { TObject } from 'typebox';
import { groupMemberRemoved, type handedOverMembers } from './events.ts';
import type { Scope } from '../platform/scope.ts';
import type { ResourceType } from './can.ts';
import { dropSeat } from './seat-queries.ts';
import { dropGrantsTo, dropGrantsToOwner, dropMemberships, endMemberships } from './queries.ts';

/** Ends the grants to a member who leaves the team, their group memberships, and the seat of an auditor. Grants that they made stay. */
export const accessListener = on(memberRemoved, async ({ db, team }, { targetId: user }) => {
  db.send(dropGrantsTo, { team, user });
  db.send(dropSeat, { team, user });
  db.send(dropMemberships, { team, user });
});

/**
 * Ends the group memberships of a member who becomes a guest. Other domains release the tasks that the member claimed
 * from the groups.
 */
export const roleListener = on(memberRoleChanged, async (scope, { targetId: userId, data: { to } }) => {
  if (!hasEnd(to)) return;
  const groups = await scope.db.all(endMemberships, { team: scope.team, user: userId });
  for (const { id, name } of groups.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    await record(scope, groupMemberRemoved, id, { name, userId });
});

/** Ends grants on resources to their new owner, who no longer needs them. */
export function grantsEndForOwner(scope: Scope, type: ResourceType, resources: readonly { id: string }[], owner: string): void {
  if (resources.length > 0) scope.db.send(dropGrantsToOwner, { team: scope.team, type, ids: resources.map(({ id }) => id), owner });
}

export type Transfer = {
  type: ResourceType;
  /** Makes the successor the owner of the resources. */
  handOver: Statement<{ team: string; from: string; to: string; at: Date }, { id: string }>;
  handedOver: AuditAction<TObject<typeof handedOverMembers>, never>;
};

/** Returns a listener that transfers the resources of a leaving member to the successor. */
export const transfersOwnership = ({ type, handOver, handedOver }: Transfer): EventListener =>
  on(memberRemoved, async (scope, { targetId: from, data: { successorId: to } }) => {
    const handed = await scope.db.all(handOver, { team: scope.team, from, to, at: scope.now });
    grantsEndForOwner(scope, type, handed, to);
    // Leaving needs no role. Removing another member does.
    const given = scope.actor.type === 'user' && scope.actor.id !== from ? roleOnly : {};
    await pipelined(
      handed.map(
        ({ id }) =>
          () =>
            recordAudit(scope, handedOver, id, { from, to, ...given }),
      ),
    );
  });
