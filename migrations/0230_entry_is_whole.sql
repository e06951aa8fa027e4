-- The rules of a journal entry, by one function that is compiled once: the database reads the text of a CHECK, and of a trigger's
-- condition, anew for each statement, which for these seven was a quarter of the cost of an entry. Rows of before are not looked at.
CREATE FUNCTION entry_is_whole() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE broken text;
BEGIN
  IF NEW.ip IS NULL THEN
    -- Each row is given a salt for an address, also where there is none to be salted.
    NEW.ip_salt := NULL;
  ELSIF masklen(NEW.ip) <> (CASE family(NEW.ip) WHEN 4 THEN 32 ELSE 128 END) THEN
    broken := 'audit_entry_ip_of_one';
  ELSIF NEW.ip_digest IS NOT NULL THEN
    broken := 'audit_entry_address_or_digest';
  END IF;
  -- A year before our era reads like one of it.
  IF NOT (NEW.at >= '1970-01-01Z' AND NEW.at < '10000-01-01Z') THEN
    broken := 'audit_entry_at_in_range';
  ELSIF NEW.actor_type NOT IN ('user', 'staff', 'client', 'agent', 'system') THEN
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
DROP TRIGGER salt_of_nothing ON audit_entry;
DROP FUNCTION drop_salt_of_nothing();
ALTER TABLE audit_entry
  DROP CONSTRAINT audit_entry_actor_type_check, DROP CONSTRAINT audit_entry_address_or_digest, DROP CONSTRAINT audit_entry_at_in_range,
  DROP CONSTRAINT audit_entry_ip_of_one, DROP CONSTRAINT audit_entry_is_a_leaf_or_not, DROP CONSTRAINT audit_entry_target_of_a_type;
CREATE TRIGGER entry_is_whole BEFORE INSERT OR UPDATE ON audit_entry FOR EACH ROW EXECUTE FUNCTION entry_is_whole();
