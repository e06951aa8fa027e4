/** Busy times from external calendars: reads the calendar files that a team lists, within limits of time and size. */
export { busyDue, busyJob } from './jobs.ts';
export { busyPlace } from './place.ts';
export { busyBounds, type BusyReach } from './reader.ts';
export { isStale, readBusy, saveBusy } from './service.ts';
