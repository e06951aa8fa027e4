/** The management of what was submitted: lists, single submissions, and their erasure. */
export { erase, type Erasing } from './erase.ts';
export { dropOldExports, exportJob } from './exports/index.ts';
export { submissionRoutes } from './routes.ts';
