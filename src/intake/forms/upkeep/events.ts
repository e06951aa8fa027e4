import { setAsideMembers } from '../../../platform/jobs/due-jobs.ts';
import { defineAct } from '../../../platform/journal/audit-actions.ts';

/** Answers whose time is over could not be erased, again and again. */
export const retentionFailed = defineAct('submission.retention_failed', 'submission', setAsideMembers);
