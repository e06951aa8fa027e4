-- Trees with one owner each. Each list reads one of the indexes below in the order of identifiers. None of them is partial by `deleted_at IS NULL`.
-- In a table that was never analyzed, PostgreSQL expects this condition for one row in 200, and would choose such an index for unsuitable
-- statements. For the same reason no two of them begin with columns that one statement compares. The same applies to documents.
CREATE TABLE folder (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  parent_id uuid,
  user_id uuid NOT NULL,
  name text NOT NULL,
  -- Siblings are compared by this case-folded name, so that `Contracts` and `contracts` are equal.
  name_key text NOT NULL,
  description text,
  color text,
  metadata jsonb NOT NULL DEFAULT '{}',
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  -- The folder that was deleted together with this one. Restoring it restores exactly these folders.
  deleted_with uuid,
  -- The innermost barrier around it, including its own; the nil UUID for none. Each row has it, so lists read visible rows with an index-only scan.
  barrier_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  -- The API client that created it and may share it.
  made_by_client uuid,
  -- The actor who created it, also an API client. The owner of the tree may be another.
  created_by uuid,
  created_by_type text NOT NULL DEFAULT 'user',
  PRIMARY KEY (team_id, id),
  CONSTRAINT folder_parent_exists FOREIGN KEY (team_id, parent_id) REFERENCES folder (team_id, id),
  CONSTRAINT folder_owner_exists FOREIGN KEY (team_id, user_id) REFERENCES account (team_id, id)
) WITH (autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX folder_bin ON folder (deleted_at) WHERE deleted_at IS NOT NULL;
-- Siblings have different names: in a folder, and at the top of each person’s tree. A name inside a barrier blocks no name for excluded users.
CREATE UNIQUE INDEX folder_name_once ON folder
  (team_id, coalesce(parent_id, user_id), name_key, (CASE WHEN deleted_at IS NULL AND barrier_id <> id THEN '00000000-0000-0000-0000-000000000000' ELSE id END));
CREATE INDEX folder_of_user ON folder (team_id, user_id, deleted_at, id) INCLUDE (barrier_id);
CREATE INDEX folder_by_barrier ON folder (team_id, barrier_id, deleted_at, id);
CREATE INDEX folder_children ON folder (team_id, parent_id, deleted_at, id) INCLUDE (barrier_id);
CREATE INDEX folder_binned_with ON folder (team_id, deleted_with) WHERE deleted_with IS NOT NULL;
-- Bins are emptied team by team.
CREATE INDEX folder_bin_of_team ON folder (team_id, deleted_at) WHERE deleted_at IS NOT NULL;
-- A team’s folders by change time, for each barrier.
CREATE INDEX folder_by_change ON folder (team_id, barrier_id, deleted_at, updated_at, id);
CALL confine_to_team('folder', 'SELECT, INSERT, UPDATE');
CALL open_to_system('folder', 'SELECT', 'DELETE');

CALL access_resource_type('folder', 'folder');
CALL access_container_type('folder', 'folder');

-- The folders that went to the bin with a folder. Written so that PostgreSQL inlines the query.
CREATE FUNCTION folders_binned_with(of_team uuid, folder uuid) RETURNS TABLE (id uuid) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT f.id FROM folder f WHERE f.team_id = of_team AND f.deleted_with = folder
$$;
REVOKE EXECUTE ON FUNCTION folders_binned_with(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION folders_binned_with(uuid, uuid) TO chancery_app;
