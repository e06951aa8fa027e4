import { memberRemoved, memberSuspended } from '#teams';
import { type EventListener, on } from '../../platform/journal/listeners.ts';
import type { Scope } from '../../platform/scope.ts';
import { type Ended, tellEnded } from './ending.ts';
import * as queries from './queries.ts';

/** Nobody stands in for who is gone or suspended, nor do they for others. */
async function endAllOf(scope: Scope, user: string, reason: Ended): Promise<void> {
  for (const row of await scope.db.all(queries.dropDelegationsWith, { team: scope.team, user })) await tellEnded(scope, row, reason);
}

export const delegationListeners: readonly EventListener[] = [
  on(memberRemoved, (scope, { targetId }) => endAllOf(scope, targetId, 'removed')),
  on(memberSuspended, (scope, { targetId }) => endAllOf(scope, targetId, 'suspended')),
];
