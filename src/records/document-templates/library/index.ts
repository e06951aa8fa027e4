/** The templates that come along. */
export { libraryRoutes } from './routes.ts';
