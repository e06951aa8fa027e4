-- The submission that started a workflow. Its steps use the answers while the submission exists.
ALTER TABLE workflow ADD COLUMN submission_id uuid;

-- The answers of a submission with the fields and settings of the version that it answers. Returns no row after an erasure.
CREATE FUNCTION answers_of_submission(of_team uuid, submission uuid)
RETURNS TABLE (data jsonb, records jsonb, locale text, created_at timestamptz, fields jsonb, settings jsonb)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT s.data, s.records, s.locale, s.created_at, v.definition -> 'fields', v.definition -> 'publicSettings' FROM submission s
  JOIN interface_version v ON v.team_id = of_team AND v.interface_id = s.interface_id AND v.number = s.version
  WHERE s.team_id = of_team AND s.id = submission AND s.data IS NOT NULL AND s.erased_at IS NULL
$$;
REVOKE EXECUTE ON FUNCTION answers_of_submission(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION answers_of_submission(uuid, uuid) TO chancery_app, chancery_system;
