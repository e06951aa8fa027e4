-- Matters: all resources of one case. A matter has a folder with its identifier, the root. The root is the container of the content, with its owner,
-- shares and barrier, and lists of folders leave it out.
ALTER TABLE folder ADD COLUMN is_matter boolean NOT NULL DEFAULT false;
ALTER TABLE folder ADD CONSTRAINT folder_matter_is_top CHECK (NOT is_matter OR parent_id IS NULL);
-- The lists of folders read these indexes and leave out the roots.
DROP INDEX folder_of_user, folder_by_barrier, folder_by_change;
CREATE INDEX folder_of_user ON folder (team_id, user_id, deleted_at, id) INCLUDE (barrier_id, is_matter);
CREATE INDEX folder_by_barrier ON folder (team_id, barrier_id, deleted_at, id) INCLUDE (is_matter);
CREATE INDEX folder_by_change ON folder (team_id, barrier_id, deleted_at, updated_at, id) INCLUDE (is_matter);
CREATE INDEX folder_matters ON folder (team_id, user_id, id) WHERE is_matter;

-- The matter that a container lies in, itself included. Triggers keep it.
ALTER TABLE access_container ADD COLUMN matter_id uuid;

CREATE OR REPLACE FUNCTION insert_container() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO access_container (team_id, id, type, owner_id, barrier_id, matter_id)
  VALUES (NEW.team_id, NEW.id, CASE WHEN NEW.is_matter THEN 'matter' ELSE TG_ARGV[0] END, NEW.user_id, NEW.barrier_id,
    CASE WHEN NEW.is_matter THEN NEW.id
      WHEN NEW.parent_id IS NOT NULL THEN (SELECT c.matter_id FROM access_container c WHERE c.team_id = NEW.team_id AND c.id = NEW.parent_id) END);
  INSERT INTO access_path (team_id, container_id, ancestor_id, distance)
  SELECT NEW.team_id, NEW.id, NEW.id, 0
  UNION ALL SELECT NEW.team_id, NEW.id, p.ancestor_id, p.distance + 1 FROM access_path p WHERE p.team_id = NEW.team_id AND p.container_id = NEW.parent_id;
  IF NEW.parent_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM access_path p WHERE p.team_id = NEW.team_id AND p.container_id = NEW.id AND p.ancestor_id = NEW.parent_id
  ) THEN RAISE EXCEPTION 'a container is inserted after its parent'; END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION move_container() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE matter uuid;
BEGIN
  IF NEW.parent_id IS DISTINCT FROM OLD.parent_id THEN
    DELETE FROM access_path p USING access_path below, access_path above
    WHERE below.team_id = NEW.team_id AND below.ancestor_id = NEW.id AND above.team_id = NEW.team_id AND above.container_id = OLD.parent_id
      AND p.team_id = NEW.team_id AND p.container_id = below.container_id AND p.ancestor_id = above.ancestor_id;
    INSERT INTO access_path (team_id, container_id, ancestor_id, distance)
    SELECT NEW.team_id, below.container_id, above.ancestor_id, below.distance + 1 + above.distance FROM access_path below, access_path above
    WHERE below.team_id = NEW.team_id AND below.ancestor_id = NEW.id AND above.team_id = NEW.team_id AND above.container_id = NEW.parent_id;
    SELECT c.matter_id INTO matter FROM access_container c WHERE c.team_id = NEW.team_id AND c.id = NEW.parent_id;
    UPDATE access_container c SET matter_id = matter FROM access_path p
    WHERE p.team_id = NEW.team_id AND p.ancestor_id = NEW.id AND c.team_id = NEW.team_id AND c.id = p.container_id AND c.matter_id IS DISTINCT FROM matter;
  END IF;
  UPDATE access_container SET owner_id = NEW.user_id, barrier_id = NEW.barrier_id
  WHERE team_id = NEW.team_id AND id = NEW.id AND (owner_id <> NEW.user_id OR barrier_id <> NEW.barrier_id);
  -- The container no longer has a barrier of its own.
  IF OLD.barrier_id = OLD.id AND NEW.barrier_id <> NEW.id THEN
    UPDATE access_deleted SET barrier_id = NEW.barrier_id WHERE team_id = NEW.team_id AND barrier_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;

-- The matter of a container; null outside of matters.
CREATE FUNCTION matter_of(team uuid, container uuid) RETURNS uuid LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  IF container IS NULL THEN RETURN NULL; END IF;
  RETURN (SELECT c.matter_id FROM access_container c WHERE c.team_id = team AND c.id = container);
END $$;
-- Whether the team has matters. Lists of a team without matters look up none.
CREATE FUNCTION has_matters(team uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM matter m WHERE m.team_id = team);
END $$;
-- The matter of a document; null outside of matters.
CREATE FUNCTION matter_of_document(team uuid, document uuid) RETURNS uuid LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN (SELECT matter_of(team, d.folder_id) FROM document d WHERE d.team_id = team AND d.id = document);
END $$;
-- The containers in a matter, itself included.
CREATE FUNCTION containers_of_matter(of_team uuid, of_matter uuid) RETURNS TABLE (id uuid) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT p.container_id FROM access_path p WHERE p.team_id = of_team AND p.ancestor_id = of_matter
$$;
-- The matters that a person owns or that are shared with them. Barriers take no part.
CREATE FUNCTION viewed_matters(team uuid, person uuid) RETURNS SETOF uuid LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 20 AS $$
BEGIN
  -- The principals of an API client are no persons.
  IF NOT EXISTS (SELECT FROM account a WHERE a.team_id = team AND a.id = person) THEN RETURN; END IF;
  RETURN QUERY
    SELECT f.id FROM folder f WHERE f.team_id = team AND f.user_id = person AND f.is_matter AND f.deleted_at IS NULL
    UNION SELECT c.id FROM access_resources(team, person, true, 'folder', '{viewer,editor}') s(id)
      JOIN access_container c ON c.team_id = team AND c.id = s.id AND c.type = 'matter';
END $$;
-- The relations of a caller to the matter of a resource, and the state of its barriers. An API client has none.
CREATE FUNCTION matter_facts(team uuid, caller uuid, person boolean, matter uuid, OUT inherited text[], OUT excluded boolean, OUT outsider boolean)
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  inherited := '{}';
  excluded := false;
  outsider := false;
  IF matter IS NULL THEN RETURN; END IF;
  SELECT s.excluded, s.outsider INTO excluded, outsider FROM barrier_state(team, barrier_of(team, matter), CASE WHEN person THEN caller END) s;
  IF NOT person THEN RETURN; END IF;
  IF EXISTS (SELECT FROM access_container c WHERE c.team_id = team AND c.id = matter AND c.owner_id = caller) THEN inherited := '{editor}'; RETURN; END IF;
  inherited := access_relations(team, caller, true, 'folder', matter, NULL);
END $$;

CREATE TABLE matter_client (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  reference text,
  created_by uuid NOT NULL,
  created_by_type text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, id)
);
CREATE UNIQUE INDEX matter_client_name ON matter_client (team_id, name_key);
CALL confine_to_team('matter_client', 'SELECT, INSERT, UPDATE');
CALL open_to_system('matter_client', 'SELECT', 'DELETE');

-- Name, responsible person, shares and barrier are those of the root folder with the same identifier.
CREATE TABLE matter (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  client_id uuid,
  number text NOT NULL,
  number_key text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'open', 'closed')),
  practice text,
  opened_on date,
  closed_on date,
  -- Until this day the matter and its content are kept.
  retain_until date,
  -- The status before it was closed.
  status_before text CHECK (status_before IN ('pending', 'open')),
  fields jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (team_id, id),
  CONSTRAINT matter_has_root FOREIGN KEY (team_id, id) REFERENCES folder (team_id, id),
  CONSTRAINT matter_client_exists FOREIGN KEY (team_id, client_id) REFERENCES matter_client (team_id, id),
  CONSTRAINT matter_is_closed CHECK ((status = 'closed') = (closed_on IS NOT NULL) AND (status = 'closed') = (status_before IS NOT NULL))
);
CREATE UNIQUE INDEX matter_number_once ON matter (team_id, number_key);
CREATE INDEX matter_by_client ON matter (team_id, client_id, id) WHERE client_id IS NOT NULL;
CALL confine_to_team('matter', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('matter', 'SELECT', 'UPDATE', 'DELETE');

-- The last automatic number of each year.
CREATE TABLE matter_counter (
  team_id uuid NOT NULL REFERENCES team,
  year integer NOT NULL,
  last integer NOT NULL,
  PRIMARY KEY (team_id, year)
);
CALL confine_to_team('matter_counter', 'SELECT, INSERT, UPDATE');
CALL open_to_system('matter_counter', 'SELECT', 'DELETE');

-- Whether the retention period of a closed matter keeps the content of a container.
CREATE FUNCTION matter_retains(team uuid, container uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE matter uuid := matter_of(team, container);
BEGIN
  IF matter IS NULL THEN RETURN false; END IF;
  RETURN EXISTS (SELECT FROM matter m WHERE m.team_id = team AND m.id = matter AND m.retain_until >= current_date);
END $$;

-- Whether a container lies in a closed matter.
CREATE FUNCTION in_closed_matter(team uuid, container uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE matter uuid := matter_of(team, container);
BEGIN
  IF matter IS NULL THEN RETURN false; END IF;
  RETURN EXISTS (SELECT FROM matter m WHERE m.team_id = team AND m.id = matter AND m.status = 'closed');
END $$;
-- The same under a lock of the matter, which orders new content before or after the closing of the matter.
CREATE FUNCTION lock_open_matter(team uuid, container uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  matter uuid := matter_of(team, container);
  state text;
BEGIN
  IF matter IS NULL THEN RETURN true; END IF;
  SELECT m.status INTO state FROM matter m WHERE m.team_id = team AND m.id = matter FOR KEY SHARE;
  RETURN state IS DISTINCT FROM 'closed';
END $$;

-- The root folders of matters, for statements of this domain.
CREATE FUNCTION matter_roots(of_team uuid)
RETURNS TABLE (id uuid, name text, user_id uuid, barrier_id uuid, version integer, created_by uuid, created_by_type text, created_at timestamptz, updated_at timestamptz)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT f.id, f.name, f.user_id, f.barrier_id, f.version, coalesce(f.created_by, f.user_id), f.created_by_type, f.created_at, f.updated_at
  FROM folder f WHERE f.team_id = of_team AND f.is_matter AND f.deleted_at IS NULL
$$;

-- A closed matter is read-only. The lock of the row orders new content before or after the closing of the matter.
CREATE FUNCTION refuse_closed(team uuid, of_matter uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE state text;
BEGIN
  IF of_matter IS NULL THEN RETURN; END IF;
  SELECT m.status INTO state FROM matter m WHERE m.team_id = team AND m.id = of_matter FOR KEY SHARE;
  IF state = 'closed' THEN RAISE EXCEPTION 'the matter is closed' USING ERRCODE = 'MT001'; END IF;
END $$;
CREATE FUNCTION refuse_in_closed_folder() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refuse_closed(NEW.team_id, matter_of(NEW.team_id, NEW.folder_id));
  IF TG_OP = 'UPDATE' AND OLD.folder_id IS DISTINCT FROM NEW.folder_id THEN PERFORM refuse_closed(OLD.team_id, matter_of(OLD.team_id, OLD.folder_id)); END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION refuse_in_closed_parent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refuse_closed(NEW.team_id, matter_of(NEW.team_id, NEW.parent_id));
  IF TG_OP = 'UPDATE' AND OLD.parent_id IS DISTINCT FROM NEW.parent_id THEN PERFORM refuse_closed(OLD.team_id, matter_of(OLD.team_id, OLD.parent_id)); END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION refuse_in_closed_container() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refuse_closed(NEW.team_id, NEW.container_id);
  IF TG_OP = 'UPDATE' AND OLD.container_id IS DISTINCT FROM NEW.container_id THEN PERFORM refuse_closed(OLD.team_id, OLD.container_id); END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refuse_closed BEFORE INSERT ON folder FOR EACH ROW WHEN (NEW.parent_id IS NOT NULL) EXECUTE FUNCTION refuse_in_closed_parent();
CREATE TRIGGER refuse_closed_change BEFORE UPDATE OF name, description, color, metadata, parent_id ON folder FOR EACH ROW
  WHEN ((OLD.parent_id IS NOT NULL OR NEW.parent_id IS NOT NULL)
    AND (OLD.name, OLD.description, OLD.color, OLD.metadata, OLD.parent_id) IS DISTINCT FROM (NEW.name, NEW.description, NEW.color, NEW.metadata, NEW.parent_id))
  EXECUTE FUNCTION refuse_in_closed_parent();
CREATE TRIGGER refuse_closed BEFORE INSERT ON document FOR EACH ROW WHEN (NEW.folder_id IS NOT NULL) EXECUTE FUNCTION refuse_in_closed_folder();
CREATE TRIGGER refuse_closed_change BEFORE UPDATE OF title, description, reference, metadata, labels, current_version, folder_id ON document FOR EACH ROW
  WHEN (OLD.folder_id IS NOT NULL OR NEW.folder_id IS NOT NULL) EXECUTE FUNCTION refuse_in_closed_folder();
CREATE TRIGGER refuse_closed BEFORE INSERT OR UPDATE OF status, draft, published_version, folder_id ON interface FOR EACH ROW
  WHEN (NEW.folder_id IS NOT NULL) EXECUTE FUNCTION refuse_in_closed_folder();
CREATE TRIGGER refuse_closed BEFORE INSERT OR UPDATE OF name, description, fields, container_id ON registry FOR EACH ROW
  WHEN (NEW.container_id IS NOT NULL) EXECUTE FUNCTION refuse_in_closed_container();

-- Work about a document is in the matter of the document, and other work in the matter that it was created in. A matter takes the place of a
-- document of the team: its barrier hides the work.
CREATE FUNCTION take_matter_of_document() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.linked_document_id IS NOT NULL THEN
    NEW.container_id := matter_of_document(NEW.team_id, NEW.linked_document_id);
  END IF;
  IF NEW.about_document_id IS NULL THEN NEW.about_document_id := NEW.container_id; END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION take_matter_of_workflow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.workflow_id IS NOT NULL THEN
    NEW.container_id := (SELECT w.container_id FROM workflow w WHERE w.team_id = NEW.team_id AND w.id = NEW.workflow_id);
  END IF;
  IF NEW.about_document_id IS NULL THEN NEW.about_document_id := NEW.container_id; END IF;
  RETURN NEW;
END $$;
-- PostgreSQL runs the triggers of one event in the order of their names.
CREATE TRIGGER a_take_matter BEFORE INSERT OR UPDATE OF linked_document_id ON workflow FOR EACH ROW
  WHEN (NEW.linked_document_id IS NOT NULL OR NEW.container_id IS NOT NULL) EXECUTE FUNCTION take_matter_of_document();
CREATE TRIGGER a_take_matter BEFORE INSERT ON task FOR EACH ROW
  WHEN (NEW.workflow_id IS NULL AND (NEW.linked_document_id IS NOT NULL OR NEW.container_id IS NOT NULL)) EXECUTE FUNCTION take_matter_of_document();
CREATE TRIGGER a_take_matter_of_workflow BEFORE INSERT ON task FOR EACH ROW WHEN (NEW.workflow_id IS NOT NULL) EXECUTE FUNCTION take_matter_of_workflow();
CREATE TRIGGER refuse_closed BEFORE INSERT OR UPDATE OF status, container_id ON workflow FOR EACH ROW
  WHEN (NEW.container_id IS NOT NULL) EXECUTE FUNCTION refuse_in_closed_container();
CREATE TRIGGER refuse_closed BEFORE INSERT ON task FOR EACH ROW WHEN (NEW.container_id IS NOT NULL) EXECUTE FUNCTION refuse_in_closed_container();
CREATE FUNCTION refuse_request_in_closed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refuse_closed(NEW.team_id, matter_of_document(NEW.team_id, NEW.document_id));
  RETURN NEW;
END $$;
CREATE TRIGGER refuse_closed BEFORE INSERT ON signature_request FOR EACH ROW EXECUTE FUNCTION refuse_request_in_closed();

-- The work about documents follows them into another matter, or out of it.
CREATE FUNCTION move_work(team uuid, documents uuid[], matter uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH locked AS (
    SELECT w.id FROM workflow w WHERE w.team_id = team AND w.linked_document_id = ANY (documents) AND w.container_id IS DISTINCT FROM matter
    ORDER BY w.id FOR NO KEY UPDATE
  )
  UPDATE workflow w SET container_id = matter FROM locked WHERE w.team_id = team AND w.id = locked.id;
  WITH locked AS (
    SELECT t.id FROM task t WHERE t.team_id = team AND t.linked_document_id = ANY (documents) AND t.container_id IS DISTINCT FROM matter
    ORDER BY t.id FOR NO KEY UPDATE
  )
  UPDATE task t SET container_id = matter FROM locked WHERE t.team_id = team AND t.id = locked.id;
END $$;
CREATE FUNCTION move_work_of_document() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE matter uuid := matter_of(NEW.team_id, NEW.folder_id);
BEGIN
  IF matter IS DISTINCT FROM matter_of(OLD.team_id, OLD.folder_id) THEN PERFORM move_work(NEW.team_id, ARRAY[NEW.id], matter); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER move_work AFTER UPDATE OF folder_id ON document FOR EACH ROW
  WHEN (OLD.folder_id IS DISTINCT FROM NEW.folder_id) EXECUTE FUNCTION move_work_of_document();
CREATE FUNCTION move_work_of_container() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM move_work(NEW.team_id, ARRAY(SELECT d.id FROM document d WHERE d.team_id = NEW.team_id AND d.folder_id = NEW.id), NEW.matter_id);
  RETURN NULL;
END $$;
CREATE TRIGGER move_work AFTER UPDATE OF matter_id ON access_container FOR EACH ROW
  WHEN (OLD.matter_id IS DISTINCT FROM NEW.matter_id) EXECUTE FUNCTION move_work_of_container();

-- The tasks of a workflow follow it into another matter.
CREATE FUNCTION move_about() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.linked_document_id IS NULL AND NEW.about_document_id IS NOT DISTINCT FROM OLD.container_id THEN NEW.about_document_id := NEW.container_id; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER move_about BEFORE UPDATE OF container_id ON workflow FOR EACH ROW
  WHEN (OLD.container_id IS DISTINCT FROM NEW.container_id) EXECUTE FUNCTION move_about();
CREATE TRIGGER move_about BEFORE UPDATE OF container_id ON task FOR EACH ROW
  WHEN (OLD.container_id IS DISTINCT FROM NEW.container_id) EXECUTE FUNCTION move_about();
CREATE FUNCTION move_tasks_of_workflow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE task t SET container_id = NEW.container_id
  WHERE t.team_id = NEW.team_id AND t.workflow_id = NEW.id AND t.container_id IS DISTINCT FROM NEW.container_id;
  RETURN NULL;
END $$;
CREATE TRIGGER move_tasks AFTER UPDATE OF container_id ON workflow FOR EACH ROW
  WHEN (OLD.container_id IS DISTINCT FROM NEW.container_id) EXECUTE FUNCTION move_tasks_of_workflow();

-- Everything in a matter: top folders, documents outside of folders, and all its work. `is_open`: work that must end before the matter closes.
-- `is_binned`: in the bin. `inherits`: who may view the matter may view it.
CREATE FUNCTION matter_contents(of_team uuid, of_matter uuid)
RETURNS TABLE (type text, id uuid, name text, owner_id uuid, about uuid, is_open boolean, is_binned boolean, inherits boolean, updated_at timestamptz)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT 'folder', f.id, f.name, f.user_id, f.id, false, f.deleted_at IS NOT NULL, true, f.updated_at
  FROM folder f WHERE f.team_id = of_team AND f.parent_id = of_matter
  UNION ALL
  SELECT 'document', d.id, d.title, d.user_id, of_matter, false, d.deleted_at IS NOT NULL, true, d.updated_at
  FROM document d WHERE d.team_id = of_team AND d.folder_id = of_matter AND d.deleted_at IS DISTINCT FROM 'epoch'
  UNION ALL
  SELECT 'workflow', w.id, w.name, w.owner_id, w.about_document_id, w.status IN ('active', 'paused'), false, true, w.updated_at
  FROM workflow w WHERE w.team_id = of_team AND w.container_id = of_matter
  UNION ALL
  SELECT 'task', t.id, t.title, t.owner_id, t.about_document_id, t.status = 'open', false, t.type <> 'tool_approval' AND t.type <> 'tool_outcome', t.updated_at
  FROM task t WHERE t.team_id = of_team AND t.container_id = of_matter AND t.workflow_id IS NULL
  UNION ALL
  SELECT 'form', i.id, i.title, i.owner_id, i.folder_id, false, false, false, i.updated_at
  FROM containers_of_matter(of_team, of_matter) c JOIN interface i ON i.team_id = of_team AND i.folder_id = c.id AND i.deleted_at IS NULL
  UNION ALL
  SELECT 'registry', r.id, r.name, r.user_id, of_matter, false, r.deleted_at IS NOT NULL, true, r.updated_at
  FROM registry r WHERE r.team_id = of_team AND r.container_id = of_matter
  UNION ALL
  SELECT 'signature_request', s.id, s.title, s.owner_id, s.document_id, s.status IN ('preparing', 'pending', 'sealing'), false, false, s.updated_at
  FROM containers_of_matter(of_team, of_matter) c JOIN document d ON d.team_id = of_team AND d.folder_id = c.id
  JOIN signature_request s ON s.team_id = of_team AND s.document_id = d.id
$$;

-- A date of a matter. A job makes one task `remind_days` working days before it.
CREATE TABLE matter_deadline (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  matter_id uuid NOT NULL,
  title text NOT NULL,
  due_at timestamptz NOT NULL,
  -- Where the date comes from, such as a rule of procedure.
  source text,
  -- Null: the responsible person of the matter.
  assignee_id uuid,
  remind_days integer NOT NULL CHECK (remind_days BETWEEN 0 AND 60),
  -- When the job makes the task; null after that, and while the matter is closed.
  remind_at timestamptz,
  task_id uuid,
  created_by uuid NOT NULL,
  created_by_type text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, id),
  CONSTRAINT matter_deadline_of FOREIGN KEY (team_id, matter_id) REFERENCES matter (team_id, id) ON DELETE CASCADE,
  CONSTRAINT matter_deadline_assignee FOREIGN KEY (team_id, assignee_id) REFERENCES account (team_id, id)
);
CREATE INDEX matter_deadline_of_matter ON matter_deadline (team_id, matter_id, id);
CREATE INDEX matter_deadline_reminding ON matter_deadline (remind_at) WHERE remind_at IS NOT NULL;
CREATE INDEX matter_deadline_by_assignee ON matter_deadline (team_id, assignee_id) WHERE assignee_id IS NOT NULL;
CALL confine_to_team('matter_deadline', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('matter_deadline', 'SELECT', 'DELETE');
