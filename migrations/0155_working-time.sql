-- When a team works: on which days of the week and until when, and which days are free. A team without a row works Monday to Friday.
CREATE TABLE working_time (
  team_id uuid NOT NULL REFERENCES team,
  definition jsonb NOT NULL,
  -- The holidays on which it does not: dates, worked out up to a day; the job looks again before that.
  holidays jsonb NOT NULL DEFAULT '[]',
  holidays_until date,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (team_id)
);
CREATE INDEX working_time_holidays_end ON working_time (holidays_until) WHERE holidays_until IS NOT NULL;
CALL confine_to_team('working_time', 'SELECT, INSERT, UPDATE');
CALL open_to_system('working_time', 'SELECT', 'DELETE');
