import type { Logger } from 'pino';
import {
  activeSeal,
  type AskedRotation,
  type Purpose,
  renewSeal,
  rotateKey,
  rotationSettings,
  type RotationTime,
  sealSettings,
} from '#keys';
import type { Config } from '../config.ts';
import { withDatabase } from '../open-database.ts';

/** The authority of the service's seals and the certificate that signs, made where there are none yet, or in place of the one of before. */
export function sealAuthority(config: Config, log: Logger, renewal?: 'renewed' | 'revoked'): Promise<{ authority: Buffer; seal: Buffer }> {
  const settings = sealSettings(config, config.BASE_URL);
  return withDatabase(config, log, async (database, masterKey) => {
    const before = await activeSeal(database, masterKey, settings);
    const seal = renewal === undefined ? before.certificate : await renewSeal(database, masterKey, settings, renewal);
    return { authority: before.authority, seal };
  });
}

/** Rotates a signing key without starting the service: nodes that run on the same database hear of it. */
export function rotateSigningKey(config: Config, log: Logger, request: { purpose: Purpose; when: RotationTime }): Promise<AskedRotation> {
  return withDatabase(config, log, (database, masterKey) => rotateKey(database, masterKey, rotationSettings(config), request));
}
