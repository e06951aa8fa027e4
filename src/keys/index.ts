/**
 * Signing keys: made on first start, encrypted at rest, rotated, published as two key sets. One purpose signs access
 * tokens, the other the audit journal's checkpoints; neither is taken for the other.
 */
export { type AskedRotation, rotateKey, type RotationTime, tendKeys } from './jobs.ts';
export { followKeys, type KeyRing, openKeyRing } from './key-ring.ts';
export { type AccessAlgorithm, longestTokenSeconds, type Purpose } from './rotation.ts';
export { keyRoutes } from './routes.ts';
