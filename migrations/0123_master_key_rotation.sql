-- Keys of hashes that cannot be made anew (of passwords, of clients' secrets), sealed under the master key: they stay when that
-- one is replaced.
CREATE TABLE kept_key (
  purpose text PRIMARY KEY,
  sealed bytea NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON kept_key TO chancery_system;
GRANT UPDATE, DELETE ON service_fact TO chancery_system;

-- What is sealed is sealed anew under another master key, column by column, whatever the team.
CREATE PROCEDURE let_system_reseal(target regclass, VARIADIC columns text[]) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('GRANT UPDATE (%s) ON %s TO chancery_system', array_to_string(columns, ', '), target);
  EXECUTE format('CREATE POLICY system_reseal ON %s FOR UPDATE TO chancery_system USING (true) WITH CHECK (true)', target);
END $$;
REVOKE EXECUTE ON PROCEDURE let_system_reseal(regclass, text[]) FROM PUBLIC;
CALL let_system_reseal('idempotent_answer', 'answer');
CALL let_system_reseal('two_factor', 'secret');
CALL let_system_reseal('two_factor_setup', 'secret');
CALL let_system_reseal('webhook_endpoint', 'secret', 'previous_secret', 'headers');
CALL let_system_reseal('sso_connection', 'client_secret');
