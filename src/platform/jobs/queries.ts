import type { Row, RowWithout } from '../database/row.ts';
import { sqlStatement } from '../database/statement.ts';

type NewJob = { team: string; id: string; name: string; data: string; key: string | null; counted: boolean; runAt: Date | null };

/** Adds a job, unless one with its key waits already. */
export const insertJob = sqlStatement<NewJob, never>(
  `INSERT INTO job (team_id, id, name, data, key, counted, state, due_at)
   VALUES ($team, $id, $name, $data::jsonb, $key, $counted,
     CASE WHEN coalesce($runAt::timestamptz, now()) <= now() THEN 'ready' ELSE 'waiting' END, coalesce($runAt::timestamptz, now()))
   ON CONFLICT DO NOTHING`,
);

/** Takes back what waits under a key of the team of the transaction, unless a worker has begun it. */
export const withdrawJobs = sqlStatement<{ name: string; key: string }, never>('SELECT withdraw_jobs($name, $key)');

/** A job as a worker takes it. */
export type ClaimedJob = Row<'job', 'team_id' | 'id' | 'name' | 'attempts' | 'interruptions'> & { data: unknown };

/** Where the search for jobs of one name stands. */
type Search = {
  /** The names, how many of each there is room for, how many of these a team may have that has none in hand, and the team to begin at. */
  names: string[];
  rooms: number[];
  ofOne: number[];
  from: string[];
  /** How many more a team may have that has some in hand. */
  busyNames: string[];
  busyTeams: string[];
  busyRooms: number[];
  /** Over so many teams at most. */
  lanes: number;
  /** What this worker has in hand. */
  leasedIds: string[];
  leaseSeconds: number;
};

/**
 * One row comes back for each name with a team that has some, to say whether more may follow, which was the last, and
 * whether there was anything to take: another node may have taken it in the same moment.
 */
export type SearchedJob = { [Member in keyof ClaimedJob]: Member extends 'name' ? string : ClaimedJob[Member] | null } & {
  more: boolean;
  last: string;
  some: boolean;
};

/** Setting for `takeJobs`, in its transaction: its plan is kept. Each search would take about a millisecond to plan. */
export const keptPlan = sqlStatement<object, never>("SELECT set_config('plan_cache_mode', 'force_generic_plan', true)");

/**
 * Takes what is ready, of teams in turn: many jobs of one delay nobody else's. What a claim costs does not grow with how
 * many jobs wait, since it walks along the index from team to team. What is picked is looked up by its key: `state || ''`
 * keeps the planner from reading the whole index of ready jobs for it, which looks small while its statistics are old.
 */
export const takeJobs = sqlStatement<Search, SearchedJob>(
  `WITH RECURSIVE wanted AS (
     SELECT w.*, least($lanes::int, w.room + 1) AS most FROM unnest($names::text[], $rooms::int[], $ofOne::int[], $from::uuid[]) AS w (name, room, of_one, first)
   ),
   lane AS (
     SELECT w.name, head.team_id, 1 AS step, w.most FROM wanted w CROSS JOIN LATERAL (
       SELECT j.team_id FROM job j WHERE j.state = 'ready' AND j.name = w.name AND j.team_id >= w.first ORDER BY j.team_id LIMIT 1
     ) head
     UNION ALL
     SELECT l.name, next.team_id, l.step + 1, l.most FROM lane l CROSS JOIN LATERAL (
       SELECT j.team_id FROM job j WHERE j.state = 'ready' AND j.name = l.name AND j.team_id > l.team_id ORDER BY j.team_id LIMIT 1
     ) next WHERE l.step < l.most
   ),
   seen AS (SELECT DISTINCT ON (name) name, step AS lanes, most, team_id AS last FROM lane ORDER BY name, step DESC),
   picked AS (
     SELECT w.name, w.room, head.team_id, head.id, row_number() OVER (PARTITION BY w.name ORDER BY head.nth, head.due_at) AS place
     FROM wanted w JOIN seen s ON s.name = w.name JOIN lane l ON l.name = w.name
     LEFT JOIN unnest($busyNames::text[], $busyTeams::uuid[], $busyRooms::int[]) AS h (name, team_id, room) ON h.name = l.name AND h.team_id = l.team_id
     CROSS JOIN LATERAL (
       SELECT q.*, row_number() OVER (ORDER BY q.due_at, q.id) AS nth FROM (
         SELECT j.team_id, j.id, j.due_at FROM job j
         WHERE j.state = 'ready' AND j.name = l.name AND j.team_id = l.team_id AND j.id <> ALL ($leasedIds::uuid[])
         ORDER BY j.due_at, j.id LIMIT least(coalesce(h.room, w.of_one), 1 + 2 * w.room / s.lanes)
       ) q
     ) head
   ),
   free AS (
     SELECT p.team_id, p.id FROM (SELECT * FROM picked WHERE place <= room ORDER BY team_id, id) p
     CROSS JOIN LATERAL (
       SELECT FROM job j WHERE j.team_id = p.team_id AND j.id = p.id AND j.state || '' = 'ready' FOR UPDATE SKIP LOCKED
     ) j
   ),
   taken AS (
     UPDATE job j SET state = 'running', attempts = j.attempts + 1, due_at = now() + make_interval(secs => $leaseSeconds)
     FROM free f WHERE j.team_id = f.team_id AND j.id = f.id RETURNING j.team_id, j.id, j.name, j.data, j.attempts, j.interruptions
   )
   SELECT s.name, s.lanes = s.most AS more, s.last, EXISTS (SELECT FROM picked p WHERE p.name = s.name) AS some, t.team_id, t.id, t.data, t.attempts, t.interruptions
   FROM seen s LEFT JOIN taken t ON t.name = s.name`,
);

/** Rows are locked in one order by each statement that changes several, so that no two wait for each other (docs/internals/locks.md). */
const lockedRowsSql = (which: string, skip = '') => `WITH held AS (
     SELECT k.team_id, k.id FROM job k ${which} ORDER BY k.team_id, k.id FOR UPDATE OF k ${skip}
   )`;
const theseJobs = 'JOIN unnest($teams::uuid[], $ids::uuid[]) AS g (team_id, id) ON k.team_id = g.team_id AND k.id = g.id';

const dropWhere = (which: string) => `${lockedRowsSql(which)} DELETE FROM job j USING held d WHERE j.team_id = d.team_id AND j.id = d.id`;

/** What is done is gone. */
export const removeJobs = sqlStatement<{ teams: string[]; ids: string[] }, never>(dropWhere(theseJobs));

/**
 * What is in hand stays there; also where the lease has run out and nobody else has taken it yet. A `ready` job of this node counted as
 * interrupted, and was not.
 */
export const extendLeases = sqlStatement<{ teams: string[]; ids: string[]; attempts: number[]; leaseSeconds: number }, never>(
  `${lockedRowsSql(theseJobs, 'SKIP LOCKED')}
   UPDATE job j SET state = 'running', due_at = now() + make_interval(secs => $leaseSeconds),
     interruptions = greatest(0, j.interruptions - (j.state = 'ready')::int)
   FROM held h JOIN unnest($ids::uuid[], $attempts::int[]) AS a (id, attempts) ON a.id = h.id
   WHERE j.team_id = h.team_id AND j.id = h.id AND j.attempts = a.attempts AND j.state IN ('running', 'ready')`,
);

type Ended = { team: string; id: string; attempt: number };
const stillMine = "WHERE team_id = $team AND id = $id AND attempts = $attempt AND state IN ('running', 'ready') RETURNING id";

/** After a failure it waits for its next try. */
export const tryAgain = sqlStatement<Ended & { waitSeconds: number; error: string }, { id: string }>(
  `UPDATE job SET state = 'waiting', due_at = now() + make_interval(secs => $waitSeconds), error = $error ${stillMine}`,
);

/** It was not its turn: the try does not count. What is asked for anew meanwhile is another job. */
export const putBack = sqlStatement<Ended & { at: Date }, { id: string }>(
  `UPDATE job SET state = 'waiting', due_at = greatest($at, now()), attempts = attempts - 1, key = NULL ${stillMine}`,
);

/** It failed for good, and is kept. Of periodic work, what failed before says no more than this does. */
export const giveUp = sqlStatement<Ended & { error: string }, { id: string }>(
  `WITH former AS (
     DELETE FROM job o USING job n WHERE n.team_id = $team AND n.id = $id AND n.alone AND o.name = n.name AND o.alone AND o.state = 'failed'
   )
   UPDATE job SET state = 'failed', due_at = now(), error = $error ${stillMine}`,
);

/**
 * Makes ready what has waited long enough, and what a worker had in hand that is dead. Says in how many milliseconds the next is due.
 * A job that was interrupted before waits first, since it may be what ends the nodes: 10 s, then four times as long
 * each time, up to an hour. The wait varies by half, so that jobs that were interrupted together separate.
 */
export const wakeJobs = sqlStatement<{ leasedIds: string[]; limit: number }, { woken: number; names: string[]; next_ms: number | null }>(
  `WITH due AS (
     SELECT team_id, id FROM job WHERE state IN ('waiting', 'running') AND due_at <= now() AND id <> ALL ($leasedIds::uuid[])
     ORDER BY due_at LIMIT $limit FOR UPDATE SKIP LOCKED
   ),
   woken AS (
     UPDATE job j SET interruptions = j.interruptions + (j.state = 'running')::int,
       state = CASE WHEN j.state = 'running' AND j.interruptions > 0 THEN 'waiting' ELSE 'ready' END,
       due_at = CASE WHEN j.state = 'running' AND j.interruptions > 0
         THEN now() + make_interval(secs => least(3600, 10 * power(4, least(j.interruptions, 10) - 1)) * (0.5 + random())) ELSE j.due_at END
     FROM due d WHERE j.team_id = d.team_id AND j.id = d.id RETURNING j.name
   )
   SELECT count(*)::int AS woken, coalesce(array_agg(DISTINCT name), '{}') AS names,
     (SELECT extract(epoch FROM min(due_at) - now())::float8 * 1000 FROM job WHERE state IN ('waiting', 'running') AND due_at > now()) AS next_ms
   FROM woken`,
);

/** Says that a worker looks for jobs. */
export const seeWorker = sqlStatement<{ id: string }, never>(
  'INSERT INTO job_worker (id, seen_at) VALUES ($id, now()) ON CONFLICT (id) DO UPDATE SET seen_at = now()',
);
export const forgetWorkers = sqlStatement<object, never>("DELETE FROM job_worker WHERE seen_at < now() - interval '1 day'");

/** Lets jobs that are ready wait, such as those that would only find out what is known by now. */
export const putOffJobs = sqlStatement<{ teams: string[]; ids: string[]; at: Date }, never>(
  `${lockedRowsSql(theseJobs, 'SKIP LOCKED')}
   UPDATE job j SET state = 'waiting', due_at = $at FROM held o
   WHERE j.team_id = o.team_id AND j.id = o.id AND j.state = 'ready'`,
);

/** Jobs whose time is over, whatever became of them. */
export const dropJobs = sqlStatement<{ names: string[]; before: Date }, never>(
  dropWhere('WHERE k.name = ANY ($names) AND k.created_at < $before'),
);

/** When each periodic work was begun last. */
export const schedules = sqlStatement<object, Row<'job_schedule'>>('SELECT name, begun_at FROM job_schedule');

/** A work that is new here is due at its next time. */
export const noteSchedules = sqlStatement<{ names: string[]; at: Date }, never>(
  'INSERT INTO job_schedule (name, begun_at) SELECT name, $at FROM unnest($names::text[]) name ON CONFLICT DO NOTHING',
);

/** Of the nodes that find a periodic work due, one begins it. A run that still goes on is the one of this time too. */
export const beginPeriodic = sqlStatement<{ name: string; known: string; at: Date; id: string }, never>(
  `WITH turn AS (UPDATE job_schedule SET begun_at = $at WHERE name = $name AND begun_at = $known RETURNING name)
   INSERT INTO job (team_id, id, name, data, alone, state, due_at)
   SELECT '00000000-0000-0000-0000-000000000000', $id, name, '{}', true, 'ready', now() FROM turn ON CONFLICT DO NOTHING`,
);

/**
 * Counts the due jobs of each name, at most `limit` of a name, and the seconds since the oldest of those became due. A waiting job whose
 * time has passed is due, and so is a job whose node has died. The search for names skips along the index from name to name.
 */
export const countDue = sqlStatement<{ limit: number }, { name: string; jobs: number; oldest_seconds: number }>(
  `WITH RECURSIVE queue AS (
     (SELECT name FROM job WHERE state = 'ready' ORDER BY name LIMIT 1)
     UNION ALL
     SELECT next.name FROM queue q CROSS JOIN LATERAL (
       SELECT j.name FROM job j WHERE j.state = 'ready' AND j.name > q.name ORDER BY j.name LIMIT 1
     ) next
   ),
   due AS (
     SELECT q.name, d.due_at FROM queue q CROSS JOIN LATERAL (
       SELECT j.due_at FROM job j WHERE j.state = 'ready' AND j.name = q.name LIMIT $limit
     ) d
     UNION ALL
     SELECT o.name, o.due_at FROM (
       SELECT j.name, j.due_at FROM job j WHERE j.state IN ('waiting', 'running') AND j.due_at <= now() ORDER BY j.due_at LIMIT $limit
     ) o
   )
   SELECT name, count(*)::int AS jobs, extract(epoch FROM greatest(now() - min(due_at), interval '0'))::float8 AS oldest_seconds
   FROM due GROUP BY name`,
);

/** The seconds since a node began periodic work; null if none ever did. */
export const lastPeriodic = sqlStatement<object, { seconds: number | null }>(
  'SELECT extract(epoch FROM now() - max(begun_at))::float8 AS seconds FROM job_schedule',
);

/** How many jobs of each name have failed for good. */
export const countFailed = sqlStatement<object, { name: string; jobs: number }>(
  "SELECT name, count(*)::int AS jobs FROM job WHERE state = 'failed' GROUP BY name",
);

export type ListedJob = RowWithout<'job', 'alone' | 'counted' | 'data' | 'interruptions' | 'key'>;

/** Jobs of a state, those that were due longest first. */
export const listJobs = sqlStatement<{ state: string; name: string | null; limit: number }, ListedJob>(
  `SELECT team_id, id, name, state, due_at, attempts, error, created_at FROM job
   WHERE state = $state AND ($name::text IS NULL OR name = $name) ORDER BY due_at, id LIMIT $limit`,
);

/** Lets failed jobs begin anew. Periodic work that waits or goes on again needs no second row. */
export const retryJobs = sqlStatement<{ id: string | null; name: string | null; limit: number }, Row<'job', 'id' | 'name'>>(
  `WITH held AS (
     SELECT f.team_id, f.id FROM job f WHERE f.state = 'failed' AND ($id::uuid IS NULL OR f.id = $id) AND ($name::text IS NULL OR f.name = $name)
       AND NOT (f.alone AND EXISTS (SELECT FROM job o WHERE o.name = f.name AND o.alone AND o.state <> 'failed'))
     ORDER BY f.team_id, f.id LIMIT $limit FOR UPDATE
   )
   UPDATE job j SET state = 'ready', due_at = now(), attempts = 0, interruptions = 0, key = NULL
   FROM held d WHERE j.team_id = d.team_id AND j.id = d.id RETURNING j.id, j.name`,
);

/** What failed for good is kept for a while. */
export const dropFailed = sqlStatement<{ before: Date }, never>(dropWhere("WHERE k.state = 'failed' AND k.due_at < $before"));
