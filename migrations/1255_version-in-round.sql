-- kind: expand
-- The version of a document that an approval round is about. Used by the tasks domain, which does not know rounds.
CREATE FUNCTION version_in_round(team uuid, of_round uuid, document uuid) RETURNS integer LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT d.document_version FROM approval_round_document d WHERE d.team_id = team AND d.round_id = of_round AND d.document_id = document LIMIT 1
$$;
