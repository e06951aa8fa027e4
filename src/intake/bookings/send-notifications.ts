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
import { standing } from './states.ts';
import { type Tiding, tidings } from './notifications.ts';

const data = Type.Object({
  booking: Type.String(),
  kind: Type.Enum([...tidings]),
  /** When it begins, as it is told: of a booking that has another time by then, a later mail tells. */
  start: Type.String(),
  by: Type.Optional(Type.Enum(['visitor', 'team', 'time'])),
  before: Type.Optional(Type.String()),
  asked: Type.Optional(Type.String()),
});
type Told = Static<typeof data>;

export type TellDeps = { database: Database; bookings: Bookings };

/** Writes the mails about a booking. Those that it concerns are told by what is so when it is done, and each once. */
export const tellJob = defineJob(
  'booking-mail',
  data,
  { concurrency: 8, counted: false },
  async ({ database, bookings }: TellDeps, told: Told, { team }: JobAttempt): Promise<JobResult> => {
    if (team === undefined) return undefined;
    const reader = database.reader(team);
    const row = await reader.first(queries.findBooking, { team, id: told.booking });
    if (!row || !isStillSo(row, told)) return undefined;
    const calendar = await reader.first(findCalendar, { team, id: row.calendar_id });
    const about = await bookings.ask.about(reader, team, row.calendar_id);
    if (!calendar || !about) return undefined;
    const token = bookings.box.open(row.token_sealed, bookingPlace(row.id)).toString();
    const appointment: Appointment = {
      ...told,
      title: about.title,
      with: about.by,
      ...(about.look ? { look: about.look(bookings.baseUrl) } : {}),
      end: row.ends_at,
      zone: calendar.definition.timeZone,
      visitorZone: row.visitor_zone ?? calendar.definition.timeZone,
      locale: row.locale,
      name: row.visitor_name ?? undefined,
      reason: row.reason ?? undefined,
      ...linksOf(bookings, team, token),
    };
    const { email } = row;
    // What lives behind a barrier is told of by its identifier.
    const forTeam = teamMail(about.barred ? { ...appointment, title: row.calendar_id, name: undefined } : appointment);
    return {
      async write(tx) {
        // What comes after it is told after it: it was overtaken meanwhile, or waits for these mails. So does whoever erases the visitor, who finds them.
        const held = await tx.first(queries.holdVisitor, { team, id: row.id });
        if (!held || !isStillSo(held, told)) return;
        if (email !== null)
          await queueVisitorMail(tx, team, {
            to: email,
            about: row.id,
            ...visitorMail({ ...appointment, title: about.titleIn(row.locale) }),
          });
        if (forTeam === undefined) return;
        for (const { email: to, locale } of about.tell)
          await queueMail(tx, { to, ...forTeam(locale), team, about: row.id, budgeted: true, lowPriority: true });
      },
    };
  },
);

const waits = new Set<Tiding>(['held', 'pending', 'confirmed']);

/** Whether what was to be told has not been overtaken by what came after it. */
function isStillSo(row: queries.BookingRow, { kind, start }: Told): boolean {
  if (kind === 'cancelled' || kind === 'declined' || kind === 'expired') return row.status === kind;
  if (!standing.includes(row.status) || Date.parse(row.starts_at) !== Date.parse(start)) return false;
  if (kind === 'reminder') return row.status === 'confirmed';
  return !waits.has(kind) || row.status === kind;
}

/** Has those told whom a change of a booking concerns, once it is committed. */
export function tellOfBooking(
  scope: Pick<Scope, 'db' | 'team'>,
  { id, starts_at: start }: Pick<queries.BookingRow, 'id' | 'starts_at'>,
  kind: Tiding,
  more: Pick<Told, 'by' | 'before' | 'asked'> = {},
): void {
  enqueue(scope, tellJob, { booking: id, kind, start: new Date(start).toISOString(), ...more });
}
