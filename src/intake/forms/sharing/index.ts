/** Sharing of interfaces: the right to edit them or to read their submissions. */
export { sharingRoutes } from './routes.ts';
