-- Entries of the journal go to endpoints that ask for them (docs/audit.md, “Streaming to a SIEM”), and what was announced
-- holds the address of the entry: where that is erased, so it is here. `ip` follows `at`, and no text in quotes can look so.
CREATE FUNCTION without_address(body bytea) RETURNS bytea
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN convert_to(regexp_replace(convert_from(body, 'UTF8'), '("at":"[^"]*"),"ip":"[^"]*"', '\1'), 'UTF8');

-- Two statements: the first waits for a sequencer that has the entries in hand, and the second sees what it announced.
CREATE OR REPLACE FUNCTION erase_addresses(person uuid) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE erased uuid[];
BEGIN
  WITH done AS (
    UPDATE audit_entry SET ip = NULL, ip_salt = NULL,
      ip_digest = sha256(convert_to('["' || ip_salt || '","ip","' || host(ip) || '"]', 'UTF8'))
    WHERE team_id = current_team() AND actor_id = person AND ip IS NOT NULL
    RETURNING id
  ) SELECT coalesce(array_agg(id), '{}') INTO erased FROM done;
  UPDATE event v SET body = without_address(v.body) FROM unnest(erased) AS e(id)
  WHERE v.team_id = current_team() AND v.id = 'evt_' || replace(e.id::text, '-', '');
  RETURN cardinality(erased);
END $$;
CREATE POLICY erasure_finds ON event FOR SELECT TO chancery_owner USING (team_id = (SELECT current_team()));
CREATE POLICY erasure ON event FOR UPDATE TO chancery_owner
  USING (team_id = (SELECT current_team())) WITH CHECK (team_id = (SELECT current_team()));

-- By age it is done across teams.
GRANT UPDATE (body) ON event TO chancery_system;
CREATE POLICY system_update ON event FOR UPDATE TO chancery_system USING (true) WITH CHECK (true);
