import { unsharedMembers } from '#access';
import { Type } from 'typebox';
import { defineAuditAction, defineEvent } from '../../platform/journal/audit-actions.ts';

const scope = 'agents:read';
const target = 'agent';
const data = Type.Object({ name: Type.String() });
const example = { name: 'Contract reviewer' };

export const agentCreated = defineEvent({ type: 'agent.created', target, scope, description: 'An agent was made.', data, example });
export const agentUpdated = defineEvent({
  type: 'agent.updated',
  target,
  scope,
  description: 'What an agent is set to changed.',
  data: Type.Object({
    name: Type.String(),
    members: Type.Array(Type.String(), { description: 'The members that changed' }),
    version: Type.Integer({ description: 'The version that it has since' }),
    restoredVersion: Type.Optional(Type.Integer({ description: 'The earlier version that it is as again' })),
  }),
  example: { ...example, members: ['scopes'], version: 2 },
});
export const agentDeleted = defineEvent({ type: 'agent.deleted', target, scope, description: 'An agent was deleted.', data, example });

const why = Type.Object({ reason: Type.String() });
export const agentStopped = defineEvent({
  type: 'agent.stopped',
  target,
  scope,
  description: 'An agent was stopped: nothing of it runs until it is started.',
  data: why,
  example: { reason: 'It asks the wrong people' },
});
export const agentStarted = defineEvent({
  type: 'agent.started',
  target,
  scope,
  description: 'An agent that was stopped may run again.',
  data: Type.Object({}),
  example: {},
});
export const agentsStopped = defineEvent({
  type: 'agents.stopped',
  target: 'team',
  scope,
  description: 'All agents of the team were stopped: nothing of them runs until they are started.',
  data: why,
  example: { reason: 'We look at what they did last night' },
});
export const agentsStarted = defineEvent({
  type: 'agents.started',
  target: 'team',
  scope,
  description: 'The agents of the team may run again, save those that are stopped by themselves.',
  data: Type.Object({}),
  example: {},
});

const { via: _, ...ofShare } = unsharedMembers;
export const agentShared = defineAuditAction('agent.shared', 'agent', ofShare);
export const agentUnshared = defineAuditAction('agent.unshared', 'agent', ofShare);

const ofFile = { name: Type.String(), version: Type.Integer({ description: 'The version that it has since' }) };
export const fileWritten = defineAuditAction('agent.file_written', 'agent', { ...ofFile, size: Type.Integer() });
export const fileRestored = defineAuditAction('agent.file_restored', 'agent', { ...ofFile, restoredVersion: Type.Integer() });
export const fileDeleted = defineAuditAction('agent.file_deleted', 'agent', { name: Type.String() });

export const presetApplied = defineAuditAction('agent.preset_applied', 'agent', {
  presetId: Type.String(),
  kept: Type.Array(Type.String(), { description: 'What a person had changed, and was left' }),
});
