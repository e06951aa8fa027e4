-- Trees with one owner, folders shared with the whole team, and walls around folders.

ALTER TABLE folder NO FORCE ROW LEVEL SECURITY;
ALTER TABLE document NO FORCE ROW LEVEL SECURITY;

-- The innermost walled folder that something lies in, itself included; the nil UUID for none. It is kept in each row so
-- that a list reads what is open to its reader from an index and nothing else, however much is not.
ALTER TABLE folder ADD COLUMN wall_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000';
ALTER TABLE document ADD COLUMN wall_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000';
-- The API client that made it, which may share it.
ALTER TABLE folder ADD COLUMN made_by_client uuid;

-- A document in a folder belongs to whom the tree belongs to and stands behind the same wall: by a key, so that no move
-- and no wall can leave one out.
UPDATE document d SET user_id = f.user_id FROM folder f WHERE f.team_id = d.team_id AND f.id = d.folder_id AND f.user_id <> d.user_id;
ALTER TABLE folder ADD CONSTRAINT folder_place UNIQUE (team_id, id, user_id, wall_id);
ALTER TABLE document DROP CONSTRAINT document_folder_exists;
ALTER TABLE document ADD CONSTRAINT document_as_its_folder FOREIGN KEY (team_id, folder_id, user_id, wall_id)
  REFERENCES folder (team_id, id, user_id, wall_id) ON UPDATE CASCADE;
ALTER TABLE document ADD CONSTRAINT document_wall_is_a_folders
  CHECK (folder_id IS NOT NULL OR wall_id = '00000000-0000-0000-0000-000000000000');

ALTER TABLE document FORCE ROW LEVEL SECURITY;
ALTER TABLE folder FORCE ROW LEVEL SECURITY;

-- Each list reads along one of these, in the order of its ids. None is confined to what is not in the bin: as long as a
-- table was never analysed, `deleted_at IS NULL` counts as true of one row in two hundred, such an index as tiny, and it is
-- taken for statements that it does not suit. For the same reason no two of them begin with what one statement gives.
DROP INDEX folder_name_once;
CREATE UNIQUE INDEX folder_name_once ON folder
  (team_id, coalesce(parent_id, user_id), name_key, (CASE WHEN deleted_at IS NULL THEN '00000000-0000-0000-0000-000000000000' ELSE id END));
DROP INDEX folder_of_user;
CREATE INDEX folder_of_user ON folder (team_id, user_id, deleted_at, id) INCLUDE (wall_id);
CREATE INDEX folder_by_wall ON folder (team_id, wall_id, deleted_at, id);
CREATE INDEX folder_walled ON folder (team_id, user_id, deleted_at, id) WHERE wall_id = id;
DROP INDEX folder_children;
CREATE INDEX folder_children ON folder (team_id, parent_id, deleted_at, id);
CREATE INDEX folder_binned_with ON folder (team_id, deleted_with) WHERE deleted_with IS NOT NULL;
CREATE INDEX document_of_user ON document (team_id, user_id, deleted_at, id) INCLUDE (wall_id);
CREATE INDEX document_by_wall ON document (team_id, wall_id, deleted_at, id);
CREATE INDEX document_by_change ON document (team_id, wall_id, deleted_at, updated_at, id);
DROP INDEX document_in_folder;
CREATE INDEX document_in_folder ON document (team_id, folder_id, deleted_at, id);
CREATE INDEX document_binned_with ON document (team_id, deleted_with) WHERE deleted_with IS NOT NULL;
CREATE INDEX document_binned ON document (team_id, user_id, id) WHERE deleted_at IS NOT NULL;

-- A share with nobody named is one with the whole team.
ALTER TABLE folder_share ALTER COLUMN user_id DROP NOT NULL;
ALTER TABLE folder_share DROP CONSTRAINT folder_share_once;
ALTER TABLE folder_share ADD CONSTRAINT folder_share_once UNIQUE NULLS NOT DISTINCT (team_id, folder_id, user_id);

CREATE TABLE folder_wall (
  team_id uuid NOT NULL,
  folder_id uuid NOT NULL,
  set_by uuid NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, folder_id),
  CONSTRAINT folder_wall_of FOREIGN KEY (team_id, folder_id) REFERENCES folder (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('folder_wall', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('folder_wall', 'SELECT', 'DELETE');

-- Who is inside. With `until`, by breaking the glass.
CREATE TABLE folder_wall_member (
  team_id uuid NOT NULL,
  folder_id uuid NOT NULL,
  user_id uuid NOT NULL,
  until timestamptz,
  PRIMARY KEY (team_id, folder_id, user_id),
  CONSTRAINT folder_wall_member_of FOREIGN KEY (team_id, folder_id) REFERENCES folder_wall (team_id, folder_id) ON DELETE CASCADE,
  CONSTRAINT folder_wall_member_is FOREIGN KEY (team_id, user_id) REFERENCES account (team_id, id)
);
CREATE INDEX folder_wall_member_in ON folder_wall_member (team_id, user_id, folder_id);
CALL confine_to_team('folder_wall_member', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('folder_wall_member', 'SELECT', 'DELETE');

-- One administrator asks to be let in, with a reason; a second person consents.
CREATE TABLE folder_wall_opening (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  folder_id uuid NOT NULL,
  user_id uuid NOT NULL,
  reason text NOT NULL,
  asked_at timestamptz NOT NULL,
  consented_by uuid,
  consented_at timestamptz,
  until timestamptz,
  PRIMARY KEY (team_id, id),
  CONSTRAINT folder_wall_opening_of FOREIGN KEY (team_id, folder_id) REFERENCES folder_wall (team_id, folder_id) ON DELETE CASCADE,
  CONSTRAINT folder_wall_opening_for FOREIGN KEY (team_id, user_id) REFERENCES account (team_id, id),
  CONSTRAINT folder_wall_opening_takes_two CHECK (consented_by <> user_id),
  CONSTRAINT folder_wall_opening_is_whole CHECK ((consented_by IS NULL) = (until IS NULL) AND (consented_by IS NULL) = (consented_at IS NULL))
);
CREATE INDEX folder_wall_opening_by_folder ON folder_wall_opening (team_id, folder_id, id);
CALL confine_to_team('folder_wall_opening', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('folder_wall_opening', 'SELECT', 'DELETE');

-- What owner and administrators opened by their role alone, for whose it is.
CREATE INDEX audit_entry_by_role ON audit_entry (team_id, target_id, id) WHERE data ->> 'via' = 'role';
-- One asks once; what is asked again changes the reason.
CREATE UNIQUE INDEX folder_wall_opening_once ON folder_wall_opening (team_id, folder_id, user_id) WHERE consented_by IS NULL;
