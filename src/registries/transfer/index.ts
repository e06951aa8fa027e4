/** Records as files: CSV that comes in, CSV and JSON that go out. */
export { cellOf } from './cells.ts';
export { csvOf } from './export.ts';
export { importJob } from './jobs.ts';
export { transferRoutes } from './routes.ts';
export { dropOldImports } from './jobs.ts';
