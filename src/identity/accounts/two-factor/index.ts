/** The second factor by an authenticator app and backup codes: setup, sign-in and removal. */
export { twoFactorRoutes } from './routes.ts';
export { sealedFactors } from './sign-in.ts';
