import { Type } from 'typebox';
import { changes } from '../../../platform/journal/changes.ts';
import { defineEvent } from '../../../platform/journal/audit-actions.ts';

const about = { target: 'approval_policy', scope: 'team:read' } as const;
const state = {
  version: Type.Integer(),
  sha256: Type.String({ description: 'SHA-256 of the rules' }),
  exclude: Type.Array(Type.String(), { description: 'The excluded roles in the decision; none for an empty list' }),
};
const example = {
  version: 2,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  exclude: ['creator', 'uploader', 'submitter'],
};

export const policyCreated = defineEvent({
  type: 'approval_policy.created',
  ...about,
  description: 'An approval policy was created.',
  data: Type.Object(state),
  example: { ...example, version: 1 },
});
export const policyUpdated = defineEvent({
  type: 'approval_policy.updated',
  ...about,
  description: 'The rules of an approval policy changed. Open rounds keep their rules.',
  data: Type.Object({ ...state, changes }),
  example: { ...example, changes: { onRejection: { from: 'first', to: 'quorum' } } },
});
export const policyDeleted = defineEvent({
  type: 'approval_policy.deleted',
  ...about,
  description: 'An approval policy was deleted.',
  data: Type.Object(state),
  example,
});
