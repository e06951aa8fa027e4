import type { Reader } from '../../platform/database/database.ts';
import type { MailLook } from '../../platform/mail/compose.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';

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
  recipients: readonly { email: string; locale: string }[];
  /** Its answers stand behind a barrier: what is told of its bookings names neither it nor who comes. */
  barred: boolean;
  /** Staff have suspended it: meanwhile no visitor moves a booking. */
  suspended: boolean;
};

/**
 * `calendar` to see the calendar, `edit` to change it, `addresses` also to see the secret ones that it reads; `read` to see who has booked, `write` to confirm,
 * move and cancel that, `feed` to give both away by an address.
 */
export type BookingRight = 'calendar' | 'edit' | 'addresses' | 'read' | 'write' | 'feed';

/** What bookings ask of the domain whose things have calendars, which they do not know. */
export type AskInterfaces = {
  /** Rejects with the refusal, 403 or 404, unless the actor has the right. `via` is `role` where their role alone gives it. */
  require(scope: ReadScope | Scope, interfaceId: string, right: BookingRight): Promise<{ via?: 'role' }>;
  /** Whether a person may see who has booked, as what they are today. */
  reads(db: Reader, team: string, interfaceId: string, person: string): Promise<boolean>;
  /** Nothing for one that is gone. */
  about(db: Reader, team: string, interfaceId: string): Promise<AboutInterface | undefined>;
};
