-- A grant for a task lasts as long as whoever gave it may let others read: `granted_by` is who put the document into the task,
-- no longer who happened to move the workflow on. A record covers the version that was decided on; 0 where there was none.
ALTER TABLE document_grant ADD COLUMN version integer;
ALTER TABLE document_grant NO FORCE ROW LEVEL SECURITY;
ALTER TABLE task NO FORCE ROW LEVEL SECURITY;
UPDATE document_grant g SET granted_by = t.linked_by FROM task t
WHERE g.reason = 'task' AND t.team_id = g.team_id AND t.id = g.reason_id AND t.linked_by IS NOT NULL;
UPDATE document_grant g SET version = coalesce((SELECT t.document_version FROM task t WHERE t.team_id = g.team_id AND t.id = g.reason_id), 0)
WHERE g.reason = 'record';
ALTER TABLE task FORCE ROW LEVEL SECURITY;
ALTER TABLE document_grant FORCE ROW LEVEL SECURITY;
ALTER TABLE document_grant ADD CONSTRAINT document_grant_version CHECK ((reason = 'record') = (version IS NOT NULL));
-- What somebody who leaves has given is their successor's to answer for.
CREATE INDEX document_grant_by_giver ON document_grant (team_id, granted_by) WHERE reason = 'task';
