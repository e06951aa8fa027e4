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
  status: Type.String({ description: 'The new status of the booking' }),
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
  description: 'A visitor booked an appointment. `status` says whether it is confirmed or waits for confirmation.',
  data,
  example: { ...example, status: 'confirmed' },
});
export const bookingConfirmed = defineEvent({
  type: 'booking.confirmed',
  target,
  scope,
  description: 'A waiting booking was confirmed by the team or by the visitor through the emailed link.',
  data,
  example: { ...example, status: 'confirmed' },
});
export const bookingRescheduled = defineEvent({
  type: 'booking.rescheduled',
  target,
  scope,
  description: 'A booking was moved to another time.',
  data: moved,
  example: { ...example, status: 'confirmed', previousStart: '2026-10-02T09:00:00.000Z' },
});
export const bookingRescheduleRequested = defineEvent({
  type: 'booking.reschedule_requested',
  target,
  scope,
  description:
    'A visitor requested another time, given as `start` and `end`. Both times stay reserved until the team confirms or declines.',
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
  description: 'The team declined a booking or a requested other time. In the second case the booking keeps its time.',
  data: ended,
  example: { ...example, status: 'declined', by: 'team' },
});
export const bookingExpired = defineEvent({
  type: 'booking.expired',
  target,
  scope,
  description: 'A booking or a requested other time was not confirmed in time.',
  data: ended,
  example: { ...example, status: 'expired', by: 'time' },
});
export const bookingCompleted = defineEvent({
  type: 'booking.completed',
  target,
  scope,
  description: 'An appointment ended.',
  data,
  example: { ...example, status: 'completed' },
});
export const bookingMissed = defineEvent({
  type: 'booking.no_show',
  target,
  scope,
  description: 'The team recorded that the visitor missed the appointment.',
  data,
  example: { ...example, status: 'no_show' },
});

/** Records the names of the changed members but not their values, because a calendar can reveal when a person is absent. */
export const calendarChanged = defineAuditAction('calendar.changed', 'interface', { members: Type.Array(Type.String()) });
export const feedRotated = defineAuditAction('calendar.feed_rotated', 'interface');
export const feedEnded = defineAuditAction('calendar.feed_ended', 'interface');
/** A caller read bookings or secret addresses of a calendar with access only by role. Recorded at most once an hour. */
export const bookingsRead = defineAuditAction('calendar.bookings_read', 'interface', { via });
export const addressesRead = defineAuditAction('calendar.addresses_read', 'interface', { via });
export const bookingErased = defineAuditAction('booking.erased', 'booking');
/** A scheduled job of a booking failed ten times and was discarded. */
export const bookingTimerFailed = defineAuditAction('booking.timer_failed', 'booking', discardedMembers);
export const calendarTimerFailed = defineAuditAction('calendar.timer_failed', 'interface', discardedMembers);
