-- Who may see a single document, each grant with its reason: a task that needs it, the record of a task that was done, or
-- a share. A grant ends with its reason; `reason_id` is the task.
CREATE TABLE document_grant (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  document_id uuid NOT NULL,
  user_id uuid NOT NULL,
  access text NOT NULL CHECK (access IN ('read', 'write')),
  reason text NOT NULL CHECK (reason IN ('task', 'record', 'share')),
  reason_id uuid,
  -- A person or an API client; null where nobody acted, as with a timer.
  granted_by uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, id),
  CONSTRAINT document_grant_once UNIQUE NULLS NOT DISTINCT (team_id, document_id, user_id, reason, reason_id),
  CONSTRAINT document_grant_has_reason CHECK ((reason = 'share') = (reason_id IS NULL)),
  CONSTRAINT document_grant_of FOREIGN KEY (team_id, document_id) REFERENCES document (team_id, id) ON DELETE CASCADE,
  CONSTRAINT document_grant_for FOREIGN KEY (team_id, user_id) REFERENCES account (team_id, id)
);
CREATE INDEX document_grant_to ON document_grant (team_id, user_id, document_id);
CREATE INDEX document_grant_by_reason ON document_grant (team_id, reason_id) WHERE reason_id IS NOT NULL;
CALL confine_to_team('document_grant', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('document_grant', 'SELECT', 'DELETE');

-- What was given for tasks stays while the task is open, and for its record with who completed it. All else has outlived
-- its reason.
ALTER TABLE document_grant NO FORCE ROW LEVEL SECURITY;
ALTER TABLE document_access NO FORCE ROW LEVEL SECURITY;
ALTER TABLE task NO FORCE ROW LEVEL SECURITY;
INSERT INTO document_grant (team_id, id, document_id, user_id, access, reason, reason_id, granted_by, created_at)
SELECT a.team_id, gen_random_uuid(), a.document_id, a.user_id, 'read', CASE t.status WHEN 'open' THEN 'task' ELSE 'record' END, t.id,
  t.created_by, a.created_at
FROM document_access a JOIN task t ON t.team_id = a.team_id AND t.document_id = a.document_id::text
WHERE t.workflow_id IS NOT NULL
  AND ((t.status = 'open' AND t.assigned_to = a.user_id) OR (t.status IN ('completed', 'rejected') AND t.completed_by = a.user_id));
ALTER TABLE task FORCE ROW LEVEL SECURITY;
ALTER TABLE document_grant FORCE ROW LEVEL SECURITY;
DROP TABLE document_access;
