import { memberRemoved, memberRoleChanged, memberSuspended } from '#teams';
import { type EventListener, on } from '../../../platform/journal/listeners.ts';
import { isTeamManager, type Scope } from '../../../platform/scope.ts';
import { type Ended, notifyDelegationEnded } from './ending.ts';
import * as queries from './queries.ts';

/** Ends the delegations from and to a member who left or is suspended. */
async function endAllOf(scope: Scope, user: string, reason: Ended): Promise<void> {
  for (const row of await scope.db.all(queries.dropDelegationsWith, { team: scope.team, user }))
    await notifyDelegationEnded(scope, row, reason);
}

/**
 * Ends the delegations that `user` set for other members, after `user` left, was suspended or lost the administrator role. Otherwise `user` could
 * still receive the approvals of absent members, or direct them to a third person.
 */
async function endAllBy(scope: Scope, user: string): Promise<void> {
  for (const row of await scope.db.all(queries.dropDelegationsBy, { team: scope.team, user }))
    await notifyDelegationEnded(scope, row, 'right_lost');
}

export const delegationListeners: readonly EventListener[] = [
  on(memberRemoved, async (scope, { targetId }) => {
    await endAllOf(scope, targetId, 'removed');
    await endAllBy(scope, targetId);
  }),
  on(memberSuspended, async (scope, { targetId }) => {
    await endAllOf(scope, targetId, 'suspended');
    await endAllBy(scope, targetId);
  }),
  on(memberRoleChanged, async (scope, { targetId, data }) => {
    if (!isTeamManager({ type: 'user', id: targetId, role: data.to })) await endAllBy(scope, targetId);
  }),
];
