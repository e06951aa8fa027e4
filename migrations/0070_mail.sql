-- Mail to be sent: written in the transaction of the act that causes it, sent afterwards by the job of its id. The text is erased
-- once a mail server has taken it; without one (development) it is kept for the mailbox page.
CREATE TABLE mail_message (
  id uuid PRIMARY KEY,
  team_id uuid,
  recipient text NOT NULL,
  subject text NOT NULL,
  text_body text,
  html_body text,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'sent', 'failed')),
  error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz,
  -- Mails that a team causes, and not the service for its safety: they have a budget.
  budgeted boolean NOT NULL DEFAULT false,
  counted_at timestamptz,
  -- What of the team it tells of, where erasing that takes it back: see withdraw_mails.
  about uuid
);
CREATE INDEX mail_message_about ON mail_message (team_id, about) WHERE about IS NOT NULL;
CREATE INDEX mail_message_by_recipient ON mail_message (recipient, id DESC);
CREATE INDEX mail_message_counted ON mail_message (team_id, recipient, counted_at) WHERE budgeted AND counted_at IS NOT NULL;
CREATE INDEX mail_message_to_count ON mail_message (team_id, recipient) WHERE status = 'queued' AND budgeted AND counted_at IS NULL;
-- Requests may put mail in and never read any.
GRANT INSERT ON mail_message TO chancery_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON mail_message TO chancery_system;

-- Requests read no mail; how many a team has sent they may know.
CREATE FUNCTION mails_taken(OUT in_day bigint, OUT day_free_at timestamptz, OUT to_one_in_hour bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT count(*), min(counted_at) + interval '1 day',
    coalesce((SELECT max(n) FROM (SELECT count(*) AS n FROM mail_message
      WHERE team_id = current_team() AND budgeted AND counted_at > now() - interval '1 hour' GROUP BY recipient) one), 0)
  FROM mail_message WHERE team_id = current_team() AND budgeted AND counted_at > now() - interval '1 day'
$$;
REVOKE EXECUTE ON FUNCTION mails_taken() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mails_taken() TO chancery_app, chancery_system;

-- Takes back what is mailed about a thing of the team that is erased: what was not sent is not, and of what was sent nobody knows to whom.
-- It was sent all the same, so the budgets count it.
CREATE FUNCTION withdraw_mails(thing uuid) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DELETE FROM mail_message WHERE team_id = current_team() AND about = thing AND status <> 'sent';
  UPDATE mail_message SET recipient = '' WHERE team_id = current_team() AND about = thing;
$$;
REVOKE EXECUTE ON FUNCTION withdraw_mails(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION withdraw_mails(uuid) TO chancery_app, chancery_system;

-- Whether the last mail about a thing of the team was refused for good.
CREATE FUNCTION mail_refused(thing uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT coalesce((SELECT status = 'failed' FROM mail_message WHERE team_id = current_team() AND about = thing ORDER BY id DESC LIMIT 1), false)
$$;
REVOKE EXECUTE ON FUNCTION mail_refused(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mail_refused(uuid) TO chancery_app;

-- Mails to people without an account, by address: whoever can name one can have mails sent there, whichever team's form they use.
CREATE TABLE visitor_mail (
  address_hash bytea NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX visitor_mail_to ON visitor_mail (address_hash, at);
CREATE INDEX visitor_mail_by_age ON visitor_mail (at);
GRANT SELECT, DELETE ON visitor_mail TO chancery_system;

-- Counts one more, unless there were too many. Of old ones to the address nothing is kept.
CREATE FUNCTION take_visitor_mail(address text, in_hour integer, in_day integer) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  wanted bytea := sha256(convert_to(lower(address), 'UTF8'));
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('visitor mails ' || encode(wanted, 'hex'), 0));
  DELETE FROM visitor_mail WHERE address_hash = wanted AND at <= now() - interval '1 day';
  IF (SELECT count(*) >= in_day OR count(*) FILTER (WHERE at > now() - interval '1 hour') >= in_hour FROM visitor_mail WHERE address_hash = wanted) THEN
    RETURN false;
  END IF;
  INSERT INTO visitor_mail VALUES (wanted, now());
  RETURN true;
END $$;
REVOKE EXECUTE ON FUNCTION take_visitor_mail(text, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_visitor_mail(text, integer, integer) TO chancery_app, chancery_system;
