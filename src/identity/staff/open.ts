import type { OpenAccounts } from '#accounts';
import type { Credentials } from '#credentials';
import type { KeyRing } from '#keys';
import type { PlatformConfig } from '../../platform/config.ts';
import type { OpenedDomain, Platform } from '../../platform/domain.ts';
import type { StaffConfig } from './config.ts';
import { openStaff, type StaffSettings } from './context.ts';
import { dropExpiredStaff } from './jobs.ts';
import { administerStaff } from './members.ts';
import { overTeams, type OverTeams } from './team-operations.ts';
import { staffRoutes } from './routes.ts';

type Proving = { PASSWORD_MIN_LENGTH: number; REFRESH_RETRY_GRACE_SECONDS: number };

export function staffSettingsOf(config: PlatformConfig & StaffConfig & Proving): StaffSettings {
  return {
    baseUrl: config.BASE_URL,
    corsOrigins: config.CORS_ORIGINS,
    passwordMinLength: config.PASSWORD_MIN_LENGTH,
    refreshGraceSeconds: config.REFRESH_RETRY_GRACE_SECONDS,
    requireTotp: config.STAFF_REQUIRE_TOTP,
  };
}

/** Opens the staff domain. Creates the first account if the settings name one and none exists. */
export async function open(
  { config: platform, database, masterKey, listeners, log }: Platform,
  { accounts, credentials, keys }: { accounts: OpenAccounts; credentials: Credentials; keys: KeyRing },
  config: StaffConfig,
): Promise<OpenedDomain<OverTeams>> {
  const { hasher, throttle, passwordMinLength, refreshGraceSeconds } = credentials;
  const staff = openStaff({
    database,
    keys,
    hasher,
    masterKey,
    listeners,
    settings: staffSettingsOf({
      ...platform,
      ...config,
      PASSWORD_MIN_LENGTH: passwordMinLength,
      REFRESH_RETRY_GRACE_SECONDS: refreshGraceSeconds,
    }),
    people: { throttle, forget: (id) => accounts.tokens.forget(id), madeBy: accounts.madeBy },
  });
  if (config.STAFF_BOOTSTRAP_EMAIL !== undefined && config.STAFF_BOOTSTRAP_PASSWORD !== undefined) {
    const made = await administerStaff(staff).bootstrap(config.STAFF_BOOTSTRAP_EMAIL, config.STAFF_BOOTSTRAP_PASSWORD);
    if (made) log.info('created the first staff account from STAFF_BOOTSTRAP_EMAIL');
  }
  return {
    exports: overTeams(staff),
    routes: (app) => staffRoutes(app, staff),
    verifies: { audience: 'staff', verify: (token) => staff.tokens.verify(token) },
    periodic: [{ name: 'staff-drop', cron: '27 * * * *', run: () => dropExpiredStaff(database) }],
  };
}
