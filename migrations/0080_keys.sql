-- Signing keys of four purposes: `access` signs access tokens, and `witness` signs checkpoints of the audit journal. `webhook` signs deliveries to
-- receivers that do not want a shared secret, and `evidence` signs evidence of signatures. States: next → active → retired → removed. A `next` key is
-- published as soon as its row exists. The private key is encrypted with the master key and erased when the key retires, so a retired key
-- can never sign again. Retired `witness` and `evidence` keys stay published, because their signatures are verified for years. Retired
-- `access` keys are removed after the last token expires.
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
COMMENT ON COLUMN signing_key.activates_at IS 'the time at which a next key becomes active, if an operator set one';
CREATE UNIQUE INDEX signing_key_one_active ON signing_key (purpose) WHERE status = 'active';
CREATE UNIQUE INDEX signing_key_one_next ON signing_key (purpose) WHERE status = 'next';
GRANT SELECT, INSERT, UPDATE, DELETE ON signing_key TO chancery_system;

-- The certificate authority for e-seals of the service and its certificates. There is one authority. Its key signs certificates and the revocation
-- list
-- when an operator renews them, and is not decrypted for anything else. One certificate is active, and its key seals documents. The keys of
-- earlier certificates are erased; the certificates and the revocation list stay published.
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
