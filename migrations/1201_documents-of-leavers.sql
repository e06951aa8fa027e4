-- kind: expand
-- The workflows that the removal of a member changes.
CREATE FUNCTION workflows_of_leaver(of_team uuid, person uuid) RETURNS TABLE (id uuid)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT w.id FROM workflow w
  WHERE w.team_id = of_team AND (w.assigned_to = person OR w.owner_id = person OR w.status IN ('draft', 'active', 'paused') AND (w.linked_by = person
    OR links_document_of_workflow(of_team, w.id, person)
    OR EXISTS (SELECT FROM workflow_step s WHERE s.team_id = of_team AND s.workflow_id = w.id AND (person = ANY (s.assignees) OR s.roles <> '{}' OR s.config ? 'approval'))
    OR EXISTS (SELECT FROM task t WHERE t.team_id = of_team AND t.workflow_id = w.id AND t.assigned_to = person AND t.status = 'open')))
$$;

-- The live signature requests that the removal of a member changes.
CREATE FUNCTION requests_of_leaver(of_team uuid, person uuid) RETURNS TABLE (id uuid)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT r.id FROM signature_request r
  WHERE r.team_id = of_team AND r.status IN ('preparing', 'pending', 'sealing') AND (r.owner_id = person OR r.requested_by = person
    OR EXISTS (SELECT FROM signature_signer s WHERE s.team_id = of_team AND s.request_id = r.id AND s.account_id = person))
$$;

-- Locks the documents that the removal of a member changes: their own outside of folders, and those of the workflows and requests. A workflow or
-- request with several documents locks them in the same order of identifiers.
CREATE FUNCTION lock_documents_of_leaver(team uuid, person uuid) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE changed uuid[] := ARRAY(
  SELECT d.id FROM document d WHERE d.team_id = team AND d.user_id = person AND d.folder_id IS NULL
  UNION SELECT d.linked_document_id FROM workflows_of_leaver(team, person) w JOIN workflow_document d ON d.team_id = team AND d.workflow_id = w.id
  UNION SELECT d.document_id FROM requests_of_leaver(team, person) r JOIN signature_request_document d ON d.team_id = team AND d.request_id = r.id);
BEGIN
  PERFORM FROM document d WHERE d.team_id = team AND d.id = ANY (changed) ORDER BY d.id FOR NO KEY UPDATE;
END $$;
