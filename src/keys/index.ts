import { defineDomain } from '../platform/domain.ts';
import { keyTables } from './tables.ts';

/**
 * Signing keys: made on first start, encrypted at rest, rotated, published as one key set a purpose: access tokens, the
 * audit journal's checkpoints, deliveries of webhooks. None is taken for another.
 */
export const domain = defineDomain({ name: 'keys', uses: [], tables: keyTables, description: () => import('./description.ts') });

export { type AskedRotation, rotateKey, type RotationTime, tendKeys } from './jobs.ts';
export { followKeys, type KeyRing, openKeyRing, publicSigner } from './key-ring.ts';
export { sealedKeys } from './new-key.ts';
export { type AccessAlgorithm, type Purpose } from './rotation.ts';
export { keyRoutes } from './routes.ts';
export { tokenSigner } from './sign-token.ts';
