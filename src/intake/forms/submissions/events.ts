import { Type } from 'typebox';
import { defineAuditAction, defineEvent } from '../../../platform/journal/audit-actions.ts';

const via = Type.Optional(Type.String());

/** The event for an erasure by request, after the retention period, or with the form. */
export const submissionErased = defineEvent({
  type: 'submission.erased',
  target: 'submission',
  scope: 'interfaces:read',
  description: 'The answers of a submission were erased, with its files and the results made from them. Erase your copies too.',
  data: Type.Object({ interfaceId: Type.String(), reason: Type.String({ description: 'request, retention or deletion' }), via }),
  example: { interfaceId: '01999999-0000-7000-8000-000000000000', reason: 'request' },
});

/** A member requested a file with submissions. */
export const submissionsExported = defineAuditAction('interface.submissions_exported', 'interface', {
  exportId: Type.String(),
  format: Type.String({ description: 'csv or json' }),
  via,
});

/** A member read submissions with access only by role. Recorded at most once an hour. */
export const submissionsRead = defineAuditAction('interface.submissions_read', 'interface', { via });

/** A member retried failed effects of a submission. */
export const submissionRetried = defineAuditAction('submission.retried', 'submission', {
  interfaceId: Type.String(),
  kinds: Type.Array(Type.String()),
  via,
});
