import type { PlatformConfig } from '../../platform/config.ts';
import { ConfigError, optional, optionalFlag, secret, setting, type ValuesOf } from '../../platform/settings.ts';

export const staffSettings = {
  STAFF_REQUIRE_TOTP: setting(
    'whether staff must have a second factor; default: true in production, false in development',
    '',
    optionalFlag,
  ),
  STAFF_BOOTSTRAP_EMAIL: setting('address of the first staff account, created if none exists', '', optional),
  STAFF_BOOTSTRAP_PASSWORD: secret('password of the first staff account', '', optional),
} as const;

/** The settings with their resolved defaults. */
export type StaffConfig = Omit<ValuesOf<typeof staffSettings>, 'STAFF_REQUIRE_TOTP'> & { STAFF_REQUIRE_TOTP: boolean };

export function resolveStaffSettings(read: ValuesOf<typeof staffSettings>, { production }: PlatformConfig): StaffConfig {
  const bootstrap = ['STAFF_BOOTSTRAP_EMAIL', 'STAFF_BOOTSTRAP_PASSWORD'] as const;
  const given = bootstrap.filter((name) => read[name] !== undefined);
  if (given.length === 1) throw new ConfigError(`${given[0]} must be set together with ${bootstrap.find((name) => name !== given[0])}.`);
  return { ...read, STAFF_REQUIRE_TOTP: read.STAFF_REQUIRE_TOTP ?? production };
}
