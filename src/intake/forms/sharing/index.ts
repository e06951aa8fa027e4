/** Sharing of forms: the right to edit them or to read their submissions. */
export { sharingRoutes } from './routes.ts';
