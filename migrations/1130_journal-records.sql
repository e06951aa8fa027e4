-- Version 2 of the record of a journal entry: an open header with the digest of a salted body. Earlier entries keep version 1.
ALTER TABLE audit_entry ADD COLUMN record_version smallint NOT NULL DEFAULT 1;
ALTER TABLE audit_entry ALTER COLUMN record_version SET DEFAULT 2;

-- The tree of an entry. Tree 1 is the tree of this database. The entries of a team that came from another database keep their tree, with its tiles
-- and its published checkpoint.
ALTER TABLE audit_entry ADD COLUMN log_id smallint NOT NULL DEFAULT 1;
ALTER TABLE audit_tile ADD COLUMN log_id smallint NOT NULL DEFAULT 1;
ALTER TABLE audit_checkpoint ADD COLUMN log_id smallint NOT NULL DEFAULT 1;
ALTER TABLE audit_log ADD COLUMN log_id smallint NOT NULL DEFAULT 1;

ALTER TABLE audit_tile DROP CONSTRAINT audit_tile_pkey, ADD PRIMARY KEY (log_id, level, n);
ALTER TABLE audit_checkpoint DROP CONSTRAINT audit_checkpoint_pkey, ADD PRIMARY KEY (log_id, size);
ALTER TABLE audit_log DROP CONSTRAINT audit_log_pkey, DROP COLUMN only_row, ADD PRIMARY KEY (log_id);
GRANT SELECT (log_id) ON audit_log TO chancery_app;

DROP INDEX audit_entry_by_seq;
CREATE UNIQUE INDEX audit_entry_by_seq ON audit_entry (log_id, seq) WHERE seq IS NOT NULL;

-- Requests and the system insert only new entries of the own tree.
ALTER POLICY not_in_the_tree_yet ON audit_entry
  WITH CHECK (seq IS NULL AND number IS NULL AND ip_digest IS NULL AND log_id = 1 AND record_version = 2);
