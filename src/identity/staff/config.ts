import type { PlatformConfig } from '../../platform/config.ts';
import { ConfigError, optional, optionalFlag, secret, setting, type ValuesOf } from '../../platform/settings.ts';

/** The settings of this domain. */
export const staffSettings = {
  STAFF_REQUIRE_TOTP: setting('staff must have a second factor: true in production, false in development unless set', '', optionalFlag),
  STAFF_BOOTSTRAP_EMAIL: setting('address of the first staff account, made while there is none', '', optional),
  STAFF_BOOTSTRAP_PASSWORD: secret('its password', '', optional),
} as const;

/** The same, with what follows from one another decided. */
export type StaffConfig = Omit<ValuesOf<typeof staffSettings>, 'STAFF_REQUIRE_TOTP'> & { STAFF_REQUIRE_TOTP: boolean };

export function settleStaff(read: ValuesOf<typeof staffSettings>, { production }: PlatformConfig): StaffConfig {
  const bootstrap = ['STAFF_BOOTSTRAP_EMAIL', 'STAFF_BOOTSTRAP_PASSWORD'] as const;
  const given = bootstrap.filter((name) => read[name] !== undefined);
  if (given.length === 1) throw new ConfigError(`${given[0]} must be set together with ${bootstrap.find((name) => name !== given[0])}.`);
  return { ...read, STAFF_REQUIRE_TOTP: read.STAFF_REQUIRE_TOTP ?? production };
}
