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

/** Returns the certificate authority of seals and the seal certificate. Creates both if missing; `renewal` replaces the certificate. */
export function sealAuthority(config: Config, log: Logger, renewal?: 'renewed' | 'revoked'): Promise<{ authority: Buffer; seal: Buffer }> {
  const settings = sealSettings(config, config.BASE_URL);
  const ask = async (database: Database, masterKey: MasterKey) => {
    const before = await activeSeal(database, masterKey, settings);
    const seal = renewal === undefined ? before.certificate : await renewSeal(database, masterKey, settings, renewal);
    return { authority: before.authority, seal };
  };
  // An operator can distribute the authority before the first start of the service.
  return withDatabase(config, log, ask, { begins: renewal === undefined });
}

/** Rotates a signing key without starting the service. Running nodes are notified through the database. */
export function rotateSigningKey(
  config: Config,
  log: Logger,
  request: { purpose: Purpose; when: RotationTime },
): Promise<RequestedRotation> {
  return withDatabase(config, log, (database, masterKey) => rotateKey(database, masterKey, rotationSettings(config), request));
}
