-- Failures and mails, counted by a keyed hash of their subject, with or without an account. Failures of staff are counted in separate transactions.
CREATE TABLE throttle (
  key bytea PRIMARY KEY,
  hits integer NOT NULL,
  since timestamptz NOT NULL,
  blocked_until timestamptz,
  expires_at timestamptz NOT NULL
);
CREATE INDEX throttle_by_age ON throttle (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON throttle TO chancery_app, chancery_system;
-- Whether a counter began in the future, after the clock of the database was set back.
-- Such a counter would block for as long as the clock was ahead. Differences below a minute are ignored. PostgreSQL inlines the expression.
CREATE FUNCTION began_in_the_future(since timestamptz) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT since > now() + interval '1 minute'
$$;
-- Returns for how many more seconds one of the keys blocks; null for none. PostgreSQL inlines the query.
CREATE FUNCTION throttle_block(keys bytea[]) RETURNS TABLE (seconds float8) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT extract(epoch FROM max(t.blocked_until) - now())::float8 FROM throttle t
  WHERE t.key = ANY (keys) AND t.blocked_until > now() AND NOT began_in_the_future(t.since)
$$;
REVOKE EXECUTE ON FUNCTION throttle_block(bytea[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION throttle_block(bytea[]) TO chancery_app, chancery_system;

-- Whether a session has not ended and was used in the last `idle` seconds. PostgreSQL inlines the expression.
CREATE FUNCTION session_in_use(revoked_at timestamptz, expires_at timestamptz, last_used_at timestamptz, idle float8) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT revoked_at IS NULL AND expires_at > now() AND last_used_at > now() - make_interval(secs => idle)
$$;

-- The use of a credential and its end exclude each other. A transaction holds a shared lock of its credential until the
-- commit and checks that it is still valid (check_person_credential and the like). A transaction that ends or limits a
-- credential holds the exclusive lock. So an action either completes before the end of its credential or fails.

-- The advisory lock key of the owner of a credential: a user, an API client, a member of staff or a team.
CREATE FUNCTION credential_key(credential_owner uuid) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN hashtextextended('credential ' || credential_owner::text, 0);

-- Acquires the shared lock of a credential within half a second, or fails (55P03; the caller retries).
-- It polls instead of queueing, because the exclusive owner may wait for rows that this transaction
-- has changed. PostgreSQL would report that as a deadlock, although this wait ends by timeout.
CREATE FUNCTION lock_credential_shared(credential_owner uuid) RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  last_try timestamptz := clock_timestamp() + interval '500 milliseconds';
  pause double precision := 0.001;
BEGIN
  WHILE NOT pg_try_advisory_xact_lock_shared(credential_key(credential_owner)) LOOP
    IF clock_timestamp() > last_try THEN
      RAISE EXCEPTION 'the credential is being changed' USING ERRCODE = 'lock_not_available';
    END IF;
    PERFORM pg_sleep(pause);
    pause := least(pause * 2, 0.02);
  END LOOP;
END $$;
REVOKE EXECUTE ON FUNCTION lock_credential_shared(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lock_credential_shared(uuid) TO chancery_system;

-- Locks a whole team instead of each member, for the end of many credentials such as the sessions of a provider.
-- Every action of a member also holds the team’s lock. This bounds the number of locks in a transaction.
CREATE FUNCTION lock_team_credentials(locked_team uuid) RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(credential_key(locked_team));
  PERFORM set_config('app.locked_team', locked_team::text, true);
END $$;
REVOKE EXECUTE ON FUNCTION lock_team_credentials(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lock_team_credentials(uuid) TO chancery_app;

-- For triggers named lock_credential on tables, so that no statement can omit the lock. The argument names the column with the owner.
-- The row of the owner (account, api_client, staff) is locked before, by every transaction that ends several credentials of one owner.
CREATE FUNCTION lock_credential_exclusively() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE ended jsonb := CASE WHEN TG_OP = 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
BEGIN
  IF coalesce(ended ->> 'team_id' <> current_setting('app.locked_team', true), true) THEN
    PERFORM pg_advisory_xact_lock(credential_key((ended ->> TG_ARGV[0])::uuid));
  END IF;
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;

-- The credential epoch of an account decides which of its credentials are valid. Sessions, pending second
-- factors and links store the epoch of their creation, and are valid while it equals the account’s. A change
-- that ends credentials increases it. This also invalidates credentials that a concurrent transaction creates.
CREATE FUNCTION raise_credential_epoch() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(credential_key(NEW.id));
  NEW.credential_epoch := OLD.credential_epoch + 1;
  RETURN NEW;
END $$;
