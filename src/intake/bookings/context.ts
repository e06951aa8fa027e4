import type { AskInterfaces } from './interface-port.ts';
import type { BusyReach } from './busy/index.ts';
import type { Box } from '../../platform/crypto/secretbox.ts';

/** The dependencies of the use cases, in addition to the scope. */
export type Bookings = {
  baseUrl: string;
  /** Encrypts the tokens of links that responses show again. */
  box: Box;
  /** The address policy and the client for fetching busy times. */
  reach: BusyReach;
  ask: AskInterfaces;
};

/** The contexts to which the encrypted tokens of bookings and feeds are bound. */
export const tokenPurpose = 'booking-links';
export const bookingPlace = (id: string): string => `booking ${id}`;
export const feedPlace = (id: string): string => `calendar feed ${id}`;

/** Returns the links to manage a booking and to download it as a calendar file. */
export function linksOf({ baseUrl }: Pick<Bookings, 'baseUrl'>, team: string, token: string) {
  return {
    manageUrl: `${baseUrl}/booking/${team}/${token}`,
    icsUrl: `${baseUrl}/api/v1/interfaces/booking/${team}/${token}/calendar.ics`,
  };
}
