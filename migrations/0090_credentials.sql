-- Failures and mails, counted by a keyed hash of what they concern, whether or not an account exists. Failures of staff are
-- counted in their own transactions.
CREATE TABLE throttle (
  key bytea PRIMARY KEY,
  hits integer NOT NULL,
  since timestamptz NOT NULL,
  blocked_until timestamptz,
  expires_at timestamptz NOT NULL
);
CREATE INDEX throttle_by_age ON throttle (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON throttle TO chancery_app, chancery_system;
-- Whether a counter began in the future, as after the clock of the database was set back: it would block for as long as the clock was ahead. Less
-- than a minute does not count. PostgreSQL puts the expression in the place of the call.
CREATE FUNCTION began_in_the_future(since timestamptz) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT since > now() + interval '1 minute'
$$;
-- For how many seconds yet one of some keys blocks; null for none. Written so that PostgreSQL puts the query in the place of the call.
CREATE FUNCTION throttle_block(keys bytea[]) RETURNS TABLE (seconds float8) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT extract(epoch FROM max(t.blocked_until) - now())::float8 FROM throttle t
  WHERE t.key = ANY (keys) AND t.blocked_until > now() AND NOT began_in_the_future(t.since)
$$;
REVOKE EXECUTE ON FUNCTION throttle_block(bytea[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION throttle_block(bytea[]) TO chancery_app, chancery_system;

-- Whether a session has not ended, and was used in the last `idle` seconds. PostgreSQL puts the expression in the place of the call.
CREATE FUNCTION session_in_use(revoked_at timestamptz, expires_at timestamptz, last_used_at timestamptz, idle float8) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT revoked_at IS NULL AND expires_at > now() AND last_used_at > now() - make_interval(secs => idle)
$$;

-- What a credential does and what ends it exclude one another: an act that is committed holds the credential it was made
-- with, shared, and looks whether it still stands (hold_person, hold_client, hold_staff); whatever ends or lowers a credential
-- holds it alone. So what a credential does is either done before its end or not at all.

-- The advisory lock of whoever or whatever a credential hangs on: a person, an API client, a member of staff, a team.
CREATE FUNCTION credential_key(holder uuid) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN hashtextextended('credential ' || holder::text, 0);

-- Holds a credential, for half a second's waiting at most (55P03; the act is tried again). Asks again and again instead of queueing
-- for the lock: whoever holds it alone may wait for rows that this very transaction has changed, and a wait that ends by itself
-- would be taken for a deadlock if the other looked for one meanwhile.
CREATE FUNCTION hold_shared(holder uuid) RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  last_try timestamptz := clock_timestamp() + interval '500 milliseconds';
  pause double precision := 0.001;
BEGIN
  WHILE NOT pg_try_advisory_xact_lock_shared(credential_key(holder)) LOOP
    IF clock_timestamp() > last_try THEN
      RAISE EXCEPTION 'the credential is being changed' USING ERRCODE = 'lock_not_available';
    END IF;
    PERFORM pg_sleep(pause);
    pause := least(pause * 2, 0.02);
  END LOOP;
END $$;
REVOKE EXECUTE ON FUNCTION hold_shared(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hold_shared(uuid) TO chancery_system;

-- Whoever ends what many people of one team hold, such as the sessions begun through a provider, holds the team alone instead of
-- each of them: every act of theirs holds the team as well, and the locks of one transaction are bounded.
CREATE FUNCTION hold_whole_team(held_team uuid) RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(credential_key(held_team));
  PERFORM set_config('app.held_team', held_team::text, true);
END $$;
REVOKE EXECUTE ON FUNCTION hold_whole_team(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hold_whole_team(uuid) TO chancery_app;

-- For triggers named hold_credential: taken by the tables themselves, so that no statement can forget it. The argument names the
-- column with whose it is. The row is locked before: who ends several things of one holder locks the holder's row first
-- (account, api_client, staff).
CREATE FUNCTION hold_credential_alone() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE ended jsonb := CASE WHEN TG_OP = 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
BEGIN
  IF coalesce(ended ->> 'team_id' <> current_setting('app.held_team', true), true) THEN
    PERFORM pg_advisory_xact_lock(credential_key((ended ->> TG_ARGV[0])::uuid));
  END IF;
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;

-- One number, the credential epoch, says which of a person's credentials are of now: sessions, sign-ins that wait for their
-- second factor, and links carry the one they were made under, and are good while it is the account's. What ends them raises
-- it: so that one that was being made meanwhile, on what was true before, is dead from the start.
CREATE FUNCTION raise_credential_epoch() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(credential_key(NEW.id));
  NEW.credential_epoch := OLD.credential_epoch + 1;
  RETURN NEW;
END $$;
