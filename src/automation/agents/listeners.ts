import { memberRemoved, memberRoleChanged, memberSuspended } from '#teams';
import { on } from '../../platform/journal/listeners.ts';
import { mayManageAgents } from './policy.ts';
import { endSignInsOf } from './servers/index.ts';

/** Ends sign-ins at MCP servers of members who leave, are suspended, or no longer manage agents. */
export const agentListeners = [
  on(memberRemoved, (scope, { targetId }) => endSignInsOf(scope, targetId)),
  on(memberSuspended, (scope, { targetId }) => endSignInsOf(scope, targetId)),
  on(memberRoleChanged, async (scope, { targetId, data }) => {
    if (!mayManageAgents(data.to)) await endSignInsOf(scope, targetId);
  }),
];
