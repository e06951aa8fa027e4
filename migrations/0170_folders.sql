-- Trees with one owner each. Each list reads along one of the indexes below, in the order of its ids. None is confined to what
-- is not in the bin: as long as a table was never analysed, `deleted_at IS NULL` counts as true of one row in two hundred, such
-- an index as tiny, and it is taken for statements that it does not suit. For the same reason no two of them begin with what one
-- statement gives. The same holds for documents.
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
  -- The innermost barrier around it, its own included; the nil UUID for none. Each row has it, so lists read open rows alone from an index.
  barrier_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  -- The API client that made it, which may share it.
  made_by_client uuid,
  -- Who made a thing is who acted then, an API client as itself: another than whose tree it lies in.
  created_by uuid,
  created_by_type text NOT NULL DEFAULT 'user',
  PRIMARY KEY (team_id, id),
  CONSTRAINT folder_parent_exists FOREIGN KEY (team_id, parent_id) REFERENCES folder (team_id, id),
  CONSTRAINT folder_owner_exists FOREIGN KEY (team_id, user_id) REFERENCES account (team_id, id)
) WITH (autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX folder_bin ON folder (deleted_at) WHERE deleted_at IS NOT NULL;
-- Siblings have different names: in a folder, and at the top of each person's tree. A name behind a barrier takes no name from outsiders.
CREATE UNIQUE INDEX folder_name_once ON folder
  (team_id, coalesce(parent_id, user_id), name_key, (CASE WHEN deleted_at IS NULL AND barrier_id <> id THEN '00000000-0000-0000-0000-000000000000' ELSE id END));
CREATE INDEX folder_of_user ON folder (team_id, user_id, deleted_at, id) INCLUDE (barrier_id);
CREATE INDEX folder_by_barrier ON folder (team_id, barrier_id, deleted_at, id);
CREATE INDEX folder_children ON folder (team_id, parent_id, deleted_at, id) INCLUDE (barrier_id);
CREATE INDEX folder_binned_with ON folder (team_id, deleted_with) WHERE deleted_with IS NOT NULL;
-- The bins are emptied team by team.
CREATE INDEX folder_bin_of_team ON folder (team_id, deleted_at) WHERE deleted_at IS NOT NULL;
-- A team's folders by when they were changed, barrier by barrier.
CREATE INDEX folder_by_change ON folder (team_id, barrier_id, deleted_at, updated_at, id);
CALL confine_to_team('folder', 'SELECT, INSERT, UPDATE');
CALL open_to_system('folder', 'SELECT', 'DELETE');

CALL access_resource_type('folder', 'folder');
CALL access_container_type('folder', 'folder');

-- The folders that went to the bin with a folder. Written so that PostgreSQL puts the query in the place of the call.
CREATE FUNCTION folders_binned_with(of_team uuid, folder uuid) RETURNS TABLE (id uuid) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT f.id FROM folder f WHERE f.team_id = of_team AND f.deleted_with = folder
$$;
REVOKE EXECUTE ON FUNCTION folders_binned_with(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION folders_binned_with(uuid, uuid) TO chancery_app;
