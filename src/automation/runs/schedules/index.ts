/**
 * Schedules and their due times, without database and clock. A due time depends only on the schedule. The stagger of a job delays its start, so that
 * jobs do not start all at once.
 */
export { type DueNow, lateAfterMs, type Missed, dueRunOf } from './misfire.ts';
export { readSchedule, type ScheduleInput, scheduleMembers } from './read.ts';
export { schedule, type Schedule } from './schedule.ts';
export { dueAfter, nextTime, nextTimes, staggerOf, wakeOf } from './times.ts';
