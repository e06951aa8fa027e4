-- Workflows about several documents, each under a name that steps use, and the workflow of a record.

-- The documents of a workflow. The first has the position 0 and is also in `workflow.document_id`.
CREATE TABLE workflow_document (
  team_id uuid NOT NULL REFERENCES team,
  workflow_id uuid NOT NULL,
  name text NOT NULL,
  position integer NOT NULL,
  -- Text, because it can name a document in another system.
  document_id text NOT NULL,
  -- The document as a foreign key, which becomes null with the deletion of the document, and the user who linked it.
  linked_document_id uuid,
  linked_by uuid,
  -- The same document, kept after its deletion. Its barrier hides the workflow.
  about_document_id uuid,
  -- Whether the workflow controls the status of the document and may reject versions. The user who linked it needs write access for that.
  leads boolean NOT NULL DEFAULT false,
  -- The status of the document before the workflow started, and the result of the workflow for it.
  status_before text CHECK (status_before IN ('draft', 'in_review', 'approved', 'signed', 'archived')),
  result text CHECK (result IN ('approved', 'draft')),
  PRIMARY KEY (team_id, workflow_id, name),
  CONSTRAINT workflow_document_about FOREIGN KEY (team_id, linked_document_id) REFERENCES document (team_id, id)
    ON DELETE SET NULL (linked_document_id)
);
CREATE INDEX workflow_document_by_document ON workflow_document (team_id, linked_document_id) WHERE linked_document_id IS NOT NULL;
CREATE INDEX workflow_document_by_text ON workflow_document (team_id, document_id);
CALL confine_to_team('workflow_document', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('workflow_document', 'SELECT', 'DELETE');

ALTER TABLE workflow NO FORCE ROW LEVEL SECURITY;
ALTER TABLE workflow_document NO FORCE ROW LEVEL SECURITY;
INSERT INTO workflow_document (team_id, workflow_id, name, position, document_id, linked_document_id, linked_by, about_document_id, leads, status_before, result)
SELECT team_id, id, 'document', 0, document_id, linked_document_id, linked_by, about_document_id, leads_document, document_status_before, document_result
FROM workflow;
ALTER TABLE workflow FORCE ROW LEVEL SECURITY;
ALTER TABLE workflow_document FORCE ROW LEVEL SECURITY;
ALTER TABLE workflow DROP COLUMN leads_document, DROP COLUMN document_status_before, DROP COLUMN document_result;

-- The documents of a workflow that are in this service, for domains without access to the table.
CREATE FUNCTION documents_of_workflow(of_team uuid, of_workflow uuid) RETURNS TABLE (id uuid) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT d.linked_document_id FROM workflow_document d
  WHERE d.team_id = of_team AND d.workflow_id = of_workflow AND d.linked_document_id IS NOT NULL
$$;
-- The document of a step: the one with this name, or the first without a name.
CREATE FUNCTION document_of_step(team uuid, of_workflow uuid, named text) RETURNS uuid LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN (SELECT d.linked_document_id FROM workflow_document d
    WHERE d.team_id = team AND d.workflow_id = of_workflow AND (d.name = named OR named IS NULL AND d.position = 0));
END $$;
-- Whether a person or program owns a document of a workflow and no barrier excludes them from it.
CREATE FUNCTION owns_document_of_workflow(team uuid, of_workflow uuid, person uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM workflow_document d
    WHERE d.team_id = team AND d.workflow_id = of_workflow AND d.linked_document_id IS NOT NULL AND owns_document(team, d.linked_document_id, person));
END $$;
-- Whether a person or program linked a document of a workflow.
CREATE FUNCTION links_document_of_workflow(team uuid, of_workflow uuid, person uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM workflow_document d WHERE d.team_id = team AND d.workflow_id = of_workflow AND d.linked_by = person);
END $$;
-- Whether an approval task of a workflow approved the newest version of a document.
DROP FUNCTION newest_is_approved(uuid, uuid);
CREATE FUNCTION newest_is_approved(team uuid, of_workflow uuid, document uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM task t CROSS JOIN LATERAL (SELECT d.current_version FROM filed_documents(team) d WHERE d.id = t.linked_document_id) d
    WHERE t.team_id = team AND t.workflow_id = of_workflow AND t.type = 'approval' AND t.outcome = 'approved' AND t.linked_document_id = document
      AND t.document_version IS NOT DISTINCT FROM nullif(d.current_version, 0));
END $$;
REVOKE EXECUTE ON FUNCTION documents_of_workflow(uuid, uuid), document_of_step(uuid, uuid, text), owns_document_of_workflow(uuid, uuid, uuid),
  links_document_of_workflow(uuid, uuid, uuid), newest_is_approved(uuid, uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION documents_of_workflow(uuid, uuid), document_of_step(uuid, uuid, text), owns_document_of_workflow(uuid, uuid, uuid),
  links_document_of_workflow(uuid, uuid, uuid), newest_is_approved(uuid, uuid, uuid) TO chancery_app, chancery_system;

-- A workflow about several documents takes the place of a document, like a matter: the barriers of all its documents hide it and its tasks.
CREATE FUNCTION be_about_all_documents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE workflow w SET about_document_id = w.id
  WHERE w.team_id = NEW.team_id AND w.id = NEW.workflow_id AND w.about_document_id IS DISTINCT FROM w.id;
  UPDATE task t SET about_document_id = NEW.workflow_id
  WHERE t.team_id = NEW.team_id AND t.workflow_id = NEW.workflow_id AND t.about_document_id IS DISTINCT FROM NEW.workflow_id;
  RETURN NULL;
END $$;
CREATE TRIGGER be_about_all_documents AFTER INSERT ON workflow_document FOR EACH ROW WHEN (NEW.position > 0)
  EXECUTE FUNCTION be_about_all_documents();

-- The tasks of a deleted workflow stay, so the barriers of its documents keep hiding them.
CREATE FUNCTION forget_workflow_documents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM workflow_document d WHERE d.team_id = OLD.team_id AND d.workflow_id = OLD.id
    AND NOT EXISTS (SELECT FROM task t WHERE t.team_id = OLD.team_id AND t.workflow_id = OLD.id AND t.about_document_id = OLD.id);
  RETURN NULL;
END $$;
CREATE TRIGGER forget_documents AFTER DELETE ON workflow FOR EACH ROW EXECUTE FUNCTION forget_workflow_documents();

-- The barriers of a workflow about several documents, and of its matter. Other identifiers have none.
CREATE FUNCTION barriers_of_workflow(team uuid, of_workflow uuid) RETURNS SETOF uuid LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 2 AS $$
BEGIN
  RETURN QUERY
    SELECT document_barrier(team, d.about_document_id) FROM workflow_document d WHERE d.team_id = team AND d.workflow_id = of_workflow
    UNION SELECT barrier_of(team, w.container_id) FROM workflow w WHERE w.team_id = team AND w.id = of_workflow AND w.container_id IS NOT NULL;
END $$;
REVOKE EXECUTE ON FUNCTION barriers_of_workflow(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION barriers_of_workflow(uuid, uuid) TO chancery_app, chancery_system;

-- `document` is a document, also after its deletion, or a matter or workflow in its place.
CREATE OR REPLACE FUNCTION document_barrier_state(team uuid, document uuid, person uuid, OUT excluded boolean, OUT outsider boolean)
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE barrier uuid := (SELECT barrier_now(team, d.folder_id, d.barrier_id) FROM document d WHERE d.team_id = team AND d.id = document);
BEGIN
  IF barrier IS NULL THEN barrier := nullif(barrier_of(team, document), '00000000-0000-0000-0000-000000000000'); END IF;
  IF barrier IS NOT NULL THEN
    SELECT s.excluded, s.outsider INTO excluded, outsider FROM barrier_state(team, barrier, person) s;
  ELSE
    SELECT coalesce(bool_or(s.excluded), false), coalesce(bool_or(s.outsider), false) INTO excluded, outsider
    FROM barriers_of_workflow(team, document) b CROSS JOIN LATERAL barrier_state(team, b, person) s;
  END IF;
END $$;
CREATE OR REPLACE FUNCTION document_is_barred(team uuid, document uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE barrier uuid;
BEGIN
  IF document IS NULL THEN RETURN false; END IF;
  barrier := (SELECT barrier_now(team, d.folder_id, d.barrier_id) FROM document d WHERE d.team_id = team AND d.id = document);
  IF barrier IS NULL THEN barrier := nullif(barrier_of(team, document), '00000000-0000-0000-0000-000000000000'); END IF;
  IF barrier IS NOT NULL THEN RETURN barrier <> '00000000-0000-0000-0000-000000000000'; END IF;
  RETURN EXISTS (SELECT FROM barriers_of_workflow(team, document) b WHERE b <> '00000000-0000-0000-0000-000000000000');
END $$;

-- A task or a workflow counts as all its documents.
CREATE OR REPLACE FUNCTION agent_run_subjects(team uuid, ids uuid[]) RETURNS TABLE (type text, id uuid) LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 10 AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT 'folder', f.id FROM folder f WHERE f.team_id = team AND f.id = ANY (ids)
    UNION SELECT 'document', d.id FROM document d WHERE d.team_id = team AND d.id = ANY (ids)
    UNION SELECT 'document', n.id FROM (
      SELECT w.about_document_id FROM workflow w WHERE w.team_id = team AND w.id = ANY (ids)
      UNION SELECT t.about_document_id FROM task t WHERE t.team_id = team AND t.id = ANY (ids)
      UNION SELECT d.about_document_id FROM workflow_document d WHERE d.team_id = team AND (d.workflow_id = ANY (ids)
        OR d.workflow_id IN (SELECT t.workflow_id FROM task t WHERE t.team_id = team AND t.id = ANY (ids)))
    ) n (id) WHERE EXISTS (SELECT FROM document d WHERE d.team_id = team AND d.id = n.id)
      OR document_barrier(team, n.id) <> '00000000-0000-0000-0000-000000000000'
    UNION SELECT 'form', i.id FROM interface i WHERE i.team_id = team AND i.id = ANY (ids)
    UNION SELECT s.type, s.id FROM submission u CROSS JOIN LATERAL (VALUES ('submission', u.id), ('form', u.interface_id)) AS s (type, id)
      WHERE u.team_id = team AND u.id = ANY (ids);
END $$;

-- Locks the documents that share a workflow in progress with these, in order. A change of a document that concerns its workflows calls it before it
-- locks the document, because the workflows then lock all their documents.
CREATE FUNCTION lock_documents_beside(team uuid, documents uuid[]) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE beside uuid[] := ARRAY(
  SELECT o.linked_document_id FROM workflow_document d
  JOIN workflow w ON w.team_id = team AND w.id = d.workflow_id AND w.about_document_id = w.id AND w.status IN ('active', 'paused')
  JOIN workflow_document o ON o.team_id = team AND o.workflow_id = w.id AND o.linked_document_id IS NOT NULL
  WHERE d.team_id = team AND d.linked_document_id = ANY (documents));
BEGIN
  IF beside <> '{}' THEN PERFORM FROM document d WHERE d.team_id = team AND d.id = ANY (beside) ORDER BY d.id FOR NO KEY UPDATE; END IF;
END $$;
REVOKE EXECUTE ON FUNCTION lock_documents_beside(uuid, uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lock_documents_beside(uuid, uuid[]) TO chancery_app, chancery_system;

-- The workflow whose step created the record, or changed it last.
ALTER TABLE registry_record ADD COLUMN workflow_id uuid,
  ADD CONSTRAINT registry_record_of_workflow FOREIGN KEY (team_id, workflow_id) REFERENCES workflow (team_id, id) ON DELETE SET NULL (workflow_id);
CREATE INDEX registry_record_by_workflow ON registry_record (team_id, workflow_id) WHERE workflow_id IS NOT NULL;
