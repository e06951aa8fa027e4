-- Evidence packs about a document, a workflow or a signature request, with proofs. A job writes each as one file, which is deleted a day later.
-- `manifest` lists the content of the file; the journal records its hash before the file is written.
CREATE TABLE evidence_pack (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  subject_type text NOT NULL CHECK (subject_type IN ('document', 'workflow', 'signature')),
  subject_id uuid NOT NULL,
  -- Whether it includes the network addresses of actors.
  network boolean NOT NULL,
  -- The document of the subject, whose barrier hides the pack.
  document_id uuid,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'ready', 'failed')),
  manifest text,
  manifest_sha256 text,
  code text,
  detail text,
  created_by uuid NOT NULL,
  -- The person who requested it, or the successor after that person left the team.
  owner_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (team_id, id),
  CONSTRAINT evidence_pack_ends CHECK ((status = 'pending') = (ended_at IS NULL)),
  CONSTRAINT evidence_pack_has_manifest CHECK ((manifest IS NULL) = (manifest_sha256 IS NULL) AND (status <> 'ready' OR manifest IS NOT NULL))
);
CREATE INDEX evidence_pack_pending ON evidence_pack (team_id) WHERE status = 'pending';
CREATE INDEX evidence_pack_by ON evidence_pack (team_id, created_by, created_at);
CREATE INDEX evidence_pack_over ON evidence_pack (ended_at) WHERE ended_at IS NOT NULL;
CALL confine_to_team('evidence_pack', 'SELECT, INSERT, UPDATE');
CALL open_to_system('evidence_pack', 'SELECT', 'UPDATE', 'DELETE');

CREATE TABLE evidence_pack_file (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  storage_key text NOT NULL,
  size bigint NOT NULL,
  sha256 text NOT NULL,
  PRIMARY KEY (team_id, id),
  CONSTRAINT evidence_pack_file_of FOREIGN KEY (team_id, id) REFERENCES evidence_pack (team_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX evidence_pack_file_key ON evidence_pack_file (storage_key);
CALL confine_to_team('evidence_pack_file', 'SELECT, INSERT');
CALL open_to_system('evidence_pack_file', 'SELECT', 'DELETE');
CALL count_rows('evidence_pack_file', 'storage', 'size');
