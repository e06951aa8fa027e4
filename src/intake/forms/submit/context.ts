import type { Logger } from 'pino';
import type { BooksSlots } from './booking.ts';
import type { TeamOfLink } from '../visitor.ts';
import type { Rates } from './rates.ts';

/** What submitting works with besides the scope. */
export type Submitting = {
  baseUrl: string;
  log: Pick<Logger, 'error'>;
  rates: Rates;
  teamOf: TeamOfLink;
  bookings: BooksSlots;
  /** Submissions a minute to one interface, and from one block of addresses to it; 0 is no limit. */
  perMinute: number;
  perAddress: number;
  /** Signs challenges of proofs of work. */
  proofKey: string;
};
