import type { Static } from 'typebox';
import { problems } from '../../../platform/problems.ts';
import type { ReadScope } from '../../../platform/scope.ts';
import { withSubmissions } from '../submissions/index.ts';
import * as queries from './queries.ts';
import type { statistics } from './schemas.ts';

const dayMs = 24 * 3_600_000;
const usualDays = 30;
const maxDays = 366;

/**
 * Counts submissions by day (UTC) and channel, by default for the last 30 days. The counters are separate from the submissions, so
 * erased ones stay included. Throws 400, 403, 404.
 */
export async function statisticsOf(
  scope: ReadScope,
  id: string,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Promise<Static<typeof statistics>> {
  const { row } = await withSubmissions(scope, id);
  const last = to === undefined ? scope.now : new Date(to);
  const first = from === undefined ? new Date(last.getTime() - (usualDays - 1) * dayMs) : new Date(from);
  const span = (last.getTime() - first.getTime()) / dayMs;
  if (span < 0 || span > maxDays)
    throw problems.validation_failed(`\`to\` must be at or after \`from\`, and no more than ${maxDays} days after it.`, {
      errors: [{ name: 'to', pointer: '/to', reason: `must be 0 to ${maxDays} days after \`from\``, rule: 'range' }],
    });
  const of = { team: scope.team, interface: row.id };
  const [begin, end] = [first, last].map((date) => date.toISOString().slice(0, 10)) as [string, string];
  const days = await scope.db.all(queries.daysOf, { ...of, from: begin, to: end });
  const total = (await scope.db.first(queries.totalOf, of))?.taken ?? 0;
  return { from: begin, to: end, total, days };
}
