import { Type } from 'typebox';
import { discardedMembers } from '../../platform/jobs/due-jobs.ts';
import { defineAuditAction, defineEvent } from '../../platform/journal/audit-actions.ts';
import { time } from '../../platform/schema-parts.ts';

const via = Type.Optional(Type.String());
const scope = 'interfaces:read';
const about = {
  interfaceId: Type.String(),
  submissionId: Type.Optional(Type.String()),
  start: time,
  end: time,
  status: Type.String({ description: 'How the booking stands now' }),
};
const data = Type.Object(about);
const moved = Type.Object({ ...about, previousStart: time });
const ended = Type.Object({ ...about, by: Type.Optional(Type.String({ description: 'visitor, team or time' })) });

const example = {
  interfaceId: '01999999-0000-7000-8000-000000000000',
  start: '2026-10-05T09:00:00.000Z',
  end: '2026-10-05T09:30:00.000Z',
};
const target = 'booking';

export const bookingCreated = defineEvent({
  type: 'booking.created',
  target,
  scope,
  description: 'A visitor booked an appointment. `status` says whether it stands, or waits to be confirmed.',
  data,
  example: { ...example, status: 'confirmed' },
});
export const bookingConfirmed = defineEvent({
  type: 'booking.confirmed',
  target,
  scope,
  description: 'A booking that waited stands now: somebody of the team confirmed it, or the visitor followed the mailed link.',
  data,
  example: { ...example, status: 'confirmed' },
});
export const bookingRescheduled = defineEvent({
  type: 'booking.rescheduled',
  target,
  scope,
  description: 'A booking has another time.',
  data: moved,
  example: { ...example, status: 'confirmed', previousStart: '2026-10-02T09:00:00.000Z' },
});
export const bookingRescheduleRequested = defineEvent({
  type: 'booking.reschedule_requested',
  target,
  scope,
  description:
    'A visitor asks for another time, given as `start` and `end`, which somebody of the team is to confirm. Both times are kept until then.',
  data: moved,
  example: { ...example, status: 'confirmed', previousStart: '2026-10-02T09:00:00.000Z' },
});
export const bookingCancelled = defineEvent({
  type: 'booking.cancelled',
  target,
  scope,
  description: 'A booking was cancelled, by the visitor or by the team.',
  data: ended,
  example: { ...example, status: 'cancelled', by: 'visitor' },
});
export const bookingDeclined = defineEvent({
  type: 'booking.declined',
  target,
  scope,
  description: 'Somebody of the team declined a booking, or the other time that was asked for, in which case it stands as it was.',
  data: ended,
  example: { ...example, status: 'declined', by: 'team' },
});
export const bookingExpired = defineEvent({
  type: 'booking.expired',
  target,
  scope,
  description: 'A booking, or another time that was asked for, was not confirmed in time.',
  data: ended,
  example: { ...example, status: 'expired', by: 'time' },
});
export const bookingCompleted = defineEvent({
  type: 'booking.completed',
  target,
  scope,
  description: 'An appointment is over.',
  data,
  example: { ...example, status: 'completed' },
});
export const bookingMissed = defineEvent({
  type: 'booking.no_show',
  target,
  scope,
  description: 'Somebody of the team noted that the visitor did not come.',
  data,
  example: { ...example, status: 'no_show' },
});

/** The members that are changed, not what they are: a calendar may say when nobody is at home. */
export const calendarChanged = defineAuditAction('calendar.changed', 'interface', { members: Type.Array(Type.String()) });
export const feedRotated = defineAuditAction('calendar.feed_rotated', 'interface');
export const feedEnded = defineAuditAction('calendar.feed_ended', 'interface');
/** Somebody has read who has booked, or the secret addresses of a calendar, whom their role alone lets do that; once an hour. */
export const bookingsRead = defineAuditAction('calendar.bookings_read', 'interface', { via });
export const addressesRead = defineAuditAction('calendar.addresses_read', 'interface', { via });
export const bookingErased = defineAuditAction('booking.erased', 'booking');
/** What a booking's time asks for failed ten times, and is not tried again. */
export const bookingTimerFailed = defineAuditAction('booking.timer_failed', 'booking', discardedMembers);
export const calendarTimerFailed = defineAuditAction('calendar.timer_failed', 'interface', discardedMembers);
