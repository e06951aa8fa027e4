import { Type } from 'typebox';
import { discardedMembers } from '../../platform/jobs/due-jobs.ts';
import { defineAuditAction } from '../../platform/journal/audit-actions.ts';

export const workingTimeChanged = defineAuditAction('team.working_time_changed', 'team', { members: Type.Array(Type.String()) });
/** The calculation of future holidays failed ten times and is not retried. */
export const workingTimeFailed = defineAuditAction('team.working_time_failed', 'team', discardedMembers);
