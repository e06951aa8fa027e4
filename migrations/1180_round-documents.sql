-- Approval rounds about several documents. The first one is also in `approval_round`.

CREATE TABLE approval_round_document (
  team_id uuid NOT NULL,
  round_id uuid NOT NULL,
  position integer NOT NULL,
  document_id uuid NOT NULL,
  document_version integer,
  document_sha256 text,
  PRIMARY KEY (team_id, round_id, position),
  CONSTRAINT approval_round_document_of FOREIGN KEY (team_id, round_id) REFERENCES approval_round (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('approval_round_document', 'SELECT, INSERT');
CALL open_to_system('approval_round_document', 'SELECT', 'DELETE');

ALTER TABLE approval_round NO FORCE ROW LEVEL SECURITY;
ALTER TABLE approval_round_document NO FORCE ROW LEVEL SECURITY;
INSERT INTO approval_round_document (team_id, round_id, position, document_id, document_version, document_sha256)
SELECT team_id, id, 0, document_id, document_version, document_sha256 FROM approval_round WHERE document_id IS NOT NULL;
ALTER TABLE approval_round FORCE ROW LEVEL SECURITY;
ALTER TABLE approval_round_document FORCE ROW LEVEL SECURITY;

-- The persons excluded from a round: those of `exclude`, and with `four_eyes` also those of its default. The uploader of each version in the round
-- counts. A voter of the previous round who uploaded a later version of one of its documents is always excluded.
DROP FUNCTION excluded_by(uuid, text[], uuid, uuid, uuid, integer, uuid);
CREATE FUNCTION excluded_by(
  team uuid, exclude text[], requester uuid, of_workflow uuid, documents uuid[], versions integer[], previous uuid
) RETURNS TABLE (person uuid, reason text)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 5 AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT c.person, c.reason FROM (SELECT) always
    LEFT JOIN workflow w ON w.team_id = team AND w.id = of_workflow
    CROSS JOIN LATERAL conflict_reasons(team, w.created_by, coalesce(requester, w.owner_id), of_workflow, NULL, NULL, NULL) c
    WHERE is_excluded(team, exclude, c.reason)
    UNION ALL SELECT c.person, c.reason FROM unnest(documents, versions) d(id, version)
    CROSS JOIN LATERAL conflict_reasons(team, NULL, NULL, NULL, d.id, d.version, NULL) c
    WHERE is_excluded(team, exclude, c.reason)
    UNION ALL SELECT v.created_by, 'uploader' FROM approval_round_document p
    JOIN unnest(documents, versions) d(id, version) ON d.id = p.document_id
    JOIN document_version v ON v.team_id = team AND v.document_id = d.id AND v.number > p.document_version AND v.number <= d.version
    JOIN task t ON t.team_id = team AND t.approval_round_id = p.round_id AND t.completed_by = v.created_by AND t.status IN ('completed', 'rejected')
    WHERE p.team_id = team AND p.round_id = previous;
END $$;
CREATE OR REPLACE FUNCTION excluded_from_round(team uuid, of_round uuid) RETURNS TABLE (person uuid, reason text)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 5 AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT e.person, e.reason FROM approval_round r
    CROSS JOIN LATERAL (
      SELECT array_agg(d.document_id ORDER BY d.position) AS documents, array_agg(d.document_version ORDER BY d.position) AS versions
      FROM approval_round_document d WHERE d.team_id = team AND d.round_id = r.id
    ) about
    CROSS JOIN LATERAL excluded_by(team, r.exclude, r.requester_id, r.workflow_id, about.documents, about.versions, r.supersedes) e
    WHERE r.team_id = team AND r.id = of_round
    UNION ALL SELECT run.requested_by, 'requester' FROM approval_round r
    JOIN agent_run_call c ON c.team_id = team AND c.approval_round_id = r.id JOIN agent_run run ON run.team_id = team AND run.id = c.run_id
    WHERE r.team_id = team AND r.id = of_round AND run.requested_by IS NOT NULL AND is_excluded(team, r.exclude, 'requester');
END $$;

-- The documents of a round after the first, each with the user who linked it to the workflow.
CREATE FUNCTION further_documents_of_round(team uuid, of_round uuid) RETURNS TABLE (id uuid, linked_by uuid)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 5 AS $$
BEGIN
  RETURN QUERY SELECT w.linked_document_id, w.linked_by FROM approval_round r
    JOIN approval_round_document d ON d.team_id = team AND d.round_id = r.id AND d.position > 0
    JOIN workflow_document w ON w.team_id = team AND w.workflow_id = r.workflow_id AND w.linked_document_id = d.document_id
    WHERE r.team_id = team AND r.id = of_round AND w.linked_by IS NOT NULL ORDER BY d.position;
END $$;

-- Whether an approval task of a workflow approved the newest version of a document. A vote is about all documents of its round.
CREATE OR REPLACE FUNCTION newest_is_approved(team uuid, of_workflow uuid, document uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM task t
    LEFT JOIN approval_round_document r ON r.team_id = team AND r.round_id = t.approval_round_id AND r.document_id = document
    CROSS JOIN LATERAL (SELECT d.current_version FROM filed_documents(team) d WHERE d.id = document) d
    WHERE t.team_id = team AND t.workflow_id = of_workflow AND t.type = 'approval' AND t.outcome = 'approved'
      AND (t.linked_document_id = document OR r.document_id IS NOT NULL)
      AND CASE WHEN r.document_id IS NULL THEN t.document_version ELSE r.document_version END IS NOT DISTINCT FROM nullif(d.current_version, 0));
END $$;
REVOKE EXECUTE ON FUNCTION excluded_by(uuid, text[], uuid, uuid, uuid[], integer[], uuid), further_documents_of_round(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION excluded_by(uuid, text[], uuid, uuid, uuid[], integer[], uuid), further_documents_of_round(uuid, uuid)
  TO chancery_app, chancery_system;
