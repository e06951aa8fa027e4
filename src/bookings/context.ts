import type { BusyReach } from './busy/index.ts';
import type { Box } from '../platform/crypto/secretbox.ts';
import type { Reader } from '../platform/database/database.ts';
import type { MailLook } from '../platform/mail/compose.ts';
import type { Via } from '../platform/reasons.ts';
import type { ReadScope, Scope } from '../platform/scope.ts';

/** What an interface is called, by whom, and who of the team is told of its bookings. */
export type AboutInterface = {
  /** As the team calls it. */
  title: string;
  /** As visitors read it in a language, or in the form's own where it has no title in that. */
  titleIn(locale: string): string;
  /** The team, as visitors know it. */
  by: string;
  /** How its mails look; `baseUrl` stands before paths. */
  look?(baseUrl: string): MailLook;
  tell: readonly { email: string; locale: string }[];
  /** Its answers stand behind a wall: what is told of its bookings names neither it nor who comes. */
  walled: boolean;
  /** Staff have suspended it: meanwhile no visitor moves a booking. */
  suspended: boolean;
};

/**
 * `calendar` to see and change the calendar, `addresses` also to see the secret ones that it reads; `read` to see who has booked, `write` to confirm,
 * move and cancel that, `feed` to give both away by an address.
 */
export type BookingRight = 'calendar' | 'addresses' | 'read' | 'write' | 'feed';

/** What bookings ask of the domain whose things have calendars, which they do not know. */
export type AskInterfaces = {
  /** Rejects with the refusal, 403 or 404, unless the actor has the right; says by what they have it. */
  require(scope: ReadScope | Scope, interfaceId: string, right: BookingRight): Promise<{ via: Via }>;
  /** Whether a person may see who has booked, as what they are today. */
  reads(db: Reader, team: string, interfaceId: string, person: string): Promise<boolean>;
  /** Nothing for one that is gone. */
  about(db: Reader, team: string, interfaceId: string): Promise<AboutInterface | undefined>;
};

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
