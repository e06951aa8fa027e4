import type { RowWithout } from '../database/row.ts';
import { sqlStatement } from '../database/statement.ts';

type QuotaTeam = { team: string };

/** Writes the quotas of the settings, for the counting triggers and for all nodes. */
export const publishQuotas = sqlStatement<{ names: string[]; limits: number[] }, never>(
  `INSERT INTO quota_default (name, most) SELECT * FROM unnest($names::text[], $limits::bigint[]) ORDER BY 1
   ON CONFLICT (name) DO UPDATE SET most = excluded.most WHERE quota_default.most <> excluded.most`,
);

export type UsageRow = {
  name: string;
  fallback: number;
  own: number | null;
  counted: number;
  free_at: string | null;
};

/** Returns all quotas of a team with their usage: the counts of the triggers, and the state of rate budgets. */
export const usageOfTeam = sqlStatement<QuotaTeam, UsageRow>(
  `SELECT d.name, d.most AS fallback, q.most AS own, coalesce((SELECT sum(u.used) FROM team_usage u WHERE u.team_id = $team AND u.name = d.name), 0) AS counted, b.free_at
   FROM quota_default d
   LEFT JOIN team_quota q ON q.team_id = $team AND q.name = d.name
   LEFT JOIN team_budget b ON b.team_id = $team AND b.name = d.name AND b.free_at > now()`,
);

export const mailQuotaUse = sqlStatement<object, { in_day: number; day_free_at: string | null; to_one_in_hour: number }>(
  'SELECT * FROM mails_taken()',
);

export const setQuotas = sqlStatement<QuotaTeam & { names: string[]; limits: number[] }, never>(
  `INSERT INTO team_quota (team_id, name, most) SELECT $team, * FROM unnest($names::text[], $limits::bigint[]) ORDER BY 2
   ON CONFLICT (team_id, name) DO UPDATE SET most = excluded.most`,
);
export const dropQuotas = sqlStatement<QuotaTeam & { names: string[] }, never>(
  'DELETE FROM team_quota WHERE team_id = $team AND name = ANY ($names)',
);

/** Returns a row once per hour for each quota of a team. Only then the caller reports that the quota is used up. */
export const claimQuotaNotice = sqlStatement<QuotaTeam & { name: string }, { team_id: string }>(
  `INSERT INTO team_budget AS b (team_id, name, said_at) VALUES ($team, $name, now())
   ON CONFLICT (team_id, name) DO UPDATE SET said_at = now() WHERE b.said_at IS NULL OR b.said_at < now() - interval '1 hour' RETURNING team_id`,
);

/** Adds usage to rate budgets, with their periods in seconds. Returns which budgets are exceeded. */
export const spendBudgets = sqlStatement<
  { teams: string[]; names: string[]; amounts: number[]; seconds: number[] },
  { team_id: string; name: string; over: boolean }
>(
  `WITH spent AS (
     SELECT s.team_id, s.name, s.seconds, s.amount * s.seconds / greatest(1, coalesce(q.most, d.most)) AS takes
     FROM unnest($teams::uuid[], $names::text[], $amounts::float8[], $seconds::float8[]) AS s(team_id, name, amount, seconds)
     JOIN quota_default d ON d.name = s.name LEFT JOIN team_quota q ON q.team_id = s.team_id AND q.name = s.name
     ORDER BY s.team_id, s.name
   ), kept AS (
     INSERT INTO team_budget AS b (team_id, name, free_at) SELECT team_id, name, now() + make_interval(secs => takes) FROM spent
     ON CONFLICT (team_id, name) DO UPDATE SET free_at = greatest(b.free_at, now()) + (excluded.free_at - now())
     RETURNING team_id, name, free_at
   ) SELECT k.team_id, k.name, k.free_at > now() + make_interval(secs => s.seconds / 12) AS over FROM kept k JOIN spent s USING (team_id, name)`,
);

/** Returns the seconds by which a team has used a budget ahead of its even rate. Returns no row if it is not ahead. */
export const secondsAhead = sqlStatement<QuotaTeam & { name: string }, { seconds: number }>(
  `SELECT extract(epoch FROM free_at - now())::float8 AS seconds FROM team_budget WHERE team_id = $team AND name = $name AND free_at > now()`,
);

/** Returns the teams with a custom rate limit for changes. */
export const ownWriteLimits = sqlStatement<object, RowWithout<'team_quota', 'name'>>(
  "SELECT team_id, most FROM team_quota WHERE name = 'writes' LIMIT 100000",
);
/** Counts the nodes that serve requests. Each has one connection with this name. */
export const countNodes = sqlStatement<{ name: string }, { nodes: number }>(
  'SELECT count(*)::int AS nodes FROM pg_stat_activity WHERE application_name = $name AND datname = current_database()',
);

/** The part of an hourly budget that a team can use at once, in seconds of the even rate. */
export const burstSeconds = 300;

/**
 * Returns SQL for the delay of work under an hourly budget, as an interval. Usage that is more than five minutes ahead of the even rate is delayed.
 * `team` is an SQL expression, and `here` is the usage of this transaction.
 */
export const delayByBudget = (name: string, team: string, here = '0') =>
  `make_interval(secs => greatest(0, ${here} * 3600.0 / greatest(1, coalesce(
     (SELECT tq.most FROM team_quota tq WHERE tq.team_id = ${team} AND tq.name = '${name}'), (SELECT qd.most FROM quota_default qd WHERE qd.name = '${name}'), 1000000000))
   + coalesce((SELECT extract(epoch FROM greatest(tb.free_at, now()) - now()) FROM team_budget tb WHERE tb.team_id = ${team} AND tb.name = '${name}'), 0) - ${burstSeconds})::float8)`;
