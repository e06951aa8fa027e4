import { memberRemoved, memberRoleChanged, memberSuspended } from '#teams';
import { on } from '../platform/journal/listeners.ts';
import { mayManageAgents } from './policy.ts';
import { endSignInsOf } from './servers/index.ts';
import { dropSharesWith } from './share-queries.ts';

/** What somebody who leaves was given ends; so does what they have signed in with elsewhere, also where they may not manage agents any more. */
export const agentListeners = [
  on(memberRemoved, async (scope, { targetId: user }) => {
    scope.db.send(dropSharesWith, { team: scope.team, user });
    await endSignInsOf(scope, user);
  }),
  on(memberSuspended, (scope, { targetId }) => endSignInsOf(scope, targetId)),
  on(memberRoleChanged, async (scope, { targetId, data }) => {
    if (!mayManageAgents(data.to)) await endSignInsOf(scope, targetId);
  }),
];
