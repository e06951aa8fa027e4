-- The envelope is serialized once. All deliveries of the event send and sign these bytes.
CREATE TABLE event (
  team_id uuid NOT NULL,
  id text NOT NULL,
  type text NOT NULL,
  body bytea NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, id)
);
-- An event is deleted after its last delivery. Rows are inserted in time order, so a small BRIN index finds old events.
CREATE INDEX event_by_age ON event USING brin (created_at);
CALL confine_to_team('event', 'SELECT, INSERT');
CALL open_to_system('event', 'SELECT', 'INSERT', 'DELETE');
-- Erasing a payload empties the body and keeps the row.
GRANT UPDATE (body) ON event TO chancery_app;
-- The system role erases old payloads across teams.
GRANT UPDATE (body) ON event TO chancery_system;
CREATE POLICY system_update ON event FOR UPDATE TO chancery_system USING (true) WITH CHECK (true);
