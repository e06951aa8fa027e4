/**
 * Schedules as they are written down, and when they are due: no statement, no clock of its own. A time at which something is due
 * belongs to its schedule alone; by how much a job comes later than that, so that not all begin at once, is its stagger.
 */
export { type DueNow, lateAfterMs, type Missed, whatIsDue } from './misfire.ts';
export { readSchedule, type ScheduleInput, scheduleMembers } from './read.ts';
export { schedule, type Schedule } from './schedule.ts';
export { dueAfter, nextTime, nextTimes, staggerOf, wakeOf } from './times.ts';
