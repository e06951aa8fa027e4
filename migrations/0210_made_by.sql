-- Who made a thing is who acted then, an API client as itself: another than whose tree it lies in.
ALTER TABLE folder ADD COLUMN created_by uuid, ADD COLUMN created_by_type text NOT NULL DEFAULT 'user';
ALTER TABLE document ADD COLUMN created_by uuid, ADD COLUMN created_by_type text NOT NULL DEFAULT 'user';
ALTER TABLE document_version ADD COLUMN created_by_type text NOT NULL DEFAULT 'user';
ALTER TABLE task_comment ADD COLUMN created_by_type text NOT NULL DEFAULT 'user';
ALTER TABLE invitation ADD COLUMN created_by_type text NOT NULL DEFAULT 'user';
ALTER TABLE workflow_template ADD COLUMN created_by_type text NOT NULL DEFAULT 'user';

ALTER TABLE folder NO FORCE ROW LEVEL SECURITY;
ALTER TABLE document NO FORCE ROW LEVEL SECURITY;
ALTER TABLE document_version NO FORCE ROW LEVEL SECURITY;
ALTER TABLE task_comment NO FORCE ROW LEVEL SECURITY;
ALTER TABLE invitation NO FORCE ROW LEVEL SECURITY;
ALTER TABLE workflow_template NO FORCE ROW LEVEL SECURITY;
ALTER TABLE api_client NO FORCE ROW LEVEL SECURITY;

UPDATE folder SET created_by = coalesce(made_by_client, user_id), created_by_type = CASE WHEN made_by_client IS NULL THEN 'user' ELSE 'client' END;
-- Of a document that came with a file it is known who brought that.
UPDATE document d SET created_by = coalesce(
  (SELECT v.created_by FROM document_version v WHERE v.team_id = d.team_id AND v.document_id = d.id AND v.number = 1 AND v.created_at = d.created_at),
  d.user_id);
UPDATE document d SET created_by_type = 'client' FROM api_client c WHERE c.team_id = d.team_id AND c.id = d.created_by;
UPDATE document_version v SET created_by_type = 'client' FROM api_client c WHERE c.team_id = v.team_id AND c.id = v.created_by;
UPDATE task_comment t SET created_by_type = 'client' FROM api_client c WHERE c.team_id = t.team_id AND c.id = t.user_id;
UPDATE invitation i SET created_by_type = 'client' FROM api_client c WHERE c.team_id = i.team_id AND c.id = i.invited_by;
UPDATE workflow_template t SET created_by_type = 'client' FROM api_client c WHERE c.team_id = t.team_id AND c.id = t.created_by;

-- What is checked at the commit is checked before the tables are altered.
SET CONSTRAINTS ALL IMMEDIATE;
ALTER TABLE folder FORCE ROW LEVEL SECURITY;
ALTER TABLE document FORCE ROW LEVEL SECURITY;
ALTER TABLE document_version FORCE ROW LEVEL SECURITY;
ALTER TABLE task_comment FORCE ROW LEVEL SECURITY;
ALTER TABLE invitation FORCE ROW LEVEL SECURITY;
ALTER TABLE workflow_template FORCE ROW LEVEL SECURITY;
ALTER TABLE api_client FORCE ROW LEVEL SECURITY;
