import { isBehindBarrier } from '#access';
import { zoneOfTeam } from '#teams';
import { changesBetween } from '../../../platform/journal/changes.ts';
import { record } from '../../../platform/journal/record.ts';
import { problems } from '../../../platform/problems.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../../platform/versioned.ts';
import { changeable, readable } from '../access.ts';
import { datesChanged } from '../events.ts';
import { documentProblems } from '../problems.ts';
import * as queries from './queries.ts';
import { dayIn, daysOf, endOfDay, type KeyDates, kinds, reminderOf, termOn } from './calculate.ts';
import type { DatesBody, ShownDates } from './schemas.ts';

/** The default time between the announcement and the date. */
const usualReminder = 'P30D';

type DatesInput = KeyDates & { remindBefore: string; startsTemplate: string | null };
const none: DatesInput = {
  effectiveAt: null,
  expiresAt: null,
  noticePeriod: null,
  renewal: 'none',
  renewalPeriod: null,
  remindBefore: usualReminder,
  startsTemplate: null,
};

/** The given dates of a row, as the calculation needs them. */
export const givenOf = (row: queries.DatesRow): DatesInput => ({
  effectiveAt: row.effective_at,
  expiresAt: row.expires_at,
  noticePeriod: row.notice_period,
  renewal: row.renewal,
  renewalPeriod: row.renewal_period,
  remindBefore: row.remind_before,
  startsTemplate: row.starts_template,
});

/** Returns the time zone of the team, which decides when its days begin and end. */
export const zoneFor = async ({ db, team }: Pick<ReadScope | Scope, 'db' | 'team'>): Promise<string> =>
  (await db.first(zoneOfTeam, { team }))?.time_zone ?? 'UTC';

/** Returns the key dates of a document that the actor may read, with the days calculated from them. Version 0 means that no dates are set. Errors: 404. */
export async function getDates(scope: ReadScope | Scope, id: string): Promise<Versioned<ShownDates>> {
  const { document } = await readable(scope, id);
  const row = await scope.db.first(queries.datesOf, { team: scope.team, document: document.id });
  return { value: present(document.id, row, { now: scope.now, timeZone: await zoneFor(scope) }), version: row?.version ?? 0 };
}

function present(documentId: string, row: queries.DatesRow | undefined, { now, timeZone }: { now: Date; timeZone: string }): ShownDates {
  const given = row ? givenOf(row) : none;
  const { renewal, remindBefore, ...optional } = given;
  const term = termOn(given, dayIn(timeZone, now));
  const set = Object.entries(optional).filter(([, value]) => value !== null);
  return {
    documentId,
    renewal,
    remindBefore,
    ...(Object.fromEntries(set) as Partial<ShownDates>),
    ...(term?.noticeAt ? { noticeAt: term.noticeAt.toString() } : {}),
    ...(term ? { endsAt: term.endsAt.toString() } : {}),
    timezone: timeZone,
    ...(row ? { setBy: row.set_by, setByType: row.set_by_type, updatedAt: row.updated_at } : {}),
  };
}

/**
 * Replaces all key dates of a document. Each coming date is announced once, even after later changes. Errors: 403, 404, 412, 422 `dates_invalid`,
 * and the errors of workflows for a missing template.
 */
export async function putDates(scope: Scope, id: string, body: DatesBody, expect: VersionCheck): Promise<Versioned<ShownDates>> {
  const { db, team, actor, now } = scope;
  if (actor.type === 'system') throw new Error('key dates need an actor');
  const given = checked(body);
  const { document, access } = await changeable(scope, id, () => undefined);
  const of = { team, document: document.id };
  const kept = await db.first(queries.datesOf, of);
  expect(kept?.version ?? 0);
  if (given.startsTemplate !== null) requireScopeToStart(scope);
  const timeZone = await zoneFor(scope);
  db.send(queries.putDates, { ...of, ...given, by: actor.id, byType: actor.type, at: now });
  putDays(scope, document.id, given, timeZone);
  const term = termOn(given, dayIn(timeZone, now));
  await record(
    scope,
    datesChanged,
    document.id,
    {
      title: document.title,
      ...(document.folder_id === null ? {} : { folderId: document.folder_id }),
      ...(given.expiresAt === null ? {} : { expiresAt: given.expiresAt }),
      ...(term?.noticeAt ? { noticeAt: term.noticeAt.toString() } : {}),
      ...(given.startsTemplate === null ? {} : { startsTemplate: given.startsTemplate }),
      changes: changesBetween(kept ? givenOf(kept) : none, given),
      ...access.byRole('edit'),
    },
    isBehindBarrier(document.barrier_id),
  );
  return getDates(scope, document.id);
}

/** Requires the scope to start workflows. The start itself checks whether the actor may give others access to the document. */
function requireScopeToStart({ actor }: Scope): void {
  if ('scopes' in actor && !actor.scopes.has('workflows:write'))
    throw problems.insufficient_scope('You need the scope `workflows:write` to start a workflow by a date.');
}

/** Stores the calculated days. Days that are already past are not announced. */
function putDays({ db, team, now }: Scope, document: string, given: DatesInput, timeZone: string): void {
  const today = dayIn(timeZone, now);
  const days = daysOf(given, today);
  for (const kind of kinds) {
    const day = days[kind];
    if (!day) {
      db.send(queries.dropDay, { team, document, kind });
      continue;
    }
    const isPast = Temporal.PlainDate.compare(day, today) < 0;
    const goOn = given.renewal === 'tacit' ? endOfDay(day, timeZone) : null;
    const announce = isPast ? null : reminderOf(day, given.remindBefore, timeZone);
    db.send(queries.putDay, { team, document, kind, fallsOn: day.toString(), announce, goOn });
  }
}

function checked(body: DatesBody): DatesInput {
  const given: DatesInput = {
    effectiveAt: body.effectiveAt ?? null,
    expiresAt: body.expiresAt ?? null,
    noticePeriod: body.noticePeriod ?? null,
    renewal: body.renewal ?? 'none',
    renewalPeriod: body.renewalPeriod ?? null,
    remindBefore: body.remindBefore ?? usualReminder,
    startsTemplate: body.startsTemplate ?? null,
  };
  const { effectiveAt, expiresAt, noticePeriod, renewal, renewalPeriod } = given;
  if (renewal === 'tacit' && renewalPeriod === null) throw invalid('renewalPeriod', 'is required if the document renews itself');
  if (renewal === 'none' && renewalPeriod !== null) throw invalid('renewalPeriod', 'is not allowed without a renewal');
  for (const [name, span] of Object.entries({ noticePeriod, renewalPeriod })) {
    if (span === null) continue;
    if (Temporal.Duration.from(span).sign === 0) throw invalid(name, 'must be longer than zero');
    if (expiresAt === null) throw invalid('expiresAt', `is required with \`${name}\``);
  }
  if (renewal !== 'none' && expiresAt === null) throw invalid('expiresAt', 'is required with a renewal');
  if (effectiveAt !== null && expiresAt !== null && expiresAt < effectiveAt) throw invalid('expiresAt', 'must not be before `effectiveAt`');
  // The date library cannot calculate before the year 1.
  const noticeAt = expiresAt !== null && noticePeriod !== null ? Temporal.PlainDate.from(expiresAt).subtract(noticePeriod) : undefined;
  if (noticeAt && noticeAt.year < 1) throw invalid('noticePeriod', 'starts before the year 1');
  return given;
}

const invalid = (name: string, reason: string) =>
  documentProblems.dates_invalid(`\`${name}\` ${reason}.`, { errors: [{ name, pointer: `/${name}`, reason, rule: 'key-dates' }] });
