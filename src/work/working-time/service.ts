import { zoneOfTeam } from '#teams';
import { pipelined } from '../../platform/database/pipelined.ts';
import { type HolidayAt, holidayPlaceError, holidaysAt } from '../../platform/holidays.ts';
import type { DueWork } from '../../platform/jobs/due-jobs.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { workingTimeChanged, workingTimeFailed } from './events.ts';
import { invalidWorkingTime } from './problems.ts';
import * as queries from './queries.ts';
import { type WorkingTime, workingDaysFrom } from './business-days.ts';
import type { ShownWorkingTime, WorkingTimeBody } from './schemas.ts';

type Definition = queries.WorkingTimeRow['definition'];

/** The default working time. */
const usual: Definition = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], opens: '09:00', closes: '17:00', free: [] };
/** The number of working days and holidays that a response lists. */
const shown = 10;
/** Time ahead for which holidays are calculated, in milliseconds. It equals the longest search for a working day. */
const aheadMs = 730 * 86_400_000;

const today = (now: Date, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();

function timeOf({ days, closes, free }: Definition, holidays: readonly HolidayAt[], timeZone: string): WorkingTime {
  return { days, closes, free: new Set([...free, ...holidays.map(({ date }) => date)]), timeZone };
}

async function read({ db, team }: Pick<ReadScope | Scope, 'db' | 'team'>) {
  const { row, zone } = await pipelined({
    row: () => db.first(queries.workingTimeOf, { team }),
    zone: () => db.first(zoneOfTeam, { team }),
  });
  const timeZone = zone?.time_zone ?? 'UTC';
  const definition = row?.definition ?? usual;
  return { row, timeZone, definition, time: timeOf(definition, row?.holidays ?? [], timeZone) };
}

/** Returns the working time of the team, or the default. */
export async function teamWorkingTime(scope: Pick<ReadScope | Scope, 'db' | 'team'>): Promise<WorkingTime> {
  return (await read(scope)).time;
}

/** Returns the working time of the team, with the next working days and holidays. A team without a stored working time has version 0. */
export async function getWorkingTime(scope: ReadScope | Scope): Promise<Versioned<ShownWorkingTime>> {
  const { row, timeZone, definition, time } = await read(scope);
  const from = today(scope.now, timeZone);
  const value = {
    ...definition,
    timezone: timeZone,
    nextDays: workingDaysFrom(time, from, shown).map(String),
    nextHolidays: (row?.holidays ?? []).filter(({ date }) => date >= from.toString()).slice(0, shown),
  };
  return { value, version: row?.version ?? 0 };
}

type PreparedWorkingTime = { definition: Definition; holidays: HolidayAt[]; until: string | null };

/** Checks a working time and calculates its holidays, before any lock. Errors: 422 `working_time_invalid`. */
export async function prepareWorkingTime(
  { days, opens, closes, holidays, free = [] }: WorkingTimeBody,
  now: Date,
): Promise<PreparedWorkingTime> {
  if (closes <= opens) throw invalidWorkingTime('/closes', 'must be later than `opens`');
  const placeError = holidays && (await holidayPlaceError(holidays));
  if (placeError) throw invalidWorkingTime(`/holidays/${placeError.member}`, placeError.reason);
  const definition = { days, opens, closes, ...(holidays ? { holidays } : {}), free: free.toSorted() };
  const worked = await holidaysFrom(definition, now);
  if (workingDaysFrom(timeOf(definition, worked.holidays, 'UTC'), today(now, 'UTC').add({ days: 1 }), 1).length === 0)
    throw invalidWorkingTime('/free', 'leaves no working day');
  return { definition, ...worked };
}

async function holidaysFrom({ holidays }: Definition, now: Date): Promise<Omit<PreparedWorkingTime, 'definition'>> {
  if (!holidays) return { holidays: [], until: null };
  const last = new Date(now.getTime() + aheadMs).getUTCFullYear() + 1;
  return { holidays: await holidaysAt(holidays, ['public'], { first: now.getUTCFullYear(), last }), until: `${last}-12-31` };
}

/** Sets the working time. Existing due dates stay. Errors: 412. */
export async function putWorkingTime(
  scope: Scope,
  { definition, holidays, until }: PreparedWorkingTime,
  expect: VersionCheck,
): Promise<Versioned<ShownWorkingTime>> {
  const { db, team, now } = scope;
  const kept = await db.locked(queries.lockWorkingTime, { team }, () => db.first(queries.workingTimeOf, { team }));
  expect(kept?.version ?? 0);
  const before = kept?.definition ?? usual;
  const members = (['days', 'opens', 'closes', 'holidays', 'free'] as const).filter(
    (member) => JSON.stringify(before[member] ?? null) !== JSON.stringify(definition[member] ?? null),
  );
  db.send(queries.putWorkingTime, {
    team,
    definition: JSON.stringify(definition),
    holidays: JSON.stringify(holidays),
    until,
    at: now,
  });
  await recordAudit(scope, workingTimeChanged, team, { members });
  return getWorkingTime(scope);
}

/** Calculates the holidays of the next years in advance. Due dates need them. */
export const workingTimeHolidays: DueWork = {
  job: 'working-time-holidays',
  due: queries.dueHolidays,
  async run({ db, team, now }) {
    const found = await db.first(queries.workingTimeOf, { team });
    if (!found) return;
    const { holidays, until } = await holidaysFrom(found.definition, now);
    db.send(queries.setHolidays, { team, holidays: JSON.stringify(holidays), until });
  },
  setAside: { act: workingTimeFailed, target: ({ team }) => team },
};
