/** Busy times from outside: addresses of calendar files that a team names, read now and then, each within bounds. */
export { busyDue, busyJob } from './jobs.ts';
export { busyPlace } from './place.ts';
export { busyBounds, type BusyReach } from './reader.ts';
export { isStale, readBusy, saveBusy } from './service.ts';
