-- kind: expand
-- The address that gets the mails about a submission, as in undeliverable_address: see address_hash(). An erasure empties it.
ALTER TABLE submission ADD COLUMN address_hash bytea;
