-- Two walls around each team (ARCHITECTURE.md): every team-owned table leads its key with team_id, and row-level
-- security, forced, lets a request see the rows of the team its transaction is confined to, and nothing without one.

-- The team the transaction is confined to; null outside one, which no row equals.
CREATE FUNCTION current_team() RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.team_id', true), '')::uuid;

-- Walls in one call, so that no table gets half of them. Requests may do what `privileges` says, inside their team.
CREATE PROCEDURE confine_to_team(target regclass, privileges text) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format('CREATE POLICY team_wall ON %s TO chancery_app USING (team_id = (SELECT current_team())) WITH CHECK (team_id = (SELECT current_team()))', target);
  EXECUTE format('GRANT %s ON %s TO chancery_app', privileges, target);
END $$;

-- What the system role may do to a team's table, whatever the team: named table by table, command by command.
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

-- Some questions come before the team is known: whose address is this, is this session alive. For each there is a function that
-- answers one question by one exact key and runs as the owner of the tables (SECURITY DEFINER), whom the walls bind as well:
-- a policy named `lookup` opens them for reading just the tables that those functions look into.

-- What is sealed is sealed anew under another master key, column by column, whatever the team.
CREATE PROCEDURE let_system_reseal(target regclass, VARIADIC columns text[]) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('GRANT UPDATE (%s) ON %s TO chancery_system', array_to_string(columns, ', '), target);
  EXECUTE format('CREATE POLICY system_reseal ON %s FOR UPDATE TO chancery_system USING (true) WITH CHECK (true)', target);
END $$;

REVOKE EXECUTE ON PROCEDURE confine_to_team(regclass, text), open_to_system(regclass, text[]), let_system_reseal(regclass, text[]) FROM PUBLIC;
