-- Keys that sign: `access` for access tokens, `witness` for the audit journal's checkpoints, `webhook` for deliveries to
-- receivers that want no shared secret, `evidence` for what is kept of signatures. They go next → active → retired → removed. A `next` is published from the moment its
-- row is made. The private half is encrypted with the master key, and erased when a key retires, so that nothing that was ever
-- stored can sign with it again. Retired keys of the witness and of evidence stay published, since what they signed is verified for years; those of
-- access go once the last token has ended.
CREATE TABLE signing_key (
  kid text PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('access', 'witness', 'webhook', 'evidence')),
  alg text NOT NULL,
  public_jwk jsonb NOT NULL,
  private_jwk bytea,
  status text NOT NULL CHECK (status IN ('next', 'active', 'retired', 'removed')),
  created_at timestamptz NOT NULL DEFAULT now(),
  activated_at timestamptz,
  retired_at timestamptz,
  activates_at timestamptz,
  removed_at timestamptz,
  CONSTRAINT signing_key_signs_or_is_over CHECK ((private_jwk IS NOT NULL) = (status IN ('next', 'active')))
);
COMMENT ON COLUMN signing_key.activates_at IS 'from when on a next key is to sign, when somebody asked for it';
CREATE UNIQUE INDEX signing_key_one_active ON signing_key (purpose) WHERE status = 'active';
CREATE UNIQUE INDEX signing_key_one_next ON signing_key (purpose) WHERE status = 'next';
GRANT SELECT, INSERT, UPDATE, DELETE ON signing_key TO chancery_system;

-- The authority of the service's own seals and the certificates that it issued. There is one authority; its key signs
-- certificates and the revocation list when somebody renews them, and is opened for nothing else. Of the certificates one is
-- active, whose key signs documents; the keys of those before are erased, and they stay published with the list.
CREATE TABLE seal_authority (
  id uuid PRIMARY KEY,
  one boolean NOT NULL DEFAULT true UNIQUE CHECK (one),
  certificate bytea NOT NULL,
  private_key bytea NOT NULL,
  revocation_list bytea NOT NULL,
  list_number integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE seal_certificate (
  id uuid PRIMARY KEY,
  certificate bytea NOT NULL,
  private_key bytea,
  status text NOT NULL CHECK (status IN ('active', 'retired', 'revoked')),
  ends_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz,
  CONSTRAINT seal_certificate_signs_or_is_over CHECK ((private_key IS NOT NULL) = (status = 'active')),
  CONSTRAINT seal_certificate_says_since_when CHECK ((revoked_at IS NOT NULL) = (status = 'revoked'))
);
CREATE UNIQUE INDEX seal_certificate_one_active ON seal_certificate (status) WHERE status = 'active';
GRANT SELECT, INSERT, UPDATE ON seal_authority, seal_certificate TO chancery_system;
