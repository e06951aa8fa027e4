-- Tenant isolation has two layers (ARCHITECTURE.md). The primary key of each team-owned table starts with team_id.
-- Forced row-level security limits a request to the rows of the team of its transaction; without a team it sees no rows.

-- Returns the team of the transaction. NULL outside a team, which matches no row.
CREATE FUNCTION current_team() RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.team_id', true), '')::uuid;

-- Isolates a table completely in one call. Requests have the given `privileges` on rows of their team.
CREATE PROCEDURE confine_to_team(target regclass, privileges text) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format('CREATE POLICY team_isolation ON %s TO chancery_app USING (team_id = (SELECT current_team())) WITH CHECK (team_id = (SELECT current_team()))', target);
  EXECUTE format('GRANT %s ON %s TO chancery_app', privileges, target);
END $$;

-- Grants the system role commands on a table, across teams. The grants are explicit per table and per command.
CREATE PROCEDURE open_to_system(target regclass, VARIADIC commands text[]) LANGUAGE plpgsql AS $$
DECLARE command text;
BEGIN
  FOREACH command IN ARRAY commands LOOP
    EXECUTE format('GRANT %s ON %s TO chancery_system', command, target);
    IF command = 'INSERT' THEN
      EXECUTE format('CREATE POLICY %I ON %s FOR INSERT TO chancery_system WITH CHECK (true)', 'system_insert', target);
    ELSIF command = 'UPDATE' THEN
      EXECUTE format('CREATE POLICY %I ON %s FOR UPDATE TO chancery_system USING (true) WITH CHECK (true)', 'system_update', target);
    ELSE
      EXECUTE format('CREATE POLICY %I ON %s FOR %s TO chancery_system USING (true)', 'system_' || lower(command), target, command);
    END IF;
  END LOOP;
END $$;

-- Some lookups run before the team is known, such as the account of an email address or the state of a session. Each has a function that looks
-- up one exact key and runs as the owner of the tables (SECURITY DEFINER). Row-level security applies to the owner too, so policies
-- named `lookup` grant it read access to exactly the tables that these functions use.

-- Lets the system role update encrypted columns across teams, to re-encrypt them with a new master key.
CREATE PROCEDURE let_system_reseal(target regclass, VARIADIC columns text[]) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('GRANT UPDATE (%s) ON %s TO chancery_system', array_to_string(columns, ', '), target);
  EXECUTE format('CREATE POLICY system_reseal ON %s FOR UPDATE TO chancery_system USING (true) WITH CHECK (true)', target);
END $$;

REVOKE EXECUTE ON PROCEDURE confine_to_team(regclass, text), open_to_system(regclass, text[]), let_system_reseal(regclass, text[]) FROM PUBLIC;
