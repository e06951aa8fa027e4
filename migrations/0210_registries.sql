-- Registries: typed records of a team, with their fields and owner.
CREATE TABLE registry (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  name text NOT NULL,
  description text,
  -- In display order; src/intake/registries/schemas.ts has the format.
  fields jsonb NOT NULL,
  -- Ids of removed fields. The history still has their values, so other fields cannot use these ids.
  former_fields text[] NOT NULL DEFAULT '{}',
  user_id uuid NOT NULL,
  created_by uuid NOT NULL,
  created_by_type text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  PRIMARY KEY (team_id, id)
);
CREATE INDEX registry_by_age ON registry (team_id, id) WHERE deleted_at IS NULL;
CREATE INDEX registry_by_change ON registry (team_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX registry_of_owner ON registry (team_id, user_id);
CREATE INDEX registry_binned ON registry (deleted_at) WHERE deleted_at IS NOT NULL;
CALL confine_to_team('registry', 'SELECT, INSERT, UPDATE');
CALL open_to_system('registry', 'SELECT', 'DELETE');
CALL count_rows('registry', 'registries');
CALL access_container_column('registry');
CALL access_resource_type('registry', 'registry');

-- Records of registries. `data` has the values by the ids of their fields.
CREATE TABLE registry_record (
  team_id uuid NOT NULL,
  registry_id uuid NOT NULL,
  id uuid NOT NULL,
  -- pending: a record of a form that waits for approval; deleted: in the bin.
  state text NOT NULL CHECK (state IN ('active', 'pending', 'deleted')),
  data jsonb NOT NULL,
  -- The search and sort keys by field. The same keys are in registry_value.
  keys jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  -- The action and the actor of this version.
  act text NOT NULL CHECK (act IN ('created', 'imported', 'submitted', 'updated', 'approved', 'declined', 'deleted', 'restored', 'reverted')),
  changed_by uuid,
  changed_by_type text NOT NULL,
  created_by uuid,
  created_by_type text NOT NULL,
  -- The submission that created the record.
  submission_id uuid,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (team_id, registry_id, id),
  CONSTRAINT registry_record_of FOREIGN KEY (team_id, registry_id) REFERENCES registry (team_id, id),
  CONSTRAINT registry_record_binned CHECK ((state = 'deleted') = (deleted_at IS NOT NULL))
) WITH (autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX registry_record_by_age ON registry_record (team_id, registry_id, state, id);
CREATE INDEX registry_record_by_change ON registry_record (team_id, registry_id, state, updated_at, id);
CREATE INDEX registry_record_of_submission ON registry_record (team_id, submission_id) WHERE submission_id IS NOT NULL;
CREATE INDEX registry_record_in_bin ON registry_record (deleted_at) WHERE state = 'deleted';
CALL confine_to_team('registry_record', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('registry_record', 'SELECT', 'DELETE');
CALL count_rows('registry_record', 'registryRecords');

-- Earlier versions of records.
CREATE TABLE registry_record_version (
  team_id uuid NOT NULL,
  registry_id uuid NOT NULL,
  record_id uuid NOT NULL,
  version integer NOT NULL,
  data jsonb NOT NULL,
  act text NOT NULL CHECK (act IN ('created', 'imported', 'submitted', 'updated', 'approved', 'declined', 'deleted', 'restored', 'reverted')),
  changed_by uuid,
  changed_by_type text NOT NULL,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, registry_id, record_id, version),
  CONSTRAINT registry_record_version_of FOREIGN KEY (team_id, registry_id, record_id) REFERENCES registry_record (team_id, registry_id, id)
    ON DELETE CASCADE
);
CALL confine_to_team('registry_record_version', 'SELECT, INSERT, DELETE');
CALL open_to_system('registry_record_version', 'SELECT', 'DELETE');
CALL count_rows('registry_record_version', 'registryVersions');

-- The index of records that are not in the bin, with the keys of their column `keys`. Each value has a key that sorts like the value.
-- Each word of a text has a key under the id of its field with the suffix #. There is no foreign key to the record, because it would be
-- checked for each key. No index begins with the record, because each change of a record also writes or deletes its keys.
CREATE TABLE registry_value (
  team_id uuid NOT NULL,
  registry_id uuid NOT NULL,
  state text NOT NULL,
  field text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  record_id uuid NOT NULL,
  PRIMARY KEY (team_id, registry_id, state, field, key, record_id)
) WITH (autovacuum_analyze_scale_factor = 0.02);
CALL confine_to_team('registry_value', 'SELECT, INSERT, DELETE');
CALL open_to_system('registry_value', 'SELECT', 'DELETE');

-- The values of unique fields of active records, each at most once.
CREATE TABLE registry_unique_value (
  team_id uuid NOT NULL,
  registry_id uuid NOT NULL,
  field text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  record_id uuid NOT NULL,
  CONSTRAINT registry_value_once PRIMARY KEY (team_id, registry_id, field, key)
);
CREATE INDEX registry_unique_value_of ON registry_unique_value (team_id, registry_id, record_id);
CALL confine_to_team('registry_unique_value', 'SELECT, INSERT, DELETE');
CALL open_to_system('registry_unique_value', 'SELECT', 'DELETE');

-- Deletes the keys and unique values of deleted records.
CREATE FUNCTION drop_record_values() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM registry_value v USING gone, LATERAL jsonb_each(gone.keys) e, LATERAL jsonb_array_elements_text(e.value) AS k(key)
  WHERE v.team_id = gone.team_id AND v.registry_id = gone.registry_id AND v.state = gone.state AND v.field = e.key AND v.key = k.key
    AND v.record_id = gone.id;
  DELETE FROM registry_unique_value u USING gone
  WHERE u.team_id = gone.team_id AND u.registry_id = gone.registry_id AND u.record_id = gone.id;
  RETURN NULL;
END $$;
CREATE TRIGGER drop_record_values AFTER DELETE ON registry_record REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION drop_record_values();
REVOKE EXECUTE ON FUNCTION drop_record_values() FROM PUBLIC;

-- Imports of files, with their reports. The content is deleted when the import ends.
CREATE TABLE registry_import (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  registry_id uuid NOT NULL,
  status text NOT NULL CHECK (status IN ('waiting', 'done', 'refused', 'failed')),
  mode text NOT NULL CHECK (mode IN ('all', 'good')),
  manner jsonb NOT NULL,
  content bytea,
  total integer NOT NULL,
  imported integer NOT NULL DEFAULT 0,
  bad integer NOT NULL DEFAULT 0,
  -- The errors of rows, without values.
  errors jsonb NOT NULL DEFAULT '[]',
  code text,
  detail text,
  created_by uuid NOT NULL,
  created_by_type text NOT NULL,
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (team_id, id),
  CONSTRAINT registry_import_of FOREIGN KEY (team_id, registry_id) REFERENCES registry (team_id, id) ON DELETE CASCADE,
  CONSTRAINT registry_import_content CHECK ((status = 'waiting') = (content IS NOT NULL))
);
CREATE INDEX registry_import_of_registry ON registry_import (team_id, registry_id, id);
CREATE INDEX registry_import_waiting ON registry_import (team_id) WHERE status = 'waiting';
CREATE INDEX registry_import_by_age ON registry_import (ended_at) WHERE ended_at IS NOT NULL;
CALL confine_to_team('registry_import', 'SELECT, INSERT, UPDATE');
CALL open_to_system('registry_import', 'SELECT', 'UPDATE', 'DELETE');
