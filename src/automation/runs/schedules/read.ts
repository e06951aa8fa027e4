import { type Static, Type } from 'typebox';
import { timeZoneName } from '../../../platform/time-zones.ts';
import { runProblems } from '../problems.ts';
import { bounds, type Schedule, scheduleShapes } from './schedule.ts';
import { compile, nextTime } from './times.ts';

/** The members of a body with the due times: `schedule`, or the short form. */
export const scheduleMembers = {
  schedule: Type.Optional(scheduleShapes),
  cron: Type.Optional(Type.String({ maxLength: 1_000, description: 'Short for a `schedule` of five fields' })),
  timezone: Type.Optional(Type.String({ maxLength: 100, description: 'The time zone of `cron`' })),
};
export type ScheduleInput = Partial<Static<ReturnType<typeof Type.Object<typeof scheduleMembers>>>>;

type Context = {
  now: Date;
  /** The time zone of the team, which is the default. */
  zone: string;
};

/** Rejects a member of the body, with the reason. */
const invalid = (pointer: string, reason: string, rule: string) =>
  runProblems.schedule_invalid(`\`${pointer.slice(1).replaceAll('/', '.')}\` ${reason}.`, {
    errors: [{ name: pointer.split('/').at(-1) ?? '', pointer, reason, rule }],
  });

/**
 * Returns the schedule of a body, or nothing if it has none. Throws 422 `schedule_invalid` for a schedule that is invalid, never due, or in the past.
 */
export function readSchedule(input: ScheduleInput, context: Context): Schedule | undefined {
  const { schedule, cron, timezone } = input;
  if (schedule !== undefined && (cron !== undefined || timezone !== undefined))
    throw invalid('/schedule', 'cannot be combined with `cron` or `timezone`', 'one-form');
  if (schedule === undefined && cron === undefined) {
    if (timezone !== undefined) throw invalid('/timezone', 'requires the member `cron`, which is missing', 'one-form');
    return undefined;
  }
  if (typeof schedule === 'object') return readKind(schedule, context);
  const [expr, pointer] = schedule === undefined ? [cron ?? '', '/cron'] : [schedule, '/schedule'];
  return readCron({ expr, tz: timezone }, context, { expr: pointer, tz: '/timezone', staggerMs: '/schedule/staggerMs' });
}

function readKind(given: Exclude<ScheduleInput['schedule'], string | undefined>, context: Context): Schedule {
  if (given.kind === 'at') return readAt(given, context);
  if (given.kind === 'cron')
    return readCron(given, context, { expr: '/schedule/expr', tz: '/schedule/tz', staggerMs: '/schedule/staggerMs' });
  const { everyMs, anchor } = given;
  const { least, most } = bounds.everyMs;
  if (everyMs < least || everyMs > most)
    throw invalid('/schedule/everyMs', `must be from ${least} (a minute) to ${most} (366 days)`, 'range');
  const from = anchor === undefined ? context.now : instantOf(anchor);
  if (from === undefined) throw invalid('/schedule/anchor', 'must be a time with an offset, such as 2027-03-01T09:00:00Z', 'date-time');
  return { kind: 'every', everyMs, anchor: from.toISOString() };
}

const fields = /^[0-9a-z*?/,#+-]+( [0-9a-z*?/,#+-]+){4}$/i;

function readCron(
  { expr: given, tz, staggerMs = 0 }: { expr: string; tz?: string | undefined; staggerMs?: number | undefined },
  { now, zone }: Context,
  at: { expr: string; tz: string; staggerMs: string },
): Schedule {
  if (staggerMs < 0 || staggerMs > bounds.staggerMs)
    throw invalid(at.staggerMs, `must be from 0 to ${bounds.staggerMs} (an hour)`, 'range');
  if (given.length > bounds.exprLength) throw invalid(at.expr, `must have at most ${bounds.exprLength} characters`, 'length');
  const expr = given.trim().replaceAll(/[ \t]+/g, ' ');
  // The parser also accepts other patterns, such as the time of a single run, which is another kind of schedule.
  if (!fields.test(expr))
    throw invalid(at.expr, 'must be five fields, such as `0 9 * * 1-5`: minute, hour, day, month, day of the week', 'cron');
  const schedule: Schedule = { kind: 'cron', expr, tz: zoneOf(tz ?? zone, at.tz), staggerMs };
  try {
    compile(schedule);
  } catch (error) {
    // The parser throws these errors for an invalid pattern. Any other error is a bug.
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    throw invalid(at.expr, `is invalid: ${error.message.replace(/^CronPattern: /, '').slice(0, 200)}`, 'cron');
  }
  if (nextTime(schedule, now) === undefined) throw invalid(at.expr, 'is never due: such a day does not exist', 'never');
  return schedule;
}

function zoneOf(given: string, pointer: string): string {
  const name = timeZoneName(given);
  if (name === undefined) throw invalid(pointer, 'must be a time zone name, such as Europe/Berlin or UTC, and not an offset', 'time-zone');
  return name;
}

const withoutOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?$/;
const withOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/i;

function readAt({ at: given, tz }: { at: string; tz?: string | undefined }, { now, zone }: Context): Schedule {
  const at = withoutOffset.test(given) ? wallClock(given, zoneOf(tz ?? zone, '/schedule/tz')) : instantOf(given);
  if (at === undefined) throw invalid('/schedule/at', 'must be an existing time, such as 2027-03-01T09:00:00Z', 'date-time');
  if (tz !== undefined && withOffset.test(given))
    throw invalid('/schedule/tz', 'cannot be combined with a time that has an offset', 'one-form');
  if (at <= now) throw invalid('/schedule/at', 'is in the past', 'past');
  return { kind: 'at', at: at.toISOString() };
}

function instantOf(given: string): Date | undefined {
  if (!withOffset.test(given)) return undefined;
  try {
    return inRange(new Date(Temporal.Instant.from(given).epochMilliseconds));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Returns the time of a wall clock in a zone. Returns nothing for a time that the clocks skip, and the earlier one for a repeated time. */
function wallClock(given: string, zone: string): Date | undefined {
  try {
    const local = Temporal.PlainDateTime.from(given);
    const time = local.toZonedDateTime(zone, { disambiguation: 'earlier' });
    return time.toPlainDateTime().equals(local) ? inRange(new Date(time.epochMilliseconds)) : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const inRange = (time: Date): Date | undefined => (time.getUTCFullYear() >= 1970 && time.getUTCFullYear() <= 9999 ? time : undefined);
