import type { AskInterfaces } from './interface-port.ts';
import type { BusyReach } from './busy/index.ts';
import type { Box } from '../../platform/crypto/secretbox.ts';

/** What the use cases work with besides the scope. */
export type Bookings = {
  baseUrl: string;
  /** Seals tokens of links that are shown again. */
  box: Box;
  /** Where addresses of busy times may lead, and how they are fetched. */
  reach: BusyReach;
  ask: AskInterfaces;
};

/** What a booking's token and a feed's are sealed for. */
export const tokenPurpose = 'booking-links';
export const bookingPlace = (id: string): string => `booking ${id}`;
export const feedPlace = (id: string): string => `calendar feed ${id}`;

/** The addresses that a booking is managed by, with its token. */
export function linksOf({ baseUrl }: Pick<Bookings, 'baseUrl'>, team: string, token: string) {
  return {
    manageUrl: `${baseUrl}/booking/${team}/${token}`,
    icsUrl: `${baseUrl}/api/v1/interfaces/booking/${team}/${token}/calendar.ics`,
  };
}
