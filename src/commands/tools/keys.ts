import type { Logger } from 'pino';
import {
  activeSeal,
  type RequestedRotation,
  type Purpose,
  renewSeal,
  rotateKey,
  rotationSettings,
  type RotationTime,
  sealSettings,
} from '#keys';
import type { Config } from '../../config.ts';
import { withDatabase } from '../../open-database.ts';
import type { MasterKey } from '../../platform/crypto/master-key.ts';
import type { Database } from '../../platform/database/database.ts';

/** The authority of the service's seals and the certificate that signs, made where there are none yet, or in place of the one of before. */
export function sealAuthority(config: Config, log: Logger, renewal?: 'renewed' | 'revoked'): Promise<{ authority: Buffer; seal: Buffer }> {
  const settings = sealSettings(config, config.BASE_URL);
  const ask = async (database: Database, masterKey: MasterKey) => {
    const before = await activeSeal(database, masterKey, settings);
    const seal = renewal === undefined ? before.certificate : await renewSeal(database, masterKey, settings, renewal);
    return { authority: before.authority, seal };
  };
  // Others may be given the authority before the service has ever run.
  return withDatabase(config, log, ask, { begins: renewal === undefined });
}

/** Rotates a signing key without starting the service: nodes that run on the same database hear of it. */
export function rotateSigningKey(
  config: Config,
  log: Logger,
  request: { purpose: Purpose; when: RotationTime },
): Promise<RequestedRotation> {
  return withDatabase(config, log, (database, masterKey) => rotateKey(database, masterKey, rotationSettings(config), request));
}
