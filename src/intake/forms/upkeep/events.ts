import { discardedMembers } from '../../../platform/jobs/due-jobs.ts';
import { defineAuditAction } from '../../../platform/journal/audit-actions.ts';

/** Answers whose time is over could not be erased, again and again. */
export const retentionFailed = defineAuditAction('submission.retention_failed', 'submission', discardedMembers);
