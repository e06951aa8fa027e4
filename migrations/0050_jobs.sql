-- What a background pass could not do for one thing of a team: tried again after a growing while, and set aside after ten
-- failures, so that the pass goes on with what belongs to others. The nil UUID stands for what belongs to no team.
CREATE TABLE job_trouble (
  team_id uuid NOT NULL,
  job text NOT NULL,
  thing text NOT NULL,
  failures integer NOT NULL,
  reason text NOT NULL,
  since timestamptz NOT NULL DEFAULT now(),
  next_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, job, thing)
);
CREATE INDEX job_trouble_of_job ON job_trouble (job, since);
CALL confine_to_team('job_trouble', 'SELECT');
CALL open_to_system('job_trouble', 'SELECT', 'INSERT', 'UPDATE', 'DELETE');
