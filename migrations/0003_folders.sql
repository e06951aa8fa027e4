CREATE TABLE folder (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  parent_id uuid,
  user_id uuid NOT NULL,
  name text NOT NULL,
  -- What siblings are compared by: case folded, so that `Contracts` and `contracts` are one name.
  name_key text NOT NULL,
  description text,
  color text,
  metadata jsonb NOT NULL DEFAULT '{}',
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  -- The folder whose deletion took this one along: restoring it brings back just these.
  deleted_with uuid,
  PRIMARY KEY (team_id, id),
  CONSTRAINT folder_parent_exists FOREIGN KEY (team_id, parent_id) REFERENCES folder (team_id, id),
  CONSTRAINT folder_owner_exists FOREIGN KEY (team_id, user_id) REFERENCES account (team_id, id)
);
-- Siblings have different names: in a folder, and at the top of each person's tree.
CREATE UNIQUE INDEX folder_name_once ON folder (team_id, coalesce(parent_id, user_id), name_key) WHERE deleted_at IS NULL;
CREATE INDEX folder_of_user ON folder (team_id, user_id) WHERE deleted_at IS NULL;
CREATE INDEX folder_children ON folder (team_id, parent_id) WHERE deleted_at IS NULL;
CREATE INDEX folder_bin ON folder (deleted_at) WHERE deleted_at IS NOT NULL;
CALL confine_to_team('folder', 'SELECT, INSERT, UPDATE');
CALL open_to_system('folder', 'SELECT', 'DELETE');

-- A share covers the folder and everything below it.
CREATE TABLE folder_share (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  folder_id uuid NOT NULL,
  user_id uuid NOT NULL,
  access text NOT NULL CHECK (access IN ('read', 'write')),
  created_by uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, id),
  CONSTRAINT folder_share_once UNIQUE (team_id, folder_id, user_id),
  CONSTRAINT folder_share_of_folder FOREIGN KEY (team_id, folder_id) REFERENCES folder (team_id, id) ON DELETE CASCADE,
  CONSTRAINT folder_share_with_member FOREIGN KEY (team_id, user_id) REFERENCES account (team_id, id)
);
CREATE INDEX folder_share_with ON folder_share (team_id, user_id, folder_id);
CALL confine_to_team('folder_share', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('folder_share', 'SELECT', 'DELETE');

