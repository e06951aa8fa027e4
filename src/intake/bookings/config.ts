import type { PlatformConfig } from '../../platform/config.ts';
import { isBlock, listOf, nameServers, optionalFlag, setting, type ValuesOf } from '../../platform/settings.ts';

/** The settings of this domain. */
export const bookingSettings = {
  CALENDARS_ALLOW_PRIVATE: setting(
    'http and private addresses for the busy times of calendars: true in development, false in production unless set',
    '',
    optionalFlag,
  ),
  CALENDARS_ALLOW_CIDRS: setting(
    'private blocks that the busy times of calendars may be read from nevertheless',
    '',
    listOf(isBlock, 'must be blocks, such as 10.20.0.0/16, separated by commas'),
  ),
  CALENDARS_DNS_SERVERS: setting('name servers that these addresses are looked up with, instead of the system’s', '', nameServers),
} as const;

/** The same, with what follows from one another decided. */
export type BookingConfig = Omit<ValuesOf<typeof bookingSettings>, 'CALENDARS_ALLOW_PRIVATE'> & { CALENDARS_ALLOW_PRIVATE: boolean };

export function settleBookings(read: ValuesOf<typeof bookingSettings>, { production }: PlatformConfig): BookingConfig {
  return { ...read, CALENDARS_ALLOW_PRIVATE: read.CALENDARS_ALLOW_PRIVATE ?? !production };
}
