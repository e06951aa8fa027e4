import type { Row, RowWithout } from '../database/row.ts';
import { sqlStatement } from '../database/statement.ts';

type NewJob = { team: string; id: string; name: string; data: string; key: string | null; counted: boolean; runAt: Date | null };

/** Adds a job, unless another one with its key waits. */
export const insertJob = sqlStatement<NewJob, never>(
  `INSERT INTO job (team_id, id, name, data, key, counted, state, due_at)
   VALUES ($team, $id, $name, $data::jsonb, $key, $counted,
     CASE WHEN coalesce($runAt::timestamptz, now()) <= now() THEN 'ready' ELSE 'waiting' END, coalesce($runAt::timestamptz, now()))
   ON CONFLICT DO NOTHING`,
);

/** Deletes the waiting job of the current team with this key, unless a worker has started it. */
export const withdrawJobs = sqlStatement<{ name: string; key: string }, never>('SELECT withdraw_jobs($name, $key)');

/** A job that a worker has claimed. */
export type ClaimedJob = Row<'job', 'team_id' | 'id' | 'name' | 'attempts' | 'interruptions' | 'traceparent'> & { data: unknown };

/** The parameters of a search for ready jobs. */
type Search = {
  /**
   * Parallel arrays with one element for each job name. They have the name, its free slots, the limit for a team without running jobs, and the first
   * team.
   */
  names: string[];
  rooms: number[];
  ofOne: number[];
  from: string[];
  /** Parallel arrays: how many more slots a team with running jobs of a name may get. */
  busyNames: string[];
  busyTeams: string[];
  busyRooms: number[];
  /** Maximum number of teams. */
  lanes: number;
  /** The jobs that this worker runs. */
  leasedIds: string[];
  leaseSeconds: number;
};

/**
 * A claimed job. For a name with ready jobs, there is also a row without a job. `more`: further teams may follow after the team `last`. `some`: a job
 * was ready, even if another node claimed it at the same moment.
 */
export type SearchedJob = { [Member in keyof ClaimedJob]: Member extends 'name' ? string : ClaimedJob[Member] | null } & {
  more: boolean;
  last: string;
  some: boolean;
};

/** Makes the transaction use a generic plan for `takeJobs`. Planning each search would take about a millisecond. */
export const forceGenericPlan = sqlStatement<object, never>("SELECT set_config('plan_cache_mode', 'force_generic_plan', true)");

/**
 * Claims ready jobs; teams take turns, so many jobs of one team do not delay the others. The cost does not depend on the number of waiting jobs,
 * because the search skips from team to team along the index. `state || ''` prevents a scan of the whole index of ready jobs, which the planner
 * prefers if its statistics are old.
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
     FROM free f WHERE j.team_id = f.team_id AND j.id = f.id RETURNING j.team_id, j.id, j.name, j.data, j.attempts, j.interruptions, j.traceparent
   )
   SELECT s.name, s.lanes = s.most AS more, s.last, EXISTS (SELECT FROM picked p WHERE p.name = s.name) AS some, t.team_id, t.id, t.data, t.attempts, t.interruptions, t.traceparent
   FROM seen s LEFT JOIN taken t ON t.name = s.name`,
);

/** SQL that locks the jobs of a statement in one order. Then statements cannot deadlock when they change several jobs (docs/internals/locks.md). */
const lockedRowsSql = (which: string, skip = '') => `WITH locked AS (
     SELECT k.team_id, k.id FROM job k ${which} ORDER BY k.team_id, k.id FOR UPDATE OF k ${skip}
   )`;
const theseJobs = 'JOIN unnest($teams::uuid[], $ids::uuid[]) AS g (team_id, id) ON k.team_id = g.team_id AND k.id = g.id';

const dropWhere = (which: string) => `${lockedRowsSql(which)} DELETE FROM job j USING locked d WHERE j.team_id = d.team_id AND j.id = d.id`;

/** Deletes completed jobs. */
export const removeJobs = sqlStatement<{ teams: string[]; ids: string[] }, never>(dropWhere(theseJobs));

/**
 * Extends the leases of running jobs, including expired ones that no other node has claimed. If a job of this node was set to `ready`, it was wrongly
 * counted as interrupted. The statement corrects the count.
 */
export const extendLeases = sqlStatement<{ teams: string[]; ids: string[]; attempts: number[]; leaseSeconds: number }, never>(
  `${lockedRowsSql(theseJobs, 'SKIP LOCKED')}
   UPDATE job j SET state = 'running', due_at = now() + make_interval(secs => $leaseSeconds),
     interruptions = greatest(0, j.interruptions - (j.state = 'ready')::int)
   FROM locked h JOIN unnest($ids::uuid[], $attempts::int[]) AS a (id, attempts) ON a.id = h.id
   WHERE j.team_id = h.team_id AND j.id = h.id AND j.attempts = a.attempts AND j.state IN ('running', 'ready')`,
);

type Ended = { team: string; id: string; attempt: number };
const stillMine = "WHERE team_id = $team AND id = $id AND attempts = $attempt AND state IN ('running', 'ready') RETURNING id";

/** Schedules the next attempt after a failure. */
export const tryAgain = sqlStatement<Ended & { waitSeconds: number; error: string }, { id: string }>(
  `UPDATE job SET state = 'waiting', due_at = now() + make_interval(secs => $waitSeconds), error = $error ${stillMine}`,
);

/** Returns a job to the queue without counting the attempt. Its key is cleared, so that a new job with the key can be added. */
export const putBack = sqlStatement<Ended & { at: Date }, { id: string }>(
  `UPDATE job SET state = 'waiting', due_at = greatest($at, now()), attempts = attempts - 1, key = NULL ${stillMine}`,
);

/** Discards a job and keeps its row. The row of a periodic job replaces its earlier failure. */
export const giveUp = sqlStatement<Ended & { error: string }, { id: string }>(
  `WITH former AS (
     DELETE FROM job o USING job n WHERE n.team_id = $team AND n.id = $id AND n.alone AND o.name = n.name AND o.alone AND o.state = 'failed'
   )
   UPDATE job SET state = 'failed', due_at = now(), error = $error ${stillMine}`,
);

/**
 * Makes waiting jobs ready whose time has come, and the jobs of dead workers. Returns the milliseconds until the next due time. A job that was
 * interrupted before waits first, because it may crash the nodes: 10 s, then four times as long, up to an hour. The wait varies at random by half, so
 * that jobs that were interrupted together run separately.
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

/** Records that a worker polls for jobs. */
export const recordWorker = sqlStatement<{ id: string }, never>(
  'INSERT INTO job_worker (id, seen_at) VALUES ($id, now()) ON CONFLICT (id) DO UPDATE SET seen_at = now()',
);
export const forgetWorkers = sqlStatement<object, never>("DELETE FROM job_worker WHERE seen_at < now() - interval '1 day'");

/** Delays ready jobs, for example mails for which the same budget is used up. */
export const postponeJobs = sqlStatement<{ teams: string[]; ids: string[]; at: Date }, never>(
  `${lockedRowsSql(theseJobs, 'SKIP LOCKED')}
   UPDATE job j SET state = 'waiting', due_at = $at FROM locked o
   WHERE j.team_id = o.team_id AND j.id = o.id AND j.state = 'ready'`,
);

/** Deletes jobs that were created before a time, in any state. */
export const dropJobs = sqlStatement<{ names: string[]; before: Date }, never>(
  dropWhere('WHERE k.name = ANY ($names) AND k.created_at < $before'),
);

/** Returns the last start of each periodic job. */
export const schedules = sqlStatement<object, Row<'job_schedule'>>('SELECT name, begun_at FROM job_schedule');

/** Adds new periodic jobs. They are due at their next scheduled time. */
export const recordSchedules = sqlStatement<{ names: string[]; at: Date }, never>(
  'INSERT INTO job_schedule (name, begun_at) SELECT name, $at FROM unnest($names::text[]) name ON CONFLICT DO NOTHING',
);

/** Starts a due periodic job on one of the nodes. If the previous run is still in progress, it counts as this run too. */
export const beginPeriodic = sqlStatement<{ name: string; known: string; at: Date; id: string }, never>(
  `WITH turn AS (UPDATE job_schedule SET begun_at = $at WHERE name = $name AND begun_at = $known RETURNING name)
   INSERT INTO job (team_id, id, name, data, alone, state, due_at)
   SELECT '00000000-0000-0000-0000-000000000000', $id, name, '{}', true, 'ready', now() FROM turn ON CONFLICT DO NOTHING`,
);

/**
 * Counts the due jobs of each name, at most `limit` per name, and the seconds since the oldest became due. A waiting job whose
 * time has come is due, and so is a job of a dead worker. The search for names skips along the index from name to name.
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

/** Returns the seconds since any node started a periodic job; null if none ever did. */
export const lastPeriodic = sqlStatement<object, { seconds: number | null }>(
  'SELECT extract(epoch FROM now() - max(begun_at))::float8 AS seconds FROM job_schedule',
);

/** Counts the discarded jobs of each name. */
export const countFailed = sqlStatement<object, { name: string; jobs: number }>(
  "SELECT name, count(*)::int AS jobs FROM job WHERE state = 'failed' GROUP BY name",
);

export type ListedJob = RowWithout<'job', 'alone' | 'counted' | 'data' | 'interruptions' | 'key' | 'traceparent'>;

/** Returns the jobs in a state, oldest due time first. */
export const listJobs = sqlStatement<{ state: string; name: string | null; limit: number }, ListedJob>(
  `SELECT team_id, id, name, state, due_at, attempts, error, created_at FROM job
   WHERE state = $state AND ($name::text IS NULL OR name = $name) ORDER BY due_at, id LIMIT $limit`,
);

/** Restarts discarded jobs. It skips a periodic job that already waits or runs. */
export const retryJobs = sqlStatement<{ id: string | null; name: string | null; limit: number }, Row<'job', 'id' | 'name'>>(
  `WITH locked AS (
     SELECT f.team_id, f.id FROM job f WHERE f.state = 'failed' AND ($id::uuid IS NULL OR f.id = $id) AND ($name::text IS NULL OR f.name = $name)
       AND NOT (f.alone AND EXISTS (SELECT FROM job o WHERE o.name = f.name AND o.alone AND o.state <> 'failed'))
     ORDER BY f.team_id, f.id LIMIT $limit FOR UPDATE
   )
   UPDATE job j SET state = 'ready', due_at = now(), attempts = 0, interruptions = 0, key = NULL
   FROM locked d WHERE j.team_id = d.team_id AND j.id = d.id RETURNING j.id, j.name`,
);

/** Deletes discarded jobs after their retention period. */
export const dropFailed = sqlStatement<{ before: Date }, never>(dropWhere("WHERE k.state = 'failed' AND k.due_at < $before"));
