/** The password policy, and changing and resetting passwords. */
export { passwordError } from './passwords.ts';
export { passwordRoutes } from './routes.ts';
