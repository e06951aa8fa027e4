/** Key dates of documents: when they hold, by when notice of their end is to be given, and what comes near. */
export { announceDates } from './jobs.ts';
export { dateRoutes } from './routes.ts';
