-- Why a mail was not delivered: the enhanced status code (RFC 3463) and the text of the server that rejected it, without addresses.
ALTER TABLE mail_message ADD COLUMN bounce_status text, ADD COLUMN bounce_diagnostic text;

-- Addresses that a team cannot reach. Each team has its own rows, so that a bounce of one team tells other teams nothing.
CREATE TABLE undeliverable_address (
  team_id uuid NOT NULL,
  -- The address is not stored: see address_hash().
  address_hash bytea NOT NULL,
  status text NOT NULL,
  diagnostic text NOT NULL,
  since timestamptz NOT NULL,
  failed_at timestamptz NOT NULL,
  -- Set when the address works again. A later report about an earlier mail then has no effect.
  cleared_at timestamptz,
  PRIMARY KEY (team_id, address_hash)
);
CALL confine_to_team('undeliverable_address', 'SELECT, INSERT, UPDATE');
CALL open_to_system('undeliverable_address', 'SELECT', 'UPDATE', 'DELETE');

-- The hash differs between teams, so that the rows of two teams cannot be joined.
CREATE FUNCTION address_hash(team uuid, address text) RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE
RETURN sha256(convert_to(team::text || ' ' || lower(address), 'UTF8'));

-- Returns a mail of the team that was not delivered. Requests cannot read mail; the job of a bounce needs these columns.
CREATE FUNCTION bounced_mail(mail uuid) RETURNS TABLE (recipient text, about uuid, status text, diagnostic text, sent_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT m.recipient, m.about, m.bounce_status, m.bounce_diagnostic, m.sent_at FROM mail_message m
  WHERE m.id = mail AND m.team_id = current_team() AND m.bounce_status IS NOT NULL AND m.recipient <> ''
$$;
REVOKE EXECUTE ON FUNCTION bounced_mail(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION bounced_mail(uuid) TO chancery_app;
