import type { Logger } from 'pino';
import { type AskedRotation, type Purpose, rotateKey, rotationSettings, type RotationTime } from '#keys';
import type { Config } from '../config.ts';
import { withDatabase } from '../open-database.ts';

/** Rotates a signing key without starting the service: nodes that run on the same database hear of it. */
export function rotateSigningKey(config: Config, log: Logger, request: { purpose: Purpose; when: RotationTime }): Promise<AskedRotation> {
  return withDatabase(config, log, (database, masterKey) => rotateKey(database, masterKey, rotationSettings(config), request));
}
