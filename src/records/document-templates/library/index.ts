/** The templates that Chancery includes. */
export { libraryRoutes } from './routes.ts';
