-- The journal: one row for each action, written in the transaction of the change. The rows are the leaves of one append-only Merkle tree.
-- docs/concepts/audit-journal.md defines the proofs and their formats.
CREATE TABLE audit_entry (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  -- The index of the entry in the tree, set when it becomes a leaf.
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
  -- A leaf discloses nothing of its entry: it is a hash over the entry and a salt. The address has a separate salt. Erasing the address and its salt
  -- keeps the leaf, because the digest stays. Both salts are 122 random bits.
  salt uuid NOT NULL DEFAULT gen_random_uuid(),
  ip_salt uuid DEFAULT gen_random_uuid(),
  ip_digest bytea,
  -- The number of the entry in its team, from 1. A gap in an export reveals an omitted entry.
  number bigint,
  PRIMARY KEY (team_id, id)
);
-- The journal is read newest first by time, with an optional filter by type or actor.
CREATE INDEX audit_entry_by_time ON audit_entry (team_id, at, id);
CREATE INDEX audit_entry_by_type ON audit_entry (team_id, type, at, id);
CREATE INDEX audit_entry_by_actor ON audit_entry (team_id, actor_id, at, id);
CREATE UNIQUE INDEX audit_entry_by_number ON audit_entry (team_id, number) WHERE number IS NOT NULL;
CREATE INDEX audit_entry_by_seq ON audit_entry (seq) WHERE seq IS NOT NULL;
-- Entries that are not in the tree yet. Entries that are committed late are not skipped, because no position is counted past.
CREATE INDEX audit_entry_to_integrate ON audit_entry (id) WHERE seq IS NULL;
-- Actions that owner and administrators did by role alone, for the owner of the resource.
CREATE INDEX audit_entry_by_role ON audit_entry (team_id, target_id, id) WHERE data ->> 'via' = 'role';
-- Entries about one resource, newest first.
CREATE INDEX audit_entry_by_target ON audit_entry (team_id, target_id, at, id) WHERE target_id IS NOT NULL;
CALL confine_to_team('audit_entry', 'SELECT, INSERT');
CALL open_to_system('audit_entry', 'SELECT', 'INSERT');

-- Only the sequencer sets positions. Requests cannot, and they cannot insert a digest instead of an address.
CREATE POLICY not_in_the_tree_yet ON audit_entry AS RESTRICTIVE FOR INSERT TO chancery_app, chancery_system
  WITH CHECK (seq IS NULL AND number IS NULL AND ip_digest IS NULL);
CREATE POLICY system_update ON audit_entry FOR UPDATE TO chancery_system USING (true) WITH CHECK (true);
GRANT UPDATE (seq, number, ip, ip_salt, ip_digest) ON audit_entry TO chancery_system;

-- The constraints of a journal entry in one function that is compiled once. PostgreSQL parses CHECK constraints and trigger conditions for each
-- statement. For these seven that was a quarter of the cost of an entry.
CREATE FUNCTION entry_is_whole() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE broken text;
BEGIN
  IF NEW.ip IS NULL THEN
    -- The default gives each row an address salt, even without an address.
    NEW.ip_salt := NULL;
  ELSIF masklen(NEW.ip) <> (CASE family(NEW.ip) WHEN 4 THEN 32 ELSE 128 END) THEN
    broken := 'audit_entry_ip_of_one';
  ELSIF NEW.ip_digest IS NOT NULL THEN
    broken := 'audit_entry_address_or_digest';
  END IF;
  -- Years before 1 CE have the same text as years after.
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

-- Endpoints may subscribe to journal entries (docs/guides/prove-records.md), and their events contain the address. Erasing an address also erases it
-- here. `ip` follows `at`, and no quoted text can contain this sequence.
CREATE FUNCTION without_address(body bytea) RETURNS bytea
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN convert_to(regexp_replace(convert_from(body, 'UTF8'), '("at":"[^"]*"),"ip":"[^"]*"', '\1'), 'UTF8');

-- Erases the addresses of a person’s actions in the team of the transaction, and keeps their digests. For the transaction that deletes an account.
-- Returns their number. Three statements: the first waits for a sequencer with these entries and locks them in its order; the last sees the events
-- that it sent.
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

-- The hashes of the tree in the layout of C2SP tlog-tiles. A tile grows to 256 hashes of 32 bytes; a partial tile is the beginning of its row. Level
-- -1 has the commitments of entries for entry bundles. No content of teams.
CREATE TABLE audit_tile (
  level smallint NOT NULL CHECK (level BETWEEN -1 AND 7),
  n bigint NOT NULL CHECK (n >= 0),
  hashes bytea NOT NULL CHECK (length(hashes) BETWEEN 32 AND 8192 AND length(hashes) % 32 = 0),
  PRIMARY KEY (level, n)
);
-- Hashes do not compress, so trying only costs time.
ALTER TABLE audit_tile ALTER COLUMN hashes SET STORAGE EXTERNAL;
GRANT SELECT ON audit_tile TO chancery_app;
GRANT SELECT, INSERT, UPDATE ON audit_tile TO chancery_system;

-- The state of the tree in one row. `size` and `checkpoint` are the newest signed; `published` is the newest for readers, after witnesses were asked
-- to cosign. The lease decides which sequencer adds entries.
CREATE TABLE audit_log (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  size bigint NOT NULL DEFAULT 0,
  checkpoint text,
  published_size bigint CHECK (published_size <= size),
  published text,
  published_at timestamptz,
  lease_owner uuid,
  lease_until timestamptz
) WITH (fillfactor = 50);
INSERT INTO audit_log DEFAULT VALUES;
GRANT SELECT (published_size, published, published_at) ON audit_log TO chancery_app;
GRANT SELECT, UPDATE ON audit_log TO chancery_system;

-- Earlier signed checkpoints. They show between which two sizes the journal was rewritten, if that happens.
CREATE TABLE audit_checkpoint (
  size bigint PRIMARY KEY,
  note text NOT NULL,
  signed_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON audit_checkpoint TO chancery_system;

-- The entries about a resource before a position, newest first. Written so that PostgreSQL inlines the query.
CREATE FUNCTION entries_about(of_team uuid, target text, before timestamptz, before_id uuid, many bigint)
RETURNS TABLE (id uuid, type text, actor_type text, actor_id text, at timestamptz, data jsonb) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT a.id, a.type, a.actor_type, a.actor_id, a.at, a.data FROM audit_entry a WHERE a.team_id = of_team AND a.target_id = target
    AND (a.at, a.id) < (coalesce(before, 'infinity'), coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
  ORDER BY a.at DESC, a.id DESC LIMIT many
$$;
REVOKE EXECUTE ON FUNCTION entries_about(uuid, text, timestamptz, uuid, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION entries_about(uuid, text, timestamptz, uuid, bigint) TO chancery_app;
