import type { Reader } from '../../platform/database/database.ts';
import type { MailLook } from '../../platform/mail/compose.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';

/** The title, team and mail recipients of a form. */
export type AboutInterface = {
  /** The title for the team. */
  title: string;
  /** Returns the title for visitors in a language, or in the default language of the form. */
  titleIn(locale: string): string;
  /** The name of the team for visitors. */
  by: string;
  /** Returns the branding of mails. Paths in it begin with `baseUrl`. */
  look?(baseUrl: string): MailLook;
  recipients: readonly { email: string; locale: string }[];
  /** Whether an information barrier protects its answers. Mails about its bookings then name neither the form nor the visitor. */
  barred: boolean;
  /** Whether staff suspended the form. Visitors cannot reschedule bookings of a suspended form. */
  suspended: boolean;
};

/**
 * `calendar` reads the calendar, `edit` changes it, and `addresses` reads the secret busy-time addresses. `read` reads the bookings, and `write`
 * confirms, reschedules and cancels them. `feed` creates an address that gives access to both.
 */
export type BookingRight = 'calendar' | 'edit' | 'addresses' | 'read' | 'write' | 'feed';

/** The functions that the bookings need from the forms domain. The domain bookings does not depend on the domain forms. */
export type AskInterfaces = {
  /** Rejects with 403 or 404 unless the actor has the right. `via` is `role` if only the role of the actor grants it. */
  require(scope: ReadScope | Scope, interfaceId: string, right: BookingRight): Promise<{ via?: 'role' }>;
  /** Returns the interfaces whose bookings the actor can read. */
  readable(scope: ReadScope): Promise<readonly string[]>;
  /** Returns those of some interfaces whose bookings the actor can read only by role. */
  byRole(scope: ReadScope, interfaceIds: readonly string[]): Promise<readonly string[]>;
  /** Returns whether a user can currently read the bookings. */
  reads(db: Reader, team: string, interfaceId: string, person: string): Promise<boolean>;
  /** Returns `undefined` for a deleted interface. */
  about(db: Reader, team: string, interfaceId: string): Promise<AboutInterface | undefined>;
};
