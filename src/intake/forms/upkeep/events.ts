import { discardedMembers } from '../../../platform/jobs/due-jobs.ts';
import { defineAuditAction } from '../../../platform/journal/audit-actions.ts';

/** The erasure of expired answers failed repeatedly and was discarded. */
export const retentionFailed = defineAuditAction('submission.retention_failed', 'submission', discardedMembers);
