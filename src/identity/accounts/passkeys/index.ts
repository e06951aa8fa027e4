/** Passkeys: registered, and proven to sign in or to show again who one is (WebAuthn). */
export { passkeyRoutes } from './routes.ts';
