import { Type } from 'typebox';
import { defineAuditAction, defineEvent } from '../../../platform/journal/audit-actions.ts';

const scope = 'interfaces:read';
const interfaceId = Type.String();
const version = Type.Integer({ description: 'The version of the form that was answered' });
const channel = Type.String({ description: 'public or api' });
const fields = Type.Array(Type.String(), { description: 'The fields that were answered, by their ids; never what was answered' });
const example = { interfaceId: '01999999-0000-7000-8000-000000000000', version: 2, channel: 'public', fields: ['name', 'email'] };

export const submissionReceived = defineEvent({
  type: 'submission.received',
  target: 'submission',
  scope,
  description: 'Somebody has answered a form.',
  data: Type.Object({
    interfaceId,
    version,
    channel,
    fields,
    taskId: Type.Optional(Type.String({ description: 'The task of a workflow that it has done' })),
  }),
  example,
});
export const submissionFailed = defineEvent({
  type: 'submission.failed',
  target: 'submission',
  scope,
  description: 'Something that was to follow from a submission was refused: its document, record or workflow. It can be tried again.',
  data: Type.Object({ interfaceId, kind: Type.String(), code: Type.String({ description: 'The problem that it was refused with' }) }),
  example: { interfaceId: example.interfaceId, kind: 'workflow', code: 'template_not_found' },
});

/** It waits until whoever sent it follows a mailed link. */
export const submissionUnconfirmed = defineAuditAction('submission.held', 'submission', { interfaceId, version });

/** The honeypot has caught it. */
export const submissionCaught = defineAuditAction('submission.caught', 'submission', { interfaceId, version });
