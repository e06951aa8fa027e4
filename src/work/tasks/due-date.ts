import { zoneOfTeam } from '#teams';
import type { Reader } from '../../platform/database/database.ts';
import { problems } from '../../platform/problems.ts';

const dateOnly = /^\d{4}-\d{2}-\d{2}$/;
const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Converts a due date to an ISO time in UTC. A date without a time means the end of that day in the time zone of the team. Errors: 400 with the
 * pointer of `dueDate`.
 */
export async function dueTime(scope: { db: Reader; team: string }, given: string): Promise<string> {
  try {
    if (dateTime.test(given)) return toMilliseconds(Temporal.Instant.from(given));
    if (dateOnly.test(given)) {
      const zone = (await scope.db.first(zoneOfTeam, { team: scope.team }))?.time_zone ?? 'UTC';
      const nextDay = Temporal.PlainDate.from(given).add({ days: 1 });
      return toMilliseconds(nextDay.toZonedDateTime(zone).subtract({ milliseconds: 1 }).toInstant());
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw problems.validation_failed('`dueDate` must be a date such as 2026-12-31 or a time such as 2026-12-31T17:00:00Z.', {
    errors: [{ name: 'dueDate', pointer: '/dueDate', reason: 'is neither a date nor a time with a zone', rule: 'date-time' }],
  });
}

function toMilliseconds(instant: Temporal.Instant): string {
  const date = new Date(instant.epochMilliseconds);
  if (date.getUTCFullYear() < 1970 || date.getUTCFullYear() > 9999) throw new RangeError('out of range');
  return date.toISOString();
}
