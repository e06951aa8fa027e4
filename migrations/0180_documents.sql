-- A document and its versions. Readers of a folder may read its documents; a document outside any folder belongs to its owner alone. Grants of the
-- document itself add other users: shares, and tasks about it.
CREATE TABLE document (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  folder_id uuid,
  user_id uuid NOT NULL,
  title text NOT NULL,
  description text,
  reference text CHECK (length(reference) <= 200),
  status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'in_review', 'approved', 'signed', 'archived')),
  metadata jsonb NOT NULL DEFAULT '{}',
  -- The labels as written, and case-folded for comparison.
  labels text[] NOT NULL DEFAULT '{}',
  label_keys text[] NOT NULL DEFAULT '{}',
  -- The number of the newest version; 0 before the first upload.
  current_version integer NOT NULL DEFAULT 0,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  deleted_with uuid,
  -- The barrier of its folder.
  barrier_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  -- The API client that created it, until another actor changes or moves it.
  made_by_client uuid,
  created_by uuid,
  created_by_type text NOT NULL DEFAULT 'user',
  -- Lists read the newest documents of a team with an index-only scan.
  PRIMARY KEY (team_id, id) INCLUDE (folder_id, user_id, barrier_id, deleted_at),
  CONSTRAINT document_owner_exists FOREIGN KEY (team_id, user_id) REFERENCES account (team_id, id),
  -- A document in a folder has the owner and the barrier of the folder.
  CONSTRAINT document_as_its_folder FOREIGN KEY (team_id, folder_id, user_id, barrier_id)
    REFERENCES access_container (team_id, id, owner_id, barrier_id) ON UPDATE CASCADE,
  CONSTRAINT document_barrier_is_a_folders CHECK (folder_id IS NOT NULL OR barrier_id = '00000000-0000-0000-0000-000000000000')
) WITH (autovacuum_analyze_scale_factor = 0.02);
CREATE TRIGGER take_barrier BEFORE INSERT ON document FOR EACH ROW WHEN (NEW.folder_id IS NOT NULL) EXECUTE FUNCTION take_barrier();
CREATE TRIGGER take_other_barrier BEFORE UPDATE OF folder_id ON document FOR EACH ROW WHEN (NEW.folder_id IS DISTINCT FROM OLD.folder_id)
  EXECUTE FUNCTION take_barrier();
CREATE INDEX document_bin ON document (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX document_of_user ON document (team_id, user_id, deleted_at, id) INCLUDE (barrier_id);
CREATE INDEX document_by_barrier ON document (team_id, barrier_id, deleted_at, id);
CREATE INDEX document_by_change ON document (team_id, barrier_id, deleted_at, updated_at, id);
CREATE INDEX document_in_folder ON document (team_id, folder_id, deleted_at, id);
CREATE INDEX document_binned_with ON document (team_id, deleted_with) WHERE deleted_with IS NOT NULL;
CREATE INDEX document_binned ON document (team_id, user_id, id) WHERE deleted_at IS NOT NULL;
CREATE INDEX document_bin_of_team ON document (team_id, deleted_at) WHERE deleted_at IS NOT NULL;
CALL confine_to_team('document', 'SELECT, INSERT, UPDATE');
-- Documents are locked before their deletion, so that they are not restored at the same time.
CALL open_to_system('document', 'SELECT', 'UPDATE', 'DELETE');
CALL count_rows('document', 'documents');

-- Versions never change: a correction is another version.
CREATE TABLE document_version (
  team_id uuid NOT NULL,
  document_id uuid NOT NULL,
  number integer NOT NULL,
  storage_key text NOT NULL,
  file_name text NOT NULL,
  media_type text NOT NULL,
  size bigint NOT NULL,
  sha256 text NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by_type text NOT NULL DEFAULT 'user',
  PRIMARY KEY (team_id, document_id, number),
  CONSTRAINT document_version_of FOREIGN KEY (team_id, document_id) REFERENCES document (team_id, id) ON DELETE CASCADE
) WITH (autovacuum_analyze_scale_factor = 0.02);
-- Files are looked up by key when they are compared with the rows that refer to them.
CREATE INDEX document_version_file ON document_version (storage_key);
CALL confine_to_team('document_version', 'SELECT, INSERT');
CALL open_to_system('document_version', 'SELECT', 'DELETE');
CALL count_rows('document_version', 'storage', 'size');

-- The preview image of a version’s first page, requested when the version is added, for types that can be drawn.
CREATE TABLE document_preview (
  team_id uuid NOT NULL,
  document_id uuid NOT NULL,
  version integer NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'ready', 'failed')),
  reason text CHECK (reason IN ('locked', 'unreadable', 'limit', 'missing')),
  PRIMARY KEY (team_id, document_id, version),
  CONSTRAINT document_preview_says_why CHECK ((status = 'failed') = (reason IS NOT NULL)),
  CONSTRAINT document_preview_of FOREIGN KEY (team_id, document_id, version)
    REFERENCES document_version (team_id, document_id, number) ON DELETE CASCADE
);
CALL confine_to_team('document_preview', 'SELECT, INSERT, UPDATE');
CALL open_to_system('document_preview', 'SELECT', 'UPDATE', 'DELETE');

-- The file of a preview. It is deleted with the version.
CREATE TABLE document_preview_file (
  team_id uuid NOT NULL,
  document_id uuid NOT NULL,
  version integer NOT NULL,
  storage_key text NOT NULL,
  size bigint NOT NULL,
  sha256 text NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  pages integer NOT NULL,
  PRIMARY KEY (team_id, document_id, version),
  CONSTRAINT document_preview_file_of FOREIGN KEY (team_id, document_id, version)
    REFERENCES document_preview (team_id, document_id, version) ON DELETE CASCADE
);
CREATE UNIQUE INDEX document_preview_file_key ON document_preview_file (storage_key);
CALL confine_to_team('document_preview_file', 'SELECT, INSERT');
CALL open_to_system('document_preview_file', 'SELECT', 'DELETE');

CALL access_resource_type('document', 'document');
CALL access_contained_type('document');

-- The searchable words of a document: those of its title (weight A) and of the text of its newest version (D). They are in the language of the team
-- and unchanged. Trigrams of the title and `words_of_team` are added. Only words of a text have positions. `version` is the version of the text, 0
-- before the first extraction; `title` is the title of the document. Writes update the index at once (no fastupdate): otherwise each search would
-- read the pending entries.
CREATE TABLE document_text (
  team_id uuid NOT NULL,
  document_id uuid NOT NULL,
  version integer NOT NULL DEFAULT 0,
  title text NOT NULL,
  words tsvector NOT NULL,
  PRIMARY KEY (team_id, document_id),
  CONSTRAINT document_text_of FOREIGN KEY (team_id, document_id) REFERENCES document (team_id, id) ON DELETE CASCADE
) WITH (autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX document_text_words ON document_text USING gin (words) WITH (fastupdate = off);
CALL confine_to_team('document_text', 'SELECT, INSERT, UPDATE');
CALL open_to_system('document_text', 'SELECT', 'DELETE');
CREATE POLICY lookup ON document_text FOR SELECT TO chancery_owner USING (true);

-- The text in pieces, for the context of a match.
CREATE TABLE document_passage (
  team_id uuid NOT NULL,
  document_id uuid NOT NULL,
  number integer NOT NULL,
  text text NOT NULL,
  words tsvector NOT NULL,
  PRIMARY KEY (team_id, document_id, number),
  CONSTRAINT document_passage_of FOREIGN KEY (team_id, document_id) REFERENCES document (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('document_passage', 'SELECT, INSERT, DELETE');
CALL open_to_system('document_passage', 'SELECT', 'DELETE');

-- The text search configuration of a team: the language of its owner, or `simple` for other languages.
CREATE FUNCTION text_configuration(of_team uuid) RETURNS regconfig LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce((
    SELECT CASE split_part(l.locale, '-', 1)
      WHEN 'da' THEN 'danish' WHEN 'de' THEN 'german' WHEN 'en' THEN 'english' WHEN 'es' THEN 'spanish' WHEN 'fi' THEN 'finnish'
      WHEN 'fr' THEN 'french' WHEN 'hu' THEN 'hungarian' WHEN 'it' THEN 'italian' WHEN 'nb' THEN 'norwegian' WHEN 'nl' THEN 'dutch'
      WHEN 'no' THEN 'norwegian' WHEN 'pt' THEN 'portuguese' WHEN 'ro' THEN 'romanian' WHEN 'ru' THEN 'russian' WHEN 'sv' THEN 'swedish'
      WHEN 'tr' THEN 'turkish' END
    FROM team_locale(of_team) AS l(locale)
  ), 'simple')::regconfig
$$;
-- The words of a text, normalized by its language and unchanged, so that names are found in any language.
CREATE FUNCTION searched_words(configuration regconfig, content text) RETURNS tsvector LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT to_tsvector(configuration, content) || CASE WHEN configuration = 'simple'::regconfig THEN ''::tsvector ELSE to_tsvector('simple', content) END
$$;
-- Words that no text has. One contains the team, so that a search reads the index for one team only. Another contains the team and one of 64 parts
-- of its documents, by identifier. The index of one part shows at low cost whether many documents match.
CREATE FUNCTION word_of_team(of_team uuid) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT 'team ' || of_team $$;
CREATE FUNCTION words_of_team(of_team uuid, document uuid) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ARRAY[word_of_team(of_team), word_of_team(of_team) || ' ' || (get_byte(uuid_send(document), 15) & 63)]
$$;

-- The matching documents of the team with their ranks, matches in titles first. A document matches `wanted`, or its title contains `part`; `named`
-- has the trigrams of `part`. Either query may be null. Above `ranked` matches all ranks are 0. Above `most` matches the result is one row of nulls,
-- unless `ranked` is greater than `most`. One of 64 parts of the documents shows that at low cost. Row-level security keeps operators that are not
-- leakproof, such as those of tsvector, from using indexes. So this function reads as the owner of the table, for the team of the transaction. It
-- never reads the whole table or its key, regardless of the planner’s estimates.
CREATE FUNCTION documents_with_words(of_team uuid, wanted tsquery, named tsquery, part text, most integer, ranked integer)
RETURNS TABLE (id uuid, rank real)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_indexscan = off AS $$
  WITH often AS (
    SELECT ranked <= most AND count(*) * 64 > most AS so FROM (
      SELECT FROM document_text t
      WHERE t.words @@ (quote_literal(word_of_team(of_team) || ' 0')::tsquery && coalesce(wanted || named, wanted, named))
        AND (t.team_id = of_team) IS TRUE AND of_team = current_team() LIMIT most / 64 + 1
    ) sample
  ),
  by_words AS (
    SELECT t.document_id, t.ctid AS place FROM document_text t
    WHERE t.words @@ (quote_literal(word_of_team(of_team))::tsquery && wanted)
      AND (t.team_id = of_team) IS TRUE AND of_team = current_team() AND NOT (SELECT so FROM often) LIMIT most + 1
  ),
  by_title AS (
    SELECT t.document_id FROM document_text t
    WHERE t.words @@ (quote_literal(word_of_team(of_team))::tsquery && named) AND position(lower(part) IN lower(t.title)) > 0
      AND t.document_id NOT IN (SELECT w.document_id FROM by_words w)
      AND (t.team_id = of_team) IS TRUE AND of_team = current_team() AND NOT (SELECT so FROM often) LIMIT most + 1
  ),
  counted AS (SELECT (SELECT count(*) FROM by_words) + (SELECT count(*) FROM by_title) AS matches),
  state AS (SELECT c.matches <= ranked AS ranks, o.so OR (c.matches > most AND ranked <= most) AS too_many FROM counted c, often o)
  SELECT NULL::uuid, NULL::real FROM state s WHERE s.too_many
  UNION ALL
  SELECT w.document_id, 0 FROM state s, by_words w WHERE NOT s.too_many AND NOT s.ranks
  UNION ALL
  SELECT w.document_id, ts_rank(t.words, wanted, 1) + (position(lower(part) IN lower(t.title)) > 0)::integer::real
  FROM state s, by_words w, LATERAL (SELECT o.words, o.title FROM document_text o WHERE o.ctid = w.place OFFSET 0) t WHERE NOT s.too_many AND s.ranks
  UNION ALL
  SELECT t.document_id, s.ranks::integer::real FROM state s, by_title t WHERE NOT s.too_many
$$;
REVOKE EXECUTE ON FUNCTION text_configuration(uuid), searched_words(regconfig, text), word_of_team(uuid),
  words_of_team(uuid, uuid), documents_with_words(uuid, tsquery, tsquery, text, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION text_configuration(uuid), searched_words(regconfig, text), word_of_team(uuid),
  words_of_team(uuid, uuid), documents_with_words(uuid, tsquery, tsquery, text, integer, integer) TO chancery_app;

-- The barrier around a document, also after its deletion. The nil UUID for none, and for a null document.
CREATE FUNCTION document_barrier(team uuid, document uuid) RETURNS uuid LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  IF document IS NULL THEN RETURN '00000000-0000-0000-0000-000000000000'; END IF;
  RETURN coalesce(
    (SELECT barrier_now(team, d.folder_id, d.barrier_id) FROM document d WHERE d.team_id = team AND d.id = document), barrier_of(team, document));
END $$;

-- The state of a document’s barrier for a person. See `barrier_state`.
CREATE FUNCTION document_barrier_state(team uuid, document uuid, person uuid, OUT excluded boolean, OUT outsider boolean)
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  SELECT s.excluded, s.outsider INTO excluded, outsider FROM barrier_state(team, document_barrier(team, document), person) s;
END $$;
CREATE FUNCTION document_excludes(team uuid, document uuid, person uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  IF document IS NULL THEN RETURN false; END IF;
  RETURN (SELECT s.excluded FROM document_barrier_state(team, document, person) s);
END $$;
CREATE FUNCTION document_outsider(team uuid, document uuid, person uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  IF document IS NULL THEN RETURN false; END IF;
  RETURN (SELECT s.outsider FROM document_barrier_state(team, document, person) s);
END $$;
-- Whether a document is permanently deleted, or was created from an erased resource (`deleted_at` is the epoch).
CREATE FUNCTION document_is_gone(team uuid, document uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN NOT EXISTS (SELECT FROM document d WHERE d.team_id = team AND d.id = document AND d.deleted_at IS DISTINCT FROM 'epoch');
END $$;
REVOKE EXECUTE ON FUNCTION document_is_gone(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION document_is_gone(uuid, uuid) TO chancery_app, chancery_system;
-- Whether a document is inside a barrier.
CREATE FUNCTION document_is_barred(team uuid, document uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN document_barrier(team, document) <> '00000000-0000-0000-0000-000000000000';
END $$;

-- The documents for the folders domain, which has no access to the table: folder, owner and the API client that created each. Written so that
-- PostgreSQL inlines the query: it sets nothing and returns rows.
CREATE FUNCTION filed_documents(of_team uuid) RETURNS TABLE (id uuid, folder_id uuid, user_id uuid, barrier_id uuid, made_by_client uuid, current_version integer, deleted_at timestamptz)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT d.id, d.folder_id, d.user_id, barrier_now(of_team, d.folder_id, d.barrier_id), d.made_by_client, d.current_version, d.deleted_at
  FROM document d WHERE d.team_id = of_team
$$;
-- Clears `made_by_client` of documents in these folders, unless `client` made them.
CREATE FUNCTION take_over_documents(of_team uuid, folders uuid[], client uuid) RETURNS void
LANGUAGE sql VOLATILE AS $$
  UPDATE document d SET made_by_client = NULL
  WHERE d.team_id = of_team AND d.folder_id = ANY (folders) AND d.made_by_client IS DISTINCT FROM client AND d.made_by_client IS NOT NULL
$$;
-- Locks the documents of a folder in order, before all of them change with it. Returns their number.
CREATE FUNCTION lock_documents(of_team uuid, folder uuid) RETURNS integer LANGUAGE sql VOLATILE AS $$
  WITH locked AS (SELECT d.id FROM document d WHERE d.team_id = of_team AND d.folder_id = folder ORDER BY d.id FOR UPDATE)
  SELECT count(*)::integer FROM locked
$$;
REVOKE EXECUTE ON FUNCTION filed_documents(uuid), take_over_documents(uuid, uuid[], uuid), lock_documents(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION filed_documents(uuid) TO chancery_app, chancery_system;
GRANT EXECUTE ON FUNCTION take_over_documents(uuid, uuid[], uuid), lock_documents(uuid, uuid) TO chancery_app;

-- A legal hold. While it is active on a document or a folder above it, no user or job deletes any of that content. The row stays after the hold is
-- lifted, until its resource is deleted.
CREATE TABLE legal_hold (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  folder_id uuid,
  document_id uuid,
  reason text NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamptz NOT NULL,
  lifted_by uuid,
  lifted_at timestamptz,
  lift_reason text,
  PRIMARY KEY (team_id, id),
  CONSTRAINT legal_hold_on_one CHECK (num_nonnulls(folder_id, document_id) = 1),
  CONSTRAINT legal_hold_lifted_whole CHECK (num_nonnulls(lifted_by, lifted_at, lift_reason) IN (0, 3)),
  CONSTRAINT legal_hold_of_folder FOREIGN KEY (team_id, folder_id) REFERENCES folder (team_id, id) ON DELETE CASCADE,
  CONSTRAINT legal_hold_of_document FOREIGN KEY (team_id, document_id) REFERENCES document (team_id, id) ON DELETE CASCADE
);
CREATE INDEX legal_hold_by_folder ON legal_hold (team_id, folder_id, id);
CREATE INDEX legal_hold_by_document ON legal_hold (team_id, document_id, id);
CREATE INDEX legal_hold_by_lift ON legal_hold (team_id, lifted_at, id);
CALL confine_to_team('legal_hold', 'SELECT, INSERT, UPDATE');
CALL open_to_system('legal_hold', 'SELECT', 'DELETE');

-- A safeguard: deleting the resource of an active hold would delete the hold too, so every such statement fails.
CREATE FUNCTION refuse_end_of_hold() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.lifted_at IS NULL THEN
    RAISE EXCEPTION 'a legal hold is active' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'legal_hold_active';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER legal_hold_active BEFORE DELETE ON legal_hold FOR EACH ROW EXECUTE FUNCTION refuse_end_of_hold();

-- Whether a legal hold is active on a document, on a folder or above it; either may be null. Most teams have no holds, which one index probe shows.
CREATE FUNCTION on_legal_hold(of_team uuid, of_document uuid, of_folder uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM legal_hold h WHERE h.team_id = of_team AND h.lifted_at IS NULL) AND (
    EXISTS (SELECT FROM legal_hold h WHERE h.team_id = of_team AND h.document_id = of_document AND (h.lifted_at IS NULL) IS TRUE)
    OR EXISTS (
      SELECT FROM access_above(of_team, of_folder) a CROSS JOIN LATERAL (
        SELECT h.id FROM legal_hold h WHERE h.team_id = of_team AND h.folder_id = a.id AND (h.lifted_at IS NULL) IS TRUE LIMIT 1
      ) holds
    )
  )
$$;
-- Whether a legal hold is active on any of these folders, or on a document in one of them, including the bin.
CREATE FUNCTION holds_within(of_team uuid, folders uuid[]) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM legal_hold h
    LEFT JOIN LATERAL (SELECT d.folder_id FROM document d WHERE d.team_id = of_team AND d.id = h.document_id OFFSET 0) d ON true
    WHERE h.team_id = of_team AND h.lifted_at IS NULL AND coalesce(h.folder_id, d.folder_id) = ANY (folders)
  )
$$;
-- Whether a move from one folder to another (null: no folder) leaves a folder with an active hold.
CREATE FUNCTION leaves_hold(of_team uuid, from_folder uuid, to_folder uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM legal_hold h WHERE h.team_id = of_team AND h.lifted_at IS NULL) AND EXISTS (
    SELECT FROM access_above(of_team, from_folder) a CROSS JOIN LATERAL (
      SELECT h.id FROM legal_hold h WHERE h.team_id = of_team AND h.folder_id = a.id AND (h.lifted_at IS NULL) IS TRUE LIMIT 1
    ) holds
    WHERE a.id NOT IN (SELECT t.id FROM access_above(of_team, to_folder) t)
  )
$$;
REVOKE EXECUTE ON FUNCTION on_legal_hold(uuid, uuid, uuid), holds_within(uuid, uuid[]), leaves_hold(uuid, uuid, uuid), refuse_end_of_hold() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION on_legal_hold(uuid, uuid, uuid) TO chancery_app, chancery_system;
GRANT EXECUTE ON FUNCTION holds_within(uuid, uuid[]), leaves_hold(uuid, uuid, uuid) TO chancery_app;

-- The given key dates of a document: its term, renewal and notice period. Dates are days in the team’s time zone.
CREATE TABLE document_dates (
  team_id uuid NOT NULL,
  document_id uuid NOT NULL,
  effective_at date,
  expires_at date,
  -- Periods of whole days, weeks, months and years (ISO 8601), such as P3M.
  notice_period text,
  renewal text NOT NULL DEFAULT 'none' CHECK (renewal IN ('none', 'tacit', 'by_agreement')),
  renewal_period text,
  remind_before text NOT NULL,
  starts_template text,
  set_by uuid NOT NULL,
  set_by_type text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, document_id),
  CONSTRAINT document_dates_tacit_has_period CHECK (renewal <> 'tacit' OR renewal_period IS NOT NULL),
  CONSTRAINT document_dates_of FOREIGN KEY (team_id, document_id) REFERENCES document (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('document_dates', 'SELECT, INSERT, UPDATE');
CALL open_to_system('document_dates', 'SELECT', 'DELETE');

-- The calculated coming days, at most one of each kind. `look_at` is the next time to act: to announce the day, or to continue with the next term
-- after the day has passed.
CREATE TABLE document_date (
  team_id uuid NOT NULL,
  document_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('notice', 'expires')),
  falls_on date NOT NULL,
  look_at timestamptz,
  emitted_at timestamptz,
  PRIMARY KEY (team_id, document_id, kind),
  CONSTRAINT document_date_of FOREIGN KEY (team_id, document_id) REFERENCES document_dates (team_id, document_id) ON DELETE CASCADE
);
CREATE INDEX document_date_by_day ON document_date (team_id, falls_on, document_id, kind);
CREATE INDEX document_date_to_look_at ON document_date (look_at) WHERE look_at IS NOT NULL;
CALL confine_to_team('document_date', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('document_date', 'SELECT', 'DELETE');

-- The retention period of a folder’s content, except inside other barriers, and the action afterwards. `effective_from`: a new or shorter rule
-- waits, and so does the removal of one (`ends_at`). Until then nothing that it covers is deleted. `waiting`: the number of documents that wait for
-- a confirmation; after it, documents due by `confirmed_on` may be deleted.
CREATE TABLE retention_rule (
  team_id uuid NOT NULL,
  folder_id uuid NOT NULL,
  action text NOT NULL CHECK (action IN ('keep', 'review', 'delete')),
  after text NOT NULL,
  counted_from text NOT NULL CHECK (counted_from IN ('created', 'updated', 'expires')),
  effective_from timestamptz NOT NULL,
  ends_at timestamptz,
  waiting integer NOT NULL DEFAULT 0,
  confirmed_on date,
  confirmed_by uuid,
  set_by uuid NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, folder_id),
  CONSTRAINT retention_rule_of FOREIGN KEY (team_id, folder_id) REFERENCES folder (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('retention_rule', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('retention_rule', 'SELECT', 'DELETE');

-- The action of a rule on a document. It is repeated only if the rules (`basis`) or the counted times change.
CREATE TABLE retention_done (
  team_id uuid NOT NULL,
  document_id uuid NOT NULL,
  folder_id uuid NOT NULL,
  action text NOT NULL,
  due_on date NOT NULL,
  basis text NOT NULL,
  updated_at timestamptz NOT NULL,
  expires_at date,
  done_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, document_id),
  CONSTRAINT retention_done_of FOREIGN KEY (team_id, document_id) REFERENCES document (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('retention_done', 'SELECT, INSERT, UPDATE');
CALL open_to_system('retention_done', 'SELECT', 'DELETE');

-- The number of documents that rules moved to the bin on a team’s last such day.
CREATE TABLE retention_day (
  team_id uuid PRIMARY KEY REFERENCES team,
  day date NOT NULL,
  binned integer NOT NULL
);
CALL confine_to_team('retention_day', 'SELECT, INSERT, UPDATE');
CALL open_to_system('retention_day', 'SELECT', 'DELETE');
