import { Type } from 'typebox';
import { defineAuditAction, defineEvent } from '../../../platform/journal/audit-actions.ts';

const scope = 'interfaces:read';
const interfaceId = Type.String();
const version = Type.Integer({ description: 'The submitted version of the form' });
const channel = Type.String({ description: 'public or api' });
const fields = Type.Array(Type.String(), { description: 'The ids of the answered fields, without the answers' });
const example = { interfaceId: '01999999-0000-7000-8000-000000000000', version: 2, channel: 'public', fields: ['name', 'email'] };

export const submissionReceived = defineEvent({
  type: 'submission.received',
  target: 'submission',
  scope,
  description: 'A form was submitted.',
  data: Type.Object({
    interfaceId,
    version,
    channel,
    fields,
    taskId: Type.Optional(Type.String({ description: 'The workflow task that it completed' })),
  }),
  example,
});
export const submissionFailed = defineEvent({
  type: 'submission.failed',
  target: 'submission',
  scope,
  description: 'An effect of a submission failed: its document, record or workflow. You can retry it.',
  data: Type.Object({ interfaceId, kind: Type.String(), code: Type.String({ description: 'The problem code of the failure' }) }),
  example: { interfaceId: example.interfaceId, kind: 'workflow', code: 'template_not_found' },
});

/** A submission waits until its sender opens a mailed link. */
export const submissionUnconfirmed = defineAuditAction('submission.held', 'submission', { interfaceId, version });

/** The honeypot field caught a submission. */
export const submissionCaught = defineAuditAction('submission.caught', 'submission', { interfaceId, version });
