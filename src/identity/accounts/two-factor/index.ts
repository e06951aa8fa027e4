/** The second factor by an authenticator app and backup codes: set up, used to sign in, turned off. */
export { twoFactorRoutes } from './routes.ts';
export { sealedFactors } from './sign-in.ts';
