-- Directories: the identity systems of a team, which create, change and suspend its members and groups over SCIM 2.0.

-- The team that created the person. Its directory changes the name and the address of the person.
ALTER TABLE person ADD COLUMN managed_by uuid;

CREATE TABLE directory (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('entra', 'okta', 'other')),
  -- The provider connection whose sign-ins find the users of this directory by their external identifier.
  connection_id uuid,
  default_role text NOT NULL CHECK (default_role IN ('member', 'viewer')),
  -- Groups that decide the role of their members: [{"groupId", "role"}].
  role_groups jsonb NOT NULL DEFAULT '[]',
  may_give_admin boolean NOT NULL DEFAULT false,
  -- Who receives the work of a removed user: the manager in the directory, the owner, or the member `successor_id`.
  successor text NOT NULL DEFAULT 'owner' CHECK (successor IN ('manager', 'owner', 'member')),
  successor_id uuid,
  -- The member who becomes the owner if the directory deactivates the owner.
  owner_successor_id uuid,
  removal_delay_days integer NOT NULL DEFAULT 7 CHECK (removal_delay_days BETWEEN 0 AND 90),
  is_active boolean NOT NULL DEFAULT true,
  -- The begin of the latest hour with unusually many deactivations, and the hash of the mailed link that restores the users.
  surge_at timestamptz,
  surge_hash bytea,
  version integer NOT NULL DEFAULT 1,
  created_by uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Deleted with its users; a job suspends them.
  deleted_at timestamptz,
  PRIMARY KEY (team_id, id),
  CONSTRAINT directory_successor_named CHECK ((successor = 'member') = (successor_id IS NOT NULL)),
  CONSTRAINT directory_of_connection FOREIGN KEY (team_id, connection_id) REFERENCES sso_connection (team_id, id) ON DELETE SET NULL (connection_id)
);
CREATE UNIQUE INDEX directory_by_surge ON directory (team_id, surge_hash) WHERE surge_hash IS NOT NULL;
CREATE INDEX directory_by_connection ON directory (team_id, connection_id) WHERE connection_id IS NOT NULL;
CREATE INDEX directory_deleted ON directory (team_id, id) WHERE deleted_at IS NOT NULL;
CALL confine_to_team('directory', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('directory', 'SELECT', 'DELETE');
CREATE POLICY lookup ON directory FOR SELECT TO chancery_owner USING (true);

-- A bearer token of a directory: 256 random bits, of which only the hash is stored.
CREATE TABLE directory_token (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  directory_id uuid NOT NULL,
  hash bytea NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  last_used_at timestamptz,
  -- The days before the end of the last reminder.
  reminded_days integer,
  PRIMARY KEY (team_id, id),
  CONSTRAINT directory_token_once UNIQUE (team_id, hash),
  CONSTRAINT directory_token_of FOREIGN KEY (team_id, directory_id) REFERENCES directory (team_id, id) ON DELETE CASCADE
);
CREATE INDEX directory_token_of_directory ON directory_token (team_id, directory_id);
CREATE INDEX directory_token_by_end ON directory_token (expires_at);
CALL confine_to_team('directory_token', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('directory_token', 'SELECT', 'DELETE');
CREATE POLICY lookup ON directory_token FOR SELECT TO chancery_owner USING (true);
CREATE TRIGGER lock_credential BEFORE DELETE ON directory_token FOR EACH ROW EXECUTE FUNCTION lock_credential_exclusively('id');

-- The directory of a valid token.
CREATE FUNCTION directory_by_token(of_team uuid, wanted bytea) RETURNS TABLE (directory_id uuid, token_id uuid, expires_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT k.directory_id, k.id, k.expires_at
  FROM directory_token k JOIN directory d ON d.team_id = k.team_id AND d.id = k.directory_id JOIN team t ON t.team_id = k.team_id
  WHERE k.team_id = of_team AND k.hash = wanted AND k.expires_at > now() AND d.is_active AND d.deleted_at IS NULL AND t.status = 'active'
$$;
-- The directory of a mailed link that restores users, for a week.
CREATE FUNCTION directory_by_surge(of_team uuid, wanted bytea) RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT d.id FROM directory d JOIN team t ON t.team_id = d.team_id
  WHERE d.team_id = of_team AND d.surge_hash = wanted AND d.surge_at > now() - interval '7 days' AND d.deleted_at IS NULL AND t.status = 'active'
$$;
-- Checks a token inside the transaction of a request. See check_person_credential.
CREATE FUNCTION hold_directory(in_team uuid, of_token uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT (pg_try_advisory_xact_lock_shared(credential_key(of_token)) AND pg_try_advisory_xact_lock_shared(credential_key(in_team))) THEN
    PERFORM lock_credential_shared(of_token);
    PERFORM lock_credential_shared(in_team);
  END IF;
  PERFORM FROM directory_token k JOIN directory d ON d.team_id = k.team_id AND d.id = k.directory_id JOIN team t ON t.team_id = k.team_id
  WHERE k.team_id = in_team AND k.id = of_token AND k.expires_at > now() AND d.is_active AND d.deleted_at IS NULL AND t.status = 'active';
  IF NOT FOUND THEN RAISE EXCEPTION 'the token has ended' USING ERRCODE = 'CR401'; END IF;
END $$;
REVOKE EXECUTE ON FUNCTION directory_by_token(uuid, bytea), directory_by_surge(uuid, bytea), hold_directory(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION directory_by_token(uuid, bytea), directory_by_surge(uuid, bytea), hold_directory(uuid, uuid) TO chancery_app;

-- The last requests of a directory, without their content.
CREATE TABLE directory_log (
  team_id uuid NOT NULL,
  directory_id uuid NOT NULL,
  id uuid NOT NULL,
  at timestamptz NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  status integer NOT NULL,
  scim_type text,
  detail text,
  -- The names of the changed attributes.
  attributes text[] NOT NULL,
  request_id text NOT NULL,
  PRIMARY KEY (team_id, directory_id, id),
  CONSTRAINT directory_log_of FOREIGN KEY (team_id, directory_id) REFERENCES directory (team_id, id) ON DELETE CASCADE
);
CREATE INDEX directory_log_by_age ON directory_log (at);
CALL confine_to_team('directory_log', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('directory_log', 'SELECT', 'UPDATE', 'DELETE');

-- A user of a directory. `active` is the wish of the directory; the status of the membership also depends on the team.
CREATE TABLE scim_user (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  directory_id uuid NOT NULL,
  -- The membership; null until the invitation is accepted.
  account_id uuid,
  -- `conflict`: a member has the address, and an administrator must link the two. `withdrawn`: an administrator removed the member.
  status text NOT NULL CHECK (status IN ('pending', 'linked', 'conflict', 'withdrawn')),
  user_name text NOT NULL,
  user_name_key text NOT NULL,
  external_id text,
  email text,
  email_key text,
  attributes jsonb NOT NULL,
  active boolean NOT NULL,
  -- An administrator suspended the member. The directory cannot undo it.
  is_suspended boolean NOT NULL DEFAULT false,
  invitation_id uuid,
  deactivated_at timestamptz,
  deleted_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, id),
  CONSTRAINT scim_user_of FOREIGN KEY (team_id, directory_id) REFERENCES directory (team_id, id) ON DELETE CASCADE,
  CONSTRAINT scim_user_is FOREIGN KEY (team_id, account_id) REFERENCES account (team_id, id),
  CONSTRAINT scim_user_linked CHECK ((status IN ('linked', 'withdrawn')) = (account_id IS NOT NULL))
);
CREATE UNIQUE INDEX scim_user_name_once ON scim_user (team_id, directory_id, user_name_key);
CREATE UNIQUE INDEX scim_user_external_once ON scim_user (team_id, directory_id, external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX scim_user_account_once ON scim_user (team_id, account_id) WHERE account_id IS NOT NULL;
CREATE INDEX scim_user_by_id ON scim_user (team_id, directory_id, id);
CREATE INDEX scim_user_by_email ON scim_user (team_id, directory_id, email_key) WHERE email_key IS NOT NULL;
CREATE INDEX scim_user_by_deactivation ON scim_user (team_id, directory_id, deactivated_at) WHERE deactivated_at IS NOT NULL;
CREATE INDEX scim_user_deleted ON scim_user (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX scim_user_by_invitation ON scim_user (team_id, invitation_id) WHERE invitation_id IS NOT NULL;
CALL confine_to_team('scim_user', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('scim_user', 'SELECT', 'DELETE');

-- Groups of a directory are read-only for the team.
ALTER TABLE access_group ADD COLUMN directory_id uuid;
CREATE INDEX access_group_of_directory ON access_group (team_id, directory_id) WHERE directory_id IS NOT NULL;

-- A group as its directory knows it. The members who have joined the team are members of the access group.
CREATE TABLE directory_group (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  directory_id uuid NOT NULL,
  name text NOT NULL,
  external_id text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, id),
  CONSTRAINT directory_group_is FOREIGN KEY (team_id, id) REFERENCES access_group (team_id, id) ON DELETE CASCADE,
  CONSTRAINT directory_group_of FOREIGN KEY (team_id, directory_id) REFERENCES directory (team_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX directory_group_external_once ON directory_group (team_id, directory_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX directory_group_by_id ON directory_group (team_id, directory_id, id);
CREATE INDEX directory_group_by_name ON directory_group (team_id, directory_id, lower(name));
CALL confine_to_team('directory_group', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('directory_group', 'SELECT', 'DELETE');

CREATE TABLE directory_group_member (
  team_id uuid NOT NULL,
  group_id uuid NOT NULL,
  user_id uuid NOT NULL,
  PRIMARY KEY (team_id, group_id, user_id),
  CONSTRAINT directory_group_member_of FOREIGN KEY (team_id, group_id) REFERENCES directory_group (team_id, id) ON DELETE CASCADE,
  CONSTRAINT directory_group_member_is FOREIGN KEY (team_id, user_id) REFERENCES scim_user (team_id, id) ON DELETE CASCADE
);
CREATE INDEX directory_group_member_groups ON directory_group_member (team_id, user_id, group_id);
CALL confine_to_team('directory_group_member', 'SELECT, INSERT, DELETE');
CALL open_to_system('directory_group_member', 'SELECT', 'DELETE');

-- Journal entries name a directory as the actor.
CREATE OR REPLACE FUNCTION entry_is_whole() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE broken text;
BEGIN
  IF NEW.ip IS NULL THEN
    -- The default gives each row an address salt, even without an address.
    NEW.ip_salt := NULL;
  ELSIF masklen(NEW.ip) <> (CASE family(NEW.ip) WHEN 4 THEN 32 ELSE 128 END) THEN
    broken := 'audit_entry_ip_of_one';
  ELSIF NEW.ip_digest IS NOT NULL THEN
    broken := 'audit_entry_address_or_digest';
  END IF;
  -- Years before 1 CE have the same text as years after.
  IF NOT (NEW.at >= '1970-01-01Z' AND NEW.at < '10000-01-01Z') THEN
    broken := 'audit_entry_at_in_range';
  ELSIF NEW.actor_type NOT IN ('user', 'staff', 'client', 'agent', 'visitor', 'directory', 'system') THEN
    broken := 'audit_entry_actor_type_check';
  ELSIF NEW.target_type IS NULL AND NEW.target_id IS NOT NULL THEN
    broken := 'audit_entry_target_of_a_type';
  ELSIF (NEW.seq IS NULL) <> (NEW.number IS NULL) THEN
    broken := 'audit_entry_is_a_leaf_or_not';
  END IF;
  IF broken IS NOT NULL THEN
    RAISE EXCEPTION 'an entry of the journal breaks the rule %', broken USING ERRCODE = 'check_violation', CONSTRAINT = broken;
  END IF;
  RETURN NEW;
END $$;
