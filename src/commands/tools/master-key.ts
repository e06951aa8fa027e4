import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { sealedColumns } from '../../domains.ts';
import { withDatabase } from '../../open-database.ts';
import { type Progress, reencrypt } from '../../platform/database/reencrypt.ts';

/** Re-encrypts all encrypted columns with MASTER_KEY. Afterwards the keys of MASTER_KEYS_ACCEPTED are no longer needed. */
export function replaceMasterKey(config: Config, log: Logger, onProgress: (progress: Progress) => void): Promise<void> {
  return withDatabase(config, log, (database, masterKey) => reencrypt(database, masterKey, sealedColumns, { onProgress }));
}
