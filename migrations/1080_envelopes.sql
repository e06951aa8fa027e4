-- Envelopes: a signature request has 1 to 20 documents, each sealed as its own file.

-- The documents of a request, in order. `presented` is the file that signers see. It is made from the requested version and is a prefix of the sealed
-- file. A live request blocks changes of its documents.
CREATE TABLE signature_request_document (
  team_id uuid NOT NULL,
  request_id uuid NOT NULL,
  place integer NOT NULL CHECK (place >= 0),
  document_id uuid NOT NULL,
  document_version integer NOT NULL,
  document_sha256 text NOT NULL,
  title text NOT NULL,
  -- The signers who sign it, and the signers and copy recipients who see it. NULL: all.
  signers uuid[],
  readers uuid[],
  live boolean NOT NULL DEFAULT true,
  presented_storage_key text,
  presented_sha256 text,
  presented_size bigint,
  pages jsonb,
  manner text CHECK (manner IN ('append', 'separate')),
  findings text[] NOT NULL DEFAULT '{}',
  -- Why the document cannot be presented or sealed, in a failed request.
  error text,
  sealed_version integer,
  sealed_sha256 text,
  seal_level text,
  sealed_at timestamptz,
  -- Source of the sealing time: the clock of the service or a timestamp authority.
  time_source text CHECK (time_source IN ('service', 'timestamp')),
  PRIMARY KEY (team_id, request_id, place),
  CONSTRAINT signature_request_document_once UNIQUE (team_id, request_id, document_id),
  CONSTRAINT signature_request_document_of FOREIGN KEY (team_id, request_id) REFERENCES signature_request (team_id, id) ON DELETE CASCADE,
  CONSTRAINT signature_request_document_is FOREIGN KEY (team_id, document_id) REFERENCES document (team_id, id) ON DELETE CASCADE
);

-- The move of the rows.
ALTER TABLE signature_request NO FORCE ROW LEVEL SECURITY;
INSERT INTO signature_request_document (team_id, request_id, place, document_id, document_version, document_sha256, title, live, presented_storage_key,
  presented_sha256, presented_size, pages, manner, findings, sealed_version, sealed_sha256, seal_level, sealed_at, time_source)
SELECT team_id, id, 0, document_id, document_version, document_sha256, title, status IN ('preparing', 'pending', 'sealing'), presented_storage_key,
  presented_sha256, presented_size, pages, manner, findings, sealed_version, sealed_sha256, seal_level, sealed_at, time_source
FROM signature_request;

CREATE UNIQUE INDEX signature_request_document_one_live ON signature_request_document (team_id, document_id) WHERE live;
CREATE INDEX signature_request_document_of_document ON signature_request_document (team_id, document_id, request_id);
CREATE INDEX signature_request_document_file ON signature_request_document (presented_storage_key) WHERE presented_storage_key IS NOT NULL;
CREATE INDEX signature_request_document_sealed ON signature_request_document (sealed_sha256) WHERE sealed_sha256 IS NOT NULL;
CALL confine_to_team('signature_request_document', 'SELECT, INSERT, UPDATE');
CALL open_to_system('signature_request_document', 'SELECT', 'UPDATE', 'DELETE');
CREATE POLICY lookup ON signature_request_document FOR SELECT TO chancery_owner USING (true);

-- The sealed files of a request that is being sealed. All become versions of their documents in one transaction, which deletes these rows.
CREATE TABLE signature_seal (
  team_id uuid NOT NULL,
  request_id uuid NOT NULL,
  place integer NOT NULL,
  storage_key text NOT NULL,
  sha256 text NOT NULL,
  size bigint NOT NULL,
  level text NOT NULL,
  -- The time from the timestamp authority, if configured.
  timestamped_at timestamptz,
  PRIMARY KEY (team_id, request_id, place),
  CONSTRAINT signature_seal_of FOREIGN KEY (team_id, request_id, place) REFERENCES signature_request_document (team_id, request_id, place) ON DELETE CASCADE
);
CREATE INDEX signature_seal_file ON signature_seal (storage_key);
CALL confine_to_team('signature_seal', 'SELECT, INSERT, DELETE');
CALL open_to_system('signature_seal', 'SELECT', 'DELETE');

-- A field lies on one document of its request.
ALTER TABLE signature_field ADD COLUMN document integer NOT NULL DEFAULT 0;

-- The language of the page, the emails and the consent of each signer.
ALTER TABLE signature_signer ADD COLUMN locale text;
ALTER TABLE signature_signer NO FORCE ROW LEVEL SECURITY;
UPDATE signature_signer s SET locale = r.locale FROM signature_request r WHERE r.team_id = s.team_id AND r.id = s.request_id;
ALTER TABLE signature_signer FORCE ROW LEVEL SECURITY;
ALTER TABLE signature_signer ALTER COLUMN locale SET NOT NULL;

ALTER TABLE signature_request FORCE ROW LEVEL SECURITY;
DROP TRIGGER refuse_closed ON signature_request;
ALTER TABLE signature_request
  DROP CONSTRAINT signature_request_of,
  DROP COLUMN document_id, DROP COLUMN document_version, DROP COLUMN document_sha256,
  DROP COLUMN presented_storage_key, DROP COLUMN presented_sha256, DROP COLUMN presented_size, DROP COLUMN pages, DROP COLUMN manner, DROP COLUMN findings,
  DROP COLUMN sealed_version, DROP COLUMN sealed_sha256, DROP COLUMN seal_level, DROP COLUMN sealed_at, DROP COLUMN time_source,
  DROP CONSTRAINT signature_request_suspended_check,
  ADD CONSTRAINT signature_request_suspended_check CHECK (suspended IN ('right_lost', 'signer_left', 'signer_excluded'));

-- The documents of a request are live with it.
CREATE FUNCTION follow_signature_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE signature_request_document d SET live = NEW.status IN ('preparing', 'pending', 'sealing')
  WHERE d.team_id = NEW.team_id AND d.request_id = NEW.id AND d.live <> (NEW.status IN ('preparing', 'pending', 'sealing'));
  RETURN NULL;
END $$;
CREATE TRIGGER follow_signature_request AFTER UPDATE OF status ON signature_request FOR EACH ROW EXECUTE FUNCTION follow_signature_request();

-- A request and its evidence stay until its last document is deleted.
CREATE FUNCTION end_signature_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM signature_request r WHERE r.team_id = OLD.team_id AND r.id = OLD.request_id
    AND NOT EXISTS (SELECT FROM signature_request_document d WHERE d.team_id = r.team_id AND d.request_id = r.id);
  RETURN NULL;
END $$;
-- From PostgreSQL 18 the trigger runs as the owner of the tables, which deletes the rows of deleted documents.
CREATE POLICY without_documents ON signature_request FOR DELETE TO chancery_owner USING (true);
CREATE TRIGGER end_signature_request AFTER DELETE ON signature_request_document FOR EACH ROW EXECUTE FUNCTION end_signature_request();

-- A closed matter accepts no requests about its documents.
CREATE TRIGGER refuse_closed BEFORE INSERT ON signature_request_document FOR EACH ROW EXECUTE FUNCTION refuse_request_in_closed();

-- Whether all documents of a request are deleted.
CREATE FUNCTION signature_request_is_gone(team uuid, request uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN NOT EXISTS (SELECT FROM signature_request_document d WHERE d.team_id = team AND d.request_id = request
    AND NOT document_is_gone(team, d.document_id));
END $$;
-- Whether a barrier protects a document of a request.
CREATE FUNCTION signature_request_is_barred(team uuid, request uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM signature_request_document d WHERE d.team_id = team AND d.request_id = request AND document_is_barred(team, d.document_id));
END $$;
-- Whether a barrier around a document of a request excludes a person.
CREATE FUNCTION signature_request_excludes(team uuid, request uuid, person uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM signature_request_document d WHERE d.team_id = team AND d.request_id = request
    AND document_excludes(team, d.document_id, person));
END $$;
-- Whether a person is excluded from a document of a request, or has only emergency access to it.
CREATE FUNCTION signature_request_outsider(team uuid, request uuid, person uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM signature_request_document d WHERE d.team_id = team AND d.request_id = request
    AND document_outsider(team, d.document_id, person));
END $$;

-- Returns the request whose sealed file has this SHA-256, and the place of the document.
DROP FUNCTION request_by_seal(text);
CREATE FUNCTION request_by_seal(wanted text) RETURNS TABLE (team_id uuid, request_id uuid, place integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.team_id, r.id, d.place FROM signature_request_document d
  JOIN signature_request r ON r.team_id = d.team_id AND r.id = d.request_id JOIN team t ON t.team_id = r.team_id
  WHERE d.sealed_sha256 = wanted AND r.status = 'completed' AND t.status = 'active' LIMIT 1
$$;
REVOKE EXECUTE ON FUNCTION request_by_seal(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION request_by_seal(text) TO chancery_app;

CREATE OR REPLACE FUNCTION documents_being_signed(of_team uuid) RETURNS TABLE(document_id uuid, status text)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT d.document_id, r.status FROM signature_request_document d
  JOIN signature_request r ON r.team_id = d.team_id AND r.id = d.request_id WHERE d.team_id = of_team AND d.live
$$;

-- A request is in a matter with any of its documents, and is listed once.
CREATE OR REPLACE FUNCTION matter_contents(of_team uuid, of_matter uuid)
RETURNS TABLE (type text, id uuid, name text, owner_id uuid, about uuid, is_open boolean, is_binned boolean, inherits boolean, updated_at timestamptz)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT 'folder', f.id, f.name, f.user_id, f.id, false, f.deleted_at IS NOT NULL, true, f.updated_at
  FROM folder f WHERE f.team_id = of_team AND f.parent_id = of_matter
  UNION ALL
  SELECT 'document', d.id, d.title, d.user_id, of_matter, false, d.deleted_at IS NOT NULL, true, d.updated_at
  FROM document d WHERE d.team_id = of_team AND d.folder_id = of_matter AND d.deleted_at IS DISTINCT FROM 'epoch'
  UNION ALL
  SELECT 'workflow', w.id, w.name, w.owner_id, w.about_document_id, w.status IN ('active', 'paused'), false, true, w.updated_at
  FROM workflow w WHERE w.team_id = of_team AND w.container_id = of_matter
  UNION ALL
  SELECT 'task', t.id, t.title, t.owner_id, t.about_document_id, t.status = 'open', false, t.type <> 'tool_approval' AND t.type <> 'tool_outcome', t.updated_at
  FROM task t WHERE t.team_id = of_team AND t.container_id = of_matter AND t.workflow_id IS NULL
  UNION ALL
  SELECT 'form', i.id, i.title, i.owner_id, i.folder_id, false, false, false, i.updated_at
  FROM containers_of_matter(of_team, of_matter) c JOIN interface i ON i.team_id = of_team AND i.folder_id = c.id AND i.deleted_at IS NULL
  UNION ALL
  SELECT 'registry', r.id, r.name, r.user_id, of_matter, false, r.deleted_at IS NOT NULL, true, r.updated_at
  FROM registry r WHERE r.team_id = of_team AND r.container_id = of_matter
  UNION ALL
  SELECT 'signature_request', s.id, s.title, s.owner_id, about.document_id, s.status IN ('preparing', 'pending', 'sealing'), false, false, s.updated_at
  FROM (
    SELECT DISTINCT ON (r.request_id) r.request_id, r.document_id
    FROM containers_of_matter(of_team, of_matter) c JOIN document d ON d.team_id = of_team AND d.folder_id = c.id
    JOIN signature_request_document r ON r.team_id = of_team AND r.document_id = d.id
    ORDER BY r.request_id, r.place
  ) about
  JOIN signature_request s ON s.team_id = of_team AND s.id = about.request_id
$$;

-- The language of the submission that started the workflow. Signature requests of its steps use it.
ALTER TABLE workflow ADD COLUMN locale text;
