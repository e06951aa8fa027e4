import { Type } from 'typebox';
import { defineEvent } from '../../../platform/journal/audit-actions.ts';

const scope = 'agents:read';
const target = 'agentSkill';
const data = Type.Object({
  name: Type.String(),
  version: Type.Integer({ description: 'The version that it has since' }),
  findings: Type.Integer({ description: 'How much the scan has found for a person to look at' }),
});
const example = { name: 'lease-review', version: 1, findings: 0 };

export const skillInstalled = defineEvent({
  type: 'agent.skill.installed',
  target,
  scope,
  description: 'A skill was installed: a text that tells agents how to do a kind of work.',
  data,
  example,
});
export const skillUpdated = defineEvent({
  type: 'agent.skill.updated',
  target,
  scope,
  description: 'A skill has another version: it was replaced or written, or an earlier one was restored.',
  data: Type.Object({
    ...data.properties,
    change: Type.Enum(['replaced', 'written', 'restored']),
    restoredVersion: Type.Optional(Type.Integer({ description: 'The earlier version that it is as again' })),
  }),
  example: { ...example, version: 2, change: 'written' },
});
export const skillDeleted = defineEvent({
  type: 'agent.skill.deleted',
  target,
  scope,
  description: 'A skill was deleted, and taken from the agents that had it.',
  data: Type.Object({ name: Type.String() }),
  example: { name: example.name },
});
