import { Type } from 'typebox';
import { setAsideMembers } from '../../platform/jobs/due-jobs.ts';
import { defineAct } from '../../platform/journal/audit-actions.ts';

export const workingTimeChanged = defineAct('team.working_time_changed', 'team', { members: Type.Array(Type.String()) });
/** The holidays of the years to come could not be worked out. */
export const workingTimeFailed = defineAct('team.working_time_failed', 'team', setAsideMembers);
