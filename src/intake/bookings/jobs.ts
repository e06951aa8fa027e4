import type { DueWork } from '../../platform/jobs/due-jobs.ts';
import { record } from '../../platform/journal/record.ts';
import { setHolidays } from './calendar-queries.ts';
import { eventOf, loadBookingForUpdate, toStatus } from './change.ts';
import { expireBooking } from './decide.ts';
import { bookingCompleted, bookingTimerFailed, calendarTimerFailed } from './events.ts';
import { holidaysOf } from './holidays.ts';
import * as queries from './job-queries.ts';
import { nextReminder } from './reminders.ts';
import { notifyOfBooking } from './send-notifications.ts';

const setAside = { act: bookingTimerFailed, target: ({ id }: { id: string }) => id };

/** Sends due reminders. Skips bookings that are no longer confirmed. */
export const reminders: DueWork = {
  job: 'booking-reminder',
  due: queries.dueReminders,
  async run(scope, { id }) {
    const { team, now, db } = scope;
    const taken = await db.first(queries.takeReminder, { team, id, now });
    if (taken?.status !== 'confirmed' || new Date(taken.starts_at) <= now) return;
    notifyOfBooking(scope, taken, 'reminder');
    const next = nextReminder(new Date(taken.starts_at), taken.reminders, now);
    if (next) db.send(queries.setReminder, { team, id, at: next });
  },
  setAside,
};

/** Expires bookings whose confirmation period has ended. */
export const waitingEnds: DueWork = {
  job: 'booking-end',
  due: queries.dueEnds,
  run: (scope, { id }) => expireBooking(scope, id),
  setAside,
};

/** Completes appointments that have ended. */
export const completions: DueWork = {
  job: 'booking-complete',
  due: queries.dueCompletions,
  async run(scope, { id }) {
    const { booking } = await loadBookingForUpdate(scope, id);
    if (booking.status !== 'confirmed' || new Date(booking.ends_at) > scope.now) return;
    const completed = await toStatus(scope, booking, 'complete', { to: 'completed', by: 'time', reason: null });
    await record(scope, bookingCompleted, id, eventOf(completed));
  },
  setAside,
};

/** Computes the holidays of a year before its slots are offered. */
export const holidays: DueWork = {
  job: 'calendar-holidays',
  due: queries.dueHolidays,
  async run(scope, { id }) {
    const { team, now, db } = scope;
    const found = await db.first(queries.calendarOf, { team, id });
    if (!found) return;
    const { days, until } = await holidaysOf(found.definition, now);
    db.send(setHolidays, { team, id, holidays: JSON.stringify(days), until });
  },
  setAside: { act: calendarTimerFailed, target: ({ id }) => id },
};
