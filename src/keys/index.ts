/**
 * Signing keys: made on first start, encrypted at rest, published as one key set a purpose: access tokens, the audit
 * journal's checkpoints, deliveries of webhooks. None is taken for another.
 */
export { type AccessAlgorithm, type KeyRing, openKeyRing, publicSigner } from './key-ring.ts';
export { keyRoutes } from './routes.ts';
