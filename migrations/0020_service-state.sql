-- Facts about this database that outlive a process, such as the fingerprint of the master key it was written with.
CREATE TABLE service_fact (
  name text PRIMARY KEY,
  value text NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON service_fact TO chancery_system;

-- Keys of hashes that cannot be made anew (of passwords, of clients' secrets), sealed under the master key: they stay when that
-- one is replaced.
CREATE TABLE kept_key (
  purpose text PRIMARY KEY,
  sealed bytea NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON kept_key TO chancery_system;
