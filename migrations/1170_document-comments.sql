-- Comments on a document, or on one of its versions.
CREATE TABLE document_comment (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  document_id uuid NOT NULL,
  version integer,
  user_id uuid NOT NULL,
  created_by_type text NOT NULL,
  text text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, id),
  CONSTRAINT document_comment_of FOREIGN KEY (team_id, document_id) REFERENCES document (team_id, id) ON DELETE CASCADE
);
CREATE INDEX document_comment_by_document ON document_comment (team_id, document_id, id);
CALL confine_to_team('document_comment', 'SELECT, INSERT, DELETE');
CALL open_to_system('document_comment', 'SELECT', 'DELETE');
