-- Quotas of teams: the defaults from the settings, written at startup, and the values that staff set for one team.
CREATE TABLE quota_default (
  name text PRIMARY KEY,
  most bigint NOT NULL CHECK (most >= 0)
);
GRANT SELECT ON quota_default TO chancery_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON quota_default TO chancery_system;

CREATE TABLE team_quota (
  team_id uuid NOT NULL,
  name text NOT NULL,
  most bigint NOT NULL CHECK (most >= 0),
  PRIMARY KEY (team_id, name)
);
CALL confine_to_team('team_quota', 'SELECT');
CALL open_to_system('team_quota', 'SELECT', 'INSERT', 'UPDATE', 'DELETE');

-- Usage of a team: the sum over its slots. Several slots let concurrent changes of a team proceed without lock waits.
CREATE TABLE team_usage (
  team_id uuid NOT NULL,
  name text NOT NULL,
  slot smallint NOT NULL,
  used bigint NOT NULL,
  PRIMARY KEY (team_id, name, slot)
) WITH (fillfactor = 50);
CALL confine_to_team('team_usage', 'SELECT');
CALL open_to_system('team_usage', 'SELECT', 'DELETE');
-- Only triggers change the counts. They run as the owner of the tables.
CREATE POLICY counting ON team_usage TO chancery_owner USING (true) WITH CHECK (true);
CREATE POLICY counting ON team_quota FOR SELECT TO chancery_owner USING (true);

CREATE FUNCTION add_usage(team uuid, quota text, counter smallint, amount bigint) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO team_usage AS u (team_id, name, slot, used) VALUES (team, quota, counter, amount)
  ON CONFLICT (team_id, name, slot) DO UPDATE SET used = u.used + excluded.used
$$;

-- Counts new usage, or raises an error if it exceeds the quota. Far below the quota, transactions share the lock and run concurrently.
-- Near the quota they run one after the other, and each sees the usage of the previous ones. The margin of "near" covers all concurrent
-- holders of the shared lock. It runs at commit time, so the lock is held only during the commit.
CREATE FUNCTION take_usage(team uuid, quota text, amount bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  most bigint := coalesce((SELECT q.most FROM team_quota q WHERE q.team_id = team AND q.name = quota),
                          (SELECT d.most FROM quota_default d WHERE d.name = quota));
  room bigint := greatest(most / 10, 256 * amount);
  total bigint;
BEGIN
  IF most IS NOT NULL AND amount > 0 THEN
    SELECT coalesce(sum(used), 0) INTO total FROM team_usage WHERE team_id = team AND name = quota;
    IF total + room <= most THEN
      PERFORM pg_advisory_xact_lock_shared(hashtextextended('quota ' || quota || ' ' || team, 0));
      SELECT coalesce(sum(used), 0) INTO total FROM team_usage WHERE team_id = team AND name = quota;
      IF total + room / 2 > most THEN
        RAISE EXCEPTION 'the use of a quota grew quickly' USING ERRCODE = 'serialization_failure';
      END IF;
    ELSE
      PERFORM pg_advisory_xact_lock(hashtextextended('quota ' || quota || ' ' || team, 0));
      SELECT coalesce(sum(used), 0) INTO total FROM team_usage WHERE team_id = team AND name = quota;
      IF total + amount > most THEN
        RAISE EXCEPTION 'quota exceeded' USING ERRCODE = 'QX001', DETAIL = json_build_object('quota', quota, 'used', total, 'limit', most);
      END IF;
    END IF;
  END IF;
  PERFORM add_usage(team, quota, (pg_backend_pid() % 32)::smallint, amount);
END $$;

-- For a deferred trigger. The arguments are the quota and, unless each row counts as one, the column with the amount.
CREATE FUNCTION count_made() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM take_usage(NEW.team_id, TG_ARGV[0], CASE WHEN TG_NARGS > 1 THEN (to_jsonb(NEW) ->> TG_ARGV[1])::bigint ELSE 1 END);
  RETURN NULL;
END $$;

-- Like count_made, for tables with bulk inserts. One trigger sums the new rows of the transaction by team. A deferred trigger counts the sum at
-- the first row and nothing at the others. Counting each row would update the same usage row each time, and the transaction keeps every
-- version. A rollback to a savepoint also reverts its part of the sum.
CREATE FUNCTION sum_made() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  place text := 'app.made_' || TG_ARGV[0];
  sums jsonb := coalesce(nullif(current_setting(place, true), ''), '{}');
  team text := NEW.team_id;
  amount bigint := CASE WHEN TG_NARGS > 1 THEN (to_jsonb(NEW) ->> TG_ARGV[1])::bigint ELSE 1 END;
BEGIN
  PERFORM set_config(place, (sums || jsonb_build_object(team, coalesce((sums ->> team)::bigint, 0) + amount))::text, true);
  RETURN NULL;
END $$;
CREATE FUNCTION count_sum() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  place text := 'app.made_' || TG_ARGV[0];
  sums jsonb := current_setting(place);
  team text := NEW.team_id;
BEGIN
  IF sums ? team THEN
    PERFORM set_config(place, (sums - team)::text, true);
    PERFORM take_usage(NEW.team_id, TG_ARGV[0], (sums ->> team)::bigint);
  END IF;
  RETURN NULL;
END $$;

-- For a statement trigger with the deleted rows in `gone`. Bulk deletes use a separate slot.
CREATE FUNCTION count_gone() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  team record;
BEGIN
  FOR team IN EXECUTE format('SELECT team_id, %s AS amount FROM gone GROUP BY team_id ORDER BY team_id',
    CASE WHEN TG_NARGS > 1 THEN format('sum(%I)', TG_ARGV[1]) ELSE 'count(*)' END)
  LOOP
    PERFORM add_usage(team.team_id, TG_ARGV[0], -1::smallint, -team.amount::bigint);
  END LOOP;
  RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION add_usage(uuid, text, smallint, bigint), take_usage(uuid, text, bigint), count_made(), sum_made(), count_sum(), count_gone()
  FROM PUBLIC;

-- Counts the rows of a table towards a quota: each as one, or with the value of the column `amount`.
CREATE PROCEDURE count_rows(target regclass, quota text, amount text DEFAULT NULL)
LANGUAGE plpgsql AS $$
DECLARE arguments text := quote_literal(quota) || coalesce(', ' || quote_literal(amount), '');
BEGIN
  -- Triggers of one row run in the order of their names, so this one runs first.
  EXECUTE format('CREATE TRIGGER adds_made AFTER INSERT ON %s FOR EACH ROW EXECUTE FUNCTION sum_made(%s)', target, arguments);
  EXECUTE format('CREATE CONSTRAINT TRIGGER counts_made AFTER INSERT ON %s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_sum(%s)', target, arguments);
  EXECUTE format('CREATE TRIGGER counts_gone AFTER DELETE ON %s REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_gone(%s)', target, arguments);
  -- Counts the existing rows. Row-level security would hide them.
  EXECUTE format('ALTER TABLE %s NO FORCE ROW LEVEL SECURITY', target);
  EXECUTE format('INSERT INTO team_usage SELECT team_id, %L, 0, %s FROM %s GROUP BY team_id', quota, coalesce('sum(' || quote_ident(amount) || ')', 'count(*)'), target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
END $$;

-- Rate budgets, such as event deliveries. `free_at` is the time at which an even rate would have used everything taken so far. The budget is exceeded
-- if it is further in the future than the period. `said_at` is the time of the last notification that a quota is used up.
CREATE TABLE team_budget (
  team_id uuid NOT NULL,
  name text NOT NULL,
  free_at timestamptz NOT NULL DEFAULT now(),
  said_at timestamptz,
  PRIMARY KEY (team_id, name)
) WITH (fillfactor = 50);
CALL confine_to_team('team_budget', 'SELECT, INSERT, UPDATE');
CALL open_to_system('team_budget', 'SELECT', 'INSERT', 'UPDATE', 'DELETE');
-- Returns the number of deliveries that the transaction has queued. The budget counts them only after the commit.
CREATE FUNCTION queued_here() RETURNS integer LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(nullif(current_setting('app.queued', true), '')::integer, 0)
$$;
