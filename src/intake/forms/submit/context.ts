import type { Logger } from 'pino';
import type { BooksSlots } from './booking.ts';
import type { TeamOfLink } from '../visitor.ts';
import type { Rates } from './rates.ts';

/** The dependencies of a submission, in addition to the scope. */
export type Submitting = {
  baseUrl: string;
  log: Pick<Logger, 'error'>;
  rates: Rates;
  teamOf: TeamOfLink;
  bookings: BooksSlots;
  /** Submissions per minute to one interface, and from one address block to it. 0 means no limit. */
  perMinute: number;
  perAddress: number;
  /** The key that signs proof-of-work challenges. */
  proofKey: string;
};
