-- Teams take turns with their mails: what is queued is found by team, and within it by time. Mails of no team take turns with
-- them as one more, the last.
CREATE FUNCTION mail_lane(team_id uuid) RETURNS uuid
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce(team_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');

-- Mail to be sent: written in the transaction of the act that causes it, sent afterwards by a worker. The text is erased
-- once a mail server has taken it; without one (development) it is kept for the mailbox page.
CREATE TABLE mail_message (
  id uuid PRIMARY KEY,
  team_id uuid,
  recipient text NOT NULL,
  subject text NOT NULL,
  text_body text,
  html_body text,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'sent', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL DEFAULT now(),
  lease_until timestamptz,
  error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz,
  -- Mails that a team causes, and not the service for its safety: they have a budget, and count while they wait.
  budgeted boolean NOT NULL DEFAULT false,
  counted_at timestamptz
);
CREATE INDEX mail_message_by_recipient ON mail_message (recipient, id DESC);
CREATE INDEX mail_message_counted ON mail_message (team_id, recipient, counted_at) WHERE budgeted AND counted_at IS NOT NULL;
-- Of each team those about accounts come first.
CREATE INDEX mail_message_in_turn ON mail_message (coalesce(team_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid), budgeted, next_at) WHERE status = 'queued';
CREATE INDEX mail_message_of_team_to_count ON mail_message (team_id, next_at) WHERE status = 'queued' AND budgeted AND counted_at IS NULL;
CREATE INDEX mail_message_due ON mail_message (mail_lane(team_id), next_at) WHERE status = 'queued';
-- Requests may put mail in and never read any.
GRANT INSERT ON mail_message TO chancery_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON mail_message TO chancery_system;

-- A budgeted mail counts towards a quota from when it is queued until it is sent, has failed or is gone.
CREATE FUNCTION count_mails_ended() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  team record;
BEGIN
  FOR team IN SELECT o.team_id, count(*) AS amount FROM before o JOIN after n ON n.id = o.id
    WHERE o.budgeted AND o.status = 'queued' AND n.status <> 'queued' GROUP BY o.team_id ORDER BY o.team_id
  LOOP
    PERFORM add_usage(team.team_id, 'jobsWaiting', -1::smallint, -team.amount);
  END LOOP;
  RETURN NULL;
END $$;
CREATE FUNCTION count_mails_gone() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  team record;
BEGIN
  FOR team IN SELECT team_id, count(*) AS amount FROM gone WHERE budgeted AND status = 'queued' GROUP BY team_id ORDER BY team_id LOOP
    PERFORM add_usage(team.team_id, 'jobsWaiting', -1::smallint, -team.amount);
  END LOOP;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER counts_made AFTER INSERT ON mail_message DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.budgeted) EXECUTE FUNCTION count_made('jobsWaiting');
CREATE TRIGGER counts_ended AFTER UPDATE ON mail_message REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION count_mails_ended();
CREATE TRIGGER counts_gone AFTER DELETE ON mail_message REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_mails_gone();

-- Requests read no mail; how many a team has sent they may know.
CREATE FUNCTION mails_taken(OUT in_day bigint, OUT day_free_at timestamptz, OUT to_one_in_hour bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT count(*), min(counted_at) + interval '1 day',
    coalesce((SELECT max(n) FROM (SELECT count(*) AS n FROM mail_message
      WHERE team_id = current_team() AND budgeted AND counted_at > now() - interval '1 hour' GROUP BY recipient) one), 0)
  FROM mail_message WHERE team_id = current_team() AND budgeted AND counted_at > now() - interval '1 day'
$$;
REVOKE EXECUTE ON FUNCTION count_mails_ended(), count_mails_gone(), mails_taken() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mails_taken() TO chancery_app, chancery_system;
