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

-- The bins are emptied team by team.
CREATE INDEX document_bin_of_team ON document (team_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX folder_bin_of_team ON folder (team_id, deleted_at) WHERE deleted_at IS NOT NULL;
-- What is ended is locked first, so that it is not restored meanwhile.
CALL open_to_system('document', 'UPDATE');
