-- The journal as the leaves of one append-only Merkle tree (docs/audit.md says what is proved and in which formats).

-- A leaf shows nothing of its entry: it is a hash over the entry and a salt. The address has a salt of its own, so that
-- it can be erased, with that salt, while its digest keeps the leaf as it is. Both salts are 122 random bits.
ALTER TABLE audit_entry
  ADD COLUMN salt uuid NOT NULL DEFAULT gen_random_uuid(),
  ADD COLUMN ip_salt uuid DEFAULT gen_random_uuid(),
  ADD COLUMN ip_digest bytea,
  -- The entry's place among its team's, from 1: a gap in an export is an entry left out.
  ADD COLUMN number bigint,
  ADD CONSTRAINT audit_entry_is_a_leaf_or_not CHECK ((seq IS NULL) = (number IS NULL)),
  ADD CONSTRAINT audit_entry_address_or_digest CHECK (ip_digest IS NULL OR (ip IS NULL AND ip_salt IS NULL));
CREATE UNIQUE INDEX audit_entry_by_number ON audit_entry (team_id, number) WHERE number IS NOT NULL;
CREATE INDEX audit_entry_by_seq ON audit_entry (seq) WHERE seq IS NOT NULL;
-- What is not in the tree yet, however late it was committed: nothing is skipped, since nothing is counted past.
CREATE INDEX audit_entry_to_integrate ON audit_entry (id) WHERE seq IS NULL;

-- Only the sequencer says where an entry stands. Requests cannot, nor can they bring a digest in place of an address.
CREATE POLICY not_in_the_tree_yet ON audit_entry AS RESTRICTIVE FOR INSERT TO chancery_app, chancery_system
  WITH CHECK (seq IS NULL AND number IS NULL AND ip_digest IS NULL);
CREATE POLICY system_update ON audit_entry FOR UPDATE TO chancery_system USING (true) WITH CHECK (true);
GRANT UPDATE (seq, number, ip, ip_salt, ip_digest) ON audit_entry TO chancery_system;

-- Erases the addresses that a person acted from, in the team the transaction is confined to, and leaves their digests:
-- for the transaction in which an account is deleted. Says how many.
CREATE FUNCTION erase_addresses(person uuid) RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH erased AS (
    UPDATE audit_entry SET ip = NULL, ip_salt = NULL,
      ip_digest = sha256(convert_to('["' || ip_salt || '","ip","' || host(ip) || '"]', 'UTF8'))
    WHERE team_id = current_team() AND actor_id = person AND ip IS NOT NULL
    RETURNING 1
  ) SELECT count(*) FROM erased
$$;
REVOKE EXECUTE ON FUNCTION erase_addresses(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_addresses(uuid) TO chancery_app;
CREATE POLICY erasure_finds ON audit_entry FOR SELECT TO chancery_owner USING (team_id = (SELECT current_team()));
CREATE POLICY erasure ON audit_entry FOR UPDATE TO chancery_owner
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
