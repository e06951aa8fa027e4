-- What a leaf does not see of its row must not be there to be changed. Rows of before are not looked at here: `audit verify`
-- is what names those that were altered.
ALTER TABLE audit_entry
  -- A year before our era reads like one of it.
  ADD CONSTRAINT audit_entry_at_in_range CHECK (at >= '1970-01-01Z' AND at < '10000-01-01Z') NOT VALID,
  ADD CONSTRAINT audit_entry_ip_of_one CHECK (masklen(ip) = CASE family(ip) WHEN 4 THEN 32 ELSE 128 END) NOT VALID,
  ADD CONSTRAINT audit_entry_target_of_a_type CHECK (target_type IS NOT NULL OR target_id IS NULL) NOT VALID;

-- Each row was given a salt for an address, also where there is none to be salted.
CREATE FUNCTION drop_salt_of_nothing() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  NEW.ip_salt := NULL;
  RETURN NEW;
END $$;
ALTER TABLE audit_entry NO FORCE ROW LEVEL SECURITY;
UPDATE audit_entry SET ip_salt = NULL WHERE ip IS NULL AND ip_salt IS NOT NULL;
ALTER TABLE audit_entry FORCE ROW LEVEL SECURITY;
CREATE TRIGGER salt_of_nothing BEFORE INSERT OR UPDATE ON audit_entry FOR EACH ROW
  WHEN (NEW.ip IS NULL AND NEW.ip_salt IS NOT NULL) EXECUTE FUNCTION drop_salt_of_nothing();
