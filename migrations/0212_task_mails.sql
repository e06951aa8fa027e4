-- How somebody is told by mail of tasks they are given: at once, once a day, or not at all.
ALTER TABLE account ADD COLUMN task_mails text NOT NULL DEFAULT 'at_once' CHECK (task_mails IN ('at_once', 'daily', 'none'));
-- Since when somebody has the task.
ALTER TABLE task ADD COLUMN assigned_at timestamptz NOT NULL DEFAULT now();

-- A row for each person who is to get a mail of the day: with what they were given since then, when it is time.
CREATE TABLE task_digest (
  team_id uuid NOT NULL,
  account_id uuid NOT NULL,
  since timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, account_id)
);
CREATE INDEX task_digest_due ON task_digest (due_at);
CALL confine_to_team('task_digest', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('task_digest', 'SELECT', 'DELETE');
