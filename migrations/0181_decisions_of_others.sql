-- A workflow leads the state of its document, and may refuse versions of it, where who put the document there may change it.
ALTER TABLE workflow ADD COLUMN leads_document boolean NOT NULL DEFAULT false;
ALTER TABLE workflow NO FORCE ROW LEVEL SECURITY;
UPDATE workflow SET leads_document = true WHERE started_at IS NOT NULL AND linked_document_id IS NOT NULL;
ALTER TABLE workflow FORCE ROW LEVEL SECURITY;

-- A decision whose person has left, and that nobody else may take: it is given to nobody until somebody passes it on.
ALTER TABLE workflow_step ADD COLUMN vacant boolean NOT NULL DEFAULT false;

-- Who answered for a client that was deleted: what it made or uploaded is not theirs to decide on.
CREATE TABLE former_client (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  responsible_id uuid NOT NULL,
  PRIMARY KEY (team_id, id)
);
CALL confine_to_team('former_client', 'SELECT, INSERT');
CALL open_to_system('former_client', 'SELECT', 'DELETE');
