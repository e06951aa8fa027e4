import type { Logger } from 'pino';
import { createThrottle } from '#credentials';
import { openKeyRing, rotationSettings } from '#keys';
import { administerStaff, openStaff, type StaffAdministration, staffSettingsOf } from '#staff';
import type { Config } from '../../config.ts';
import { listeners } from '../../listeners.ts';
import { withDatabase } from '../../open-database.ts';
import type { MasterKey } from '../../platform/crypto/master-key.ts';
import { createPasswordHasher } from '../../platform/crypto/password-hash.ts';
import type { Database } from '../../platform/database/database.ts';

/** Opens only the services that the command line needs to manage staff accounts. */
export function withStaffAdministration<T>(config: Config, log: Logger, work: (staff: StaffAdministration) => Promise<T>): Promise<T> {
  const look = async (database: Database, masterKey: MasterKey): Promise<T> => {
    const keys = await openKeyRing(database, masterKey, rotationSettings(config));
    const hasher = createPasswordHasher({ concurrency: 1, maxQueue: 4, pepper: masterKey.lasting('password-pepper') });
    const settings = staffSettingsOf(config);
    // The command changes only staff accounts, so no user account needs these functions.
    const people = { throttle: createThrottle(masterKey.derive('throttle')), forget: () => undefined, madeBy: [] };
    return work(administerStaff(openStaff({ database, keys, hasher, masterKey, listeners, settings, people })));
  };
  // An operator can create the first account before the first start of the service.
  return withDatabase(config, log, look, { begins: true });
}
