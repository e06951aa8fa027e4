-- Templates of documents. The newest version has the source and the schema of the values.
CREATE TABLE document_template (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  name text NOT NULL,
  description text,
  user_id uuid NOT NULL,
  created_by uuid NOT NULL,
  created_by_type text NOT NULL,
  -- The library template that it was copied from.
  library_slug text,
  version integer NOT NULL DEFAULT 1,
  -- The version of source, schema and files. A change of the name alone creates none.
  number integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, id)
);
CREATE INDEX document_template_by_change ON document_template (team_id, updated_at, id);
CREATE INDEX document_template_of_owner ON document_template (team_id, user_id, id);
CALL confine_to_team('document_template', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('document_template', 'SELECT', 'DELETE');
CALL count_rows('document_template', 'documentTemplates');
CALL access_container_column('document_template');

-- A version never changes. The newest 200 of each template are stored.
CREATE TABLE document_template_version (
  team_id uuid NOT NULL,
  template_id uuid NOT NULL,
  number integer NOT NULL,
  source text NOT NULL,
  schema jsonb NOT NULL,
  -- The files of the source, such as a logo: path, type, size and hash of each. Their bytes are in document_template_file.
  files jsonb NOT NULL,
  created_by uuid NOT NULL,
  created_by_type text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, template_id, number),
  CONSTRAINT document_template_version_of FOREIGN KEY (team_id, template_id) REFERENCES document_template (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('document_template_version', 'SELECT, INSERT, DELETE');
CALL open_to_system('document_template_version', 'SELECT', 'DELETE');

-- Pictures of a template, each stored once for all versions that use it.
CREATE TABLE document_template_file (
  team_id uuid NOT NULL,
  template_id uuid NOT NULL,
  sha256 text NOT NULL,
  size bigint NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (team_id, template_id, sha256),
  CONSTRAINT document_template_file_of FOREIGN KEY (team_id, template_id) REFERENCES document_template (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('document_template_file', 'SELECT, INSERT, DELETE');
CALL open_to_system('document_template_file', 'SELECT', 'DELETE');
CALL count_rows('document_template_file', 'storage', 'size');

CALL access_resource_type('document_template', 'template');

-- The template and the source of values of a document. It stays after the template is deleted.
CREATE TABLE document_from_template (
  team_id uuid NOT NULL,
  document_id uuid NOT NULL,
  template_id uuid NOT NULL,
  number integer NOT NULL,
  source text NOT NULL CHECK (source IN ('data', 'submission', 'record')),
  source_id uuid,
  PRIMARY KEY (team_id, document_id),
  CONSTRAINT document_from_template_is_document FOREIGN KEY (team_id, document_id) REFERENCES document (team_id, id) ON DELETE CASCADE,
  CONSTRAINT document_from_template_source CHECK ((source = 'data') = (source_id IS NULL))
);
CALL confine_to_team('document_from_template', 'SELECT, INSERT');
CALL open_to_system('document_from_template', 'SELECT', 'DELETE');
