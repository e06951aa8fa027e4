-- State of this database that survives restarts, such as the fingerprint of the master key that encrypted its data.
CREATE TABLE service_state (
  name text PRIMARY KEY,
  value text NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON service_state TO chancery_system;

-- Keys of hashes that cannot be recomputed (passwords, client secrets), encrypted with the master key. They stay when the master key is replaced.
CREATE TABLE kept_key (
  purpose text PRIMARY KEY,
  sealed bytea NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON kept_key TO chancery_system;
