/** Sharing: who else may edit an interface, or read what was submitted, and what becomes of that when somebody leaves. */
export { sharingRoutes } from './routes.ts';
