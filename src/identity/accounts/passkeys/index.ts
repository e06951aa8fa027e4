/** Passkeys (WebAuthn): registration, sign-in and reauthentication. */
export { passkeyRoutes } from './routes.ts';
