-- A task on a document says which version it is about and how it may end; a workflow and a task name their document by a
-- key that is emptied when the document is ended, and who put it there.
ALTER TABLE workflow
  ADD COLUMN linked_document_id uuid,
  ADD COLUMN linked_by uuid,
  -- Bytes of the steps' texts and settings: lists are cut by it before anything of them is read.
  ADD COLUMN size integer NOT NULL DEFAULT 0,
  ADD CONSTRAINT workflow_about FOREIGN KEY (team_id, linked_document_id) REFERENCES document (team_id, id)
    ON DELETE SET NULL (linked_document_id);
ALTER TABLE task
  ADD COLUMN linked_document_id uuid,
  ADD COLUMN linked_by uuid,
  ADD COLUMN document_version integer,
  ADD COLUMN document_sha256 text,
  ADD COLUMN on_new_version text NOT NULL DEFAULT 'ignore' CHECK (on_new_version IN ('restart', 'refuse', 'ignore')),
  ADD COLUMN outcomes text[] NOT NULL DEFAULT '{completed}',
  -- Whom it was given to first, when it was passed on.
  ADD COLUMN delegated_from uuid,
  ADD COLUMN completed_by_type text,
  ADD COLUMN cancel_reason text CHECK (cancel_reason IN ('document_changed')),
  ADD CONSTRAINT task_about FOREIGN KEY (team_id, linked_document_id) REFERENCES document (team_id, id)
    ON DELETE SET NULL (linked_document_id);
ALTER TABLE workflow_template ADD COLUMN created_by uuid;

ALTER TABLE account NO FORCE ROW LEVEL SECURITY;
ALTER TABLE document NO FORCE ROW LEVEL SECURITY;
ALTER TABLE workflow NO FORCE ROW LEVEL SECURITY;
ALTER TABLE workflow_step NO FORCE ROW LEVEL SECURITY;
ALTER TABLE task NO FORCE ROW LEVEL SECURITY;
UPDATE workflow w SET linked_document_id = d.id, linked_by = w.created_by
  FROM document d WHERE d.team_id = w.team_id AND w.document_linked AND d.id::text = w.document_id;
UPDATE workflow w SET size = s.size FROM (
  SELECT team_id, workflow_id, sum(octet_length(config::text) + coalesce(octet_length(description), 0)) AS size
  FROM workflow_step GROUP BY team_id, workflow_id) s WHERE s.team_id = w.team_id AND s.workflow_id = w.id;
UPDATE task SET on_new_version = CASE WHEN type IN ('approval', 'review', 'signature') THEN 'restart' ELSE 'ignore' END,
  outcomes = CASE type WHEN 'approval' THEN '{approved,changes_requested,rejected}'::text[] WHEN 'review' THEN '{approved,changes_requested,rejected}'
    WHEN 'signature' THEN '{}' WHEN 'form' THEN '{submitted}' ELSE '{acknowledged}' END
  WHERE type IN ('approval', 'review', 'signature', 'form', 'acknowledgement');
UPDATE task t SET linked_document_id = w.linked_document_id, linked_by = w.linked_by
  FROM workflow w WHERE w.team_id = t.team_id AND w.id = t.workflow_id AND w.linked_document_id IS NOT NULL;
UPDATE task t SET completed_by_type = CASE WHEN EXISTS (SELECT FROM account a WHERE a.team_id = t.team_id AND a.id = t.completed_by)
  THEN 'user' ELSE 'client' END WHERE completed_by IS NOT NULL;
ALTER TABLE account FORCE ROW LEVEL SECURITY;
ALTER TABLE document FORCE ROW LEVEL SECURITY;
ALTER TABLE workflow FORCE ROW LEVEL SECURITY;
ALTER TABLE workflow_step FORCE ROW LEVEL SECURITY;
ALTER TABLE task FORCE ROW LEVEL SECURITY;
ALTER TABLE workflow DROP COLUMN document_linked;
ALTER TABLE workflow ADD COLUMN document_linked boolean NOT NULL GENERATED ALWAYS AS (linked_document_id IS NOT NULL) STORED;

CREATE INDEX workflow_about_document ON workflow (team_id, linked_document_id) WHERE linked_document_id IS NOT NULL;
CREATE INDEX task_about_document ON task (team_id, linked_document_id) WHERE linked_document_id IS NOT NULL;
CREATE INDEX task_of_document ON task (team_id, document_id) WHERE document_id IS NOT NULL;
-- What a person gave or ended is looked for as well as what they hold.
CREATE INDEX task_by ON task (team_id, created_by);
CREATE INDEX task_done_by ON task (team_id, completed_by) WHERE completed_by IS NOT NULL;
CREATE INDEX workflow_by ON workflow (team_id, created_by);
CREATE INDEX workflow_assigned_to ON workflow (team_id, assigned_to) WHERE assigned_to IS NOT NULL;
