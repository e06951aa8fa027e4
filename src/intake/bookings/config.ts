import type { PlatformConfig } from '../../platform/config.ts';
import { isBlock, listOf, nameServers, optionalFlag, setting, type ValuesOf } from '../../platform/settings.ts';

export const bookingSettings = {
  CALENDARS_ALLOW_PRIVATE: setting(
    'allow http and private addresses for busy times of calendars; default: true in development, false in production',
    '',
    optionalFlag,
  ),
  CALENDARS_ALLOW_CIDRS: setting(
    'private address blocks that are allowed for busy times of calendars even if CALENDARS_ALLOW_PRIVATE is false',
    '',
    listOf(isBlock, 'must be blocks, such as 10.20.0.0/16, separated by commas'),
  ),
  CALENDARS_DNS_SERVERS: setting('name servers for the addresses of busy times, instead of the system’s', '', nameServers),
} as const;

/** The settings with their defaults applied. */
export type BookingConfig = Omit<ValuesOf<typeof bookingSettings>, 'CALENDARS_ALLOW_PRIVATE'> & { CALENDARS_ALLOW_PRIVATE: boolean };

export function resolveBookingsSettings(read: ValuesOf<typeof bookingSettings>, { production }: PlatformConfig): BookingConfig {
  return { ...read, CALENDARS_ALLOW_PRIVATE: read.CALENDARS_ALLOW_PRIVATE ?? !production };
}
