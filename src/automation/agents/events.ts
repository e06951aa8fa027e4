import { unsharedMembers } from '#access';
import { Type } from 'typebox';
import { defineAuditAction, defineEvent } from '../../platform/journal/audit-actions.ts';

const scope = 'agents:read';
const target = 'agent';
const data = Type.Object({ name: Type.String() });
const example = { name: 'Contract reviewer' };

export const agentCreated = defineEvent({ type: 'agent.created', target, scope, description: 'An agent was created.', data, example });
export const agentUpdated = defineEvent({
  type: 'agent.updated',
  target,
  scope,
  description: 'The settings of an agent changed.',
  data: Type.Object({
    name: Type.String(),
    members: Type.Array(Type.String(), { description: 'The members that changed' }),
    version: Type.Integer({ description: 'The new version' }),
    restoredVersion: Type.Optional(Type.Integer({ description: 'The restored earlier version' })),
  }),
  example: { ...example, members: ['scopes'], version: 2 },
});
export const agentDeleted = defineEvent({ type: 'agent.deleted', target, scope, description: 'An agent was deleted.', data, example });

const why = Type.Object({ reason: Type.String() });
export const agentStopped = defineEvent({
  type: 'agent.stopped',
  target,
  scope,
  description: 'An agent was stopped. It cannot run until it is started.',
  data: why,
  example: { reason: 'It asks the wrong people' },
});
export const agentStarted = defineEvent({
  type: 'agent.started',
  target,
  scope,
  description: 'A stopped agent was started.',
  data: Type.Object({}),
  example: {},
});
export const agentsStopped = defineEvent({
  type: 'agents.stopped',
  target: 'team',
  scope,
  description: 'All agents of the team were stopped. They cannot run until they are started.',
  data: why,
  example: { reason: 'We are reviewing its actions of last night' },
});
export const agentsStarted = defineEvent({
  type: 'agents.started',
  target: 'team',
  scope,
  description: 'The agents of the team were started. Agents that were stopped individually stay stopped.',
  data: Type.Object({}),
  example: {},
});

const { via: _, ...ofShare } = unsharedMembers;
export const agentShared = defineAuditAction('agent.shared', 'agent', ofShare);
export const agentUnshared = defineAuditAction('agent.unshared', 'agent', ofShare);

export const callerAllowed = defineAuditAction('agent.caller_allowed', 'agent', { clientId: Type.String() });
export const callerEnded = defineAuditAction('agent.caller_ended', 'agent', { clientId: Type.String(), onBehalfOf: Type.String() });

const ofFile = { name: Type.String(), version: Type.Integer({ description: 'The new version' }) };
export const fileWritten = defineAuditAction('agent.file_written', 'agent', { ...ofFile, size: Type.Integer() });
export const fileRestored = defineAuditAction('agent.file_restored', 'agent', { ...ofFile, restoredVersion: Type.Integer() });
export const fileDeleted = defineAuditAction('agent.file_deleted', 'agent', { name: Type.String() });

export const presetApplied = defineAuditAction('agent.preset_applied', 'agent', {
  presetId: Type.String(),
  kept: Type.Array(Type.String(), { description: 'The kept changes of users' }),
});
