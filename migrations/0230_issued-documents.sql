-- Issued documents, with their source (such as a submission) and their status.
CREATE TABLE rendition (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  kind text NOT NULL,
  about uuid NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'ready', 'failed', 'withdrawn')),
  -- SHA-256 of the verification code, and the time of issue. Both stay after the file is deleted.
  code_hash bytea,
  issued_at timestamptz,
  -- The cause of a failure.
  error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, id),
  CONSTRAINT rendition_once UNIQUE (team_id, kind, about),
  CHECK ((code_hash IS NULL) = (issued_at IS NULL)),
  CHECK (status <> 'ready' OR code_hash IS NOT NULL)
);
CREATE UNIQUE INDEX rendition_by_code ON rendition (code_hash) WHERE code_hash IS NOT NULL;
CALL confine_to_team('rendition', 'SELECT, INSERT, UPDATE');
CALL open_to_system('rendition', 'SELECT', 'DELETE');
CREATE POLICY lookup ON rendition FOR SELECT TO chancery_owner USING (true);

-- The files of issued documents.
CREATE TABLE rendition_file (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  storage_key text NOT NULL,
  size bigint NOT NULL,
  sha256 text NOT NULL,
  pages integer NOT NULL,
  PRIMARY KEY (team_id, id),
  CONSTRAINT rendition_file_of FOREIGN KEY (team_id, id) REFERENCES rendition (team_id, id)
);
CREATE UNIQUE INDEX rendition_file_key ON rendition_file (storage_key);
CALL confine_to_team('rendition_file', 'SELECT, INSERT, DELETE');
CALL open_to_system('rendition_file', 'SELECT', 'DELETE');
CALL count_rows('rendition_file', 'storage', 'size');
CREATE POLICY lookup ON rendition_file FOR SELECT TO chancery_owner USING (true);

-- Returns the document with this code, and its issuer. A withdrawn document has no SHA-256, because its file is deleted.
CREATE FUNCTION rendition_by_code(wanted bytea)
RETURNS TABLE (status text, issued_at timestamptz, issuer text, sha256 text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.status, r.issued_at, t.name, f.sha256
  FROM rendition r JOIN team t ON t.team_id = r.team_id LEFT JOIN rendition_file f ON f.team_id = r.team_id AND f.id = r.id
  WHERE r.code_hash = wanted AND t.status = 'active'
$$;
REVOKE EXECUTE ON FUNCTION rendition_by_code(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION rendition_by_code(bytea) TO chancery_app;
