/** Comments on documents. */
export { commentRoutes } from './routes.ts';
