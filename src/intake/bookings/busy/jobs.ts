import { isDeepStrictEqual } from 'node:util';
import { Type } from 'typebox';
import type { Box } from '../../../platform/crypto/secretbox.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { DueWork } from '../../../platform/jobs/due-jobs.ts';
import { defineJob, enqueue, type JobResult, type JobAttempt } from '../../../platform/jobs/job.ts';
import { dayMs, type Span } from '../availability/index.ts';
import { calendarTimerFailed } from '../events.ts';
import { type SkippedEvent, UnreachableFile, UnusableFile } from './busy-times.ts';
import type { AskInterfaces } from '../interface-port.ts';
import { skippedMail, unreadableMail } from '../mails.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import { busyPlace } from './place.ts';
import * as queries from './queries.ts';
import { busyBounds, busyTimesOf, type BusyReach, fetchFile } from './reader.ts';

/** The interval between reads of an address, in seconds. Busy times older than `staleMs` are shown as stale. */
const everySeconds = 15 * 60;
export const staleMs = 60 * 60_000;

export type BusyDependencies = { database: Database; box: Box; reach: BusyReach; ask: Pick<AskInterfaces, 'about'> };

/** Reads one address outside of a transaction. Stores an error with the address; the next scheduled read makes another attempt. */
export const busyJob = defineJob(
  'calendar-busy-read',
  Type.Object({ id: Type.String() }),
  { retries: 2, concurrency: 2, counted: false, timeout: 45 },
  async ({ database, box, reach, ask }: BusyDependencies, { id }, { team }: JobAttempt): Promise<JobResult> => {
    if (team === undefined) return undefined;
    const row = await database.reader(team).first(queries.busyToRead, { team, id });
    if (!row) return undefined;
    const at = new Date(database.clock.now());
    const url = box.open(row.url, busyPlace(id)).toString();
    const { timeZone, maxDaysAhead } = row.definition;
    try {
      const text = await fetchFile(reach, url);
      const [from, until] = [at.getTime() - dayMs, at.getTime() + (maxDaysAhead + 3) * dayMs];
      const { spans, skipped } = await busyTimesOf({ text, from, until, zone: timeZone, most: busyBounds.events });
      const about = skipped.length === 0 ? undefined : await ask.about(database.reader(team), team, row.calendar_id);
      await database.inTeam(team, async (tx) => {
        const stored = await tx.first(queries.busyRead, { team, id, spans: asMultirange(spans), skipped: JSON.stringify(skipped), at });
        // The owner gets only one mail about the same events.
        if (!about || !stored || isDeepStrictEqual(stored.before, skipped)) return;
        const mail = skippedMail({
          id: row.calendar_id,
          ...(about.barred ? withoutNames(row.calendar_id, skipped) : { title: about.title, name: row.name, skipped }),
        });
        for (const { email: to, locale } of about.recipients)
          await queueMail(tx, { to, ...mail(locale), team, about: row.calendar_id, budgeted: true, lowPriority: true });
      });
    } catch (error) {
      if (!(error instanceof UnusableFile)) throw error;
      const reason = error.message;
      const about = error instanceof UnreachableFile ? undefined : await ask.about(database.reader(team), team, row.calendar_id);
      await database.inTeam(team, async (tx) => {
        const stored = await tx.first(queries.busyFailed, { team, id, error: reason, at });
        // The owner gets only one mail about the same error.
        if (!about || !stored || stored.before === reason) return;
        const [title, name] = about.barred ? [row.calendar_id, row.calendar_id] : [about.title, row.name];
        const mail = unreadableMail({ id: row.calendar_id, title, name, reason });
        for (const { email: to, locale } of about.recipients)
          await queueMail(tx, { to, ...mail(locale), team, about: row.calendar_id, budgeted: true, lowPriority: true });
      });
    }
    return undefined;
  },
);

/** Removes names from a mail about a calendar behind an information barrier. */
const withoutNames = (calendar: string, skipped: readonly SkippedEvent[]) => ({
  title: calendar,
  name: calendar,
  skipped: skipped.map(({ reason }) => ({ reason })),
});

const asMultirange = (spans: readonly Span[]) =>
  `{${spans.map(({ from, until }) => `["${new Date(from).toISOString()}","${new Date(until).toISOString()}")`).join(',')}}`;

/** Queues the addresses that are due for a read. */
export const busyDue: DueWork = {
  job: 'calendar-busy',
  due: queries.dueBusy,
  async run(scope, { team, id }) {
    const due = await scope.db.first(queries.takeDueBusy, { team, id, now: scope.now, everySeconds });
    if (due) enqueue(scope, busyJob, { id }, { key: id, lowPriority: true });
  },
  setAside: { act: calendarTimerFailed, target: ({ id }) => id },
};
