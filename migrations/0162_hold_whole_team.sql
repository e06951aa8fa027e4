-- Whoever ends what many people of one team hold, such as the sessions begun through a provider, holds the team alone instead of
-- each of them: every act of theirs holds the team as well, and the locks of one transaction are bounded.
CREATE FUNCTION hold_whole_team(held_team uuid) RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(credential_key(held_team));
  PERFORM set_config('app.held_team', held_team::text, true);
END $$;
REVOKE EXECUTE ON FUNCTION hold_whole_team(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hold_whole_team(uuid) TO chancery_app;

CREATE OR REPLACE FUNCTION hold_credential_alone() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE ended jsonb := CASE WHEN TG_OP = 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
BEGIN
  IF coalesce(ended ->> 'team_id' <> current_setting('app.held_team', true), true) THEN
    PERFORM pg_advisory_xact_lock(credential_key((ended ->> TG_ARGV[0])::uuid));
  END IF;
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;
