-- Issued documents, with their source (such as a submission) and their status.
CREATE TABLE issued_document (
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
  CONSTRAINT issued_document_once UNIQUE (team_id, kind, about),
  CHECK ((code_hash IS NULL) = (issued_at IS NULL)),
  CHECK (status <> 'ready' OR code_hash IS NOT NULL)
);
CREATE UNIQUE INDEX issued_document_by_code ON issued_document (code_hash) WHERE code_hash IS NOT NULL;
CALL confine_to_team('issued_document', 'SELECT, INSERT, UPDATE');
CALL open_to_system('issued_document', 'SELECT', 'DELETE');
CREATE POLICY lookup ON issued_document FOR SELECT TO chancery_owner USING (true);

-- The files of issued documents.
CREATE TABLE issued_document_file (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  storage_key text NOT NULL,
  size bigint NOT NULL,
  sha256 text NOT NULL,
  pages integer NOT NULL,
  PRIMARY KEY (team_id, id),
  CONSTRAINT issued_document_file_of FOREIGN KEY (team_id, id) REFERENCES issued_document (team_id, id)
);
CREATE UNIQUE INDEX issued_document_file_key ON issued_document_file (storage_key);
CALL confine_to_team('issued_document_file', 'SELECT, INSERT, DELETE');
CALL open_to_system('issued_document_file', 'SELECT', 'DELETE');
CALL count_rows('issued_document_file', 'storage', 'size');
CREATE POLICY lookup ON issued_document_file FOR SELECT TO chancery_owner USING (true);

-- Returns the document with this code, and its issuer. A withdrawn document has no SHA-256, because its file is deleted.
CREATE FUNCTION issued_document_by_code(wanted bytea)
RETURNS TABLE (status text, issued_at timestamptz, issuer text, sha256 text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.status, r.issued_at, t.name, f.sha256
  FROM issued_document r JOIN team t ON t.team_id = r.team_id LEFT JOIN issued_document_file f ON f.team_id = r.team_id AND f.id = r.id
  WHERE r.code_hash = wanted AND t.status = 'active'
$$;
REVOKE EXECUTE ON FUNCTION issued_document_by_code(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION issued_document_by_code(bytea) TO chancery_app;
