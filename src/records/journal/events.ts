import { Type } from 'typebox';
import { defineAuditAction, defineEvent } from '../../platform/journal/audit-actions.ts';
import { entry } from './schemas.ts';

const example = {
  id: '0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a',
  type: 'folder.created',
  actor: { type: 'user', id: '0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e10' },
  teamId: '0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
  target: { type: 'folder', id: '0192f3c1-a8b9-7c3d-8e4f-5a6b7c8d9e0f' },
  at: '2026-11-21T09:30:00.000Z',
  ip: '192.0.2.1',
  requestId: '0192f3c1-a8b9-7c3d-8e4f-000000000001',
  data: { name: 'Contracts' },
  number: 17,
  index: 4711,
  leafHash: 'n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=',
};

/** Sent when the entry becomes a leaf of the tree. The identifier of the event is derived from that of the entry. */
export const entryRecorded = defineEvent({
  type: 'audit.entry.recorded',
  target: 'entry',
  scope: 'audit:read',
  requiresExplicitSubscription: true,
  description:
    'An entry of the audit journal became a leaf of the tree. `number` counts the team’s entries without a gap. Chancery sends it only to endpoints that name this type or `audit.*`.',
  data: Type.Object(
    {
      ...entry.properties,
      number: Type.Integer({ minimum: 1, description: 'The number of the entry in its team' }),
      index: Type.Integer({ minimum: 0, description: 'The index of the leaf in the tree' }),
      leafHash: Type.String({ description: 'SHA-256, base64' }),
    },
    { additionalProperties: false },
  ),
  example,
});

export const journalExported = defineAuditAction('audit.exported', undefined, { after: Type.Integer() });
