-- Jobs that run after the transaction that adds them commits. Completed jobs are deleted; discarded jobs are kept. Jobs without a team have the
-- nil UUID.
--
--   ready    can be claimed. Teams take turns, the oldest due_at first.
--
--   waiting  until due_at, for its start time or its next attempt.
--
--   running  a worker has claimed it. Once due_at is past, the worker counts as dead and the job is ready again.
--
--   failed   discarded at due_at.
CREATE TABLE job (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  data jsonb NOT NULL,
  -- A job is not added while another job with the same key waits for its first attempt.
  key text,
  -- A periodic job: one row per name, which also prevents two concurrent runs.
  alone boolean NOT NULL DEFAULT false,
  -- Whether the job counts against the quota of waiting jobs of its team.
  counted boolean NOT NULL DEFAULT false,
  state text NOT NULL CHECK (state IN ('ready', 'waiting', 'running', 'failed')),
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- Number of attempts that ended because their node stopped.
  interruptions integer NOT NULL DEFAULT 0,
  error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, id)
) WITH (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.1
);
CREATE INDEX job_in_turn ON job (name, team_id, due_at, id) WHERE state = 'ready';
CREATE INDEX job_due ON job (due_at) WHERE state IN ('waiting', 'running');
CREATE INDEX job_failed ON job (name, due_at) WHERE state = 'failed';
CREATE UNIQUE INDEX job_key ON job (team_id, name, key) WHERE key IS NOT NULL AND attempts = 0 AND state IN ('ready', 'waiting');
CREATE UNIQUE INDEX job_alone ON job (name) WHERE alone AND state <> 'failed';
-- Requests insert jobs of their own team or without a team. They cannot read jobs.
CALL confine_to_team('job', 'INSERT');
CREATE POLICY of_no_team ON job FOR INSERT TO chancery_app WITH CHECK (team_id = '00000000-0000-0000-0000-000000000000');
CALL open_to_system('job', 'SELECT', 'INSERT', 'UPDATE', 'DELETE');

-- Deletes the jobs of the team with a key that have not started. Requests cannot read jobs; this is their only access to waiting jobs.
CREATE FUNCTION withdraw_jobs(job_name text, job_key text) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DELETE FROM job WHERE team_id = current_team() AND name = job_name AND key = job_key AND attempts = 0 AND state IN ('ready', 'waiting');
$$;
CREATE POLICY withdrawal_finds ON job FOR SELECT TO chancery_owner USING (team_id = (SELECT current_team()));
CREATE POLICY withdrawal ON job FOR DELETE TO chancery_owner USING (team_id = (SELECT current_team()) AND key IS NOT NULL AND attempts = 0);
REVOKE EXECUTE ON FUNCTION withdraw_jobs(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION withdraw_jobs(text, text) TO chancery_app, chancery_system;

-- Last start of each periodic job, across all nodes.
CREATE TABLE job_schedule (
  name text PRIMARY KEY,
  begun_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON job_schedule TO chancery_system;

-- The active job workers and the time of their last poll.
CREATE TABLE job_worker (
  id uuid PRIMARY KEY,
  seen_at timestamptz NOT NULL
);
GRANT SELECT ON job_worker TO chancery_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON job_worker TO chancery_system;

-- Returns the number of active job workers. Each polls every 5 seconds.
CREATE FUNCTION live_job_workers() RETURNS integer LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT count(*)::int FROM job_worker WHERE seen_at > now() - interval '15 seconds'
$$;
REVOKE EXECUTE ON FUNCTION live_job_workers() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION live_job_workers() TO chancery_app, chancery_system;

-- Counts the waiting jobs of a team: a job counts until it completes or is discarded.
CREATE FUNCTION count_jobs_ended() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  team record;
BEGIN
  FOR team IN SELECT o.team_id, (count(*) FILTER (WHERE o.state = 'failed') - count(*) FILTER (WHERE n.state = 'failed')) AS amount
    FROM before o JOIN after n ON n.team_id = o.team_id AND n.id = o.id
    WHERE o.counted AND (o.state = 'failed') <> (n.state = 'failed') GROUP BY o.team_id ORDER BY o.team_id
  LOOP
    PERFORM add_usage(team.team_id, 'jobsWaiting', -1::smallint, team.amount);
  END LOOP;
  RETURN NULL;
END $$;
CREATE FUNCTION count_jobs_gone() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  team record;
BEGIN
  FOR team IN SELECT team_id, count(*) AS amount FROM gone WHERE counted AND state <> 'failed' GROUP BY team_id ORDER BY team_id LOOP
    PERFORM add_usage(team.team_id, 'jobsWaiting', -1::smallint, -team.amount);
  END LOOP;
  RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION count_jobs_ended(), count_jobs_gone() FROM PUBLIC;
CREATE CONSTRAINT TRIGGER counts_made AFTER INSERT ON job DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.counted) EXECUTE FUNCTION count_made('jobsWaiting');
CREATE TRIGGER counts_ended AFTER UPDATE ON job REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION count_jobs_ended();
CREATE TRIGGER counts_gone AFTER DELETE ON job REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_jobs_gone();

-- Failures of a background job for one item of a team. The job retries the item after increasing delays and discards it after ten failures, and
-- continues with other items. Items without a team have the nil UUID.
CREATE TABLE job_failure (
  team_id uuid NOT NULL,
  job text NOT NULL,
  thing text NOT NULL,
  failures integer NOT NULL,
  reason text NOT NULL,
  since timestamptz NOT NULL DEFAULT now(),
  next_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, job, thing)
);
CREATE INDEX job_failure_of_job ON job_failure (job, since);
CALL confine_to_team('job_failure', 'SELECT');
CALL open_to_system('job_failure', 'SELECT', 'INSERT', 'UPDATE', 'DELETE');

-- Returns whether a job waits to retry an item. Statements that select the items of a job exclude these items.
-- Otherwise the oldest items, if they keep failing, would fill the limit of the statement.
CREATE FUNCTION job_waits(of_job text, team uuid, item text) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM job_failure t WHERE t.team_id = team AND t.job = of_job AND t.thing = item AND t.next_at > now());
END $$;
REVOKE EXECUTE ON FUNCTION job_waits(text, uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION job_waits(text, uuid, text) TO chancery_app, chancery_system;
