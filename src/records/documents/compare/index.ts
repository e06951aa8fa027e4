/** What differs between the texts of two versions. */
export { compareRoutes } from './routes.ts';
