-- Access inside a team. src/access/model.fga has the rules; these tables and functions have the facts.

-- A group of members. It is a principal of grants.
CREATE TABLE access_group (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  name text NOT NULL,
  description text,
  created_by uuid NOT NULL,
  created_by_type text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, id)
);
CREATE UNIQUE INDEX access_group_name ON access_group (team_id, lower(name));
CREATE INDEX access_group_by_change ON access_group (team_id, updated_at, id);
CALL confine_to_team('access_group', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('access_group', 'SELECT', 'DELETE');

CREATE TABLE access_group_member (
  team_id uuid NOT NULL,
  group_id uuid NOT NULL,
  user_id uuid NOT NULL,
  added_by uuid NOT NULL,
  added_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, group_id, user_id),
  CONSTRAINT access_group_member_of FOREIGN KEY (team_id, group_id) REFERENCES access_group (team_id, id) ON DELETE CASCADE,
  CONSTRAINT access_group_member_is FOREIGN KEY (team_id, user_id) REFERENCES account (team_id, id)
);
CREATE INDEX access_group_member_groups ON access_group_member (team_id, user_id, group_id);
CALL confine_to_team('access_group_member', 'SELECT, INSERT, DELETE');
CALL open_to_system('access_group_member', 'SELECT', 'DELETE');

-- A grant gives a principal relations to a resource. It is valid until it is revoked, it expires or its source ends.
CREATE TABLE access_grant (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  resource_type text NOT NULL,
  resource_id uuid NOT NULL,
  -- The id of a team as principal is the team's own.
  principal_type text NOT NULL CHECK (principal_type IN ('user', 'group', 'team', 'client', 'agent')),
  principal_id uuid NOT NULL,
  relations text[] NOT NULL CHECK (cardinality(relations) > 0),
  source text NOT NULL CHECK (source IN ('share', 'confinement', 'task', 'record')),
  -- The task whose end ends the grant. A `record` is the grant of a completed task itself.
  source_id uuid,
  granted_by uuid NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  user_id uuid GENERATED ALWAYS AS (CASE WHEN principal_type = 'user' THEN principal_id END) STORED,
  group_id uuid GENERATED ALWAYS AS (CASE WHEN principal_type = 'group' THEN principal_id END) STORED,
  PRIMARY KEY (team_id, id),
  CONSTRAINT access_grant_once UNIQUE NULLS NOT DISTINCT (team_id, resource_type, resource_id, principal_id, source, source_id),
  CONSTRAINT access_grant_of_task CHECK ((source = 'task') = (source_id IS NOT NULL)),
  CONSTRAINT access_grant_to_member FOREIGN KEY (team_id, user_id) REFERENCES account (team_id, id),
  CONSTRAINT access_grant_to_group FOREIGN KEY (team_id, group_id) REFERENCES access_group (team_id, id) ON DELETE CASCADE
) WITH (autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX access_grant_to ON access_grant (team_id, principal_id, resource_type, resource_id) INCLUDE (relations, expires_at);
CREATE INDEX access_grant_by_task ON access_grant (team_id, source_id) WHERE source_id IS NOT NULL;
CREATE INDEX access_grant_by_grantor ON access_grant (team_id, granted_by) WHERE source = 'task';
CREATE INDEX access_grant_of_group ON access_grant (team_id, group_id) WHERE group_id IS NOT NULL;
CALL confine_to_team('access_grant', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('access_grant', 'SELECT', 'DELETE');

-- A container of resources, such as a folder. Triggers copy it from the table of its type. A resource in a container has the same owner
-- and barrier, by a foreign key to this table.
CREATE TABLE access_container (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  owner_id uuid NOT NULL,
  -- The innermost barrier around it, its own included; the nil UUID for none. The id of a barrier is that of its container.
  barrier_id uuid NOT NULL,
  PRIMARY KEY (team_id, id),
  CONSTRAINT access_container_place UNIQUE (team_id, id, owner_id, barrier_id)
) WITH (autovacuum_analyze_scale_factor = 0.02);
CALL confine_to_team('access_container', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('access_container', 'SELECT', 'DELETE');

-- Each container with all containers above it, and with itself at the distance 0.
CREATE TABLE access_path (
  team_id uuid NOT NULL,
  container_id uuid NOT NULL,
  ancestor_id uuid NOT NULL,
  distance integer NOT NULL,
  PRIMARY KEY (team_id, container_id, ancestor_id)
) WITH (autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX access_path_below ON access_path (team_id, ancestor_id, container_id) INCLUDE (distance);
CALL confine_to_team('access_path', 'SELECT, INSERT, DELETE');
CALL open_to_system('access_path', 'SELECT', 'DELETE');

-- The barrier around a resource that was deleted. It still hides what refers to the resource, such as a task about it.
CREATE TABLE access_deleted (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  barrier_id uuid NOT NULL,
  PRIMARY KEY (team_id, id)
);
CREATE INDEX access_deleted_by_barrier ON access_deleted (team_id, barrier_id);
CALL confine_to_team('access_deleted', 'SELECT, INSERT, UPDATE');
CALL open_to_system('access_deleted', 'SELECT', 'INSERT', 'DELETE');

-- A container is inserted, moved or deleted. A transaction that moves one holds the lock of the team's tree.
CREATE FUNCTION insert_container() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH placed AS (
    INSERT INTO access_container (team_id, id, type, owner_id, barrier_id) VALUES (NEW.team_id, NEW.id, TG_ARGV[0], NEW.user_id, NEW.barrier_id)
  )
  INSERT INTO access_path (team_id, container_id, ancestor_id, distance)
  SELECT NEW.team_id, NEW.id, NEW.id, 0
  UNION ALL SELECT NEW.team_id, NEW.id, p.ancestor_id, p.distance + 1 FROM access_path p WHERE p.team_id = NEW.team_id AND p.container_id = NEW.parent_id;
  IF NEW.parent_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM access_path p WHERE p.team_id = NEW.team_id AND p.container_id = NEW.id AND p.ancestor_id = NEW.parent_id
  ) THEN RAISE EXCEPTION 'a container is inserted after its parent'; END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION move_container() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.parent_id IS DISTINCT FROM OLD.parent_id THEN
    DELETE FROM access_path p USING access_path below, access_path above
    WHERE below.team_id = NEW.team_id AND below.ancestor_id = NEW.id AND above.team_id = NEW.team_id AND above.container_id = OLD.parent_id
      AND p.team_id = NEW.team_id AND p.container_id = below.container_id AND p.ancestor_id = above.ancestor_id;
    INSERT INTO access_path (team_id, container_id, ancestor_id, distance)
    SELECT NEW.team_id, below.container_id, above.ancestor_id, below.distance + 1 + above.distance FROM access_path below, access_path above
    WHERE below.team_id = NEW.team_id AND below.ancestor_id = NEW.id AND above.team_id = NEW.team_id AND above.container_id = NEW.parent_id;
  END IF;
  UPDATE access_container SET owner_id = NEW.user_id, barrier_id = NEW.barrier_id
  WHERE team_id = NEW.team_id AND id = NEW.id AND (owner_id <> NEW.user_id OR barrier_id <> NEW.barrier_id);
  -- The container no longer has a barrier of its own.
  IF OLD.barrier_id = OLD.id AND NEW.barrier_id <> NEW.id THEN
    UPDATE access_deleted SET barrier_id = NEW.barrier_id WHERE team_id = NEW.team_id AND barrier_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION delete_container() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM access_container WHERE team_id = OLD.team_id AND id = OLD.id;
  -- A barrier keeps its members and its path.
  IF OLD.barrier_id <> OLD.id THEN
    DELETE FROM access_path WHERE team_id = OLD.team_id AND container_id = OLD.id;
    DELETE FROM access_path WHERE team_id = OLD.team_id AND ancestor_id = OLD.id;
  END IF;
  IF OLD.barrier_id <> '00000000-0000-0000-0000-000000000000' THEN
    INSERT INTO access_deleted (team_id, id, barrier_id) VALUES (OLD.team_id, OLD.id, OLD.barrier_id);
  END IF;
  RETURN NULL;
END $$;
CREATE PROCEDURE access_container_type(target regclass, of_type text) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER insert_container AFTER INSERT ON %s FOR EACH ROW EXECUTE FUNCTION insert_container(%L)', target, of_type);
  EXECUTE format('CREATE TRIGGER move_container AFTER UPDATE ON %s FOR EACH ROW
    WHEN ((OLD.parent_id, OLD.user_id, OLD.barrier_id) IS DISTINCT FROM (NEW.parent_id, NEW.user_id, NEW.barrier_id))
    EXECUTE FUNCTION move_container()', target);
  EXECUTE format('CREATE TRIGGER delete_container AFTER DELETE ON %s FOR EACH ROW EXECUTE FUNCTION delete_container()', target);
END $$;
REVOKE EXECUTE ON PROCEDURE access_container_type(regclass, text) FROM PUBLIC;

-- Adds the container of a resource to a table. Null: it lies in none.
CREATE PROCEDURE access_container_column(target regclass) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ADD COLUMN container_id uuid, ADD CONSTRAINT %I FOREIGN KEY (team_id, container_id) REFERENCES access_container (team_id, id)',
    target, target || '_in_container');
  EXECUTE format('CREATE INDEX %I ON %s (team_id, container_id) WHERE container_id IS NOT NULL', target || '_by_container', target);
END $$;
REVOKE EXECUTE ON PROCEDURE access_container_column(regclass) FROM PUBLIC;

-- Returns `made_by` while only this API client changes the resource, or null after a change by another actor. For the column
-- `made_by_client`.
CREATE FUNCTION still_made_by(made_by uuid, changed_by uuid) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN made_by = changed_by THEN made_by END
$$;

-- An information barrier around a container. Only its members reach what lies in it. It stays when the container is deleted.
CREATE TABLE access_barrier (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  set_by uuid NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, id)
);
CALL confine_to_team('access_barrier', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('access_barrier', 'SELECT', 'DELETE');

-- A job changes the barrier of a container and of the containers below it. Until the job deletes its row here, the columns `barrier_id`
-- below have the old or the new barrier. Until then `access_path` and `access_barrier` determine the access in this team.
-- A barrier hides all resources below it from the insertion of its row to the deletion.
CREATE TABLE access_barrier_change (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('raise', 'lift', 'move')),
  from_barrier uuid NOT NULL,
  to_barrier uuid NOT NULL,
  documents_total integer NOT NULL,
  documents_done integer NOT NULL DEFAULT 0,
  started_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, id),
  CONSTRAINT access_barrier_change_of FOREIGN KEY (team_id, id) REFERENCES access_container (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('access_barrier_change', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('access_barrier_change', 'SELECT', 'DELETE');

-- The members of a barrier: persons and groups. A person with `expires_at` has emergency access, to read.
CREATE TABLE access_barrier_member (
  team_id uuid NOT NULL,
  barrier_id uuid NOT NULL,
  principal_type text NOT NULL CHECK (principal_type IN ('user', 'group')),
  principal_id uuid NOT NULL,
  expires_at timestamptz,
  user_id uuid GENERATED ALWAYS AS (CASE WHEN principal_type = 'user' THEN principal_id END) STORED,
  group_id uuid GENERATED ALWAYS AS (CASE WHEN principal_type = 'group' THEN principal_id END) STORED,
  PRIMARY KEY (team_id, barrier_id, principal_id),
  CONSTRAINT access_barrier_member_expires CHECK (expires_at IS NULL OR principal_type = 'user'),
  CONSTRAINT access_barrier_member_of FOREIGN KEY (team_id, barrier_id) REFERENCES access_barrier (team_id, id) ON DELETE CASCADE,
  CONSTRAINT access_barrier_member_is_person FOREIGN KEY (team_id, user_id) REFERENCES account (team_id, id),
  CONSTRAINT access_barrier_member_is_group FOREIGN KEY (team_id, group_id) REFERENCES access_group (team_id, id) ON DELETE CASCADE
);
CREATE INDEX access_barrier_member_in ON access_barrier_member (team_id, principal_id, barrier_id) INCLUDE (expires_at);
CREATE INDEX access_barrier_member_of_group ON access_barrier_member (team_id, group_id) WHERE group_id IS NOT NULL;
CALL confine_to_team('access_barrier_member', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('access_barrier_member', 'SELECT', 'DELETE');

-- Requests for emergency access. An administrator requests it with a reason, and a second person approves.
CREATE TABLE access_emergency (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  barrier_id uuid NOT NULL,
  user_id uuid NOT NULL,
  reason text NOT NULL,
  requested_at timestamptz NOT NULL,
  approved_by uuid,
  approved_at timestamptz,
  expires_at timestamptz,
  waits_until timestamptz NOT NULL,
  PRIMARY KEY (team_id, id),
  CONSTRAINT access_emergency_of FOREIGN KEY (team_id, barrier_id) REFERENCES access_barrier (team_id, id) ON DELETE CASCADE,
  CONSTRAINT access_emergency_for FOREIGN KEY (team_id, user_id) REFERENCES account (team_id, id),
  CONSTRAINT access_emergency_takes_two CHECK (approved_by <> user_id),
  CONSTRAINT access_emergency_is_whole CHECK ((approved_by IS NULL) = (expires_at IS NULL) AND (approved_by IS NULL) = (approved_at IS NULL))
);
CREATE INDEX access_emergency_by_barrier ON access_emergency (team_id, barrier_id, id);
CALL confine_to_team('access_emergency', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('access_emergency', 'SELECT', 'DELETE');

-- Everything that a caller counts as: a person, the team and their groups; a program counts as itself.
CREATE FUNCTION access_principals(team uuid, caller uuid, person boolean) RETURNS uuid[] LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  IF caller IS NULL THEN RETURN '{}'; END IF;
  IF NOT person THEN RETURN ARRAY[caller]; END IF;
  RETURN ARRAY[caller, team] || ARRAY(SELECT m.group_id FROM access_group_member m WHERE m.team_id = team AND m.user_id = caller);
END $$;

-- The relations of a caller to one resource: by valid grants, and `owner`.
CREATE FUNCTION access_relations(team uuid, caller uuid, person boolean, of_type text, resource uuid, owner uuid) RETURNS text[]
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE principals uuid[] := access_principals(team, caller, person);
BEGIN
  RETURN ARRAY(
    SELECT DISTINCT r.relation FROM access_grant g CROSS JOIN LATERAL unnest(g.relations) AS r(relation)
    WHERE g.team_id = team AND g.resource_type = of_type AND g.resource_id = resource AND g.principal_id = ANY (principals)
      AND (g.expires_at IS NULL OR g.expires_at > now())
    UNION SELECT 'owner' WHERE owner = caller);
END $$;

-- The resources of a type to which valid grants give a caller one of some relations.
CREATE FUNCTION access_resources(team uuid, caller uuid, person boolean, of_type text, wanted text[]) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 100 AS $$
DECLARE principals uuid[] := access_principals(team, caller, person);
BEGIN
  RETURN QUERY
    SELECT DISTINCT g.resource_id FROM unnest(principals) AS p(id)
    CROSS JOIN LATERAL (
      SELECT a.resource_id FROM access_grant a
      WHERE a.team_id = team AND a.principal_id = p.id AND a.resource_type = of_type AND a.relations && wanted
        AND (a.expires_at IS NULL OR a.expires_at > now())
    ) g;
END $$;

-- The valid shares of the resources of a type. PostgreSQL inlines this SQL function. As PL/pgSQL it would add 5 µs to the
-- 59 µs of a folder read.
CREATE FUNCTION access_shares(of_team uuid, of_type text)
RETURNS TABLE (id uuid, resource_id uuid, principal_type text, principal_id uuid, relations text[], source text, source_id uuid, granted_by uuid,
  created_at timestamptz)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT g.id, g.resource_id, g.principal_type, g.principal_id, g.relations, g.source, g.source_id, g.granted_by, g.created_at
  FROM access_grant g
  WHERE g.team_id = of_team AND g.resource_type = of_type AND g.source = 'share' AND (g.expires_at IS NULL OR g.expires_at > now())
$$;

-- The task grants by the persons in `by` on resources of a type, or by all persons if `by` is null.
CREATE FUNCTION access_task_grants(team uuid, of_type text, by uuid[])
RETURNS TABLE (id uuid, resource_id uuid, user_id uuid, task_id uuid, granted_by uuid, created_at timestamptz)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 10 AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT g.id, g.resource_id, g.user_id, g.source_id, g.granted_by, g.created_at FROM access_grant g
    WHERE g.team_id = team AND g.source = 'task' AND g.resource_type = of_type AND (by IS NULL OR g.granted_by = ANY (by));
END $$;

-- The grants of a resource end with it. `access_resource_type` makes a table one whose rows have grants.
CREATE FUNCTION drop_access_grants() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM access_grant g USING gone WHERE g.team_id = gone.team_id AND g.resource_type = TG_ARGV[0] AND g.resource_id = gone.id;
  RETURN NULL;
END $$;
CREATE PROCEDURE access_resource_type(target regclass, of_type text) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER drop_access_grants AFTER DELETE ON %s REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION drop_access_grants(%L)', target, of_type);
END $$;
REVOKE EXECUTE ON PROCEDURE access_resource_type(regclass, text) FROM PUBLIC;

-- The containers above a container and below it, itself included. Written so that PostgreSQL puts the query in the place of the call.
CREATE FUNCTION access_above(of_team uuid, of_container uuid) RETURNS TABLE (id uuid, distance integer) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT p.ancestor_id, p.distance FROM access_path p WHERE p.team_id = of_team AND p.container_id = of_container
$$;
CREATE FUNCTION access_below(of_team uuid, of_container uuid) RETURNS TABLE (id uuid, distance integer) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT p.container_id, p.distance FROM access_path p WHERE p.team_id = of_team AND p.ancestor_id = of_container
$$;
-- The innermost barrier around a container by its path: also while a job changes barriers. The nil UUID for none, and for null.
CREATE FUNCTION barrier_by_path(team uuid, container uuid) RETURNS uuid LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN coalesce((
    SELECT b.id FROM access_path p JOIN access_barrier b ON b.team_id = team AND b.id = p.ancestor_id
    WHERE p.team_id = team AND p.container_id = container ORDER BY p.distance LIMIT 1
  ), '00000000-0000-0000-0000-000000000000');
END $$;
-- The barrier of a row that lies in a container: the one in its column `barrier_id`, if no job changes barriers of the team.
CREATE FUNCTION barrier_now(team uuid, container uuid, stored uuid) RETURNS uuid LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM access_barrier_change c WHERE c.team_id = team) THEN RETURN stored; END IF;
  RETURN barrier_by_path(team, container);
END $$;
-- The barrier around a container or a deleted resource; the nil UUID for none, and for null.
CREATE FUNCTION barrier_of(team uuid, resource uuid) RETURNS uuid LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  IF resource IS NULL THEN RETURN '00000000-0000-0000-0000-000000000000'; END IF;
  RETURN coalesce(
    (SELECT barrier_now(team, c.id, c.barrier_id) FROM access_container c WHERE c.team_id = team AND c.id = resource),
    (SELECT d.barrier_id FROM access_deleted d WHERE d.team_id = team AND d.id = resource),
    '00000000-0000-0000-0000-000000000000');
END $$;

-- The containers above and below as far as no barrier is between: their rules hold for one another.
CREATE FUNCTION access_above_unbarred(of_team uuid, of_container uuid) RETURNS TABLE (id uuid) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT c.id FROM (SELECT barrier_of(of_team, of_container) AS barrier OFFSET 0) s
  JOIN access_path p ON p.team_id = of_team AND p.container_id = of_container
  JOIN access_container c ON c.team_id = of_team AND c.id = p.ancestor_id
  WHERE barrier_now(of_team, c.id, c.barrier_id) = s.barrier
$$;
CREATE FUNCTION access_below_unbarred(of_team uuid, of_container uuid) RETURNS TABLE (id uuid) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT c.id FROM (SELECT barrier_of(of_team, of_container) AS barrier OFFSET 0) s
  JOIN access_path p ON p.team_id = of_team AND p.ancestor_id = of_container
  JOIN access_container c ON c.team_id = of_team AND c.id = p.container_id
  WHERE barrier_now(of_team, c.id, c.barrier_id) = s.barrier
$$;

-- The changes of barriers that jobs of a team carry out.
CREATE FUNCTION barrier_changes(team uuid)
RETURNS TABLE (id uuid, kind text, from_barrier uuid, to_barrier uuid, documents_total integer, documents_done integer)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 1 AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT c.id, c.kind, c.from_barrier, c.to_barrier, c.documents_total, c.documents_done FROM access_barrier_change c WHERE c.team_id = team;
END $$;

-- A resource has the barrier of the folder that it is put into, as the column of the folder has it. For triggers.
CREATE FUNCTION take_barrier() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.barrier_id := coalesce(
    (SELECT c.barrier_id FROM access_container c WHERE c.team_id = NEW.team_id AND c.id = NEW.folder_id), '00000000-0000-0000-0000-000000000000');
  RETURN NEW;
END $$;

-- The barriers around the deleted ones of some resources.
CREATE FUNCTION deleted_barriers(team uuid, resources uuid[]) RETURNS SETOF uuid LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 1 AS $$
BEGIN
  RETURN QUERY SELECT DISTINCT d.barrier_id FROM access_deleted d WHERE d.team_id = team AND d.id = ANY (resources);
END $$;

-- The barrier around a deleted resource is kept. `access_contained_type` does so for a table whose rows lie in a container.
CREATE FUNCTION keep_barrier() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE barrier uuid := barrier_of(OLD.team_id, OLD.folder_id);
BEGIN
  IF barrier <> '00000000-0000-0000-0000-000000000000' THEN
    INSERT INTO access_deleted (team_id, id, barrier_id) VALUES (OLD.team_id, OLD.id, barrier);
  END IF;
  RETURN NULL;
END $$;
CREATE PROCEDURE access_contained_type(target regclass) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER keep_barrier AFTER DELETE ON %s FOR EACH ROW WHEN (OLD.folder_id IS NOT NULL) EXECUTE FUNCTION keep_barrier()', target);
END $$;
REVOKE EXECUTE ON PROCEDURE access_contained_type(regclass) FROM PUBLIC;

-- Whether a barrier, or one around it, excludes a person, and whether they are an outsider: emergency access lets them read and nothing else.
-- Null is a program, which each barrier excludes.
CREATE FUNCTION barrier_state(team uuid, barrier uuid, person uuid, OUT excluded boolean, OUT outsider boolean)
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE principals uuid[];
BEGIN
  excluded := false;
  outsider := false;
  IF barrier IS NULL OR barrier = '00000000-0000-0000-0000-000000000000' THEN RETURN; END IF;
  principals := access_principals(team, person, true);
  SELECT bool_or(m.reads IS NOT TRUE), bool_or(m.acts IS NOT TRUE) INTO excluded, outsider
  FROM access_path p JOIN access_barrier b ON b.team_id = team AND b.id = p.ancestor_id
  CROSS JOIN LATERAL (
    SELECT bool_or(true) AS reads, bool_or(o.expires_at IS NULL) AS acts FROM access_barrier_member o
    WHERE o.team_id = team AND o.barrier_id = b.id AND o.principal_id = ANY (principals) AND (o.expires_at IS NULL OR o.expires_at > now())
  ) m
  WHERE p.team_id = team AND p.container_id = barrier;
  -- A barrier without rows is closed.
  excluded := coalesce(excluded, true);
  outsider := coalesce(outsider, true);
END $$;
CREATE FUNCTION barrier_excludes(team uuid, barrier uuid, person uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN (SELECT s.excluded FROM barrier_state(team, barrier, person) s);
END $$;

-- The barriers that do not exclude a person, and the nil UUID.
CREATE FUNCTION open_barriers(team uuid, person uuid) RETURNS SETOF uuid LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 5 AS $$
DECLARE inside uuid[] := ARRAY(
  SELECT m.barrier_id FROM unnest(access_principals(team, person, true)) AS me(id) CROSS JOIN LATERAL (
    SELECT o.barrier_id FROM access_barrier_member o
    WHERE o.team_id = team AND o.principal_id = me.id AND (o.expires_at IS NULL OR o.expires_at > now()) OFFSET 0
  ) m
);
BEGIN
  RETURN NEXT '00000000-0000-0000-0000-000000000000'::uuid;
  RETURN QUERY
    SELECT DISTINCT i.id FROM unnest(inside) AS i(id) WHERE NOT EXISTS (
      SELECT FROM access_path p JOIN access_barrier b ON b.team_id = team AND b.id = p.ancestor_id
      WHERE p.team_id = team AND p.container_id = i.id AND b.id <> ALL (inside)
    );
END $$;

-- The containers that a barrier hides from a person while a job changes their barriers: their rows may not have it.
CREATE FUNCTION closing_containers(team uuid, person uuid) RETURNS SETOF uuid LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 1 AS $$
DECLARE opened uuid[];
BEGIN
  IF NOT EXISTS (SELECT FROM access_barrier_change c WHERE c.team_id = team) THEN RETURN; END IF;
  opened := ARRAY(SELECT open_barriers(team, person));
  RETURN QUERY
    SELECT DISTINCT p.container_id FROM access_barrier_change c JOIN access_path p ON p.team_id = team AND p.ancestor_id = c.id
    WHERE c.team_id = team AND EXISTS (
      SELECT FROM access_path a JOIN access_barrier b ON b.team_id = team AND b.id = a.ancestor_id
      WHERE a.team_id = team AND a.container_id = c.id AND b.id <> ALL (opened)
    );
END $$;

-- The barriers of a team that no other barrier around them hides from a person. `is_member`: the barrier names them. `is_inside`: it does, or they have
-- emergency access.
CREATE FUNCTION seen_barriers(team uuid, person uuid) RETURNS TABLE (id uuid, created_at timestamptz, is_member boolean, is_inside boolean)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 10 AS $$
#variable_conflict use_column
DECLARE
  opened uuid[] := ARRAY(SELECT open_barriers(team, person));
  principals uuid[] := access_principals(team, person, true);
BEGIN
  RETURN QUERY
    SELECT b.id, b.created_at,
      EXISTS (SELECT FROM access_barrier_member m WHERE m.team_id = team AND m.barrier_id = b.id AND m.principal_id = ANY (principals) AND m.expires_at IS NULL),
      b.id = ANY (opened)
    FROM access_barrier b WHERE b.team_id = team AND NOT EXISTS (
      SELECT FROM access_path p JOIN access_barrier o ON o.team_id = team AND o.id = p.ancestor_id
      WHERE p.team_id = team AND p.container_id = b.id AND p.distance > 0 AND o.id <> ALL (opened)
    );
END $$;

-- The containers with grants to a person, on them or above; the containers of a confined program, and those below. Barriers take no part.
CREATE FUNCTION access_containers(team uuid, person uuid, roots uuid[], wanted text[]) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 100 AS $$
DECLARE starts uuid[] := coalesce(roots, ARRAY(SELECT access_resources(team, person, true, 'folder', wanted)));
BEGIN
  RETURN QUERY SELECT DISTINCT p.container_id FROM unnest(starts) AS s(id) JOIN access_path p ON p.team_id = team AND p.ancestor_id = s.id;
END $$;

-- Whether a caller views a resource without a look at grants and barriers. Many view more.
CREATE FUNCTION access_at_once(barrier uuid, owner uuid, person uuid, views_all boolean) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT barrier = '00000000-0000-0000-0000-000000000000' AND (views_all OR owner = person)
$$;

-- The relations of a caller to one resource, those inherited from its container, and the state of its barriers.
CREATE TYPE access_fact AS (relations text[], inherited text[], excluded boolean, outsider boolean);
CREATE FUNCTION read_access_facts(team uuid, person uuid, roots uuid[], of_type text, resource uuid, owner uuid, container uuid, stored uuid)
RETURNS access_fact LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  barrier uuid := barrier_now(team, CASE of_type WHEN 'folder' THEN resource ELSE container END, stored);
  principals uuid[];
  relations text[] := '{}';
  inherited text[] := '{}';
  excluded boolean := false;
  outsider boolean := false;
BEGIN
  IF barrier <> '00000000-0000-0000-0000-000000000000' THEN
    SELECT s.excluded, s.outsider INTO excluded, outsider FROM barrier_state(team, barrier, person) s;
  END IF;
  IF owner = person THEN
    relations := '{owner}';
  ELSIF person IS NOT NULL THEN
    principals := access_principals(team, person, true);
    relations := ARRAY(
      SELECT DISTINCT r.relation FROM access_grant g CROSS JOIN LATERAL unnest(g.relations) AS r(relation)
      WHERE g.team_id = team AND g.resource_type = of_type AND g.resource_id = resource AND g.principal_id = ANY (principals)
        AND (g.expires_at IS NULL OR g.expires_at > now()));
    inherited := ARRAY(
      SELECT DISTINCT r.relation FROM access_path p CROSS JOIN LATERAL (
        SELECT o.relations FROM access_grant o
        WHERE o.team_id = team AND o.resource_type = 'folder' AND o.resource_id = p.ancestor_id AND o.principal_id = ANY (principals)
          AND (o.expires_at IS NULL OR o.expires_at > now()) OFFSET 0
      ) g CROSS JOIN LATERAL unnest(g.relations) AS r(relation)
      WHERE p.team_id = team AND p.container_id = container);
  ELSIF roots IS NOT NULL THEN
    IF resource = ANY (roots) THEN relations := '{editor}'; END IF;
    IF EXISTS (SELECT FROM access_path p WHERE p.team_id = team AND p.container_id = container AND p.ancestor_id = ANY (roots)) THEN inherited := '{editor}'; END IF;
  END IF;
  RETURN (relations, inherited, excluded, outsider);
END $$;
-- The same as a row. `person` is null for an API client, and `roots` has the containers of a confined client. PostgreSQL inlines this
-- function. For an owner without barriers it skips the PL/pgSQL function, which takes 6 µs of the 59 µs of a folder read.
CREATE FUNCTION access_facts(team uuid, person uuid, roots uuid[], of_type text, resource uuid, owner uuid, container uuid, stored uuid)
RETURNS TABLE (relations text[], inherited text[], excluded boolean, outsider boolean) LANGUAGE sql STABLE PARALLEL SAFE ROWS 1 AS $$
  SELECT (f.facts).relations, (f.facts).inherited, (f.facts).excluded, (f.facts).outsider FROM (
    SELECT CASE WHEN access_at_once(stored, owner, person, false) AND NOT EXISTS (SELECT FROM access_barrier_change c WHERE c.team_id = team)
      THEN ROW('{owner}', '{}', false, false)::access_fact
      ELSE read_access_facts(team, person, roots, of_type, resource, owner, container, stored) END AS facts OFFSET 0
  ) f
$$;
