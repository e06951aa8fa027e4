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
  sent_at timestamptz
);
CREATE INDEX mail_message_due ON mail_message (next_at) WHERE status = 'queued';
CREATE INDEX mail_message_by_recipient ON mail_message (recipient, id DESC);
-- Requests may put mail in and never read any.
GRANT INSERT ON mail_message TO chancery_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON mail_message TO chancery_system;
