-- A batch of signature requests: each row of a file has its own document and request.
CREATE TABLE signature_batch (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  title text NOT NULL,
  status text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'done', 'cancelled')),
  -- The source of the documents: a version of a template, or a version of a document.
  template_id uuid,
  document_id uuid,
  source_version integer NOT NULL,
  -- The settings of all rows: the folder of the documents and the texts of the requests.
  manner jsonb NOT NULL,
  created_by uuid NOT NULL,
  created_by_type text NOT NULL,
  -- The user, client or agent that requested it, or the successor of a user who left the team.
  owner_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (team_id, id),
  CONSTRAINT signature_batch_of_one CHECK (num_nonnulls(template_id, document_id) = 1),
  CONSTRAINT signature_batch_ended CHECK ((status = 'running') = (ended_at IS NULL))
);
CREATE INDEX signature_batch_of_owner ON signature_batch (team_id, owner_id, id);
CREATE INDEX signature_batch_running ON signature_batch (team_id, id) WHERE status = 'running';
CALL confine_to_team('signature_batch', 'SELECT, INSERT, UPDATE');
CALL open_to_system('signature_batch', 'SELECT', 'DELETE');

-- A completed row has its document and request. A failed row has its error.
CREATE TABLE signature_batch_row (
  team_id uuid NOT NULL,
  batch_id uuid NOT NULL,
  number integer NOT NULL,
  email text NOT NULL,
  name text NOT NULL,
  data jsonb NOT NULL,
  status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'done', 'failed', 'cancelled')),
  document_id uuid,
  request_id uuid,
  code text,
  detail text,
  PRIMARY KEY (team_id, batch_id, number),
  CONSTRAINT signature_batch_row_of FOREIGN KEY (team_id, batch_id) REFERENCES signature_batch (team_id, id) ON DELETE CASCADE,
  CONSTRAINT signature_batch_row_made CHECK ((status = 'done') = (request_id IS NOT NULL) AND (request_id IS NULL) = (document_id IS NULL)),
  CONSTRAINT signature_batch_row_failed CHECK ((status = 'failed') = (code IS NOT NULL))
);
CREATE INDEX signature_batch_row_waiting ON signature_batch_row (team_id, batch_id, number) WHERE status = 'waiting';
CALL confine_to_team('signature_batch_row', 'SELECT, INSERT, UPDATE');
CALL open_to_system('signature_batch_row', 'SELECT', 'DELETE');
