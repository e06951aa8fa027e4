/**
 * Signing keys: made on first start, encrypted at rest, published as two key sets. One purpose signs access tokens, the
 * other the audit journal's checkpoints; neither is taken for the other.
 */
export { type AccessAlgorithm, type KeyRing, openKeyRing } from './key-ring.ts';
export { keyRoutes } from './routes.ts';
