/** Differences between the texts of two versions. */
export { compareRoutes } from './routes.ts';
