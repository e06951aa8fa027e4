import { sign } from 'node:crypto';
import { activeSeal, type SealSettings } from '#keys';
import type { Platform } from '../platform/domain.ts';
import { openSealing, type Sealing, type SealSigner } from './sealing/index.ts';

/** What makes the files that signers are shown, and seals them with the key of the service's own authority. */
export function openEngine(
  { database, masterKey, typesetter }: Pick<Platform, 'database' | 'masterKey' | 'typesetter'>,
  seals: SealSettings,
): Sealing {
  const signer = async (): Promise<SealSigner> => {
    const { certificate, authority, key } = await activeSeal(database, masterKey, seals);
    return {
      certificate,
      chain: [authority],
      algorithm: 'ecdsa',
      digest: 'sha256',
      sign: async (bytes) => sign('sha256', bytes, key),
    };
  };
  return openSealing({ typesetter, signer, sealedBy: seals.name });
}
