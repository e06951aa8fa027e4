/** What a password must be, and how one is changed or set anew by a link. */
export { passwordError } from './passwords.ts';
export { passwordRoutes } from './routes.ts';
