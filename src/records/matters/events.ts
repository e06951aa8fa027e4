import { sharedMembers, unsharedMembers } from '#access';
import { Type } from 'typebox';
import { defineAuditAction, defineEvent } from '../../platform/journal/audit-actions.ts';
import { changes } from '../../platform/journal/changes.ts';
import { discardedMembers } from '../../platform/jobs/due-jobs.ts';
import { roleVia } from '../../platform/schema-parts.ts';

const named = Type.Object({ number: Type.String(), name: Type.String(), clientId: Type.Optional(Type.String()), via: roleVia });
const target = { target: 'matter', scope: 'matters:read', texts: ['name'] } as const;
const example = { number: '2026-0001', name: 'Acme Robotics ./. Contoso' };

export const matterCreated = defineEvent({
  type: 'matter.created',
  ...target,
  description: 'A matter was created.',
  data: named,
  example,
});
export const matterUpdated = defineEvent({
  type: 'matter.updated',
  ...target,
  description: 'The name, number, client, responsible person, status, dates or fields of a matter changed, or it was reopened.',
  data: Type.Object({ ...named.properties, changes: Type.Optional(changes) }),
  example,
});
export const matterClosed = defineEvent({
  type: 'matter.closed',
  ...target,
  description: 'A matter was closed. Its content is read-only.',
  data: Type.Object({
    ...named.properties,
    retainUntil: Type.Optional(Type.String()),
    ended: Type.Optional(Type.Integer({ description: 'The number of workflows, tasks and signature requests that closing it ended' })),
    reason: Type.Optional(Type.String()),
  }),
  texts: ['name', 'reason'],
  example: { ...example, retainUntil: '2036-12-31' },
});
export const deadlineDue = defineEvent({
  type: 'matter.deadline_due',
  ...target,
  texts: ['title'],
  description: 'A deadline of a matter approaches, and a task was created for it.',
  data: Type.Object({ deadlineId: Type.String(), title: Type.String(), dueDate: Type.String(), taskId: Type.String() }),
  example: {
    deadlineId: '019d2f4e-6a00-7c2b-9a54-0000000000c3',
    title: 'Statement of defence',
    dueDate: '2026-12-15T22:59:59.999Z',
    taskId: '019d2f4e-6a00-7c2b-9a54-000000000071',
  },
});

export const matterDeleted = defineAuditAction('matter.deleted', 'matter', named.properties, ['name']);
export const matterShared = defineAuditAction('matter.shared', 'matter', sharedMembers);
export const matterUnshared = defineAuditAction('matter.unshared', 'matter', unsharedMembers);
const content = { items: Type.Array(Type.Object({ type: Type.String(), id: Type.String() })), via: roleVia };
export const contentAdded = defineAuditAction('matter.content_added', 'matter', content);
export const contentRemoved = defineAuditAction('matter.content_removed', 'matter', content);
const deadline = { deadlineId: Type.String(), title: Type.String(), via: roleVia };
export const deadlineCreated = defineAuditAction('matter.deadline_created', 'matter', deadline, ['title']);
export const deadlineUpdated = defineAuditAction('matter.deadline_updated', 'matter', deadline, ['title']);
export const deadlineDeleted = defineAuditAction('matter.deadline_deleted', 'matter', deadline, ['title']);
export const deadlineFailed = defineAuditAction('matter.deadline_failed', 'matter', discardedMembers);
export const clientCreated = defineAuditAction('matter_client.created', 'matterClient', { name: Type.String() });
export const clientUpdated = defineAuditAction('matter_client.updated', 'matterClient', { name: Type.String() });
