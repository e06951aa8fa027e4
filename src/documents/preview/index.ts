/** The first page of a version as a picture. */
export { previewJob } from './jobs.ts';
export { previewRoutes } from './routes.ts';
