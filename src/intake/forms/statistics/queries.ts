import type { RowWithout } from '../../../platform/database/row.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';
import type { FormKey } from '../queries.ts';

export type DayRow = RowWithout<'interface_day', 'interface_id' | 'team_id'>;

/** Counts submissions by day and channel. */
export const daysOf = sqlStatement<FormKey & { from: string; to: string }, DayRow>(
  `SELECT to_char(day, 'YYYY-MM-DD') AS day, channel, received::float8 AS received, spam::float8 AS spam FROM interface_day
   WHERE team_id = $team AND interface_id = $interface AND day BETWEEN $from::date AND $to::date ORDER BY day, channel`,
);

/** Returns the total number of submissions, which `maxSubmissions` limits. */
export const totalOf = sqlStatement<FormKey, { taken: number }>(
  'SELECT taken::float8 AS taken FROM interface_count WHERE team_id = $team AND interface_id = $interface',
);
