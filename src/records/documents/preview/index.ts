/** The first page of a version as a picture. */
export { previewJob } from './jobs.ts';
export { findPreview } from './queries.ts';
export { previewRoutes } from './routes.ts';
export { openPreview } from './service.ts';
