import { type Static, Type } from 'typebox';
import { defineJob, enqueue, type JobResult, type JobAttempt } from '../../platform/jobs/job.ts';
import type { Database } from '../../platform/database/database.ts';
import { queueMail } from '../../platform/mail/queue.ts';
import { queueVisitorMail } from '../../platform/mail/visitors.ts';
import type { Scope } from '../../platform/scope.ts';
import { findCalendar } from './calendar-queries.ts';
import { type Bookings, bookingPlace, linksOf } from './context.ts';
import { type Appointment, teamMail, visitorMail } from './mails.ts';
import * as queries from './queries.ts';
import { activeStatuses } from './states.ts';
import { type NotificationKind, notificationKinds } from './notifications.ts';

const data = Type.Object({
  booking: Type.String(),
  kind: Type.Enum([...notificationKinds]),
  /** The start time in the notification. If the booking was rescheduled since, a later mail reports the new time. */
  start: Type.String(),
  by: Type.Optional(Type.Enum(['visitor', 'team', 'time'])),
  before: Type.Optional(Type.String()),
  requested: Type.Optional(Type.String()),
});
type NotificationData = Static<typeof data>;

export type NotificationDependencies = { database: Database; bookings: Bookings };

/** Queues the mails about a booking. The mails show the state at the time of the job, and each recipient gets one mail. */
export const notificationJob = defineJob(
  'booking-mail',
  data,
  { concurrency: 8, counted: false },
  async ({ database, bookings }: NotificationDependencies, notification: NotificationData, { team }: JobAttempt): Promise<JobResult> => {
    if (team === undefined) return undefined;
    const reader = database.reader(team);
    const row = await reader.first(queries.findBooking, { team, id: notification.booking });
    if (!row || !isStillSo(row, notification)) return undefined;
    const calendar = await reader.first(findCalendar, { team, id: row.calendar_id });
    const about = await bookings.ask.about(reader, team, row.calendar_id);
    if (!calendar || !about) return undefined;
    const token = bookings.box.open(row.token_sealed, bookingPlace(row.id)).toString();
    const appointment: Appointment = {
      ...notification,
      title: about.title,
      with: about.by,
      ...(about.look ? { look: about.look(bookings.baseUrl) } : {}),
      id: row.id,
      end: row.ends_at,
      zone: calendar.definition.timeZone,
      visitorZone: row.visitor_zone ?? calendar.definition.timeZone,
      locale: row.locale,
      name: row.visitor_name ?? undefined,
      reason: row.reason ?? undefined,
      ...linksOf(bookings, team, token),
    };
    const { email } = row;
    // Replace the title with the identifier if an information barrier protects the interface.
    const forTeam = teamMail(about.barred ? { ...appointment, title: row.calendar_id, name: undefined } : appointment);
    return {
      async write(tx) {
        // The lock makes later changes and erasure wait for these mails. If a change came first, the mails are skipped. Erasure then
        // finds and withdraws them.
        const locked = await tx.first(queries.lockUnerasedBooking, { team, id: row.id });
        if (!locked || !isStillSo(locked, notification)) return;
        if (email !== null)
          await queueVisitorMail(tx, team, {
            to: email,
            about: row.id,
            ...visitorMail({ ...appointment, title: about.titleIn(row.locale) }),
          });
        if (forTeam === undefined) return;
        for (const { email: to, locale } of about.recipients)
          await queueMail(tx, { to, ...forTeam(locale), team, about: row.id, budgeted: true, lowPriority: true });
      },
    };
  },
);

const waits = new Set<NotificationKind>(['held', 'pending', 'confirmed']);

/** Returns whether the notification is still correct: no later change replaced it. */
function isStillSo(row: queries.BookingRow, { kind, start }: NotificationData): boolean {
  if (kind === 'cancelled' || kind === 'declined' || kind === 'expired') return row.status === kind;
  if (!activeStatuses.includes(row.status) || Date.parse(row.starts_at) !== Date.parse(start)) return false;
  if (kind === 'reminder') return row.status === 'confirmed';
  return !waits.has(kind) || row.status === kind;
}

/** Enqueues the mails about a change of a booking. They are sent after the commit. */
export function notifyOfBooking(
  scope: Pick<Scope, 'db' | 'team'>,
  { id, starts_at: start }: Pick<queries.BookingRow, 'id' | 'starts_at'>,
  kind: NotificationKind,
  more: Pick<NotificationData, 'by' | 'before' | 'requested'> = {},
): void {
  enqueue(scope, notificationJob, { booking: id, kind, start: new Date(start).toISOString(), ...more });
}
