import type { OpenBookings, Wish } from '#bookings';
import type { Answers, Field } from '#fields';
import { cutText } from '../../../platform/text.ts';
import { timeZoneName } from '../../../platform/time-zones.ts';
import type { Visited } from '../visitor.ts';
import { submissionProblems } from './problems.ts';

/** The functions of the bookings that a submission needs. */
export type BooksSlots = Pick<OpenBookings, 'book' | 'bookingOf'>;

/** Returns whether a submission to this form books a time. */
export const books = ({ type, calendar }: Pick<Visited, 'type' | 'calendar'>): boolean => type === 'scheduling' && calendar !== null;

/** The members of `data` that choose the time of a booking form. */
export const timeMembers = ['start', 'end', 'timeZone'] as const;

type SubmittedBooking = { id: string; data: Record<string, unknown>; values: Answers; fields: readonly Field[]; locale: string };

/**
 * Builds the booking request of a submission from `data.start` and the optional `data.end`. The visitor gets mails at the first
 * address in the answers, in the zone of `data.timeZone`. Throws 422 `submission_invalid` without a start.
 */
export function wishOf({ id: calendar }: Pick<Visited, 'id'>, { id, data, values, fields, locale }: SubmittedBooking): Wish {
  const { start, end, timeZone } = data;
  if (typeof start !== 'string' || (end !== undefined && typeof end !== 'string')) {
    const name = typeof start === 'string' ? 'end' : 'start';
    throw submissionProblems.submission_invalid(`\`data.${name}\` must be the \`${name}\` of a slot in the list of free times.`, {
      errors: [{ name, pointer: `/data/${name}`, reason: 'must be a time in the list of free times', rule: 'slot' }],
    });
  }
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  const email = fields
    .filter(({ type }) => type === 'email')
    .map((field) => text(values[field.id]))
    .find((given) => given !== undefined);
  const given = text(values.name);
  const name = given === undefined ? undefined : cutText(given, 200);
  const zone = text(timeZone) === undefined ? undefined : timeZoneName(String(timeZone).slice(0, 64));
  return {
    calendar,
    submission: id,
    start,
    ...(end === undefined ? {} : { end }),
    visitor: {
      locale,
      ...(email === undefined ? {} : { email }),
      ...(name === undefined ? {} : { name }),
      ...(zone === undefined ? {} : { timeZone: zone }),
    },
  };
}
