import type { Logger } from 'pino';
import { openKeyRing } from '#keys';
import { administerStaff, openStaff, type StaffAdministration } from '#staff';
import type { Config } from '../config.ts';
import { listeners } from '../listeners.ts';
import { keySettingsOf, staffSettings, withDatabase } from '../opening.ts';
import { createPasswordHasher } from '../platform/crypto/password-hash.ts';

/** Staff accounts alone are looked after here: nothing of people changes, and nobody hears of it. */
const nothingOfPeople = { forget: () => undefined, madeBy: [] };

/** Opens just what the command line needs to look after staff accounts. */
export function withStaffAdministration<T>(config: Config, log: Logger, work: (staff: StaffAdministration) => Promise<T>): Promise<T> {
  return withDatabase(config, log, async (database, masterKey) => {
    const keys = await openKeyRing(database, masterKey, keySettingsOf(config));
    const hasher = createPasswordHasher({ concurrency: 1, maxQueue: 4, pepper: masterKey.lasting('password-pepper') });
    const settings = staffSettings(config);
    return work(administerStaff(openStaff({ database, keys, hasher, masterKey, listeners, settings, ...nothingOfPeople })));
  });
}
