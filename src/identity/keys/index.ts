import { defineDomain } from '../../platform/domain.ts';
import { keySettings, rotationSettings, sealSettings } from './config.ts';
import { maintainKeys } from './jobs.ts';
import { followKeys, openKeyRing } from './key-ring.ts';
import { sealedKeys } from './new-key.ts';
import { keyRoutes } from './routes.ts';
import { sealedSealKeys, sealRoutes } from './seal/index.ts';
import { keyTables } from './tables.ts';

/**
 * Signing keys: created at the first start, encrypted at rest, rotated, and published in one key set for each purpose. The purposes
 * are access tokens, checkpoints of the audit journal, webhook deliveries and signature evidence. A key is valid for one purpose only.
 */
export const domain = defineDomain({
  name: 'keys',
  settings: keySettings,
  tables: keyTables,
  description: () => import('./description.ts'),
  sealed: [sealedKeys, ...sealedSealKeys],
  async open({ config: platform, database, masterKey, listener, log }, _uses, config) {
    const settings = rotationSettings(config);
    const ring = await openKeyRing(database, masterKey, settings);
    const stopFollowing = await followKeys(ring, listener, log);
    return {
      exports: { ...ring, seals: sealSettings(config, platform.BASE_URL) },
      routes: (app) => {
        keyRoutes(app, ring);
        sealRoutes(app, database);
      },
      periodic: [{ name: 'key-rotation', cron: '* * * * *', run: () => maintainKeys(database, masterKey, settings) }],
      close: async () => stopFollowing(),
    };
  },
});

export { rotationSettings, sealSettings } from './config.ts';
export { type RequestedRotation, rotateKey, type RotationTime } from './jobs.ts';
export { type KeyRing, openKeyRing, publicSigner } from './key-ring.ts';
export { type AccessAlgorithm, type Purpose, samlKeySeconds } from './rotation.ts';
export { activeSeal, pemOf, publishedSeals, renewSeal, type SealSettings } from './seal/index.ts';
export { tokenSigner } from './sign-token.ts';
