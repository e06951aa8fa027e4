-- The AI agents of a team, their rights and their state.
CREATE TABLE agent (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  name text NOT NULL,
  description text,
  -- The agent that every team has from its start, also called `main`.
  is_default boolean NOT NULL DEFAULT false,
  enabled boolean NOT NULL DEFAULT true,
  model text,
  fallback_models text[] NOT NULL DEFAULT '{}',
  -- The maximum rights of the agent. A run has only those that its owner has too.
  scopes text[] NOT NULL,
  -- The folders to which the agent is limited. Null: no limit. Empty: access to no folder.
  folder_ids uuid[],
  -- The allowed tools. Null: the built-in tools that only read.
  tools_allow text[],
  tools_deny text[] NOT NULL DEFAULT '{}',
  -- The names of its skills.
  skills text[] NOT NULL DEFAULT '{}',
  approval text NOT NULL DEFAULT 'mutating' CHECK (approval IN ('never', 'mutating', 'always')),
  -- The owner and the requester of a run cannot approve its calls.
  four_eyes boolean NOT NULL DEFAULT false,
  max_tokens_per_run integer NOT NULL DEFAULT 200000,
  max_tokens_per_day integer NOT NULL DEFAULT 2000000,
  -- In millionths of the operator's currency. Null: no limit.
  max_cost_per_run bigint,
  max_cost_per_day bigint,
  max_steps integer NOT NULL DEFAULT 30,
  timeout_seconds integer NOT NULL DEFAULT 600,
  -- Set while the agent is stopped.
  stopped_at timestamptz,
  stopped_by uuid,
  stop_reason text,
  created_by uuid,
  -- The creator of the current version. Null: the service.
  changed_by uuid,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, id),
  CONSTRAINT agent_stopped_whole CHECK ((stopped_at IS NULL) = (stopped_by IS NULL) AND (stopped_at IS NULL) = (stop_reason IS NULL))
);
CREATE UNIQUE INDEX agent_default ON agent (team_id) WHERE is_default;
CREATE INDEX agent_with_skills ON agent (team_id, id) WHERE skills <> '{}';
CREATE INDEX agent_by_change ON agent (team_id, updated_at, id);
CALL confine_to_team('agent', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('agent', 'SELECT', 'DELETE');

-- The newest versions of each agent, including the current one.
CREATE TABLE agent_version (
  team_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  version integer NOT NULL,
  -- The row of the agent in this version.
  agent jsonb NOT NULL,
  changed_by uuid,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, agent_id, version),
  CONSTRAINT agent_version_of FOREIGN KEY (team_id, agent_id) REFERENCES agent (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('agent_version', 'SELECT, INSERT, DELETE');
CALL open_to_system('agent_version', 'SELECT', 'DELETE');

CREATE FUNCTION keep_agent_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO agent_version (team_id, agent_id, version, agent, changed_by, changed_at)
  VALUES (NEW.team_id, NEW.id, NEW.version, to_jsonb(NEW), NEW.changed_by, NEW.updated_at);
  DELETE FROM agent_version WHERE team_id = NEW.team_id AND agent_id = NEW.id AND version <= NEW.version - 100;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_agent_version AFTER INSERT ON agent FOR EACH ROW EXECUTE FUNCTION keep_agent_version();
CREATE TRIGGER keep_agent_next_version AFTER UPDATE ON agent FOR EACH ROW
  WHEN (OLD.version <> NEW.version) EXECUTE FUNCTION keep_agent_version();

CALL access_resource_type('agent', 'assistant');

-- A row stops all agents of its team.
CREATE TABLE agent_team_stop (
  team_id uuid PRIMARY KEY REFERENCES team,
  stopped_at timestamptz NOT NULL,
  stopped_by uuid NOT NULL,
  reason text NOT NULL
);
CALL confine_to_team('agent_team_stop', 'SELECT, INSERT, DELETE');
CALL open_to_system('agent_team_stop', 'SELECT', 'DELETE');

-- Creates the agent `main` of a team, which can only read. Its identifier starts with its time, like all identifiers.
CREATE FUNCTION main_agent(team uuid, at timestamptz) RETURNS SETOF agent LANGUAGE sql AS $$
  INSERT INTO agent (team_id, id, name, is_default, scopes, created_at, updated_at)
  SELECT team,
    encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
      PLACING substring(int8send((extract(epoch FROM at) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid,
    'Main', true,
    '{folders:read,documents:read,workflows:read,tasks:read,interfaces:read,registries:read}', at, at
  RETURNING *
$$;
CREATE FUNCTION make_main_agent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM main_agent(NEW.team_id, NEW.created_at);
  RETURN NULL;
END $$;
-- Row-level security would hide the existing teams.
ALTER TABLE team NO FORCE ROW LEVEL SECURITY;
ALTER TABLE agent NO FORCE ROW LEVEL SECURITY;
ALTER TABLE agent_version NO FORCE ROW LEVEL SECURITY;
DO $$ BEGIN PERFORM main_agent(t.team_id, now()) FROM team t; END $$;
ALTER TABLE team FORCE ROW LEVEL SECURITY;
ALTER TABLE agent FORCE ROW LEVEL SECURITY;
ALTER TABLE agent_version FORCE ROW LEVEL SECURITY;
CREATE TRIGGER make_main_agent AFTER INSERT ON team FOR EACH ROW EXECUTE FUNCTION make_main_agent();
CALL count_rows('agent', 'agents');

-- Texts for an agent, such as its instructions. `key` is the normalized name, so that all spellings of a name are one file.
CREATE TABLE agent_file (
  team_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  key text NOT NULL,
  name text NOT NULL,
  content text NOT NULL,
  size integer NOT NULL,
  version integer NOT NULL DEFAULT 1,
  changed_by uuid NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, agent_id, key),
  CONSTRAINT agent_file_of FOREIGN KEY (team_id, agent_id) REFERENCES agent (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('agent_file', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('agent_file', 'SELECT', 'DELETE');

-- The newest versions of each file, including the current one.
CREATE TABLE agent_file_version (
  team_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  key text NOT NULL,
  version integer NOT NULL,
  content text NOT NULL,
  size integer NOT NULL,
  changed_by uuid NOT NULL,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, agent_id, key, version),
  CONSTRAINT agent_file_version_of FOREIGN KEY (team_id, agent_id, key) REFERENCES agent_file (team_id, agent_id, key) ON DELETE CASCADE
);
CALL confine_to_team('agent_file_version', 'SELECT, INSERT, DELETE');
CALL open_to_system('agent_file_version', 'SELECT', 'DELETE');

CREATE FUNCTION keep_agent_file_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO agent_file_version (team_id, agent_id, key, version, content, size, changed_by, changed_at)
  VALUES (NEW.team_id, NEW.agent_id, NEW.key, NEW.version, NEW.content, NEW.size, NEW.changed_by, NEW.updated_at);
  DELETE FROM agent_file_version
  WHERE team_id = NEW.team_id AND agent_id = NEW.agent_id AND key = NEW.key AND version <= NEW.version - 20;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_agent_file_version AFTER INSERT OR UPDATE ON agent_file FOR EACH ROW EXECUTE FUNCTION keep_agent_file_version();

-- The last applied preset of an agent with its settings. A different setting of the agent was changed by a person later.
CREATE TABLE agent_preset (
  team_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  preset_id text NOT NULL,
  applied jsonb NOT NULL,
  applied_by uuid NOT NULL,
  applied_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, agent_id),
  CONSTRAINT agent_preset_of FOREIGN KEY (team_id, agent_id) REFERENCES agent (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('agent_preset', 'SELECT, INSERT, UPDATE');
CALL open_to_system('agent_preset', 'SELECT', 'DELETE');

-- The installed skills of a team: texts that tell agents how to do a kind of work. No content of a skill is executed.
CREATE TABLE agent_skill (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  name text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_by uuid NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, id),
  CONSTRAINT agent_skill_name UNIQUE (team_id, name)
);
CALL confine_to_team('agent_skill', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('agent_skill', 'SELECT', 'DELETE');
CALL count_rows('agent_skill', 'agentSkills');

-- The contents of the files of a skill, stored once for all versions with the same content.
CREATE TABLE agent_skill_file (
  team_id uuid NOT NULL,
  skill_id uuid NOT NULL,
  sha256 text NOT NULL,
  content bytea NOT NULL,
  size integer NOT NULL,
  PRIMARY KEY (team_id, skill_id, sha256),
  CONSTRAINT agent_skill_file_of FOREIGN KEY (team_id, skill_id) REFERENCES agent_skill (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('agent_skill_file', 'SELECT, INSERT, DELETE');
CALL open_to_system('agent_skill_file', 'SELECT', 'DELETE');
CALL count_rows('agent_skill_file', 'storage', 'size');

-- The newest versions of each skill, including the current one, with its files and the result of the scan.
CREATE TABLE agent_skill_version (
  team_id uuid NOT NULL,
  skill_id uuid NOT NULL,
  version integer NOT NULL,
  description text NOT NULL,
  license text,
  compatibility text,
  metadata jsonb NOT NULL,
  tools text[] NOT NULL,
  hash text NOT NULL,
  size integer NOT NULL,
  files jsonb NOT NULL,
  findings jsonb NOT NULL,
  change text NOT NULL CHECK (change IN ('installed', 'replaced', 'written', 'restored')),
  restored_version integer,
  changed_by uuid NOT NULL,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, skill_id, version),
  CONSTRAINT agent_skill_version_of FOREIGN KEY (team_id, skill_id) REFERENCES agent_skill (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('agent_skill_version', 'SELECT, INSERT, DELETE');
CALL open_to_system('agent_skill_version', 'SELECT', 'DELETE');

-- External MCP servers with tools that agents of the team can use.
CREATE TABLE agent_mcp_server (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  -- The prefix of the names of its tools.
  slug text NOT NULL,
  name text NOT NULL,
  url text NOT NULL,
  -- The credential is bound to the row and to this origin, so that it cannot be decrypted for another address.
  origin text NOT NULL,
  credential bytea,
  credential_header text,
  enabled boolean NOT NULL DEFAULT true,
  trusted_egress boolean NOT NULL DEFAULT false,
  -- The issuer, the person and the time of the sign-in that provided the credential.
  sign_in_issuer text,
  signed_in_by uuid,
  signed_in_at timestamptz,
  -- The lease of the process that refreshes the tokens.
  token_turn uuid,
  token_turn_until timestamptz,
  checked_at timestamptz,
  failure text CHECK (failure IN ('address_not_allowed', 'unreachable', 'timeout', 'redirected', 'refused', 'sign_in_needed',
    'answer_too_large', 'too_many_requests', 'bad_answer')),
  rejected_tools jsonb NOT NULL DEFAULT '[]',
  version integer NOT NULL DEFAULT 1,
  created_by uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, id),
  CONSTRAINT agent_mcp_server_slug UNIQUE (team_id, slug),
  CONSTRAINT agent_mcp_server_credential CHECK ((credential IS NULL) = (credential_header IS NULL)),
  CONSTRAINT agent_mcp_server_signed_in CHECK (num_nulls(sign_in_issuer, signed_in_by, signed_in_at) IN (0, 3)),
  CONSTRAINT agent_mcp_server_turn CHECK ((token_turn IS NULL) = (token_turn_until IS NULL))
);
CALL confine_to_team('agent_mcp_server', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('agent_mcp_server', 'SELECT', 'DELETE');
CALL let_system_reseal('agent_mcp_server', 'credential');

-- Sign-ins to these servers that are in progress; the last one of each server.
CREATE TABLE agent_mcp_sign_in (
  team_id uuid NOT NULL,
  server_id uuid NOT NULL,
  -- The encrypted value is bound to the row and to this origin.
  origin text NOT NULL,
  state_hash bytea NOT NULL,
  -- The session that started the sign-in. Only this session can finish it.
  session_id uuid NOT NULL,
  begun_by uuid NOT NULL,
  -- The encrypted data for the exchange of the response.
  begun bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, server_id),
  CONSTRAINT agent_mcp_sign_in_of FOREIGN KEY (team_id, server_id) REFERENCES agent_mcp_server (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('agent_mcp_sign_in', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('agent_mcp_sign_in', 'SELECT', 'DELETE');
CALL let_system_reseal('agent_mcp_sign_in', 'begun');

-- The tools of these servers, as the servers describe them.
CREATE TABLE agent_mcp_tool (
  team_id uuid NOT NULL,
  server_id uuid NOT NULL,
  name text NOT NULL,
  -- JSON as text: external JSON may contain characters that a jsonb column rejects.
  definition text NOT NULL,
  hash text NOT NULL,
  -- The hash of the definition that an administrator reviewed and enabled.
  pinned_hash text,
  -- The definition has changed since an administrator enabled the tool.
  changed boolean NOT NULL DEFAULT false,
  missing boolean NOT NULL DEFAULT false,
  read_only boolean NOT NULL DEFAULT false,
  -- An administrator declared that a repeated call has no further effect.
  idempotent boolean NOT NULL DEFAULT false,
  set_by uuid,
  set_at timestamptz,
  PRIMARY KEY (team_id, server_id, name),
  CONSTRAINT agent_mcp_tool_of FOREIGN KEY (team_id, server_id) REFERENCES agent_mcp_server (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('agent_mcp_tool', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('agent_mcp_tool', 'SELECT', 'DELETE');
