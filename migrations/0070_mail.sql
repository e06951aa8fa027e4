-- Outgoing mail. It is inserted in the transaction of the action that causes it, and a job with the same id sends it. The text is erased
-- after the mail server accepted it. Without a mail server (development) it stays for the mailbox page.
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
  -- Mails that a team causes count against its mail budget. Security mails of the service do not.
  budgeted boolean NOT NULL DEFAULT false,
  counted_at timestamptz,
  -- The team resource that the mail is about. Erasing the resource withdraws the mail: see withdraw_mails.
  about uuid
);
CREATE INDEX mail_message_about ON mail_message (team_id, about) WHERE about IS NOT NULL;
CREATE INDEX mail_message_by_recipient ON mail_message (recipient, id DESC);
CREATE INDEX mail_message_counted ON mail_message (team_id, recipient, counted_at) WHERE budgeted AND counted_at IS NOT NULL;
CREATE INDEX mail_message_to_count ON mail_message (team_id, recipient) WHERE status = 'queued' AND budgeted AND counted_at IS NULL;
-- Requests insert mail but cannot read it.
GRANT INSERT ON mail_message TO chancery_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON mail_message TO chancery_system;

-- Returns the number of mails that a team sent. Requests cannot read mail but need this number.
CREATE FUNCTION mails_taken(OUT in_day bigint, OUT day_free_at timestamptz, OUT to_one_in_hour bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT count(*), min(counted_at) + interval '1 day',
    coalesce((SELECT max(n) FROM (SELECT count(*) AS n FROM mail_message
      WHERE team_id = current_team() AND budgeted AND counted_at > now() - interval '1 hour' GROUP BY recipient) one), 0)
  FROM mail_message WHERE team_id = current_team() AND budgeted AND counted_at > now() - interval '1 day'
$$;
REVOKE EXECUTE ON FUNCTION mails_taken() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mails_taken() TO chancery_app, chancery_system;

-- Withdraws the mails about an erased resource of the team: deletes unsent mails and clears the recipient of sent mails.
-- Sent mails stay, so that the budgets count them.
CREATE FUNCTION withdraw_mails(thing uuid) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DELETE FROM mail_message WHERE team_id = current_team() AND about = thing AND status <> 'sent';
  UPDATE mail_message SET recipient = '' WHERE team_id = current_team() AND about = thing;
$$;
REVOKE EXECUTE ON FUNCTION withdraw_mails(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION withdraw_mails(uuid) TO chancery_app, chancery_system;

-- Returns whether the last mail about a resource of the team failed permanently.
CREATE FUNCTION mail_refused(thing uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT coalesce((SELECT status = 'failed' FROM mail_message WHERE team_id = current_team() AND about = thing ORDER BY id DESC LIMIT 1), false)
$$;
REVOKE EXECUTE ON FUNCTION mail_refused(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mail_refused(uuid) TO chancery_app;

-- Counts mails to people without an account, by address and across teams. Anyone who enters an address in a form can cause mail to it.
CREATE TABLE visitor_mail (
  address_hash bytea NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX visitor_mail_to ON visitor_mail (address_hash, at);
CREATE INDEX visitor_mail_by_age ON visitor_mail (at);
GRANT SELECT, DELETE ON visitor_mail TO chancery_system;

-- Counts one mail and returns true, or returns false if the address reached a limit. Deletes old rows of the address.
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
