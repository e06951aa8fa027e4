/** Images of the first page of a version. */
export { previewJob } from './jobs.ts';
export { findPreview } from './queries.ts';
export { previewRoutes } from './routes.ts';
export { openPreview } from './service.ts';
