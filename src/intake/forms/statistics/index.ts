/** Submission counts of a form. */
export { statisticsRoutes } from './routes.ts';
