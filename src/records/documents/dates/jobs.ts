import { isBehindBarrier } from '#access';
import { type DueJobDependencies, type DueWork, doDueWork } from '../../../platform/jobs/due-jobs.ts';
import { record } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import type { Scope } from '../../../platform/scope.ts';
import { dateFailed, dateNear } from '../events.ts';
import { ownerToNotify } from '../owner-to-notify.ts';
import { lockDocument } from '../queries.ts';
import { dateMail } from './mails.ts';
import * as queries from './queries.ts';
import { dayIn, daysOf, endOfDay, reminderOf } from './calculate.ts';
import { givenOf, zoneFor } from './service.ts';

const dayMs = 86_400_000;

/**
 * Announces each key date once when its reminder time comes, even if the time was missed. After the date of a document that renews itself, the next
 * date replaces it.
 */
export const nearDates: DueWork<queries.DueDay> = {
  job: queries.datesJob,
  due: queries.dueDays,
  async run(scope, { document, kind }) {
    const { db, team, now } = scope;
    const of = { team, document, kind };
    // The document lock prevents changes of its dates. Another node that runs the same job waits here and then finds it done.
    const day = await db.locked(lockDocument, { team, id: document }, () => db.first(queries.dayOf, of));
    if (!day || day.look_at === null || Date.parse(day.look_at) > now.getTime()) return;
    const timeZone = await zoneFor(scope);
    db.send(queries.setDay, { ...of, ...(await after(scope, { document, kind, day, timeZone })) });
  },
  setAside: { act: dateFailed, target: ({ document }) => document },
};

type DueDate = { document: string; kind: queries.DueDay['kind']; day: queries.DocumentDay; timeZone: string };
type Next = { fallsOn: string; lookAt: Date | null; emittedAt: Date | null };

async function after(scope: Scope, { document, kind, day, timeZone }: DueDate): Promise<Next> {
  const { now } = scope;
  const given = givenOf(day);
  const [fallsOn, today] = [Temporal.PlainDate.from(day.falls_on), dayIn(timeZone, now)];
  const kept = { fallsOn: day.falls_on, emittedAt: day.emitted_at === null ? null : new Date(day.emitted_at) };
  // Documents in the bin are not announced. A restored document is checked within a day.
  if (day.deleted_at !== null) return { ...kept, lookAt: new Date(now.getTime() + dayMs) };
  if (kept.emittedAt === null) {
    // The team may have changed its time zone since the reminder was calculated.
    const reminder = reminderOf(fallsOn, given.remindBefore, timeZone);
    if (reminder > now) return { ...kept, lookAt: reminder };
    await announce(scope, { document, kind, day, isPast: Temporal.PlainDate.compare(fallsOn, today) < 0 });
    return { fallsOn: day.falls_on, emittedAt: now, lookAt: given.renewal === 'tacit' ? endOfDay(fallsOn, timeZone) : null };
  }
  const next = daysOf(given, today)[kind];
  if (given.renewal !== 'tacit' || !next) return { ...kept, lookAt: null };
  // If the clock was set back, the calculated day can be earlier. The later day stays.
  if (Temporal.PlainDate.compare(next, fallsOn) <= 0) return { ...kept, lookAt: endOfDay(fallsOn, timeZone) };
  return { fallsOn: next.toString(), emittedAt: null, lookAt: reminderOf(next, given.remindBefore, timeZone) };
}

async function announce(scope: Scope, { document, kind, day, isPast }: Omit<DueDate, 'timeZone'> & { isPast: boolean }): Promise<void> {
  const { db, team } = scope;
  const barred = isBehindBarrier(day.barrier_id);
  const owner = await ownerToNotify(scope, { owner: day.user_id, folder: day.folder_id });
  if (owner) {
    const notice = { id: document, title: barred ? undefined : day.title, kind, day: Temporal.PlainDate.from(day.falls_on), isPast };
    await queueMail(db, { ...dateMail(owner.locale, notice), to: owner.email, team, budgeted: true, about: document, lowPriority: true });
  }
  await record(
    scope,
    dateNear,
    document,
    {
      title: day.title,
      ...(day.folder_id === null ? {} : { folderId: day.folder_id }),
      kind,
      date: day.falls_on,
      ...(day.starts_template === null ? {} : { startsTemplate: day.starts_template }),
    },
    barred,
  );
}

/** Announces the key dates that are due. Several nodes may run it at once. */
export const announceDates = (deps: DueJobDependencies, now: Date): Promise<void> => doDueWork(deps, nearDates, now);
