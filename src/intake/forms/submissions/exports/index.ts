/** Exports of submissions as files that a job writes. */
export { dropOldExports, exportJob } from './jobs.ts';
export { exportRoutes } from './routes.ts';
export { endExports } from './service.ts';
