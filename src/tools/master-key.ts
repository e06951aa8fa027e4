import type { Logger } from 'pino';
import { sealedFactors } from '#accounts';
import { sealedKeys } from '#keys';
import { sealedConnections } from '#sso';
import { sealedStaffFactors } from '#staff';
import { sealedEndpointSecrets } from '#webhooks';
import type { Config } from '../config.ts';
import { withDatabase } from '../opening.ts';
import { keptKeys } from '../platform/database/facts.ts';
import { type Progress, sealAnew, type SealedColumn } from '../platform/database/reseal.ts';
import { sealedAnswers } from '../platform/http/idempotency.ts';

/** Every column that holds what is sealed under the master key. A test walks the database for others. */
export const sealedColumns: readonly SealedColumn[] = [
  keptKeys,
  sealedKeys,
  sealedConnections,
  ...sealedEndpointSecrets,
  ...sealedFactors,
  ...sealedStaffFactors,
  sealedAnswers,
];

/** Seals everything anew under MASTER_KEY, so that the keys of MASTER_KEYS_ACCEPTED are needed no more. */
export function replaceMasterKey(config: Config, log: Logger, tell: (progress: Progress) => void): Promise<void> {
  return withDatabase(config, log, (database, masterKey) => sealAnew(database, masterKey, sealedColumns, { tell }));
}
