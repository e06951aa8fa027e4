/** Submission counts of an interface. */
export { statisticsRoutes } from './routes.ts';
