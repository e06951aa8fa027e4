-- How much of each thing a team may have at most: what the settings say, published at a start, and what staff gave a team.
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

-- What a team has: the sum over the slots, which are many so that its changes do not wait for one another.
CREATE TABLE team_usage (
  team_id uuid NOT NULL,
  name text NOT NULL,
  slot smallint NOT NULL,
  used bigint NOT NULL,
  PRIMARY KEY (team_id, name, slot)
) WITH (fillfactor = 50);
CALL confine_to_team('team_usage', 'SELECT');
CALL open_to_system('team_usage', 'SELECT', 'DELETE');
-- Counted by triggers alone, which run as the owner of the tables.
CREATE POLICY counting ON team_usage TO chancery_owner USING (true) WITH CHECK (true);
CREATE POLICY counting ON team_quota FOR SELECT TO chancery_owner USING (true);

CREATE FUNCTION add_usage(team uuid, quota text, counter smallint, amount bigint) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO team_usage AS u (team_id, name, slot, used) VALUES (team, quota, counter, amount)
  ON CONFLICT (team_id, name, slot) DO UPDATE SET used = u.used + excluded.used
$$;

-- Counts what was made, or refuses it. Far below the quota many do so at once, each holding the lock with others; near it
-- one after the other, each seeing what those before it have made. How near is near leaves room for all who hold the lock
-- together. It runs at the commit, so that what it locks is held for the commit alone.
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

-- For a deferred trigger: the arguments are the quota and, unless each row counts as one, the column that says how much.
CREATE FUNCTION count_made() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM take_usage(NEW.team_id, TG_ARGV[0], CASE WHEN TG_NARGS > 1 THEN (to_jsonb(NEW) ->> TG_ARGV[1])::bigint ELSE 1 END);
  RETURN NULL;
END $$;

-- The same for tables that many rows may come into at once, as a pair of triggers: one sums what the transaction makes, by team,
-- and one, deferred, counts the sum at the first of its rows and nothing at the others. Counted one by one, each row would be
-- added to the count of the one before it, whose every version the transaction keeps. A savepoint that is rolled back takes its
-- part of the sum along.
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

-- For a trigger on the whole statement, with what is gone as `gone`. Many rows go at once: they have a slot of their own.
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

-- From now on a table's rows count towards a quota: each as one, or as what the column `amount` says.
CREATE PROCEDURE count_rows(target regclass, quota text, amount text DEFAULT NULL)
LANGUAGE plpgsql AS $$
DECLARE arguments text := quote_literal(quota) || coalesce(', ' || quote_literal(amount), '');
BEGIN
  -- Of one row this comes before the other, by its name.
  EXECUTE format('CREATE TRIGGER adds_made AFTER INSERT ON %s FOR EACH ROW EXECUTE FUNCTION sum_made(%s)', target, arguments);
  EXECUTE format('CREATE CONSTRAINT TRIGGER counts_made AFTER INSERT ON %s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_sum(%s)', target, arguments);
  EXECUTE format('CREATE TRIGGER counts_gone AFTER DELETE ON %s REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_gone(%s)', target, arguments);
  -- What is there already, which the wall would hide.
  EXECUTE format('ALTER TABLE %s NO FORCE ROW LEVEL SECURITY', target);
  EXECUTE format('INSERT INTO team_usage SELECT team_id, %L, 0, %s FROM %s GROUP BY team_id', quota, coalesce('sum(' || quote_ident(amount) || ')', 'count(*)'), target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
END $$;

-- What comes over time, such as deliveries of events: `free_at` is when all of it would have been taken at an even pace. What is
-- further ahead than the period is over the budget. `said_at` is when the team was last told that a quota of it is used up.
CREATE TABLE team_budget (
  team_id uuid NOT NULL,
  name text NOT NULL,
  free_at timestamptz NOT NULL DEFAULT now(),
  said_at timestamptz,
  PRIMARY KEY (team_id, name)
) WITH (fillfactor = 50);
CALL confine_to_team('team_budget', 'SELECT, INSERT, UPDATE');
CALL open_to_system('team_budget', 'SELECT', 'INSERT', 'UPDATE', 'DELETE');
-- Deliveries that the transaction has queued so far: the budget counts them only after the commit.
CREATE FUNCTION queued_here() RETURNS integer LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(nullif(current_setting('app.queued', true), '')::integer, 0)
$$;
