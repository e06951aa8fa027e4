-- Keys that sign go next → active → retired → removed. A `next` is published from the moment its row is made; the private
-- half is erased when a key retires, so that nothing that was ever stored can sign with it again. Retired keys of the
-- witness stay published, since checkpoints are verified for years; those of access go once the last token has ended.
ALTER TABLE signing_key DROP CONSTRAINT signing_key_status_check;
ALTER TABLE signing_key ALTER COLUMN private_jwk DROP NOT NULL;
ALTER TABLE signing_key
  ADD COLUMN activates_at timestamptz,
  ADD COLUMN removed_at timestamptz,
  ADD CONSTRAINT signing_key_status_check CHECK (status IN ('next', 'active', 'retired', 'removed')),
  ADD CONSTRAINT signing_key_signs_or_is_over CHECK ((private_jwk IS NOT NULL) = (status IN ('next', 'active')));
COMMENT ON COLUMN signing_key.activates_at IS 'from when on a next key is to sign, when somebody asked for it';
