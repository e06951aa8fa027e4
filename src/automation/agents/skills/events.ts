import { Type } from 'typebox';
import { defineEvent } from '../../../platform/journal/audit-actions.ts';

const scope = 'agents:read';
const target = 'agentSkill';
const data = Type.Object({
  name: Type.String(),
  version: Type.Integer({ description: 'The new version' }),
  findings: Type.Integer({ description: 'The number of scan findings to review' }),
});
const example = { name: 'lease-review', version: 1, findings: 0 };

export const skillInstalled = defineEvent({
  type: 'agent.skill.installed',
  target,
  scope,
  description: 'A skill was installed. A skill is an instruction for agents.',
  data,
  example,
});
export const skillUpdated = defineEvent({
  type: 'agent.skill.updated',
  target,
  scope,
  description: 'A skill has a new version: it was replaced, written or restored.',
  data: Type.Object({
    ...data.properties,
    change: Type.Enum(['replaced', 'written', 'restored']),
    restoredVersion: Type.Optional(Type.Integer({ description: 'The restored earlier version' })),
  }),
  example: { ...example, version: 2, change: 'written' },
});
export const skillDeleted = defineEvent({
  type: 'agent.skill.deleted',
  target,
  scope,
  description: 'A skill was deleted and removed from its agents.',
  data: Type.Object({ name: Type.String() }),
  example: { name: example.name },
});
