-- The journal: one row an act, written in the transaction of the change it records. The rows are the leaves of one append-only
-- Merkle tree (docs/concepts/audit-journal.md says what is proved and in which formats).
CREATE TABLE audit_entry (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  -- The entry's place in the tree, given when it becomes a leaf.
  seq bigint,
  type text NOT NULL,
  actor_type text NOT NULL,
  actor_id uuid,
  target_type text,
  target_id text,
  at timestamptz NOT NULL,
  ip inet,
  request_id text,
  data jsonb NOT NULL DEFAULT '{}',
  -- A leaf shows nothing of its entry: it is a hash over the entry and a salt. The address has a salt of its own, so that
  -- it can be erased, with that salt, while its digest keeps the leaf as it is. Both salts are 122 random bits.
  salt uuid NOT NULL DEFAULT gen_random_uuid(),
  ip_salt uuid DEFAULT gen_random_uuid(),
  ip_digest bytea,
  -- The entry's place among its team's, from 1: a gap in an export is an entry left out.
  number bigint,
  PRIMARY KEY (team_id, id)
);
-- The journal is read newest first by the time of the act, alone or narrowed to a type or an actor.
CREATE INDEX audit_entry_by_time ON audit_entry (team_id, at, id);
CREATE INDEX audit_entry_by_type ON audit_entry (team_id, type, at, id);
CREATE INDEX audit_entry_by_actor ON audit_entry (team_id, actor_id, at, id);
CREATE UNIQUE INDEX audit_entry_by_number ON audit_entry (team_id, number) WHERE number IS NOT NULL;
CREATE INDEX audit_entry_by_seq ON audit_entry (seq) WHERE seq IS NOT NULL;
-- What is not in the tree yet, however late it was committed: nothing is skipped, since nothing is counted past.
CREATE INDEX audit_entry_to_integrate ON audit_entry (id) WHERE seq IS NULL;
-- What owner and administrators opened by their role alone, for whose it is.
CREATE INDEX audit_entry_by_role ON audit_entry (team_id, target_id, id) WHERE data ->> 'via' = 'role';
-- What happened to one thing, newest first.
CREATE INDEX audit_entry_by_target ON audit_entry (team_id, target_id, at, id) WHERE target_id IS NOT NULL;
CALL confine_to_team('audit_entry', 'SELECT, INSERT');
CALL open_to_system('audit_entry', 'SELECT', 'INSERT');

-- Only the sequencer says where an entry stands. Requests cannot, nor can they bring a digest in place of an address.
CREATE POLICY not_in_the_tree_yet ON audit_entry AS RESTRICTIVE FOR INSERT TO chancery_app, chancery_system
  WITH CHECK (seq IS NULL AND number IS NULL AND ip_digest IS NULL);
CREATE POLICY system_update ON audit_entry FOR UPDATE TO chancery_system USING (true) WITH CHECK (true);
GRANT UPDATE (seq, number, ip, ip_salt, ip_digest) ON audit_entry TO chancery_system;

-- The rules of a journal entry, by one function that is compiled once: the database reads the text of a CHECK, and of a trigger's
-- condition, anew for each statement, which for these seven was a quarter of the cost of an entry.
CREATE FUNCTION entry_is_whole() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE broken text;
BEGIN
  IF NEW.ip IS NULL THEN
    -- Each row is given a salt for an address, also where there is none to be salted.
    NEW.ip_salt := NULL;
  ELSIF masklen(NEW.ip) <> (CASE family(NEW.ip) WHEN 4 THEN 32 ELSE 128 END) THEN
    broken := 'audit_entry_ip_of_one';
  ELSIF NEW.ip_digest IS NOT NULL THEN
    broken := 'audit_entry_address_or_digest';
  END IF;
  -- A year before our era reads like one of it.
  IF NOT (NEW.at >= '1970-01-01Z' AND NEW.at < '10000-01-01Z') THEN
    broken := 'audit_entry_at_in_range';
  ELSIF NEW.actor_type NOT IN ('user', 'staff', 'client', 'agent', 'visitor', 'system') THEN
    broken := 'audit_entry_actor_type_check';
  ELSIF NEW.target_type IS NULL AND NEW.target_id IS NOT NULL THEN
    broken := 'audit_entry_target_of_a_type';
  ELSIF (NEW.seq IS NULL) <> (NEW.number IS NULL) THEN
    broken := 'audit_entry_is_a_leaf_or_not';
  END IF;
  IF broken IS NOT NULL THEN
    RAISE EXCEPTION 'an entry of the journal breaks the rule %', broken USING ERRCODE = 'check_violation', CONSTRAINT = broken;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER entry_is_whole BEFORE INSERT OR UPDATE ON audit_entry FOR EACH ROW EXECUTE FUNCTION entry_is_whole();

-- Entries of the journal go to endpoints that ask for them (docs/guides/prove-records.md), and what was announced
-- holds the address of the entry: where that is erased, so it is here. `ip` follows `at`, and no text in quotes can look so.
CREATE FUNCTION without_address(body bytea) RETURNS bytea
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN convert_to(regexp_replace(convert_from(body, 'UTF8'), '("at":"[^"]*"),"ip":"[^"]*"', '\1'), 'UTF8');

-- Erases the addresses that a person acted from, in the team the transaction is confined to, and leaves their digests:
-- for the transaction in which an account is deleted. Says how many. Statements of their own: the first waits for a sequencer
-- that has the entries in hand, and locks them in its order; the last sees what it announced.
CREATE FUNCTION erase_addresses(person uuid) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE erased uuid[];
BEGIN
  PERFORM FROM audit_entry WHERE team_id = current_team() AND actor_id = person AND ip IS NOT NULL ORDER BY id FOR NO KEY UPDATE;
  WITH done AS (
    UPDATE audit_entry SET ip = NULL, ip_salt = NULL,
      ip_digest = sha256(convert_to('["' || ip_salt || '","ip","' || host(ip) || '"]', 'UTF8'))
    WHERE team_id = current_team() AND actor_id = person AND ip IS NOT NULL
    RETURNING id
  ) SELECT coalesce(array_agg(id), '{}') INTO erased FROM done;
  UPDATE event v SET body = without_address(v.body) FROM unnest(erased) AS e(id)
  WHERE v.team_id = current_team() AND v.id = 'evt_' || replace(e.id::text, '-', '');
  RETURN cardinality(erased);
END $$;
REVOKE EXECUTE ON FUNCTION erase_addresses(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_addresses(uuid) TO chancery_app;
CREATE POLICY erasure_finds ON audit_entry FOR SELECT TO chancery_owner USING (team_id = (SELECT current_team()));
CREATE POLICY erasure ON audit_entry FOR UPDATE TO chancery_owner
  USING (team_id = (SELECT current_team())) WITH CHECK (team_id = (SELECT current_team()));
CREATE POLICY erasure_finds ON event FOR SELECT TO chancery_owner USING (team_id = (SELECT current_team()));
CREATE POLICY erasure ON event FOR UPDATE TO chancery_owner
  USING (team_id = (SELECT current_team())) WITH CHECK (team_id = (SELECT current_team()));

-- The tree's hashes as C2SP tlog-tiles lays them out, each tile growing to 256 hashes of 32 bytes; a partial tile is the
-- beginning of its row. Level -1 holds the entries' commitments, which entry bundles are made of. No team's contents.
CREATE TABLE audit_tile (
  level smallint NOT NULL CHECK (level BETWEEN -1 AND 7),
  n bigint NOT NULL CHECK (n >= 0),
  hashes bytea NOT NULL CHECK (length(hashes) BETWEEN 32 AND 8192 AND length(hashes) % 32 = 0),
  PRIMARY KEY (level, n)
);
-- Hashes do not compress: trying would only cost time.
ALTER TABLE audit_tile ALTER COLUMN hashes SET STORAGE EXTERNAL;
GRANT SELECT ON audit_tile TO chancery_app;
GRANT SELECT, INSERT, UPDATE ON audit_tile TO chancery_system;

-- Where the tree stands: one row. `size` and `checkpoint` are the newest signed; `published` is the newest that readers
-- get, once outside witnesses have been asked. The lease says which sequencer integrates.
CREATE TABLE audit_log (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  size bigint NOT NULL DEFAULT 0,
  checkpoint text,
  published_size bigint CHECK (published_size <= size),
  published text,
  published_at timestamptz,
  holder uuid,
  lease_until timestamptz
) WITH (fillfactor = 50);
INSERT INTO audit_log DEFAULT VALUES;
GRANT SELECT (published_size, published, published_at) ON audit_log TO chancery_app;
GRANT SELECT, UPDATE ON audit_log TO chancery_system;

-- Signed checkpoints of the past: they tell between which two sizes the journal was rewritten, if it ever was.
CREATE TABLE audit_checkpoint (
  size bigint PRIMARY KEY,
  note text NOT NULL,
  signed_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON audit_checkpoint TO chancery_system;

-- The entries about a resource before a place, the newest first. Written so that PostgreSQL puts the query in the place of the call.
CREATE FUNCTION entries_about(of_team uuid, target text, before timestamptz, before_id uuid, many bigint)
RETURNS TABLE (id uuid, type text, actor_type text, actor_id text, at timestamptz, data jsonb) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT a.id, a.type, a.actor_type, a.actor_id, a.at, a.data FROM audit_entry a WHERE a.team_id = of_team AND a.target_id = target
    AND (a.at, a.id) < (coalesce(before, 'infinity'), coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
  ORDER BY a.at DESC, a.id DESC LIMIT many
$$;
REVOKE EXECUTE ON FUNCTION entries_about(uuid, text, timestamptz, uuid, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION entries_about(uuid, text, timestamptz, uuid, bigint) TO chancery_app;
