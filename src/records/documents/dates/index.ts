/** Key dates of documents: their term, the last day to give notice, and coming dates. */
export { announceDates } from './jobs.ts';
export { dateRoutes } from './routes.ts';
