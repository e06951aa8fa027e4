-- Entries are locked in the order of their ids, as the sequencer locks them: it and an erasure each held what the other waited for.
-- Statements of their own: the last sees what a sequencer announced that had the entries in hand.
CREATE OR REPLACE FUNCTION erase_addresses(person uuid) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE erased uuid[];
BEGIN
  PERFORM FROM audit_entry WHERE team_id = current_team() AND actor_id = person AND ip IS NOT NULL ORDER BY id FOR NO KEY UPDATE;
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
