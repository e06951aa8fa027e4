-- A document and its versions. A document in a folder is seen by whoever sees the folder; one outside any folder by
-- the whole team; `document_access` adds single people, such as the one a review was given to.
CREATE TABLE document (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  folder_id uuid,
  user_id uuid NOT NULL,
  title text NOT NULL,
  description text,
  status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'in_review', 'approved', 'signed', 'archived')),
  metadata jsonb NOT NULL DEFAULT '{}',
  -- The newest version's number; 0 before the first upload.
  current_version integer NOT NULL DEFAULT 0,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  deleted_with uuid,
  PRIMARY KEY (team_id, id),
  CONSTRAINT document_folder_exists FOREIGN KEY (team_id, folder_id) REFERENCES folder (team_id, id),
  CONSTRAINT document_owner_exists FOREIGN KEY (team_id, user_id) REFERENCES account (team_id, id)
);
CREATE INDEX document_in_folder ON document (team_id, folder_id) WHERE deleted_at IS NULL;
CREATE INDEX document_bin ON document (deleted_at) WHERE deleted_at IS NOT NULL;
CALL confine_to_team('document', 'SELECT, INSERT, UPDATE');
CALL open_to_system('document', 'SELECT', 'DELETE');

-- Immutable: a correction is another version.
CREATE TABLE document_version (
  team_id uuid NOT NULL,
  document_id uuid NOT NULL,
  number integer NOT NULL,
  storage_key text NOT NULL,
  file_name text NOT NULL,
  media_type text NOT NULL,
  size bigint NOT NULL,
  sha256 text NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, document_id, number),
  CONSTRAINT document_version_of FOREIGN KEY (team_id, document_id) REFERENCES document (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('document_version', 'SELECT, INSERT');
CALL open_to_system('document_version', 'SELECT', 'DELETE');

CREATE TABLE document_access (
  team_id uuid NOT NULL,
  document_id uuid NOT NULL,
  user_id uuid NOT NULL,
  access text NOT NULL CHECK (access IN ('read', 'write')),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, document_id, user_id),
  CONSTRAINT document_access_of FOREIGN KEY (team_id, document_id) REFERENCES document (team_id, id) ON DELETE CASCADE,
  CONSTRAINT document_access_for FOREIGN KEY (team_id, user_id) REFERENCES account (team_id, id)
);
CALL confine_to_team('document_access', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('document_access', 'SELECT', 'DELETE');
