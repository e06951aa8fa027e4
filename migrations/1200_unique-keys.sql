-- kind: expand
-- A unique key of a team's table contains its team, so that the rows of a team can move to another database.
DROP INDEX document_preview_file_key, evidence_pack_file_key, issued_document_file_key, submission_export_file_key, job_alone;
CREATE UNIQUE INDEX document_preview_file_key ON document_preview_file (storage_key, team_id);
CREATE UNIQUE INDEX evidence_pack_file_key ON evidence_pack_file (storage_key, team_id);
CREATE UNIQUE INDEX issued_document_file_key ON issued_document_file (storage_key, team_id);
CREATE UNIQUE INDEX submission_export_file_key ON submission_export_file (storage_key, team_id);
CREATE UNIQUE INDEX job_alone ON job (team_id, name) WHERE alone AND state <> 'failed';
