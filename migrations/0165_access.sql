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
  source text NOT NULL CHECK (source IN ('share', 'confinement')),
  granted_by uuid NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  user_id uuid GENERATED ALWAYS AS (CASE WHEN principal_type = 'user' THEN principal_id END) STORED,
  group_id uuid GENERATED ALWAYS AS (CASE WHEN principal_type = 'group' THEN principal_id END) STORED,
  PRIMARY KEY (team_id, id),
  CONSTRAINT access_grant_once UNIQUE (team_id, resource_type, resource_id, principal_id, source),
  CONSTRAINT access_grant_to_member FOREIGN KEY (team_id, user_id) REFERENCES account (team_id, id),
  CONSTRAINT access_grant_to_group FOREIGN KEY (team_id, group_id) REFERENCES access_group (team_id, id) ON DELETE CASCADE
);
CREATE INDEX access_grant_to ON access_grant (team_id, principal_id, resource_type, resource_id) INCLUDE (relations, expires_at);
CREATE INDEX access_grant_of_group ON access_grant (team_id, group_id) WHERE group_id IS NOT NULL;
CALL confine_to_team('access_grant', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('access_grant', 'SELECT', 'DELETE');

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

-- The relations that valid grants give a caller to some resources of a type: a row for each with any.
CREATE FUNCTION access_relations_among(team uuid, caller uuid, person boolean, of_type text, resources uuid[])
RETURNS TABLE (resource_id uuid, relations text[]) LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 1 AS $$
#variable_conflict use_column
DECLARE principals uuid[];
BEGIN
  IF caller IS NULL OR resources = '{}' THEN RETURN; END IF;
  principals := access_principals(team, caller, person);
  RETURN QUERY
    SELECT g.resource_id, array_agg(DISTINCT r.relation) FROM access_grant g CROSS JOIN LATERAL unnest(g.relations) AS r(relation)
    WHERE g.team_id = team AND g.resource_type = of_type AND g.resource_id = ANY (resources) AND g.principal_id = ANY (principals)
      AND (g.expires_at IS NULL OR g.expires_at > now())
    GROUP BY g.resource_id;
END $$;

-- The shares of some resources of a type.
CREATE FUNCTION access_shares_on(team uuid, of_type text, resources uuid[])
RETURNS TABLE (id uuid, resource_id uuid, principal_type text, principal_id uuid, relations text[], granted_by uuid, created_at timestamptz)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 10 AS $$
#variable_conflict use_column
BEGIN
  IF resources = '{}' THEN RETURN; END IF;
  RETURN QUERY
    SELECT g.id, g.resource_id, g.principal_type, g.principal_id, g.relations, g.granted_by, g.created_at FROM access_grant g
    WHERE g.team_id = team AND g.resource_type = of_type AND g.resource_id = ANY (resources) AND g.source = 'share'
      AND (g.expires_at IS NULL OR g.expires_at > now());
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
