-- The envelope is serialised once: every delivery of the event sends and signs these bytes.
CREATE TABLE event (
  team_id uuid NOT NULL,
  id text NOT NULL,
  type text NOT NULL,
  body bytea NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, id)
);
-- Events go when no delivery of theirs is kept any more; they come in the order of time, so that a few bytes a block find them.
CREATE INDEX event_by_age ON event USING brin (created_at);
CALL confine_to_team('event', 'SELECT, INSERT');
CALL open_to_system('event', 'SELECT', 'INSERT', 'DELETE');
-- A payload that is expunged leaves its row, with an empty body.
GRANT UPDATE (body) ON event TO chancery_app;
-- By age it is done across teams.
GRANT UPDATE (body) ON event TO chancery_system;
CREATE POLICY system_update ON event FOR UPDATE TO chancery_system USING (true) WITH CHECK (true);
