-- Of whose task the access to a document was revoked: it is opened again neither by passing the task on nor, to the same person,
-- by a later task of its workflow.
CREATE TABLE document_grant_revoked (
  team_id uuid NOT NULL,
  document_id uuid NOT NULL,
  task_id uuid NOT NULL,
  user_id uuid NOT NULL,
  PRIMARY KEY (team_id, document_id, task_id, user_id),
  CONSTRAINT document_grant_revoked_of FOREIGN KEY (team_id, document_id) REFERENCES document (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('document_grant_revoked', 'SELECT, INSERT');
CALL open_to_system('document_grant_revoked', 'SELECT', 'DELETE');
