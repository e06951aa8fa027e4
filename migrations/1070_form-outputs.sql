-- The approved states of templates, by output: the version of a document template, or the hash of a workflow template.
ALTER TABLE interface_version ADD COLUMN outputs jsonb NOT NULL DEFAULT '{}';

-- An output of a submission. The rows are created with the submission. A job makes each output in its own transaction.
CREATE TABLE submission_output (
  team_id uuid NOT NULL,
  submission_id uuid NOT NULL,
  output_id text NOT NULL,
  place integer NOT NULL,
  make text NOT NULL CHECK (make IN ('document', 'workflow')),
  -- The outputs that must be made first.
  needs text[] NOT NULL,
  -- `skipped`: its condition did not hold.
  status text NOT NULL CHECK (status IN ('waiting', 'done', 'skipped', 'failed')),
  -- The created document or workflow.
  result_id uuid,
  attempts integer NOT NULL DEFAULT 0,
  -- The problem code and detail of a failure.
  code text,
  detail text,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, submission_id, output_id),
  CONSTRAINT submission_output_of FOREIGN KEY (team_id, submission_id) REFERENCES submission (team_id, id) ON DELETE CASCADE
);
CREATE INDEX submission_output_result ON submission_output (team_id, result_id) WHERE result_id IS NOT NULL;
CALL confine_to_team('submission_output', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('submission_output', 'SELECT', 'DELETE');
