-- Written by `npm run generate`: what all migrations together make.

-- row-level security, forced
CREATE TABLE access_barrier (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  set_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT access_barrier_pkey PRIMARY KEY (team_id, id)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE access_barrier_change (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  from_barrier uuid NOT NULL,
  to_barrier uuid NOT NULL,
  documents_total integer NOT NULL,
  documents_done integer NOT NULL DEFAULT 0,
  started_at timestamp with time zone NOT NULL,
  CONSTRAINT access_barrier_change_kind_check CHECK ((kind = ANY (ARRAY['raise'::text, 'lift'::text, 'move'::text]))),
  CONSTRAINT access_barrier_change_of FOREIGN KEY (team_id, id) REFERENCES access_container(team_id, id) ON DELETE CASCADE,
  CONSTRAINT access_barrier_change_pkey PRIMARY KEY (team_id, id)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE access_barrier_member (
  team_id uuid NOT NULL,
  barrier_id uuid NOT NULL,
  principal_type text NOT NULL,
  principal_id uuid NOT NULL,
  expires_at timestamp with time zone,
  user_id uuid GENERATED ALWAYS AS (
CASE
    WHEN (principal_type = 'user'::text) THEN principal_id
    ELSE NULL::uuid
END) STORED,
  group_id uuid GENERATED ALWAYS AS (
CASE
    WHEN (principal_type = 'group'::text) THEN principal_id
    ELSE NULL::uuid
END) STORED,
  CONSTRAINT access_barrier_member_expires CHECK (((expires_at IS NULL) OR (principal_type = 'user'::text))),
  CONSTRAINT access_barrier_member_principal_type_check CHECK ((principal_type = ANY (ARRAY['user'::text, 'group'::text]))),
  CONSTRAINT access_barrier_member_is_group FOREIGN KEY (team_id, group_id) REFERENCES access_group(team_id, id) ON DELETE CASCADE,
  CONSTRAINT access_barrier_member_is_person FOREIGN KEY (team_id, user_id) REFERENCES account(team_id, id),
  CONSTRAINT access_barrier_member_of FOREIGN KEY (team_id, barrier_id) REFERENCES access_barrier(team_id, id) ON DELETE CASCADE,
  CONSTRAINT access_barrier_member_pkey PRIMARY KEY (team_id, barrier_id, principal_id)
);
CREATE INDEX access_barrier_member_in ON public.access_barrier_member USING btree (team_id, principal_id, barrier_id) INCLUDE (expires_at);
CREATE INDEX access_barrier_member_of_group ON public.access_barrier_member USING btree (team_id, group_id) WHERE (group_id IS NOT NULL);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE access_container (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  owner_id uuid NOT NULL,
  barrier_id uuid NOT NULL,
  matter_id uuid,
  CONSTRAINT access_container_pkey PRIMARY KEY (team_id, id),
  CONSTRAINT access_container_place UNIQUE (team_id, id, owner_id, barrier_id)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE access_deleted (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  barrier_id uuid NOT NULL,
  CONSTRAINT access_deleted_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX access_deleted_by_barrier ON public.access_deleted USING btree (team_id, barrier_id);
-- system_delete: DELETE TO chancery_system USING true
-- system_insert: INSERT TO chancery_system CHECK true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, INSERT, SELECT

-- row-level security, forced
CREATE TABLE access_emergency (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  barrier_id uuid NOT NULL,
  user_id uuid NOT NULL,
  reason text NOT NULL,
  requested_at timestamp with time zone NOT NULL,
  approved_by uuid,
  approved_at timestamp with time zone,
  expires_at timestamp with time zone,
  waits_until timestamp with time zone NOT NULL,
  CONSTRAINT access_emergency_is_whole CHECK ((((approved_by IS NULL) = (expires_at IS NULL)) AND ((approved_by IS NULL) = (approved_at IS NULL)))),
  CONSTRAINT access_emergency_takes_two CHECK ((approved_by <> user_id)),
  CONSTRAINT access_emergency_for FOREIGN KEY (team_id, user_id) REFERENCES account(team_id, id),
  CONSTRAINT access_emergency_of FOREIGN KEY (team_id, barrier_id) REFERENCES access_barrier(team_id, id) ON DELETE CASCADE,
  CONSTRAINT access_emergency_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX access_emergency_by_barrier ON public.access_emergency USING btree (team_id, barrier_id, id);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE access_grant (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  resource_type text NOT NULL,
  resource_id uuid NOT NULL,
  principal_type text NOT NULL,
  principal_id uuid NOT NULL,
  relations text[] NOT NULL,
  source text NOT NULL,
  source_id uuid,
  granted_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone,
  user_id uuid GENERATED ALWAYS AS (
CASE
    WHEN (principal_type = 'user'::text) THEN principal_id
    ELSE NULL::uuid
END) STORED,
  group_id uuid GENERATED ALWAYS AS (
CASE
    WHEN (principal_type = 'group'::text) THEN principal_id
    ELSE NULL::uuid
END) STORED,
  CONSTRAINT access_grant_of_task CHECK (((source = 'task'::text) = (source_id IS NOT NULL))),
  CONSTRAINT access_grant_principal_type_check CHECK ((principal_type = ANY (ARRAY['user'::text, 'group'::text, 'team'::text, 'client'::text, 'agent'::text]))),
  CONSTRAINT access_grant_relations_check CHECK ((cardinality(relations) > 0)),
  CONSTRAINT access_grant_source_check CHECK ((source = ANY (ARRAY['share'::text, 'confinement'::text, 'task'::text, 'record'::text, 'audit'::text, 'consent'::text]))),
  CONSTRAINT access_grant_to_group FOREIGN KEY (team_id, group_id) REFERENCES access_group(team_id, id) ON DELETE CASCADE,
  CONSTRAINT access_grant_to_member FOREIGN KEY (team_id, user_id) REFERENCES account(team_id, id),
  CONSTRAINT access_grant_pkey PRIMARY KEY (team_id, id),
  CONSTRAINT access_grant_once UNIQUE NULLS NOT DISTINCT (team_id, resource_type, resource_id, principal_id, source, source_id)
);
CREATE INDEX access_grant_by_grantor ON public.access_grant USING btree (team_id, granted_by) WHERE (source = 'task'::text);
CREATE INDEX access_grant_by_task ON public.access_grant USING btree (team_id, source_id) WHERE (source_id IS NOT NULL);
CREATE INDEX access_grant_of_group ON public.access_grant USING btree (team_id, group_id) WHERE (group_id IS NOT NULL);
CREATE INDEX access_grant_to ON public.access_grant USING btree (team_id, principal_id, resource_type, resource_id) INCLUDE (relations, expires_at);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE access_group (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  description text,
  created_by uuid NOT NULL,
  created_by_type text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  directory_id uuid,
  CONSTRAINT access_group_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT access_group_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX access_group_by_change ON public.access_group USING btree (team_id, updated_at, id);
CREATE UNIQUE INDEX access_group_name ON public.access_group USING btree (team_id, lower(name));
CREATE INDEX access_group_of_directory ON public.access_group USING btree (team_id, directory_id) WHERE (directory_id IS NOT NULL);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE access_group_member (
  team_id uuid NOT NULL,
  group_id uuid NOT NULL,
  user_id uuid NOT NULL,
  added_by uuid NOT NULL,
  added_at timestamp with time zone NOT NULL,
  CONSTRAINT access_group_member_is FOREIGN KEY (team_id, user_id) REFERENCES account(team_id, id),
  CONSTRAINT access_group_member_of FOREIGN KEY (team_id, group_id) REFERENCES access_group(team_id, id) ON DELETE CASCADE,
  CONSTRAINT access_group_member_pkey PRIMARY KEY (team_id, group_id, user_id)
);
CREATE INDEX access_group_member_groups ON public.access_group_member USING btree (team_id, user_id, group_id);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE access_path (
  team_id uuid NOT NULL,
  container_id uuid NOT NULL,
  ancestor_id uuid NOT NULL,
  distance integer NOT NULL,
  CONSTRAINT access_path_pkey PRIMARY KEY (team_id, container_id, ancestor_id)
);
CREATE INDEX access_path_below ON public.access_path USING btree (team_id, ancestor_id, container_id) INCLUDE (distance);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE account (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  role text NOT NULL,
  timezone text NOT NULL DEFAULT 'UTC'::text,
  locale text NOT NULL DEFAULT 'en'::text,
  status text NOT NULL DEFAULT 'active'::text,
  two_factor_enabled boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  deleted_at timestamp with time zone,
  address_released boolean NOT NULL DEFAULT false,
  credential_epoch integer NOT NULL DEFAULT 1,
  task_mails text NOT NULL DEFAULT 'at_once'::text,
  reactivated_at timestamp with time zone,
  sponsor_id uuid,
  ends_at timestamp with time zone,
  sponsor_extended boolean NOT NULL DEFAULT false,
  end_reminded integer,
  CONSTRAINT account_end_reminded_check CHECK ((end_reminded = ANY (ARRAY[14, 3]))),
  CONSTRAINT account_has_end CHECK (((role = ANY (ARRAY['guest'::text, 'auditor'::text])) = (ends_at IS NOT NULL))),
  CONSTRAINT account_has_sponsor CHECK (((role = 'guest'::text) = (sponsor_id IS NOT NULL))),
  CONSTRAINT account_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text, 'viewer'::text, 'guest'::text, 'auditor'::text]))),
  CONSTRAINT account_status_check CHECK ((status = ANY (ARRAY['active'::text, 'disabled'::text, 'deleted'::text]))),
  CONSTRAINT account_task_mails_check CHECK ((task_mails = ANY (ARRAY['at_once'::text, 'daily'::text, 'none'::text]))),
  CONSTRAINT account_id_fkey FOREIGN KEY (id) REFERENCES person(id),
  CONSTRAINT account_sponsor FOREIGN KEY (team_id, sponsor_id) REFERENCES account(team_id, id),
  CONSTRAINT account_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT account_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX account_by_age ON public.account USING btree (created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX account_by_end ON public.account USING btree (ends_at) WHERE ((ends_at IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX account_by_sponsor ON public.account USING btree (team_id, sponsor_id) WHERE (sponsor_id IS NOT NULL);
CREATE UNIQUE INDEX account_email_in_team ON public.account USING btree (team_id, email_key) WHERE (deleted_at IS NULL);
CREATE INDEX account_of_person ON public.account USING btree (id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX account_one_owner ON public.account USING btree (team_id) WHERE ((role = 'owner'::text) AND (deleted_at IS NULL));
-- copies: UPDATE TO chancery_owner USING true
-- lookup: SELECT TO chancery_owner USING true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may SELECT, UPDATE

-- row-level security, forced
CREATE TABLE agent (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  description text,
  is_default boolean NOT NULL DEFAULT false,
  enabled boolean NOT NULL DEFAULT true,
  model text,
  fallback_models text[] NOT NULL DEFAULT '{}'::text[],
  scopes text[] NOT NULL,
  folder_ids uuid[],
  tools_allow text[],
  tools_deny text[] NOT NULL DEFAULT '{}'::text[],
  skills text[] NOT NULL DEFAULT '{}'::text[],
  approval text NOT NULL DEFAULT 'mutating'::text,
  four_eyes boolean NOT NULL DEFAULT false,
  max_tokens_per_run integer NOT NULL DEFAULT 200000,
  max_tokens_per_day integer NOT NULL DEFAULT 2000000,
  max_cost_per_run bigint,
  max_cost_per_day bigint,
  max_steps integer NOT NULL DEFAULT 30,
  timeout_seconds integer NOT NULL DEFAULT 600,
  stopped_at timestamp with time zone,
  stopped_by uuid,
  stop_reason text,
  created_by uuid,
  changed_by uuid,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  approval_policy text,
  CONSTRAINT agent_approval_check CHECK ((approval = ANY (ARRAY['never'::text, 'mutating'::text, 'always'::text]))),
  CONSTRAINT agent_stopped_whole CHECK ((((stopped_at IS NULL) = (stopped_by IS NULL)) AND ((stopped_at IS NULL) = (stop_reason IS NULL)))),
  CONSTRAINT agent_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT agent_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX agent_by_change ON public.agent USING btree (team_id, updated_at, id);
CREATE UNIQUE INDEX agent_default ON public.agent USING btree (team_id) WHERE is_default;
CREATE INDEX agent_with_skills ON public.agent USING btree (team_id, id) WHERE (skills <> '{}'::text[]);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE agent_consent (
  team_id uuid NOT NULL,
  origin text NOT NULL,
  models text[] NOT NULL,
  max_cost_per_day bigint,
  given_by uuid NOT NULL,
  given_at timestamp with time zone NOT NULL,
  CONSTRAINT agent_consent_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT agent_consent_pkey PRIMARY KEY (team_id)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE agent_file (
  team_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  key text NOT NULL,
  name text NOT NULL,
  content text NOT NULL,
  size integer NOT NULL,
  version integer NOT NULL DEFAULT 1,
  changed_by uuid NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT agent_file_of FOREIGN KEY (team_id, agent_id) REFERENCES agent(team_id, id) ON DELETE CASCADE,
  CONSTRAINT agent_file_pkey PRIMARY KEY (team_id, agent_id, key)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE agent_file_version (
  team_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  key text NOT NULL,
  version integer NOT NULL,
  content text NOT NULL,
  size integer NOT NULL,
  changed_by uuid NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  CONSTRAINT agent_file_version_of FOREIGN KEY (team_id, agent_id, key) REFERENCES agent_file(team_id, agent_id, key) ON DELETE CASCADE,
  CONSTRAINT agent_file_version_pkey PRIMARY KEY (team_id, agent_id, key, version)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE agent_job (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  agent_id uuid NOT NULL,
  name text NOT NULL,
  description text,
  enabled boolean NOT NULL DEFAULT true,
  schedule jsonb NOT NULL,
  message text NOT NULL,
  model text,
  timeout_seconds integer,
  misfire_policy text NOT NULL,
  misfire_grace_seconds integer NOT NULL,
  overlap text NOT NULL,
  delete_after_run boolean NOT NULL DEFAULT false,
  delivery text NOT NULL DEFAULT 'none'::text,
  delivery_endpoint uuid,
  delivery_to uuid,
  on_behalf_of uuid NOT NULL,
  due_at timestamp with time zone,
  wake_at timestamp with time zone,
  last_run_at timestamp with time zone,
  last_status text,
  last_reason text,
  last_duration_ms integer,
  consecutive_errors integer NOT NULL DEFAULT 0,
  disabled_reason text,
  disabled_at timestamp with time zone,
  created_by uuid NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT agent_job_delivery_check CHECK ((delivery = ANY (ARRAY['none'::text, 'webhook'::text, 'task'::text]))),
  CONSTRAINT agent_job_disabled CHECK (((disabled_reason IS NULL) = (disabled_at IS NULL))),
  CONSTRAINT agent_job_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['consecutive_errors'::text, 'owner_inactive'::text, 'schedule_invalid'::text]))),
  CONSTRAINT agent_job_last_status_check CHECK ((last_status = ANY (ARRAY['ok'::text, 'error'::text, 'skipped'::text, 'cancelled'::text]))),
  CONSTRAINT agent_job_misfire_policy_check CHECK ((misfire_policy = ANY (ARRAY['run_once'::text, 'skip'::text]))),
  CONSTRAINT agent_job_overlap_check CHECK ((overlap = ANY (ARRAY['skip'::text, 'queue'::text, 'replace'::text]))),
  CONSTRAINT agent_job_recipient CHECK ((((delivery = 'webhook'::text) = (delivery_endpoint IS NOT NULL)) AND ((delivery = 'task'::text) OR (delivery_to IS NULL)))),
  CONSTRAINT agent_job_waits CHECK ((((due_at IS NULL) = (wake_at IS NULL)) AND (enabled OR (due_at IS NULL)))),
  CONSTRAINT agent_job_of FOREIGN KEY (team_id, agent_id) REFERENCES agent(team_id, id),
  CONSTRAINT agent_job_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT agent_job_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX agent_job_by_change ON public.agent_job USING btree (team_id, updated_at, id);
CREATE INDEX agent_job_due ON public.agent_job USING btree (wake_at) WHERE (wake_at IS NOT NULL);
CREATE INDEX agent_job_for ON public.agent_job USING btree (team_id, on_behalf_of);
CREATE INDEX agent_job_of_agent ON public.agent_job USING btree (team_id, agent_id);
CREATE INDEX agent_job_of_team ON public.agent_job USING btree (team_id, wake_at) WHERE (wake_at IS NOT NULL);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE agent_mcp_server (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  url text NOT NULL,
  origin text NOT NULL,
  credential bytea,
  credential_header text,
  enabled boolean NOT NULL DEFAULT true,
  trusted_egress boolean NOT NULL DEFAULT false,
  sign_in_issuer text,
  signed_in_by uuid,
  signed_in_at timestamp with time zone,
  token_turn uuid,
  token_turn_until timestamp with time zone,
  checked_at timestamp with time zone,
  failure text,
  rejected_tools jsonb NOT NULL DEFAULT '[]'::jsonb,
  version integer NOT NULL DEFAULT 1,
  created_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT agent_mcp_server_credential CHECK (((credential IS NULL) = (credential_header IS NULL))),
  CONSTRAINT agent_mcp_server_failure_check CHECK ((failure = ANY (ARRAY['address_not_allowed'::text, 'unreachable'::text, 'timeout'::text, 'redirected'::text, 'refused'::text, 'sign_in_needed'::text, 'answer_too_large'::text, 'too_many_requests'::text, 'bad_answer'::text]))),
  CONSTRAINT agent_mcp_server_signed_in CHECK ((num_nulls(sign_in_issuer, signed_in_by, signed_in_at) = ANY (ARRAY[0, 3]))),
  CONSTRAINT agent_mcp_server_turn CHECK (((token_turn IS NULL) = (token_turn_until IS NULL))),
  CONSTRAINT agent_mcp_server_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT agent_mcp_server_pkey PRIMARY KEY (team_id, id),
  CONSTRAINT agent_mcp_server_slug UNIQUE (team_id, slug)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_reseal: UPDATE TO chancery_system USING true CHECK true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE agent_mcp_sign_in (
  team_id uuid NOT NULL,
  server_id uuid NOT NULL,
  origin text NOT NULL,
  state_hash bytea NOT NULL,
  session_id uuid NOT NULL,
  begun_by uuid NOT NULL,
  begun bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT agent_mcp_sign_in_of FOREIGN KEY (team_id, server_id) REFERENCES agent_mcp_server(team_id, id) ON DELETE CASCADE,
  CONSTRAINT agent_mcp_sign_in_pkey PRIMARY KEY (team_id, server_id)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_reseal: UPDATE TO chancery_system USING true CHECK true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE agent_mcp_tool (
  team_id uuid NOT NULL,
  server_id uuid NOT NULL,
  name text NOT NULL,
  definition text NOT NULL,
  hash text NOT NULL,
  pinned_hash text,
  changed boolean NOT NULL DEFAULT false,
  missing boolean NOT NULL DEFAULT false,
  read_only boolean NOT NULL DEFAULT false,
  idempotent boolean NOT NULL DEFAULT false,
  set_by uuid,
  set_at timestamp with time zone,
  CONSTRAINT agent_mcp_tool_of FOREIGN KEY (team_id, server_id) REFERENCES agent_mcp_server(team_id, id) ON DELETE CASCADE,
  CONSTRAINT agent_mcp_tool_pkey PRIMARY KEY (team_id, server_id, name)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE agent_preset (
  team_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  preset_id text NOT NULL,
  applied jsonb NOT NULL,
  applied_by uuid NOT NULL,
  applied_at timestamp with time zone NOT NULL,
  CONSTRAINT agent_preset_of FOREIGN KEY (team_id, agent_id) REFERENCES agent(team_id, id) ON DELETE CASCADE,
  CONSTRAINT agent_preset_pkey PRIMARY KEY (team_id, agent_id)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE agent_run (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  agent_id uuid NOT NULL,
  job_id uuid,
  trigger text NOT NULL,
  due_at timestamp with time zone,
  status text NOT NULL DEFAULT 'queued'::text,
  reason text,
  missed jsonb,
  on_behalf_of uuid NOT NULL,
  requested_by uuid,
  owner_id uuid NOT NULL,
  workflow_id uuid,
  step_id text,
  step_begun_at timestamp with time zone,
  depth integer NOT NULL DEFAULT 0,
  paused boolean NOT NULL DEFAULT false,
  in_flight boolean NOT NULL DEFAULT false,
  cancel_reason text,
  attempts integer NOT NULL DEFAULT 0,
  interruptions jsonb NOT NULL DEFAULT '[]'::jsonb,
  end_emitted boolean NOT NULL DEFAULT false,
  created_at timestamp with time zone NOT NULL,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  message text,
  model text,
  timeout_seconds integer,
  delivery text,
  delivery_endpoint uuid,
  delivery_to uuid,
  delivery_status text,
  delivery_error text,
  delivery_id uuid,
  worked_ms integer NOT NULL DEFAULT 0,
  tokens bigint NOT NULL DEFAULT 0,
  cost_reserved bigint NOT NULL DEFAULT 0,
  input_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  cost_micros bigint,
  price_table text,
  steps integer NOT NULL DEFAULT 0,
  events integer NOT NULL DEFAULT 0,
  summary text,
  simulated boolean NOT NULL DEFAULT false,
  CONSTRAINT agent_run_by_schedule CHECK (((due_at IS NULL) = (trigger = ANY (ARRAY['manual'::text, 'request'::text, 'workflow'::text])))),
  CONSTRAINT agent_run_delivered CHECK ((((delivery_status IS NULL) OR ((delivery IS NOT NULL) AND (finished_at IS NOT NULL))) AND ((delivery_id IS NOT NULL) = (NOT (delivery_status IS DISTINCT FROM 'sent'::text))) AND ((delivery_error IS NOT NULL) = (NOT (delivery_status IS DISTINCT FROM 'failed'::text))))),
  CONSTRAINT agent_run_delivery_check CHECK ((delivery = ANY (ARRAY['webhook'::text, 'task'::text]))),
  CONSTRAINT agent_run_delivery_status_check CHECK ((delivery_status = ANY (ARRAY['pending'::text, 'sent'::text, 'failed'::text]))),
  CONSTRAINT agent_run_ended CHECK (((status = ANY (ARRAY['queued'::text, 'running'::text, 'awaiting_approval'::text, 'needs_attention'::text])) = (finished_at IS NULL))),
  CONSTRAINT agent_run_of_request CHECK (((job_id IS NULL) = (trigger = ANY (ARRAY['request'::text, 'workflow'::text])))),
  CONSTRAINT agent_run_of_step CHECK ((((workflow_id IS NOT NULL) = (trigger = 'workflow'::text)) AND ((workflow_id IS NULL) = (step_id IS NULL)) AND ((workflow_id IS NULL) = (step_begun_at IS NULL)))),
  CONSTRAINT agent_run_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'awaiting_approval'::text, 'needs_attention'::text, 'ok'::text, 'error'::text, 'skipped'::text, 'cancelled'::text]))),
  CONSTRAINT agent_run_trigger_check CHECK ((trigger = ANY (ARRAY['schedule'::text, 'misfire'::text, 'manual'::text, 'request'::text, 'workflow'::text]))),
  CONSTRAINT agent_run_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT agent_run_pkey PRIMARY KEY (team_id, id),
  CONSTRAINT agent_run_once UNIQUE (team_id, job_id, due_at)
);
CREATE INDEX agent_run_in_flight ON public.agent_run USING btree (team_id) WHERE in_flight;
CREATE INDEX agent_run_live ON public.agent_run USING btree (team_id, job_id) WHERE (finished_at IS NULL);
CREATE INDEX agent_run_of_agent ON public.agent_run USING btree (team_id, agent_id, id);
CREATE INDEX agent_run_of_job ON public.agent_run USING btree (team_id, job_id, id);
CREATE INDEX agent_run_of_owner ON public.agent_run USING btree (team_id, owner_id);
CREATE INDEX agent_run_of_workflow ON public.agent_run USING btree (team_id, workflow_id) WHERE (workflow_id IS NOT NULL);
CREATE INDEX agent_run_over ON public.agent_run USING btree (finished_at) WHERE (finished_at IS NOT NULL);
CREATE INDEX agent_run_waiting ON public.agent_run USING btree (team_id, id) WHERE ((status = 'queued'::text) AND (NOT in_flight));
-- system_delete: DELETE TO chancery_system USING true
-- system_insert: INSERT TO chancery_system CHECK true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, INSERT, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE agent_run_call (
  team_id uuid NOT NULL,
  run_id uuid NOT NULL,
  id uuid NOT NULL,
  step integer NOT NULL,
  "position" integer NOT NULL,
  tool text NOT NULL,
  arguments jsonb NOT NULL,
  status text NOT NULL,
  result text,
  result_total integer,
  created_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone,
  task_id uuid,
  request_hash text,
  expires_at timestamp with time zone,
  sent_at timestamp with time zone,
  decided_by uuid,
  decided_at timestamp with time zone,
  approval_round_id uuid,
  CONSTRAINT agent_run_call_over CHECK ((((status = ANY (ARRAY['done'::text, 'refused'::text])) = (finished_at IS NOT NULL)) AND ((finished_at IS NULL) = (result IS NULL)))),
  CONSTRAINT agent_run_call_request CHECK ((((COALESCE(task_id, approval_round_id) IS NULL) = (request_hash IS NULL)) AND ((request_hash IS NULL) = (expires_at IS NULL)) AND ((decided_by IS NULL) = (decided_at IS NULL)) AND ((status <> 'unknown'::text) OR (task_id IS NOT NULL)) AND ((status <> 'awaiting_approval'::text) OR (COALESCE(task_id, approval_round_id) IS NOT NULL)))),
  CONSTRAINT agent_run_call_status_check CHECK ((status = ANY (ARRAY['ready'::text, 'awaiting_approval'::text, 'unknown'::text, 'done'::text, 'refused'::text]))),
  CONSTRAINT agent_run_call_of FOREIGN KEY (team_id, run_id, step) REFERENCES agent_run_step(team_id, run_id, step) ON DELETE CASCADE,
  CONSTRAINT agent_run_call_round FOREIGN KEY (team_id, approval_round_id) REFERENCES approval_round(team_id, id),
  CONSTRAINT agent_run_call_pkey PRIMARY KEY (team_id, id),
  CONSTRAINT agent_run_call_place UNIQUE (team_id, run_id, step, "position")
);
CREATE UNIQUE INDEX agent_run_call_of_round ON public.agent_run_call USING btree (team_id, approval_round_id) WHERE (approval_round_id IS NOT NULL);
CREATE UNIQUE INDEX agent_run_call_task ON public.agent_run_call USING btree (team_id, task_id) WHERE (task_id IS NOT NULL);
CREATE INDEX agent_run_call_waiting ON public.agent_run_call USING btree (team_id, run_id) WHERE (status = ANY (ARRAY['awaiting_approval'::text, 'unknown'::text]));
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE agent_run_event (
  team_id uuid NOT NULL,
  run_id uuid NOT NULL,
  seq integer NOT NULL,
  type text NOT NULL,
  data jsonb NOT NULL,
  at timestamp with time zone NOT NULL,
  CONSTRAINT agent_run_event_of FOREIGN KEY (team_id, run_id) REFERENCES agent_run(team_id, id) ON DELETE CASCADE,
  CONSTRAINT agent_run_event_pkey PRIMARY KEY (team_id, run_id, seq)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE agent_run_step (
  team_id uuid NOT NULL,
  run_id uuid NOT NULL,
  step integer NOT NULL,
  model text,
  content jsonb NOT NULL,
  finish text,
  input_tokens integer,
  output_tokens integer,
  cost_micros bigint,
  price_table text,
  begun_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT agent_run_step_of FOREIGN KEY (team_id, run_id) REFERENCES agent_run(team_id, id) ON DELETE CASCADE,
  CONSTRAINT agent_run_step_pkey PRIMARY KEY (team_id, run_id, step)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE agent_run_subject (
  team_id uuid NOT NULL,
  run_id uuid NOT NULL,
  type text NOT NULL,
  id uuid NOT NULL,
  CONSTRAINT agent_run_subject_type_check CHECK ((type = ANY (ARRAY['folder'::text, 'document'::text, 'form'::text, 'submission'::text]))),
  CONSTRAINT agent_run_subject_of FOREIGN KEY (team_id, run_id) REFERENCES agent_run(team_id, id) ON DELETE CASCADE,
  CONSTRAINT agent_run_subject_pkey PRIMARY KEY (team_id, run_id, id)
);
CREATE INDEX agent_run_subject_by_id ON public.agent_run_subject USING btree (team_id, id);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE agent_skill (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT agent_skill_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT agent_skill_pkey PRIMARY KEY (team_id, id),
  CONSTRAINT agent_skill_name UNIQUE (team_id, name)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE agent_skill_file (
  team_id uuid NOT NULL,
  skill_id uuid NOT NULL,
  sha256 text NOT NULL,
  content bytea NOT NULL,
  size integer NOT NULL,
  CONSTRAINT agent_skill_file_of FOREIGN KEY (team_id, skill_id) REFERENCES agent_skill(team_id, id) ON DELETE CASCADE,
  CONSTRAINT agent_skill_file_pkey PRIMARY KEY (team_id, skill_id, sha256)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
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
  change text NOT NULL,
  restored_version integer,
  changed_by uuid NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  CONSTRAINT agent_skill_version_change_check CHECK ((change = ANY (ARRAY['installed'::text, 'replaced'::text, 'written'::text, 'restored'::text]))),
  CONSTRAINT agent_skill_version_of FOREIGN KEY (team_id, skill_id) REFERENCES agent_skill(team_id, id) ON DELETE CASCADE,
  CONSTRAINT agent_skill_version_pkey PRIMARY KEY (team_id, skill_id, version)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE agent_team_stop (
  team_id uuid NOT NULL,
  stopped_at timestamp with time zone NOT NULL,
  stopped_by uuid NOT NULL,
  reason text NOT NULL,
  CONSTRAINT agent_team_stop_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT agent_team_stop_pkey PRIMARY KEY (team_id)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE agent_usage (
  team_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  day date NOT NULL,
  tokens bigint NOT NULL DEFAULT 0,
  cost_reserved bigint NOT NULL DEFAULT 0,
  input_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  cost_micros bigint NOT NULL DEFAULT 0,
  CONSTRAINT agent_usage_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT agent_usage_pkey PRIMARY KEY (team_id, agent_id, day)
);
CREATE INDEX agent_usage_old ON public.agent_usage USING btree (day);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE agent_version (
  team_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  version integer NOT NULL,
  agent jsonb NOT NULL,
  changed_by uuid,
  changed_at timestamp with time zone NOT NULL,
  CONSTRAINT agent_version_of FOREIGN KEY (team_id, agent_id) REFERENCES agent(team_id, id) ON DELETE CASCADE,
  CONSTRAINT agent_version_pkey PRIMARY KEY (team_id, agent_id, version)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- no row-level security: not owned by a team
CREATE TABLE altcha_spent (
  id bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT altcha_spent_pkey PRIMARY KEY (id)
);
CREATE INDEX altcha_spent_by_age ON public.altcha_spent USING btree (expires_at);
-- chancery_app may INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE api_client (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  scopes text[] NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  created_by uuid NOT NULL,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  folder_ids uuid[],
  responsible_id uuid,
  awaiting_since timestamp with time zone,
  mcp_approval text NOT NULL DEFAULT 'mutating'::text,
  approval_policy text,
  CONSTRAINT api_client_folders_some CHECK (((cardinality(folder_ids) >= 1) AND (cardinality(folder_ids) <= 50))),
  CONSTRAINT api_client_mcp_approval CHECK ((mcp_approval = ANY (ARRAY['mutating'::text, 'never'::text]))),
  CONSTRAINT api_client_scopes_check CHECK ((cardinality(scopes) > 0)),
  CONSTRAINT api_client_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT api_client_pkey PRIMARY KEY (team_id, id),
  CONSTRAINT api_client_id_once UNIQUE (id)
);
CREATE INDEX api_client_by_person ON public.api_client USING btree (team_id, COALESCE(responsible_id, created_by));
-- lookup: SELECT TO chancery_owner USING true
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE api_client_revoked_token (
  team_id uuid NOT NULL,
  jti uuid NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT api_client_revoked_token_pkey PRIMARY KEY (team_id, jti)
);
CREATE INDEX api_client_revoked_token_by_age ON public.api_client_revoked_token USING btree (expires_at);
-- lookup: SELECT TO chancery_owner USING true
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE api_client_secret (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  client_id uuid NOT NULL,
  hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone,
  CONSTRAINT api_client_secret_of FOREIGN KEY (team_id, client_id) REFERENCES api_client(team_id, id) ON DELETE CASCADE,
  CONSTRAINT api_client_secret_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX api_client_secret_by_client ON public.api_client_secret USING btree (client_id);
CREATE UNIQUE INDEX api_client_secret_one_current ON public.api_client_secret USING btree (team_id, client_id) WHERE (expires_at IS NULL);
-- lookup: SELECT TO chancery_owner USING true
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE approval_candidate (
  team_id uuid NOT NULL,
  round_id uuid NOT NULL,
  account_id uuid NOT NULL,
  places integer[] NOT NULL,
  task_id uuid NOT NULL,
  CONSTRAINT approval_candidate_exists FOREIGN KEY (team_id, account_id) REFERENCES account(team_id, id),
  CONSTRAINT approval_candidate_of FOREIGN KEY (team_id, round_id) REFERENCES approval_round(team_id, id) ON DELETE CASCADE,
  CONSTRAINT approval_candidate_pkey PRIMARY KEY (team_id, round_id, account_id)
);
CREATE INDEX approval_candidate_by_account ON public.approval_candidate USING btree (team_id, account_id);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE approval_policy (
  team_id uuid NOT NULL,
  name text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  rules jsonb NOT NULL,
  sha256 text NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT approval_policy_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT approval_policy_pkey PRIMARY KEY (team_id, name)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE approval_policy_version (
  team_id uuid NOT NULL,
  name text NOT NULL,
  version integer NOT NULL,
  rules jsonb NOT NULL,
  sha256 text NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT approval_policy_version_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT approval_policy_version_pkey PRIMARY KEY (team_id, name, version)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE approval_round (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  subject_type text NOT NULL,
  subject_id text NOT NULL,
  workflow_id uuid,
  step_id text,
  status text NOT NULL DEFAULT 'open'::text,
  outcome text,
  policy_name text,
  policy_version integer,
  policy_sha256 text NOT NULL,
  rule text NOT NULL,
  input_digest bytea,
  input_salt bytea,
  need jsonb NOT NULL,
  exclude text[] NOT NULL,
  on_rejection text NOT NULL,
  requester_id uuid,
  document_id uuid,
  about_document_id uuid,
  document_version integer,
  document_sha256 text,
  args_sha256 text,
  supersedes uuid,
  expires_at timestamp with time zone,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  CONSTRAINT approval_round_ended CHECK (((status = 'open'::text) = (ended_at IS NULL))),
  CONSTRAINT approval_round_exclude_check CHECK ((exclude <@ '{creator,uploader,submitter,requester}'::text[])),
  CONSTRAINT approval_round_of_step CHECK (((subject_type = 'step'::text) = ((workflow_id IS NOT NULL) AND (step_id IS NOT NULL)))),
  CONSTRAINT approval_round_on_rejection_check CHECK ((on_rejection = ANY (ARRAY['first'::text, 'quorum'::text]))),
  CONSTRAINT approval_round_status_check CHECK ((status = ANY (ARRAY['open'::text, 'approved'::text, 'rejected'::text, 'voided'::text, 'expired'::text]))),
  CONSTRAINT approval_round_subject_type_check CHECK ((subject_type = ANY (ARRAY['step'::text, 'tool_call'::text]))),
  CONSTRAINT approval_round_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT approval_round_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX approval_round_expiring ON public.approval_round USING btree (expires_at) WHERE ((status = 'open'::text) AND (expires_at IS NOT NULL));
CREATE INDEX approval_round_of_subject ON public.approval_round USING btree (team_id, subject_type, subject_id, id);
CREATE INDEX approval_round_of_workflow ON public.approval_round USING btree (team_id, workflow_id, id) WHERE (workflow_id IS NOT NULL);
CREATE UNIQUE INDEX approval_round_open ON public.approval_round USING btree (team_id, subject_type, subject_id) WHERE (status = 'open'::text);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE approval_round_document (
  team_id uuid NOT NULL,
  round_id uuid NOT NULL,
  "position" integer NOT NULL,
  document_id uuid NOT NULL,
  document_version integer,
  document_sha256 text,
  CONSTRAINT approval_round_document_of FOREIGN KEY (team_id, round_id) REFERENCES approval_round(team_id, id) ON DELETE CASCADE,
  CONSTRAINT approval_round_document_pkey PRIMARY KEY (team_id, round_id, "position")
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- no row-level security: not owned by a team
CREATE TABLE audit_checkpoint (
  size bigint NOT NULL,
  note text NOT NULL,
  signed_at timestamp with time zone NOT NULL,
  log_id smallint NOT NULL DEFAULT 1,
  CONSTRAINT audit_checkpoint_pkey PRIMARY KEY (log_id, size)
);
-- chancery_system may DELETE, INSERT, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE audit_entry (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  seq bigint,
  type text NOT NULL,
  actor_type text NOT NULL,
  actor_id uuid,
  target_type text,
  target_id text,
  at timestamp with time zone NOT NULL,
  ip inet,
  request_id text,
  data jsonb NOT NULL DEFAULT '{}'::jsonb,
  salt uuid NOT NULL DEFAULT gen_random_uuid(),
  ip_salt uuid DEFAULT gen_random_uuid(),
  ip_digest bytea,
  number bigint,
  record_version smallint NOT NULL DEFAULT 2,
  log_id smallint NOT NULL DEFAULT 1,
  CONSTRAINT audit_entry_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX audit_entry_by_actor ON public.audit_entry USING btree (team_id, actor_id, at, id);
CREATE UNIQUE INDEX audit_entry_by_number ON public.audit_entry USING btree (team_id, number) WHERE (number IS NOT NULL);
CREATE INDEX audit_entry_by_role ON public.audit_entry USING btree (team_id, target_id, id) WHERE ((data ->> 'via'::text) = 'role'::text);
CREATE UNIQUE INDEX audit_entry_by_seq ON public.audit_entry USING btree (log_id, seq) WHERE (seq IS NOT NULL);
CREATE INDEX audit_entry_by_target ON public.audit_entry USING btree (team_id, target_id, at, id) WHERE (target_id IS NOT NULL);
CREATE INDEX audit_entry_by_time ON public.audit_entry USING btree (team_id, at, id);
CREATE INDEX audit_entry_by_type ON public.audit_entry USING btree (team_id, type, at, id);
CREATE INDEX audit_entry_to_integrate ON public.audit_entry USING btree (id) WHERE (seq IS NULL);
-- erasure: UPDATE TO chancery_owner USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- erasure_finds: SELECT TO chancery_owner USING (team_id = ( SELECT current_team() AS current_team))
-- not_in_the_tree_yet: INSERT TO chancery_app, chancery_system CHECK ((seq IS NULL) AND (number IS NULL) AND (ip_digest IS NULL) AND (log_id = 1) AND (record_version = 2))
-- system_insert: INSERT TO chancery_system CHECK true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT
-- chancery_system may INSERT, SELECT

-- no row-level security: not owned by a team
CREATE TABLE audit_log (
  size bigint NOT NULL DEFAULT 0,
  checkpoint text,
  published_size bigint,
  published text,
  published_at timestamp with time zone,
  lease_owner uuid,
  lease_until timestamp with time zone,
  log_id smallint NOT NULL DEFAULT 1,
  CONSTRAINT audit_log_check CHECK ((published_size <= size)),
  CONSTRAINT audit_log_pkey PRIMARY KEY (log_id)
);
-- chancery_system may SELECT, UPDATE

-- row-level security, forced
CREATE TABLE audit_seat (
  team_id uuid NOT NULL,
  account_id uuid NOT NULL,
  journal_from timestamp with time zone NOT NULL,
  journal_to timestamp with time zone NOT NULL,
  may_export boolean NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT audit_seat_period CHECK ((journal_from < journal_to)),
  CONSTRAINT audit_seat_of FOREIGN KEY (team_id, account_id) REFERENCES account(team_id, id),
  CONSTRAINT audit_seat_pkey PRIMARY KEY (team_id, account_id)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- no row-level security: not owned by a team
CREATE TABLE audit_tile (
  level smallint NOT NULL,
  n bigint NOT NULL,
  hashes bytea NOT NULL,
  log_id smallint NOT NULL DEFAULT 1,
  CONSTRAINT audit_tile_hashes_check CHECK ((((length(hashes) >= 32) AND (length(hashes) <= 8192)) AND ((length(hashes) % 32) = 0))),
  CONSTRAINT audit_tile_level_check CHECK (((level >= '-1'::integer) AND (level <= 7))),
  CONSTRAINT audit_tile_n_check CHECK ((n >= 0)),
  CONSTRAINT audit_tile_pkey PRIMARY KEY (log_id, level, n)
);
-- chancery_app may SELECT
-- chancery_system may INSERT, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE backup_code (
  person_id uuid NOT NULL,
  slot smallint NOT NULL,
  hash text NOT NULL,
  used_at timestamp with time zone,
  CONSTRAINT backup_code_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  CONSTRAINT backup_code_pkey PRIMARY KEY (person_id, slot)
);
-- lookup: SELECT TO chancery_owner USING true
-- person_isolation: ALL TO chancery_app USING (person_id = ( SELECT current_person() AS current_person)) CHECK (person_id = ( SELECT current_person() AS current_person))
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE booking (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  calendar_id uuid NOT NULL,
  submission_id uuid,
  status text NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  blocks_from timestamp with time zone NOT NULL,
  blocks_until timestamp with time zone NOT NULL,
  during tstzrange NOT NULL GENERATED ALWAYS AS (tstzrange(blocks_from, blocks_until)) STORED,
  seat integer NOT NULL,
  moves uuid,
  moved integer NOT NULL DEFAULT 0,
  ends_waiting timestamp with time zone,
  token_hash bytea NOT NULL,
  token_sealed bytea NOT NULL,
  email text,
  email_key text,
  visitor_name text,
  locale text NOT NULL,
  visitor_zone text,
  reminders integer[] NOT NULL DEFAULT '{}'::integer[],
  reminder_at timestamp with time zone,
  ended_via text,
  reason text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  erased_at timestamp with time zone,
  CONSTRAINT booking_check CHECK ((ends_at > starts_at)),
  CONSTRAINT booking_during_check CHECK ((NOT isempty(during))),
  CONSTRAINT booking_ended_via_check CHECK ((ended_via = ANY (ARRAY['visitor'::text, 'team'::text, 'time'::text]))),
  CONSTRAINT booking_seat_check CHECK ((seat <> 0)),
  CONSTRAINT booking_status_check CHECK ((status = ANY (ARRAY['held'::text, 'pending'::text, 'confirmed'::text, 'cancelled'::text, 'declined'::text, 'expired'::text, 'completed'::text, 'no_show'::text]))),
  CONSTRAINT booking_waits_until CHECK (((status = ANY (ARRAY['held'::text, 'pending'::text])) = (ends_waiting IS NOT NULL))),
  CONSTRAINT booking_within_its_block CHECK (((blocks_from <= starts_at) AND (ends_at <= blocks_until))),
  CONSTRAINT booking_moves FOREIGN KEY (team_id, moves) REFERENCES booking(team_id, id) ON DELETE CASCADE,
  CONSTRAINT booking_of FOREIGN KEY (team_id, calendar_id) REFERENCES calendar(team_id, id),
  CONSTRAINT booking_pkey PRIMARY KEY (team_id, id),
  CONSTRAINT booking_token_once UNIQUE (team_id, token_hash),
  CONSTRAINT booking_no_two_in_a_seat EXCLUDE USING gist (team_id WITH =, calendar_id WITH =, seat WITH =, during WITH &&) WHERE (booking_holds_place(status))
);
CREATE INDEX booking_ahead_of_address ON public.booking USING btree (team_id, calendar_id, email_key, ends_at) WHERE (booking_holds_place(status) AND (email_key IS NOT NULL));
CREATE INDEX booking_completes ON public.booking USING btree (ends_at) WHERE (status = 'confirmed'::text);
CREATE INDEX booking_of_calendar ON public.booking USING btree (team_id, calendar_id, starts_at, id);
CREATE INDEX booking_of_submission ON public.booking USING btree (team_id, submission_id) WHERE (submission_id IS NOT NULL);
CREATE UNIQUE INDEX booking_one_wish ON public.booking USING btree (team_id, moves) WHERE (moves IS NOT NULL);
CREATE INDEX booking_reminder_due ON public.booking USING btree (reminder_at) WHERE (reminder_at IS NOT NULL);
CREATE INDEX booking_taken ON public.booking USING btree (team_id, calendar_id, blocks_until) WHERE booking_holds_place(status);
CREATE INDEX booking_to_decide ON public.booking USING btree (team_id, calendar_id, ends_waiting, id) WHERE (status = 'pending'::text);
CREATE INDEX booking_waiting_ends ON public.booking USING btree (ends_waiting) WHERE (ends_waiting IS NOT NULL);
-- lookup: SELECT TO chancery_owner USING true
-- system_delete: DELETE TO chancery_system USING true
-- system_reseal: UPDATE TO chancery_system USING true CHECK true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE calendar (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  definition jsonb NOT NULL,
  holidays jsonb NOT NULL DEFAULT '[]'::jsonb,
  holidays_until date,
  accepting boolean NOT NULL DEFAULT true,
  feed_hash bytea,
  feed_sealed bytea,
  feed_by uuid,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT calendar_feed_whole CHECK ((((feed_hash IS NULL) = (feed_sealed IS NULL)) AND ((feed_hash IS NULL) = (feed_by IS NULL)))),
  CONSTRAINT calendar_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT calendar_pkey PRIMARY KEY (team_id, id),
  CONSTRAINT calendar_feed_once UNIQUE (team_id, feed_hash)
);
CREATE INDEX calendar_holidays_end ON public.calendar USING btree (holidays_until) WHERE (holidays_until IS NOT NULL);
-- lookup: SELECT TO chancery_owner USING true
-- system_delete: DELETE TO chancery_system USING true
-- system_reseal: UPDATE TO chancery_system USING true CHECK true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE calendar_busy (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  calendar_id uuid NOT NULL,
  name text NOT NULL,
  url bytea NOT NULL,
  spans tstzmultirange NOT NULL DEFAULT '{}'::tstzmultirange,
  read_at timestamp with time zone,
  tried_at timestamp with time zone,
  due_at timestamp with time zone NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  error text,
  skipped jsonb NOT NULL DEFAULT '[]'::jsonb,
  CONSTRAINT calendar_busy_of FOREIGN KEY (team_id, calendar_id) REFERENCES calendar(team_id, id) ON DELETE CASCADE,
  CONSTRAINT calendar_busy_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX calendar_busy_due ON public.calendar_busy USING btree (due_at);
CREATE INDEX calendar_busy_of_calendar ON public.calendar_busy USING btree (team_id, calendar_id);
-- system_delete: DELETE TO chancery_system USING true
-- system_reseal: UPDATE TO chancery_system USING true CHECK true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- no row-level security: not owned by a team
CREATE TABLE connected_app (
  id uuid NOT NULL,
  name text NOT NULL,
  redirect_uris text[] NOT NULL,
  created_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  CONSTRAINT connected_app_redirect_uris_check CHECK (((cardinality(redirect_uris) >= 1) AND (cardinality(redirect_uris) <= 10))),
  CONSTRAINT connected_app_pkey PRIMARY KEY (id)
);
CREATE INDEX connected_app_by_age ON public.connected_app USING btree (COALESCE(used_at, created_at));
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE connected_app_connection (
  team_id uuid NOT NULL,
  session_id uuid NOT NULL,
  account_id uuid NOT NULL,
  client_id text NOT NULL,
  name text NOT NULL,
  redirect_uri text NOT NULL,
  scopes text[] NOT NULL,
  code_hash bytea NOT NULL,
  code_challenge text NOT NULL,
  lives_until timestamp with time zone NOT NULL,
  created_at timestamp with time zone NOT NULL,
  redeemed_at timestamp with time zone,
  approval_policy text,
  CONSTRAINT connected_app_connection_of FOREIGN KEY (team_id, session_id) REFERENCES session(team_id, id) ON DELETE CASCADE,
  CONSTRAINT connected_app_connection_pkey PRIMARY KEY (team_id, session_id),
  CONSTRAINT connected_app_connection_code_once UNIQUE (team_id, code_hash)
);
CREATE INDEX connected_app_connection_of_account ON public.connected_app_connection USING btree (team_id, account_id, created_at DESC, session_id DESC);
-- lookup: SELECT TO chancery_owner USING true
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE date_template (
  team_id uuid NOT NULL,
  document_id uuid NOT NULL,
  template text NOT NULL,
  hash text,
  set_by uuid,
  set_at timestamp with time zone NOT NULL,
  started text[] NOT NULL DEFAULT '{}'::text[],
  CONSTRAINT date_template_of FOREIGN KEY (team_id, document_id) REFERENCES document(team_id, id) ON DELETE CASCADE,
  CONSTRAINT date_template_pkey PRIMARY KEY (team_id, document_id)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE directory (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  connection_id uuid,
  default_role text NOT NULL,
  role_groups jsonb NOT NULL DEFAULT '[]'::jsonb,
  may_give_admin boolean NOT NULL DEFAULT false,
  successor text NOT NULL DEFAULT 'owner'::text,
  successor_id uuid,
  owner_successor_id uuid,
  removal_delay_days integer NOT NULL DEFAULT 7,
  is_active boolean NOT NULL DEFAULT true,
  surge_at timestamp with time zone,
  surge_hash bytea,
  version integer NOT NULL DEFAULT 1,
  created_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  deleted_at timestamp with time zone,
  CONSTRAINT directory_default_role_check CHECK ((default_role = ANY (ARRAY['member'::text, 'viewer'::text]))),
  CONSTRAINT directory_kind_check CHECK ((kind = ANY (ARRAY['entra'::text, 'okta'::text, 'other'::text]))),
  CONSTRAINT directory_removal_delay_days_check CHECK (((removal_delay_days >= 0) AND (removal_delay_days <= 90))),
  CONSTRAINT directory_successor_check CHECK ((successor = ANY (ARRAY['manager'::text, 'owner'::text, 'member'::text]))),
  CONSTRAINT directory_successor_named CHECK (((successor = 'member'::text) = (successor_id IS NOT NULL))),
  CONSTRAINT directory_of_connection FOREIGN KEY (team_id, connection_id) REFERENCES sso_connection(team_id, id) ON DELETE SET NULL (connection_id),
  CONSTRAINT directory_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT directory_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX directory_by_connection ON public.directory USING btree (team_id, connection_id) WHERE (connection_id IS NOT NULL);
CREATE UNIQUE INDEX directory_by_surge ON public.directory USING btree (team_id, surge_hash) WHERE (surge_hash IS NOT NULL);
CREATE INDEX directory_deleted ON public.directory USING btree (team_id, id) WHERE (deleted_at IS NOT NULL);
-- lookup: SELECT TO chancery_owner USING true
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE directory_group (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  directory_id uuid NOT NULL,
  name text NOT NULL,
  external_id text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT directory_group_is FOREIGN KEY (team_id, id) REFERENCES access_group(team_id, id) ON DELETE CASCADE,
  CONSTRAINT directory_group_of FOREIGN KEY (team_id, directory_id) REFERENCES directory(team_id, id) ON DELETE CASCADE,
  CONSTRAINT directory_group_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX directory_group_by_id ON public.directory_group USING btree (team_id, directory_id, id);
CREATE INDEX directory_group_by_name ON public.directory_group USING btree (team_id, directory_id, lower(name));
CREATE UNIQUE INDEX directory_group_external_once ON public.directory_group USING btree (team_id, directory_id, external_id) WHERE (external_id IS NOT NULL);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE directory_group_member (
  team_id uuid NOT NULL,
  group_id uuid NOT NULL,
  user_id uuid NOT NULL,
  CONSTRAINT directory_group_member_is FOREIGN KEY (team_id, user_id) REFERENCES scim_user(team_id, id) ON DELETE CASCADE,
  CONSTRAINT directory_group_member_of FOREIGN KEY (team_id, group_id) REFERENCES directory_group(team_id, id) ON DELETE CASCADE,
  CONSTRAINT directory_group_member_pkey PRIMARY KEY (team_id, group_id, user_id)
);
CREATE INDEX directory_group_member_groups ON public.directory_group_member USING btree (team_id, user_id, group_id);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE directory_log (
  team_id uuid NOT NULL,
  directory_id uuid NOT NULL,
  id uuid NOT NULL,
  at timestamp with time zone NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  status integer NOT NULL,
  scim_type text,
  detail text,
  attributes text[] NOT NULL,
  request_id text NOT NULL,
  CONSTRAINT directory_log_of FOREIGN KEY (team_id, directory_id) REFERENCES directory(team_id, id) ON DELETE CASCADE,
  CONSTRAINT directory_log_pkey PRIMARY KEY (team_id, directory_id, id)
);
CREATE INDEX directory_log_by_age ON public.directory_log USING btree (at);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE directory_token (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  directory_id uuid NOT NULL,
  hash bytea NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone,
  reminded_days integer,
  CONSTRAINT directory_token_of FOREIGN KEY (team_id, directory_id) REFERENCES directory(team_id, id) ON DELETE CASCADE,
  CONSTRAINT directory_token_pkey PRIMARY KEY (team_id, id),
  CONSTRAINT directory_token_once UNIQUE (team_id, hash)
);
CREATE INDEX directory_token_by_end ON public.directory_token USING btree (expires_at);
CREATE INDEX directory_token_of_directory ON public.directory_token USING btree (team_id, directory_id);
-- lookup: SELECT TO chancery_owner USING true
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE document (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  folder_id uuid,
  user_id uuid NOT NULL,
  title text NOT NULL,
  description text,
  reference text,
  status text NOT NULL DEFAULT 'draft'::text,
  metadata jsonb NOT NULL DEFAULT '{}'::jsonb,
  labels text[] NOT NULL DEFAULT '{}'::text[],
  label_keys text[] NOT NULL DEFAULT '{}'::text[],
  current_version integer NOT NULL DEFAULT 0,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  deleted_at timestamp with time zone,
  deleted_with uuid,
  barrier_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'::uuid,
  made_by_client uuid,
  created_by uuid,
  created_by_type text NOT NULL DEFAULT 'user'::text,
  CONSTRAINT document_barrier_is_a_folders CHECK (((folder_id IS NOT NULL) OR (barrier_id = '00000000-0000-0000-0000-000000000000'::uuid))),
  CONSTRAINT document_reference_check CHECK ((length(reference) <= 200)),
  CONSTRAINT document_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'in_review'::text, 'approved'::text, 'signed'::text, 'archived'::text]))),
  CONSTRAINT document_as_its_folder FOREIGN KEY (team_id, folder_id, user_id, barrier_id) REFERENCES access_container(team_id, id, owner_id, barrier_id) ON UPDATE CASCADE,
  CONSTRAINT document_owner_exists FOREIGN KEY (team_id, user_id) REFERENCES account(team_id, id),
  CONSTRAINT document_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT document_pkey PRIMARY KEY (team_id, id) INCLUDE (folder_id, user_id, barrier_id, deleted_at)
);
CREATE INDEX document_bin ON public.document USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX document_bin_of_team ON public.document USING btree (team_id, deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX document_binned ON public.document USING btree (team_id, user_id, id) WHERE (deleted_at IS NOT NULL);
CREATE INDEX document_binned_with ON public.document USING btree (team_id, deleted_with) WHERE (deleted_with IS NOT NULL);
CREATE INDEX document_by_barrier ON public.document USING btree (team_id, barrier_id, deleted_at, id);
CREATE INDEX document_by_change ON public.document USING btree (team_id, barrier_id, deleted_at, updated_at, id);
CREATE INDEX document_in_folder ON public.document USING btree (team_id, folder_id, deleted_at, id);
CREATE INDEX document_of_user ON public.document USING btree (team_id, user_id, deleted_at, id) INCLUDE (barrier_id);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE document_comment (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  document_id uuid NOT NULL,
  version integer,
  user_id uuid NOT NULL,
  created_by_type text NOT NULL,
  text text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT document_comment_of FOREIGN KEY (team_id, document_id) REFERENCES document(team_id, id) ON DELETE CASCADE,
  CONSTRAINT document_comment_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX document_comment_by_document ON public.document_comment USING btree (team_id, document_id, id);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE document_date (
  team_id uuid NOT NULL,
  document_id uuid NOT NULL,
  kind text NOT NULL,
  falls_on date NOT NULL,
  look_at timestamp with time zone,
  emitted_at timestamp with time zone,
  CONSTRAINT document_date_kind_check CHECK ((kind = ANY (ARRAY['notice'::text, 'expires'::text]))),
  CONSTRAINT document_date_of FOREIGN KEY (team_id, document_id) REFERENCES document_dates(team_id, document_id) ON DELETE CASCADE,
  CONSTRAINT document_date_pkey PRIMARY KEY (team_id, document_id, kind)
);
CREATE INDEX document_date_by_day ON public.document_date USING btree (team_id, falls_on, document_id, kind);
CREATE INDEX document_date_to_look_at ON public.document_date USING btree (look_at) WHERE (look_at IS NOT NULL);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE document_dates (
  team_id uuid NOT NULL,
  document_id uuid NOT NULL,
  effective_at date,
  expires_at date,
  notice_period text,
  renewal text NOT NULL DEFAULT 'none'::text,
  renewal_period text,
  remind_before text NOT NULL,
  starts_template text,
  set_by uuid NOT NULL,
  set_by_type text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT document_dates_renewal_check CHECK ((renewal = ANY (ARRAY['none'::text, 'tacit'::text, 'by_agreement'::text]))),
  CONSTRAINT document_dates_tacit_has_period CHECK (((renewal <> 'tacit'::text) OR (renewal_period IS NOT NULL))),
  CONSTRAINT document_dates_of FOREIGN KEY (team_id, document_id) REFERENCES document(team_id, id) ON DELETE CASCADE,
  CONSTRAINT document_dates_pkey PRIMARY KEY (team_id, document_id)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE document_from_template (
  team_id uuid NOT NULL,
  document_id uuid NOT NULL,
  template_id uuid NOT NULL,
  number integer NOT NULL,
  source text NOT NULL,
  source_id uuid,
  CONSTRAINT document_from_template_source CHECK (((source = 'data'::text) = (source_id IS NULL))),
  CONSTRAINT document_from_template_source_check CHECK ((source = ANY (ARRAY['data'::text, 'submission'::text, 'record'::text]))),
  CONSTRAINT document_from_template_is_document FOREIGN KEY (team_id, document_id) REFERENCES document(team_id, id) ON DELETE CASCADE,
  CONSTRAINT document_from_template_pkey PRIMARY KEY (team_id, document_id)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE document_passage (
  team_id uuid NOT NULL,
  document_id uuid NOT NULL,
  number integer NOT NULL,
  text text NOT NULL,
  words tsvector NOT NULL,
  CONSTRAINT document_passage_of FOREIGN KEY (team_id, document_id) REFERENCES document(team_id, id) ON DELETE CASCADE,
  CONSTRAINT document_passage_pkey PRIMARY KEY (team_id, document_id, number)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE document_preview (
  team_id uuid NOT NULL,
  document_id uuid NOT NULL,
  version integer NOT NULL,
  status text NOT NULL DEFAULT 'pending'::text,
  reason text,
  CONSTRAINT document_preview_reason_check CHECK ((reason = ANY (ARRAY['locked'::text, 'unreadable'::text, 'limit'::text, 'missing'::text]))),
  CONSTRAINT document_preview_says_why CHECK (((status = 'failed'::text) = (reason IS NOT NULL))),
  CONSTRAINT document_preview_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'ready'::text, 'failed'::text]))),
  CONSTRAINT document_preview_of FOREIGN KEY (team_id, document_id, version) REFERENCES document_version(team_id, document_id, number) ON DELETE CASCADE,
  CONSTRAINT document_preview_pkey PRIMARY KEY (team_id, document_id, version)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE document_preview_file (
  team_id uuid NOT NULL,
  document_id uuid NOT NULL,
  version integer NOT NULL,
  storage_key text NOT NULL,
  size bigint NOT NULL,
  sha256 text NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  pages integer NOT NULL,
  CONSTRAINT document_preview_file_of FOREIGN KEY (team_id, document_id, version) REFERENCES document_preview(team_id, document_id, version) ON DELETE CASCADE,
  CONSTRAINT document_preview_file_pkey PRIMARY KEY (team_id, document_id, version)
);
CREATE UNIQUE INDEX document_preview_file_key ON public.document_preview_file USING btree (storage_key, team_id);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE document_template (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  description text,
  user_id uuid NOT NULL,
  created_by uuid NOT NULL,
  created_by_type text NOT NULL,
  library_slug text,
  version integer NOT NULL DEFAULT 1,
  number integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  container_id uuid,
  CONSTRAINT document_template_in_container FOREIGN KEY (team_id, container_id) REFERENCES access_container(team_id, id),
  CONSTRAINT document_template_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT document_template_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX document_template_by_change ON public.document_template USING btree (team_id, updated_at, id);
CREATE INDEX document_template_by_container ON public.document_template USING btree (team_id, container_id) WHERE (container_id IS NOT NULL);
CREATE INDEX document_template_of_owner ON public.document_template USING btree (team_id, user_id, id);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE document_template_file (
  team_id uuid NOT NULL,
  template_id uuid NOT NULL,
  sha256 text NOT NULL,
  size bigint NOT NULL,
  content bytea NOT NULL,
  CONSTRAINT document_template_file_of FOREIGN KEY (team_id, template_id) REFERENCES document_template(team_id, id) ON DELETE CASCADE,
  CONSTRAINT document_template_file_pkey PRIMARY KEY (team_id, template_id, sha256)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE document_template_version (
  team_id uuid NOT NULL,
  template_id uuid NOT NULL,
  number integer NOT NULL,
  source text NOT NULL,
  schema jsonb NOT NULL,
  files jsonb NOT NULL,
  created_by uuid NOT NULL,
  created_by_type text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  signers text[],
  CONSTRAINT document_template_version_of FOREIGN KEY (team_id, template_id) REFERENCES document_template(team_id, id) ON DELETE CASCADE,
  CONSTRAINT document_template_version_pkey PRIMARY KEY (team_id, template_id, number)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE document_text (
  team_id uuid NOT NULL,
  document_id uuid NOT NULL,
  version integer NOT NULL DEFAULT 0,
  title text NOT NULL,
  words tsvector NOT NULL,
  CONSTRAINT document_text_of FOREIGN KEY (team_id, document_id) REFERENCES document(team_id, id) ON DELETE CASCADE,
  CONSTRAINT document_text_pkey PRIMARY KEY (team_id, document_id)
);
CREATE INDEX document_text_words ON public.document_text USING gin (words) WITH (fastupdate=off);
-- lookup: SELECT TO chancery_owner USING true
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE document_version (
  team_id uuid NOT NULL,
  document_id uuid NOT NULL,
  number integer NOT NULL,
  storage_key text NOT NULL,
  file_name text NOT NULL,
  media_type text NOT NULL,
  size bigint NOT NULL,
  sha256 text NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  created_by_type text NOT NULL DEFAULT 'user'::text,
  CONSTRAINT document_version_of FOREIGN KEY (team_id, document_id) REFERENCES document(team_id, id) ON DELETE CASCADE,
  CONSTRAINT document_version_pkey PRIMARY KEY (team_id, document_id, number)
);
CREATE INDEX document_version_file ON public.document_version USING btree (storage_key);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE download_address (
  team_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  body text,
  credential bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT download_address_check CHECK (((body IS NOT NULL) = (method = 'POST'::text))),
  CONSTRAINT download_address_method_check CHECK ((method = ANY (ARRAY['GET'::text, 'POST'::text]))),
  CONSTRAINT download_address_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT download_address_pkey PRIMARY KEY (team_id, token_hash)
);
CREATE INDEX download_address_by_end ON public.download_address USING btree (expires_at);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE email_change (
  person_id uuid NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  code_hmac bytea,
  tries integer NOT NULL DEFAULT 0,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT email_change_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  CONSTRAINT email_change_pkey PRIMARY KEY (person_id)
);
CREATE INDEX email_change_by_age ON public.email_change USING btree (expires_at);
-- lookup: SELECT TO chancery_owner USING true
-- person_isolation: ALL TO chancery_app USING (person_id = ( SELECT current_person() AS current_person)) CHECK (person_id = ( SELECT current_person() AS current_person))
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE event (
  team_id uuid NOT NULL,
  id text NOT NULL,
  type text NOT NULL,
  body bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  traceparent character varying(55) DEFAULT NULLIF(current_setting('app.traceparent'::text, true), ''::text),
  CONSTRAINT event_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX event_by_age ON public.event USING brin (created_at);
-- erasure: UPDATE TO chancery_owner USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- erasure_finds: SELECT TO chancery_owner USING (team_id = ( SELECT current_team() AS current_team))
-- system_delete: DELETE TO chancery_system USING true
-- system_insert: INSERT TO chancery_system CHECK true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT
-- chancery_system may DELETE, INSERT, SELECT

-- row-level security, forced
CREATE TABLE evidence_pack (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  subject_type text NOT NULL,
  subject_id uuid NOT NULL,
  network boolean NOT NULL,
  document_id uuid,
  status text NOT NULL DEFAULT 'pending'::text,
  manifest text,
  manifest_sha256 text,
  code text,
  detail text,
  created_by uuid NOT NULL,
  owner_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  CONSTRAINT evidence_pack_ends CHECK (((status = 'pending'::text) = (ended_at IS NULL))),
  CONSTRAINT evidence_pack_has_manifest CHECK ((((manifest IS NULL) = (manifest_sha256 IS NULL)) AND ((status <> 'ready'::text) OR (manifest IS NOT NULL)))),
  CONSTRAINT evidence_pack_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'ready'::text, 'failed'::text]))),
  CONSTRAINT evidence_pack_subject_type_check CHECK ((subject_type = ANY (ARRAY['document'::text, 'workflow'::text, 'signature'::text]))),
  CONSTRAINT evidence_pack_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT evidence_pack_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX evidence_pack_by ON public.evidence_pack USING btree (team_id, created_by, created_at);
CREATE INDEX evidence_pack_over ON public.evidence_pack USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX evidence_pack_pending ON public.evidence_pack USING btree (team_id) WHERE (status = 'pending'::text);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE evidence_pack_file (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  storage_key text NOT NULL,
  size bigint NOT NULL,
  sha256 text NOT NULL,
  CONSTRAINT evidence_pack_file_of FOREIGN KEY (team_id, id) REFERENCES evidence_pack(team_id, id) ON DELETE CASCADE,
  CONSTRAINT evidence_pack_file_pkey PRIMARY KEY (team_id, id)
);
CREATE UNIQUE INDEX evidence_pack_file_key ON public.evidence_pack_file USING btree (storage_key, team_id);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE federated_identity (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  email text,
  account_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone NOT NULL,
  CONSTRAINT federated_identity_team_id_account_id_fkey FOREIGN KEY (team_id, account_id) REFERENCES account(team_id, id),
  CONSTRAINT federated_identity_pkey PRIMARY KEY (team_id, issuer, subject),
  CONSTRAINT federated_identity_id_once UNIQUE (team_id, id),
  CONSTRAINT federated_identity_once UNIQUE (team_id, account_id, issuer)
);
CREATE INDEX federated_identity_of_connection ON public.federated_identity USING btree (team_id, connection_id);
-- lookup: SELECT TO chancery_owner USING true
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE folder (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  parent_id uuid,
  user_id uuid NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  description text,
  color text,
  metadata jsonb NOT NULL DEFAULT '{}'::jsonb,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  deleted_at timestamp with time zone,
  deleted_with uuid,
  barrier_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'::uuid,
  made_by_client uuid,
  created_by uuid,
  created_by_type text NOT NULL DEFAULT 'user'::text,
  is_matter boolean NOT NULL DEFAULT false,
  CONSTRAINT folder_matter_is_top CHECK (((NOT is_matter) OR (parent_id IS NULL))),
  CONSTRAINT folder_owner_exists FOREIGN KEY (team_id, user_id) REFERENCES account(team_id, id),
  CONSTRAINT folder_parent_exists FOREIGN KEY (team_id, parent_id) REFERENCES folder(team_id, id),
  CONSTRAINT folder_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT folder_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX folder_bin ON public.folder USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX folder_bin_of_team ON public.folder USING btree (team_id, deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX folder_binned_with ON public.folder USING btree (team_id, deleted_with) WHERE (deleted_with IS NOT NULL);
CREATE INDEX folder_by_barrier ON public.folder USING btree (team_id, barrier_id, deleted_at, id) INCLUDE (is_matter);
CREATE INDEX folder_by_change ON public.folder USING btree (team_id, barrier_id, deleted_at, updated_at, id) INCLUDE (is_matter);
CREATE INDEX folder_children ON public.folder USING btree (team_id, parent_id, deleted_at, id) INCLUDE (barrier_id);
CREATE INDEX folder_matters ON public.folder USING btree (team_id, user_id, id) WHERE is_matter;
CREATE UNIQUE INDEX folder_name_once ON public.folder USING btree (team_id, COALESCE(parent_id, user_id), name_key, (
CASE
    WHEN ((deleted_at IS NULL) AND (barrier_id <> id)) THEN '00000000-0000-0000-0000-000000000000'::uuid
    ELSE id
END));
CREATE INDEX folder_of_user ON public.folder USING btree (team_id, user_id, deleted_at, id) INCLUDE (barrier_id, is_matter);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE former_client (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  responsible_id uuid NOT NULL,
  CONSTRAINT former_client_pkey PRIMARY KEY (team_id, id)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE idempotent_response (
  team_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  response bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT idempotent_response_pkey PRIMARY KEY (team_id, actor_id, key)
);
CREATE INDEX idempotent_response_by_age ON public.idempotent_response USING btree (created_at);
-- system_delete: DELETE TO chancery_system USING true
-- system_insert: INSERT TO chancery_system CHECK true
-- system_reseal: UPDATE TO chancery_system USING true CHECK true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, INSERT, SELECT

-- row-level security, forced
CREATE TABLE interface (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  title text NOT NULL,
  status text NOT NULL DEFAULT 'draft'::text,
  draft jsonb NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  published_version integer,
  owner_id uuid NOT NULL,
  folder_id uuid,
  retain_days integer,
  created_by uuid NOT NULL,
  created_by_type text NOT NULL DEFAULT 'user'::text,
  suspended_at timestamp with time zone,
  suspended_reason text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  deleted_at timestamp with time zone,
  CONSTRAINT interface_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'published'::text, 'closed'::text]))),
  CONSTRAINT interface_suspended_for_a_reason CHECK (((suspended_at IS NULL) = (suspended_reason IS NULL))),
  CONSTRAINT interface_type_check CHECK ((type = ANY (ARRAY['form'::text, 'scheduling'::text, 'registry'::text]))),
  CONSTRAINT interface_folder_exists FOREIGN KEY (team_id, folder_id) REFERENCES folder(team_id, id),
  CONSTRAINT interface_owner_exists FOREIGN KEY (team_id, owner_id) REFERENCES account(team_id, id),
  CONSTRAINT interface_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT interface_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX interface_by_change ON public.interface USING btree (team_id, updated_at, id);
CREATE INDEX interface_deleted ON public.interface USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX interface_in_folder ON public.interface USING btree (team_id, folder_id) WHERE (folder_id IS NOT NULL);
CREATE INDEX interface_of_owner ON public.interface USING btree (team_id, owner_id);
CREATE INDEX interface_retaining ON public.interface USING btree (team_id, id) WHERE (retain_days IS NOT NULL);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE interface_count (
  team_id uuid NOT NULL,
  interface_id uuid NOT NULL,
  taken bigint NOT NULL DEFAULT 0,
  notified bigint NOT NULL DEFAULT 0,
  notified_at timestamp with time zone,
  failures_notified_at timestamp with time zone,
  CONSTRAINT interface_count_of FOREIGN KEY (team_id, interface_id) REFERENCES interface(team_id, id) ON DELETE CASCADE,
  CONSTRAINT interface_count_pkey PRIMARY KEY (team_id, interface_id)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE interface_day (
  team_id uuid NOT NULL,
  interface_id uuid NOT NULL,
  day date NOT NULL,
  channel text NOT NULL,
  received bigint NOT NULL DEFAULT 0,
  spam bigint NOT NULL DEFAULT 0,
  CONSTRAINT interface_day_channel_check CHECK ((channel = ANY (ARRAY['public'::text, 'api'::text]))),
  CONSTRAINT interface_day_of FOREIGN KEY (team_id, interface_id) REFERENCES interface(team_id, id) ON DELETE CASCADE,
  CONSTRAINT interface_day_pkey PRIMARY KEY (team_id, interface_id, day, channel)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE interface_link (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  interface_id uuid NOT NULL,
  channel text NOT NULL,
  task_id uuid,
  person_id uuid,
  hash bytea NOT NULL,
  sealed bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone,
  retired_at timestamp with time zone,
  CONSTRAINT interface_link_channel_check CHECK ((channel = ANY (ARRAY['public'::text, 'api'::text, 'preview'::text, 'task'::text]))),
  CONSTRAINT interface_link_of_task CHECK ((((channel = 'task'::text) = (task_id IS NOT NULL)) AND ((channel = ANY (ARRAY['task'::text, 'preview'::text])) = (person_id IS NOT NULL)))),
  CONSTRAINT interface_link_of FOREIGN KEY (team_id, interface_id) REFERENCES interface(team_id, id) ON DELETE CASCADE,
  CONSTRAINT interface_link_pkey PRIMARY KEY (team_id, id),
  CONSTRAINT interface_link_hash_once UNIQUE (team_id, hash)
);
CREATE UNIQUE INDEX interface_link_one_current ON public.interface_link USING btree (team_id, interface_id, channel) WHERE ((retired_at IS NULL) AND (channel <> 'task'::text));
CREATE UNIQUE INDEX interface_link_one_of_task ON public.interface_link USING btree (team_id, task_id) WHERE ((retired_at IS NULL) AND (channel = 'task'::text));
CREATE INDEX interface_link_over ON public.interface_link USING btree (COALESCE(retired_at, expires_at)) WHERE (COALESCE(retired_at, expires_at) IS NOT NULL);
-- lookup: SELECT TO chancery_owner USING true
-- system_delete: DELETE TO chancery_system USING true
-- system_reseal: UPDATE TO chancery_system USING true CHECK true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE interface_report (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  interface_id uuid NOT NULL,
  reason text NOT NULL,
  text text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT interface_report_reason_check CHECK ((reason = ANY (ARRAY['credentials'::text, 'impersonation'::text, 'illegal'::text, 'spam'::text, 'other'::text]))),
  CONSTRAINT interface_report_text_check CHECK ((char_length(text) <= 2000)),
  CONSTRAINT interface_report_of FOREIGN KEY (team_id, interface_id) REFERENCES interface(team_id, id) ON DELETE CASCADE,
  CONSTRAINT interface_report_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX interface_report_about ON public.interface_report USING btree (team_id, interface_id);
CREATE INDEX interface_report_newest ON public.interface_report USING btree (created_at, id);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE interface_version (
  team_id uuid NOT NULL,
  interface_id uuid NOT NULL,
  number integer NOT NULL,
  definition jsonb NOT NULL,
  revision integer NOT NULL,
  uses_by uuid NOT NULL,
  template_hash text,
  bindings jsonb NOT NULL DEFAULT '[]'::jsonb,
  supersede text NOT NULL,
  published_by uuid NOT NULL,
  published_by_type text NOT NULL DEFAULT 'user'::text,
  published_at timestamp with time zone NOT NULL,
  outputs jsonb NOT NULL DEFAULT '{}'::jsonb,
  CONSTRAINT interface_version_number_check CHECK ((number > 0)),
  CONSTRAINT interface_version_supersede_check CHECK ((supersede = ANY (ARRAY['later'::text, 'now'::text]))),
  CONSTRAINT interface_version_of FOREIGN KEY (team_id, interface_id) REFERENCES interface(team_id, id) ON DELETE CASCADE,
  CONSTRAINT interface_version_pkey PRIMARY KEY (team_id, interface_id, number)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE invitation (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  role text NOT NULL,
  status text NOT NULL DEFAULT 'pending'::text,
  token_hash bytea NOT NULL,
  invited_by uuid NOT NULL,
  accepted_by uuid,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  sent_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  created_by_type text NOT NULL DEFAULT 'user'::text,
  sponsor_id uuid,
  ends_at timestamp with time zone,
  access jsonb NOT NULL DEFAULT '[]'::jsonb,
  seat jsonb,
  CONSTRAINT invitation_has_end CHECK (((role = ANY (ARRAY['guest'::text, 'auditor'::text])) = (ends_at IS NOT NULL))),
  CONSTRAINT invitation_has_seat CHECK (((role = 'auditor'::text) = (seat IS NOT NULL))),
  CONSTRAINT invitation_has_sponsor CHECK (((role = 'guest'::text) = (sponsor_id IS NOT NULL))),
  CONSTRAINT invitation_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'member'::text, 'viewer'::text, 'guest'::text, 'auditor'::text]))),
  CONSTRAINT invitation_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'accepted'::text, 'revoked'::text]))),
  CONSTRAINT invitation_sponsor FOREIGN KEY (team_id, sponsor_id) REFERENCES account(team_id, id),
  CONSTRAINT invitation_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT invitation_pkey PRIMARY KEY (team_id, id),
  CONSTRAINT invitation_token_once UNIQUE (team_id, token_hash)
);
CREATE INDEX invitation_by_age ON public.invitation USING btree (COALESCE(ended_at, expires_at));
CREATE INDEX invitation_of_address ON public.invitation USING btree (email_key, sent_at DESC) WHERE (status = 'pending'::text);
CREATE UNIQUE INDEX invitation_one_pending ON public.invitation USING btree (team_id, email_key) WHERE (status = 'pending'::text);
-- lookup: SELECT TO chancery_owner USING true
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE issued_document (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  about uuid NOT NULL,
  status text NOT NULL DEFAULT 'pending'::text,
  code_hash bytea,
  issued_at timestamp with time zone,
  error text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT issued_document_check CHECK (((code_hash IS NULL) = (issued_at IS NULL))),
  CONSTRAINT issued_document_check1 CHECK (((status <> 'ready'::text) OR (code_hash IS NOT NULL))),
  CONSTRAINT issued_document_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'ready'::text, 'failed'::text, 'withdrawn'::text]))),
  CONSTRAINT issued_document_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT issued_document_pkey PRIMARY KEY (team_id, id),
  CONSTRAINT issued_document_once UNIQUE (team_id, kind, about)
);
CREATE UNIQUE INDEX issued_document_by_code ON public.issued_document USING btree (code_hash) WHERE (code_hash IS NOT NULL);
-- lookup: SELECT TO chancery_owner USING true
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE issued_document_file (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  storage_key text NOT NULL,
  size bigint NOT NULL,
  sha256 text NOT NULL,
  pages integer NOT NULL,
  CONSTRAINT issued_document_file_of FOREIGN KEY (team_id, id) REFERENCES issued_document(team_id, id),
  CONSTRAINT issued_document_file_pkey PRIMARY KEY (team_id, id)
);
CREATE UNIQUE INDEX issued_document_file_key ON public.issued_document_file USING btree (storage_key, team_id);
-- lookup: SELECT TO chancery_owner USING true
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE job (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  data jsonb NOT NULL,
  key text,
  alone boolean NOT NULL DEFAULT false,
  counted boolean NOT NULL DEFAULT false,
  state text NOT NULL,
  due_at timestamp with time zone NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  interruptions integer NOT NULL DEFAULT 0,
  error text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  traceparent character varying(55) DEFAULT NULLIF(current_setting('app.traceparent'::text, true), ''::text),
  CONSTRAINT job_state_check CHECK ((state = ANY (ARRAY['ready'::text, 'waiting'::text, 'running'::text, 'failed'::text]))),
  CONSTRAINT job_pkey PRIMARY KEY (team_id, id)
);
CREATE UNIQUE INDEX job_alone ON public.job USING btree (team_id, name) WHERE (alone AND (state <> 'failed'::text));
CREATE INDEX job_due ON public.job USING btree (due_at) WHERE (state = ANY (ARRAY['waiting'::text, 'running'::text]));
CREATE INDEX job_failed ON public.job USING btree (name, due_at) WHERE (state = 'failed'::text);
CREATE INDEX job_in_turn ON public.job USING btree (name, team_id, due_at, id) WHERE (state = 'ready'::text);
CREATE UNIQUE INDEX job_key ON public.job USING btree (team_id, name, key) WHERE ((key IS NOT NULL) AND (attempts = 0) AND (state = ANY (ARRAY['ready'::text, 'waiting'::text])));
-- of_no_team: INSERT TO chancery_app CHECK (team_id = '00000000-0000-0000-0000-000000000000'::uuid)
-- system_delete: DELETE TO chancery_system USING true
-- system_insert: INSERT TO chancery_system CHECK true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- withdrawal: DELETE TO chancery_owner USING ((team_id = ( SELECT current_team() AS current_team)) AND (key IS NOT NULL) AND (attempts = 0))
-- withdrawal_finds: SELECT TO chancery_owner USING (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT
-- chancery_system may DELETE, INSERT, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE job_failure (
  team_id uuid NOT NULL,
  job text NOT NULL,
  thing text NOT NULL,
  failures integer NOT NULL,
  reason text NOT NULL,
  since timestamp with time zone NOT NULL DEFAULT now(),
  next_at timestamp with time zone NOT NULL,
  CONSTRAINT job_failure_pkey PRIMARY KEY (team_id, job, thing)
);
CREATE INDEX job_failure_of_job ON public.job_failure USING btree (job, since);
-- system_delete: DELETE TO chancery_system USING true
-- system_insert: INSERT TO chancery_system CHECK true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may SELECT
-- chancery_system may DELETE, INSERT, SELECT, UPDATE

-- no row-level security: not owned by a team
CREATE TABLE job_schedule (
  name text NOT NULL,
  begun_at timestamp with time zone NOT NULL,
  CONSTRAINT job_schedule_pkey PRIMARY KEY (name)
);
-- chancery_system may INSERT, SELECT, UPDATE

-- no row-level security: not owned by a team
CREATE TABLE job_worker (
  id uuid NOT NULL,
  seen_at timestamp with time zone NOT NULL,
  CONSTRAINT job_worker_pkey PRIMARY KEY (id)
);
-- chancery_app may SELECT
-- chancery_system may DELETE, INSERT, SELECT, UPDATE

-- no row-level security: not owned by a team
CREATE TABLE kept_key (
  purpose text NOT NULL,
  sealed bytea NOT NULL,
  CONSTRAINT kept_key_pkey PRIMARY KEY (purpose)
);
-- chancery_system may INSERT, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE legal_hold (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  folder_id uuid,
  document_id uuid,
  reason text NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  lifted_by uuid,
  lifted_at timestamp with time zone,
  lift_reason text,
  CONSTRAINT legal_hold_lifted_whole CHECK ((num_nonnulls(lifted_by, lifted_at, lift_reason) = ANY (ARRAY[0, 3]))),
  CONSTRAINT legal_hold_on_one CHECK ((num_nonnulls(folder_id, document_id) = 1)),
  CONSTRAINT legal_hold_of_document FOREIGN KEY (team_id, document_id) REFERENCES document(team_id, id) ON DELETE CASCADE,
  CONSTRAINT legal_hold_of_folder FOREIGN KEY (team_id, folder_id) REFERENCES folder(team_id, id) ON DELETE CASCADE,
  CONSTRAINT legal_hold_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX legal_hold_by_document ON public.legal_hold USING btree (team_id, document_id, id);
CREATE INDEX legal_hold_by_folder ON public.legal_hold USING btree (team_id, folder_id, id);
CREATE INDEX legal_hold_by_lift ON public.legal_hold USING btree (team_id, lifted_at, id);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- no row-level security: not owned by a team
CREATE TABLE mail_message (
  id uuid NOT NULL,
  team_id uuid,
  recipient text NOT NULL,
  subject text NOT NULL,
  text_body text,
  html_body text,
  status text NOT NULL DEFAULT 'queued'::text,
  error text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  sent_at timestamp with time zone,
  budgeted boolean NOT NULL DEFAULT false,
  counted_at timestamp with time zone,
  about uuid,
  bounce_status text,
  bounce_diagnostic text,
  CONSTRAINT mail_message_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text]))),
  CONSTRAINT mail_message_pkey PRIMARY KEY (id)
);
CREATE INDEX mail_message_about ON public.mail_message USING btree (team_id, about) WHERE (about IS NOT NULL);
CREATE INDEX mail_message_by_recipient ON public.mail_message USING btree (recipient, id DESC);
CREATE INDEX mail_message_counted ON public.mail_message USING btree (team_id, recipient, counted_at) WHERE (budgeted AND (counted_at IS NOT NULL));
CREATE INDEX mail_message_to_count ON public.mail_message USING btree (team_id, recipient) WHERE ((status = 'queued'::text) AND budgeted AND (counted_at IS NULL));
-- chancery_app may INSERT
-- chancery_system may DELETE, INSERT, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE matter (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  client_id uuid,
  number text NOT NULL,
  number_key text NOT NULL,
  status text NOT NULL,
  practice text,
  opened_on date,
  closed_on date,
  retain_until date,
  status_before text,
  fields jsonb NOT NULL DEFAULT '{}'::jsonb,
  CONSTRAINT matter_is_closed CHECK ((((status = 'closed'::text) = (closed_on IS NOT NULL)) AND ((status = 'closed'::text) = (status_before IS NOT NULL)))),
  CONSTRAINT matter_status_before_check CHECK ((status_before = ANY (ARRAY['pending'::text, 'open'::text]))),
  CONSTRAINT matter_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'open'::text, 'closed'::text]))),
  CONSTRAINT matter_client_exists FOREIGN KEY (team_id, client_id) REFERENCES matter_client(team_id, id),
  CONSTRAINT matter_has_root FOREIGN KEY (team_id, id) REFERENCES folder(team_id, id),
  CONSTRAINT matter_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX matter_by_client ON public.matter USING btree (team_id, client_id, id) WHERE (client_id IS NOT NULL);
CREATE UNIQUE INDEX matter_number_once ON public.matter USING btree (team_id, number_key);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE matter_client (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  reference text,
  created_by uuid NOT NULL,
  created_by_type text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT matter_client_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT matter_client_pkey PRIMARY KEY (team_id, id)
);
CREATE UNIQUE INDEX matter_client_name ON public.matter_client USING btree (team_id, name_key);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE matter_counter (
  team_id uuid NOT NULL,
  year integer NOT NULL,
  last integer NOT NULL,
  CONSTRAINT matter_counter_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT matter_counter_pkey PRIMARY KEY (team_id, year)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE matter_deadline (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  matter_id uuid NOT NULL,
  title text NOT NULL,
  due_at timestamp with time zone NOT NULL,
  source text,
  assignee_id uuid,
  remind_days integer NOT NULL,
  remind_at timestamp with time zone,
  task_id uuid,
  created_by uuid NOT NULL,
  created_by_type text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT matter_deadline_remind_days_check CHECK (((remind_days >= 0) AND (remind_days <= 60))),
  CONSTRAINT matter_deadline_assignee FOREIGN KEY (team_id, assignee_id) REFERENCES account(team_id, id),
  CONSTRAINT matter_deadline_of FOREIGN KEY (team_id, matter_id) REFERENCES matter(team_id, id) ON DELETE CASCADE,
  CONSTRAINT matter_deadline_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX matter_deadline_by_assignee ON public.matter_deadline USING btree (team_id, assignee_id) WHERE (assignee_id IS NOT NULL);
CREATE INDEX matter_deadline_of_matter ON public.matter_deadline USING btree (team_id, matter_id, id);
CREATE INDEX matter_deadline_reminding ON public.matter_deadline USING btree (remind_at) WHERE (remind_at IS NOT NULL);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE mcp_approval (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  client_id uuid,
  connection_id uuid,
  account_id uuid,
  tool text NOT NULL,
  args_hash text NOT NULL,
  hash text NOT NULL,
  task_id uuid,
  status text NOT NULL DEFAULT 'waiting'::text,
  decided_by uuid,
  result text,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  round_id uuid,
  CONSTRAINT mcp_approval_asker CHECK ((((client_id IS NULL) <> (connection_id IS NULL)) AND ((connection_id IS NULL) = (account_id IS NULL)))),
  CONSTRAINT mcp_approval_request CHECK ((COALESCE(round_id, task_id) IS NOT NULL)),
  CONSTRAINT mcp_approval_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'approved'::text, 'denied'::text, 'expired'::text, 'stale'::text, 'used'::text, 'ended'::text]))),
  CONSTRAINT mcp_approval_of FOREIGN KEY (team_id, client_id) REFERENCES api_client(team_id, id) ON DELETE CASCADE,
  CONSTRAINT mcp_approval_of_app FOREIGN KEY (team_id, connection_id) REFERENCES connected_app_connection(team_id, session_id) ON DELETE CASCADE,
  CONSTRAINT mcp_approval_round FOREIGN KEY (team_id, round_id) REFERENCES approval_round(team_id, id),
  CONSTRAINT mcp_approval_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT mcp_approval_pkey PRIMARY KEY (team_id, id),
  CONSTRAINT mcp_approval_task UNIQUE (team_id, task_id)
);
CREATE INDEX mcp_approval_app_call ON public.mcp_approval USING btree (team_id, connection_id, args_hash, id) WHERE (connection_id IS NOT NULL);
CREATE INDEX mcp_approval_app_open ON public.mcp_approval USING btree (connection_id) WHERE ((connection_id IS NOT NULL) AND (status = ANY (ARRAY['waiting'::text, 'approved'::text])));
CREATE INDEX mcp_approval_call ON public.mcp_approval USING btree (team_id, client_id, args_hash, id);
CREATE UNIQUE INDEX mcp_approval_of_round ON public.mcp_approval USING btree (team_id, round_id) WHERE (round_id IS NOT NULL);
CREATE INDEX mcp_approval_old ON public.mcp_approval USING btree (created_at);
CREATE INDEX mcp_approval_waiting ON public.mcp_approval USING btree (team_id, client_id) WHERE (status = 'waiting'::text);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- no row-level security: not owned by a team
CREATE TABLE migration (
  name text NOT NULL,
  sha256 text NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT now(),
  since text,
  CONSTRAINT migration_pkey PRIMARY KEY (name)
);

-- row-level security, forced
CREATE TABLE passkey (
  id uuid NOT NULL,
  person_id uuid NOT NULL,
  name text NOT NULL,
  credential_id bytea NOT NULL,
  public_key bytea NOT NULL,
  sign_count bigint NOT NULL,
  transports text[] NOT NULL,
  synced boolean NOT NULL,
  created_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone,
  CONSTRAINT passkey_credential_id_check CHECK (((octet_length(credential_id) >= 16) AND (octet_length(credential_id) <= 1023))),
  CONSTRAINT passkey_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  CONSTRAINT passkey_pkey PRIMARY KEY (id),
  CONSTRAINT passkey_credential_once UNIQUE (credential_id)
);
CREATE INDEX passkey_of_person ON public.passkey USING btree (person_id);
-- lookup: SELECT TO chancery_owner USING true
-- person_isolation: ALL TO chancery_app USING (person_id = ( SELECT current_person() AS current_person)) CHECK (person_id = ( SELECT current_person() AS current_person))
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- no row-level security: not owned by a team
CREATE TABLE passkey_challenge_spent (
  hash bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT passkey_challenge_spent_pkey PRIMARY KEY (hash)
);
CREATE INDEX passkey_challenge_spent_by_age ON public.passkey_challenge_spent USING btree (expires_at);
-- chancery_app may INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE password_reset (
  person_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  epoch integer NOT NULL DEFAULT 1,
  CONSTRAINT password_reset_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  CONSTRAINT password_reset_pkey PRIMARY KEY (person_id),
  CONSTRAINT password_reset_token_once UNIQUE (token_hash)
);
-- lookup: SELECT TO chancery_owner USING true
-- person_isolation: ALL TO chancery_app USING (person_id = ( SELECT current_person() AS current_person)) CHECK (person_id = ( SELECT current_person() AS current_person))
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE person (
  id uuid NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  locale text NOT NULL DEFAULT 'en'::text,
  timezone text NOT NULL DEFAULT 'UTC'::text,
  password_hash text,
  two_factor_enabled boolean NOT NULL DEFAULT false,
  onboarding_completed_at timestamp with time zone,
  credential_epoch integer NOT NULL DEFAULT 1,
  version integer NOT NULL DEFAULT 1,
  last_team_id uuid,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  deleted_at timestamp with time zone,
  managed_by uuid,
  CONSTRAINT person_pkey PRIMARY KEY (id)
);
CREATE INDEX person_by_age ON public.person USING btree (created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX person_email_once ON public.person USING btree (email_key) WHERE (deleted_at IS NULL);
-- lookup: SELECT TO chancery_owner USING true
-- person_isolation: ALL TO chancery_app USING (id = ( SELECT current_person() AS current_person)) CHECK (id = ( SELECT current_person() AS current_person))
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may SELECT, UPDATE

-- no row-level security: not owned by a team
CREATE TABLE quota_default (
  name text NOT NULL,
  most bigint NOT NULL,
  CONSTRAINT quota_default_most_check CHECK ((most >= 0)),
  CONSTRAINT quota_default_pkey PRIMARY KEY (name)
);
-- chancery_app may SELECT
-- chancery_system may DELETE, INSERT, SELECT, UPDATE

-- no row-level security: not owned by a team
CREATE TABLE registration (
  id uuid NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  password_hash text NOT NULL,
  device_hash bytea NOT NULL,
  origin_hash bytea NOT NULL,
  code_hmac bytea,
  code_expires_at timestamp with time zone,
  tries integer NOT NULL DEFAULT 0,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL DEFAULT (now() + '24:00:00'::interval),
  locale text NOT NULL DEFAULT 'en'::text,
  CONSTRAINT registration_pkey PRIMARY KEY (id)
);
CREATE INDEX registration_by_age ON public.registration USING btree (expires_at);
CREATE INDEX registration_of_address ON public.registration USING btree (email_key, created_at DESC);
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE registry (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  description text,
  fields jsonb NOT NULL,
  former_fields text[] NOT NULL DEFAULT '{}'::text[],
  user_id uuid NOT NULL,
  created_by uuid NOT NULL,
  created_by_type text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  deleted_at timestamp with time zone,
  container_id uuid,
  CONSTRAINT registry_in_container FOREIGN KEY (team_id, container_id) REFERENCES access_container(team_id, id),
  CONSTRAINT registry_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT registry_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX registry_binned ON public.registry USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX registry_by_age ON public.registry USING btree (team_id, id) WHERE (deleted_at IS NULL);
CREATE INDEX registry_by_change ON public.registry USING btree (team_id, updated_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX registry_by_container ON public.registry USING btree (team_id, container_id) WHERE (container_id IS NOT NULL);
CREATE INDEX registry_of_owner ON public.registry USING btree (team_id, user_id);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE registry_import (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  registry_id uuid NOT NULL,
  status text NOT NULL,
  mode text NOT NULL,
  manner jsonb NOT NULL,
  content bytea,
  total integer NOT NULL,
  imported integer NOT NULL DEFAULT 0,
  bad integer NOT NULL DEFAULT 0,
  errors jsonb NOT NULL DEFAULT '[]'::jsonb,
  code text,
  detail text,
  created_by uuid NOT NULL,
  created_by_type text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  CONSTRAINT registry_import_content CHECK (((status = 'waiting'::text) = (content IS NOT NULL))),
  CONSTRAINT registry_import_mode_check CHECK ((mode = ANY (ARRAY['all'::text, 'good'::text]))),
  CONSTRAINT registry_import_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'done'::text, 'refused'::text, 'failed'::text]))),
  CONSTRAINT registry_import_of FOREIGN KEY (team_id, registry_id) REFERENCES registry(team_id, id) ON DELETE CASCADE,
  CONSTRAINT registry_import_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX registry_import_by_age ON public.registry_import USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX registry_import_of_registry ON public.registry_import USING btree (team_id, registry_id, id);
CREATE INDEX registry_import_waiting ON public.registry_import USING btree (team_id) WHERE (status = 'waiting'::text);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE registry_record (
  team_id uuid NOT NULL,
  registry_id uuid NOT NULL,
  id uuid NOT NULL,
  state text NOT NULL,
  data jsonb NOT NULL,
  keys jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  act text NOT NULL,
  changed_by uuid,
  changed_by_type text NOT NULL,
  created_by uuid,
  created_by_type text NOT NULL,
  submission_id uuid,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  deleted_at timestamp with time zone,
  workflow_id uuid,
  CONSTRAINT registry_record_act_check CHECK ((act = ANY (ARRAY['created'::text, 'imported'::text, 'submitted'::text, 'updated'::text, 'approved'::text, 'declined'::text, 'deleted'::text, 'restored'::text, 'reverted'::text]))),
  CONSTRAINT registry_record_binned CHECK (((state = 'deleted'::text) = (deleted_at IS NOT NULL))),
  CONSTRAINT registry_record_state_check CHECK ((state = ANY (ARRAY['active'::text, 'pending'::text, 'deleted'::text]))),
  CONSTRAINT registry_record_of FOREIGN KEY (team_id, registry_id) REFERENCES registry(team_id, id),
  CONSTRAINT registry_record_of_workflow FOREIGN KEY (team_id, workflow_id) REFERENCES workflow(team_id, id) ON DELETE SET NULL (workflow_id),
  CONSTRAINT registry_record_pkey PRIMARY KEY (team_id, registry_id, id)
);
CREATE INDEX registry_record_by_age ON public.registry_record USING btree (team_id, registry_id, state, id);
CREATE INDEX registry_record_by_change ON public.registry_record USING btree (team_id, registry_id, state, updated_at, id);
CREATE INDEX registry_record_by_workflow ON public.registry_record USING btree (team_id, workflow_id) WHERE (workflow_id IS NOT NULL);
CREATE INDEX registry_record_in_bin ON public.registry_record USING btree (deleted_at) WHERE (state = 'deleted'::text);
CREATE INDEX registry_record_of_submission ON public.registry_record USING btree (team_id, submission_id) WHERE (submission_id IS NOT NULL);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE registry_record_version (
  team_id uuid NOT NULL,
  registry_id uuid NOT NULL,
  record_id uuid NOT NULL,
  version integer NOT NULL,
  data jsonb NOT NULL,
  act text NOT NULL,
  changed_by uuid,
  changed_by_type text NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  CONSTRAINT registry_record_version_act_check CHECK ((act = ANY (ARRAY['created'::text, 'imported'::text, 'submitted'::text, 'updated'::text, 'approved'::text, 'declined'::text, 'deleted'::text, 'restored'::text, 'reverted'::text]))),
  CONSTRAINT registry_record_version_of FOREIGN KEY (team_id, registry_id, record_id) REFERENCES registry_record(team_id, registry_id, id) ON DELETE CASCADE,
  CONSTRAINT registry_record_version_pkey PRIMARY KEY (team_id, registry_id, record_id, version)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE registry_unique_value (
  team_id uuid NOT NULL,
  registry_id uuid NOT NULL,
  field text NOT NULL,
  key text NOT NULL,
  record_id uuid NOT NULL,
  CONSTRAINT registry_value_once PRIMARY KEY (team_id, registry_id, field, key)
);
CREATE INDEX registry_unique_value_of ON public.registry_unique_value USING btree (team_id, registry_id, record_id);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE registry_value (
  team_id uuid NOT NULL,
  registry_id uuid NOT NULL,
  state text NOT NULL,
  field text NOT NULL,
  key text NOT NULL,
  record_id uuid NOT NULL,
  CONSTRAINT registry_value_pkey PRIMARY KEY (team_id, registry_id, state, field, key, record_id)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE retention_day (
  team_id uuid NOT NULL,
  day date NOT NULL,
  binned integer NOT NULL,
  CONSTRAINT retention_day_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT retention_day_pkey PRIMARY KEY (team_id)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE retention_done (
  team_id uuid NOT NULL,
  document_id uuid NOT NULL,
  folder_id uuid NOT NULL,
  action text NOT NULL,
  due_on date NOT NULL,
  basis text NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  expires_at date,
  done_at timestamp with time zone NOT NULL,
  CONSTRAINT retention_done_of FOREIGN KEY (team_id, document_id) REFERENCES document(team_id, id) ON DELETE CASCADE,
  CONSTRAINT retention_done_pkey PRIMARY KEY (team_id, document_id)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE retention_rule (
  team_id uuid NOT NULL,
  folder_id uuid NOT NULL,
  action text NOT NULL,
  after text NOT NULL,
  counted_from text NOT NULL,
  effective_from timestamp with time zone NOT NULL,
  ends_at timestamp with time zone,
  waiting integer NOT NULL DEFAULT 0,
  confirmed_on date,
  confirmed_by uuid,
  set_by uuid NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT retention_rule_action_check CHECK ((action = ANY (ARRAY['keep'::text, 'review'::text, 'delete'::text]))),
  CONSTRAINT retention_rule_counted_from_check CHECK ((counted_from = ANY (ARRAY['created'::text, 'updated'::text, 'expires'::text]))),
  CONSTRAINT retention_rule_of FOREIGN KEY (team_id, folder_id) REFERENCES folder(team_id, id) ON DELETE CASCADE,
  CONSTRAINT retention_rule_pkey PRIMARY KEY (team_id, folder_id)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE saml_certificate (
  team_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  fingerprint bytea NOT NULL,
  certificate bytea NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  added_at timestamp with time zone NOT NULL,
  CONSTRAINT saml_certificate_team_id_connection_id_fkey FOREIGN KEY (team_id, connection_id) REFERENCES saml_connection(team_id, id) ON DELETE CASCADE,
  CONSTRAINT saml_certificate_pkey PRIMARY KEY (team_id, connection_id, fingerprint)
);
CREATE INDEX saml_certificate_by_end ON public.saml_certificate USING btree (ends_at);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE saml_connection (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  sso_url text NOT NULL,
  name_id_format text NOT NULL,
  allows_idp_initiated boolean NOT NULL,
  metadata_url text,
  read_at timestamp with time zone,
  noticed_days integer,
  CONSTRAINT saml_connection_name_id_format_check CHECK ((name_id_format = ANY (ARRAY['persistent'::text, 'emailAddress'::text]))),
  CONSTRAINT saml_connection_team_id_id_fkey FOREIGN KEY (team_id, id) REFERENCES sso_connection(team_id, id) ON DELETE CASCADE,
  CONSTRAINT saml_connection_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX saml_connection_by_reading ON public.saml_connection USING btree (read_at) WHERE (metadata_url IS NOT NULL);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- no row-level security: not owned by a team
CREATE TABLE saml_request (
  id_hash bytea NOT NULL,
  connection_id uuid NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT saml_request_pkey PRIMARY KEY (id_hash)
);
CREATE INDEX saml_request_by_age ON public.saml_request USING btree (expires_at);
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- no row-level security: not owned by a team
CREATE TABLE saml_response (
  handle_hash bytea NOT NULL,
  sealed bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT saml_response_pkey PRIMARY KEY (handle_hash)
);
CREATE INDEX saml_response_by_age ON public.saml_response USING btree (expires_at);
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE scim_user (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  directory_id uuid NOT NULL,
  account_id uuid,
  status text NOT NULL,
  user_name text NOT NULL,
  user_name_key text NOT NULL,
  external_id text,
  email text,
  email_key text,
  attributes jsonb NOT NULL,
  active boolean NOT NULL,
  is_suspended boolean NOT NULL DEFAULT false,
  invitation_id uuid,
  deactivated_at timestamp with time zone,
  deleted_at timestamp with time zone,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT scim_user_linked CHECK (((status = ANY (ARRAY['linked'::text, 'withdrawn'::text])) = (account_id IS NOT NULL))),
  CONSTRAINT scim_user_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'linked'::text, 'conflict'::text, 'withdrawn'::text]))),
  CONSTRAINT scim_user_is FOREIGN KEY (team_id, account_id) REFERENCES account(team_id, id),
  CONSTRAINT scim_user_of FOREIGN KEY (team_id, directory_id) REFERENCES directory(team_id, id) ON DELETE CASCADE,
  CONSTRAINT scim_user_pkey PRIMARY KEY (team_id, id)
);
CREATE UNIQUE INDEX scim_user_account_once ON public.scim_user USING btree (team_id, account_id) WHERE (account_id IS NOT NULL);
CREATE INDEX scim_user_by_deactivation ON public.scim_user USING btree (team_id, directory_id, deactivated_at) WHERE (deactivated_at IS NOT NULL);
CREATE INDEX scim_user_by_email ON public.scim_user USING btree (team_id, directory_id, email_key) WHERE (email_key IS NOT NULL);
CREATE INDEX scim_user_by_id ON public.scim_user USING btree (team_id, directory_id, id);
CREATE INDEX scim_user_by_invitation ON public.scim_user USING btree (team_id, invitation_id) WHERE (invitation_id IS NOT NULL);
CREATE INDEX scim_user_deleted ON public.scim_user USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE UNIQUE INDEX scim_user_external_once ON public.scim_user USING btree (team_id, directory_id, external_id) WHERE (external_id IS NOT NULL);
CREATE UNIQUE INDEX scim_user_name_once ON public.scim_user USING btree (team_id, directory_id, user_name_key);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- no row-level security: not owned by a team
CREATE TABLE seal_authority (
  id uuid NOT NULL,
  one boolean NOT NULL DEFAULT true,
  certificate bytea NOT NULL,
  private_key bytea NOT NULL,
  revocation_list bytea NOT NULL,
  list_number integer NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT seal_authority_one_check CHECK (one),
  CONSTRAINT seal_authority_pkey PRIMARY KEY (id),
  CONSTRAINT seal_authority_one_key UNIQUE (one)
);
-- chancery_system may INSERT, SELECT, UPDATE

-- no row-level security: not owned by a team
CREATE TABLE seal_certificate (
  id uuid NOT NULL,
  certificate bytea NOT NULL,
  private_key bytea,
  status text NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  revoked_at timestamp with time zone,
  CONSTRAINT seal_certificate_says_since_when CHECK (((revoked_at IS NOT NULL) = (status = 'revoked'::text))),
  CONSTRAINT seal_certificate_signs_or_is_over CHECK (((private_key IS NOT NULL) = (status = 'active'::text))),
  CONSTRAINT seal_certificate_status_check CHECK ((status = ANY (ARRAY['active'::text, 'retired'::text, 'revoked'::text]))),
  CONSTRAINT seal_certificate_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX seal_certificate_one_active ON public.seal_certificate USING btree (status) WHERE (status = 'active'::text);
-- chancery_system may INSERT, SELECT, UPDATE

-- no row-level security: not owned by a team
CREATE TABLE service_state (
  name text NOT NULL,
  value text NOT NULL,
  CONSTRAINT service_state_pkey PRIMARY KEY (name)
);
-- chancery_system may DELETE, INSERT, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE session (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  revoked_at timestamp with time zone,
  connection_id uuid,
  epoch integer NOT NULL DEFAULT 1,
  idp_session text,
  CONSTRAINT session_of_sign_in FOREIGN KEY (id) REFERENCES sign_in(id) ON DELETE CASCADE,
  CONSTRAINT session_team_id_account_id_fkey FOREIGN KEY (team_id, account_id) REFERENCES account(team_id, id),
  CONSTRAINT session_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX session_by_sign_in ON public.session USING btree (id);
CREATE INDEX session_of_account ON public.session USING btree (team_id, account_id) WHERE (revoked_at IS NULL);
CREATE INDEX session_of_connection ON public.session USING btree (team_id, connection_id) WHERE ((connection_id IS NOT NULL) AND (revoked_at IS NULL));
CREATE INDEX session_of_idp ON public.session USING btree (team_id, connection_id, idp_session) WHERE ((idp_session IS NOT NULL) AND (revoked_at IS NULL));
-- end_at_home: UPDATE TO chancery_owner USING true
-- lookup: SELECT TO chancery_owner USING true
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE sign_in (
  id uuid NOT NULL,
  person_id uuid NOT NULL,
  refresh_counter integer NOT NULL DEFAULT 0,
  rotations timestamp with time zone[] NOT NULL DEFAULT '{}'::timestamp with time zone[],
  auth_time timestamp with time zone NOT NULL,
  own_proof_at timestamp with time zone,
  second_factor_at timestamp with time zone,
  amr text[] NOT NULL,
  acr text NOT NULL,
  ip inet,
  user_agent text,
  epoch integer NOT NULL DEFAULT 1,
  app_id text,
  app_scopes text[],
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  last_used_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone,
  CONSTRAINT sign_in_acr_check CHECK ((acr = ANY (ARRAY['aal1'::text, 'aal2'::text]))),
  CONSTRAINT sign_in_of_app CHECK (((app_id IS NULL) = (app_scopes IS NULL))),
  CONSTRAINT sign_in_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  CONSTRAINT sign_in_pkey PRIMARY KEY (id)
);
CREATE INDEX sign_in_of_person ON public.sign_in USING btree (person_id);
-- lookup: SELECT TO chancery_owner USING true
-- person_isolation: ALL TO chancery_app USING (person_id = ( SELECT current_person() AS current_person)) CHECK (person_id = ( SELECT current_person() AS current_person))
-- rotation: UPDATE TO chancery_owner USING true
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE sign_in_challenge (
  opens_team_id uuid NOT NULL,
  person_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  expires_at timestamp with time zone NOT NULL,
  amr text[] NOT NULL DEFAULT '{pwd}'::text[],
  connection_id uuid,
  epoch integer NOT NULL DEFAULT 1,
  idp_session text,
  ends_at timestamp with time zone,
  CONSTRAINT sign_in_challenge_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  CONSTRAINT sign_in_challenge_pkey PRIMARY KEY (person_id),
  CONSTRAINT sign_in_challenge_token_once UNIQUE (token_hash)
);
CREATE INDEX sign_in_challenge_by_age ON public.sign_in_challenge USING btree (expires_at);
CREATE INDEX sign_in_challenge_through ON public.sign_in_challenge USING btree (connection_id) WHERE (connection_id IS NOT NULL);
-- connection_change: ALL TO chancery_owner USING (opens_team_id = ( SELECT current_team() AS current_team))
-- lookup: SELECT TO chancery_owner USING true
-- person_isolation: ALL TO chancery_app USING (person_id = ( SELECT current_person() AS current_person)) CHECK (person_id = ( SELECT current_person() AS current_person))
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE signature_batch (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  title text NOT NULL,
  status text NOT NULL DEFAULT 'running'::text,
  template_id uuid,
  document_id uuid,
  source_version integer NOT NULL,
  manner jsonb NOT NULL,
  created_by uuid NOT NULL,
  created_by_type text NOT NULL,
  owner_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  CONSTRAINT signature_batch_ended CHECK (((status = 'running'::text) = (ended_at IS NULL))),
  CONSTRAINT signature_batch_of_one CHECK ((num_nonnulls(template_id, document_id) = 1)),
  CONSTRAINT signature_batch_status_check CHECK ((status = ANY (ARRAY['running'::text, 'done'::text, 'cancelled'::text]))),
  CONSTRAINT signature_batch_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT signature_batch_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX signature_batch_of_owner ON public.signature_batch USING btree (team_id, owner_id, id);
CREATE INDEX signature_batch_running ON public.signature_batch USING btree (team_id, id) WHERE (status = 'running'::text);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE signature_batch_row (
  team_id uuid NOT NULL,
  batch_id uuid NOT NULL,
  number integer NOT NULL,
  email text NOT NULL,
  name text NOT NULL,
  data jsonb NOT NULL,
  status text NOT NULL DEFAULT 'waiting'::text,
  document_id uuid,
  request_id uuid,
  code text,
  detail text,
  CONSTRAINT signature_batch_row_failed CHECK (((status = 'failed'::text) = (code IS NOT NULL))),
  CONSTRAINT signature_batch_row_made CHECK ((((status = 'done'::text) = (request_id IS NOT NULL)) AND ((request_id IS NULL) = (document_id IS NULL)))),
  CONSTRAINT signature_batch_row_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'done'::text, 'failed'::text, 'cancelled'::text]))),
  CONSTRAINT signature_batch_row_of FOREIGN KEY (team_id, batch_id) REFERENCES signature_batch(team_id, id) ON DELETE CASCADE,
  CONSTRAINT signature_batch_row_pkey PRIMARY KEY (team_id, batch_id, number)
);
CREATE INDEX signature_batch_row_waiting ON public.signature_batch_row USING btree (team_id, batch_id, number) WHERE (status = 'waiting'::text);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE signature_evidence (
  team_id uuid NOT NULL,
  request_id uuid NOT NULL,
  number integer NOT NULL,
  signer_id uuid NOT NULL,
  act text NOT NULL,
  jws text NOT NULL,
  sha256 text NOT NULL,
  at timestamp with time zone NOT NULL,
  CONSTRAINT signature_evidence_act_check CHECK ((act = ANY (ARRAY['viewed'::text, 'signed'::text, 'declined'::text, 'delegated'::text, 'corrected'::text]))),
  CONSTRAINT signature_evidence_of FOREIGN KEY (team_id, request_id) REFERENCES signature_request(team_id, id) ON DELETE CASCADE,
  CONSTRAINT signature_evidence_pkey PRIMARY KEY (team_id, request_id, number)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE signature_field (
  team_id uuid NOT NULL,
  request_id uuid NOT NULL,
  id text NOT NULL,
  signer_id uuid NOT NULL,
  "position" integer NOT NULL,
  kind text NOT NULL,
  page integer NOT NULL,
  x double precision NOT NULL,
  y double precision NOT NULL,
  width double precision NOT NULL,
  height double precision NOT NULL,
  label text,
  required boolean NOT NULL,
  document integer NOT NULL DEFAULT 0,
  CONSTRAINT signature_field_kind_check CHECK ((kind = ANY (ARRAY['signature'::text, 'initials'::text, 'name'::text, 'date'::text, 'text'::text, 'checkbox'::text]))),
  CONSTRAINT signature_field_of FOREIGN KEY (team_id, request_id) REFERENCES signature_request(team_id, id) ON DELETE CASCADE,
  CONSTRAINT signature_field_pkey PRIMARY KEY (team_id, request_id, id)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE signature_place (
  team_id uuid NOT NULL,
  document_id uuid NOT NULL,
  version integer NOT NULL,
  places jsonb NOT NULL,
  CONSTRAINT signature_place_is_document FOREIGN KEY (team_id, document_id) REFERENCES document(team_id, id) ON DELETE CASCADE,
  CONSTRAINT signature_place_pkey PRIMARY KEY (team_id, document_id, version)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE signature_request (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  title text NOT NULL,
  status text NOT NULL DEFAULT 'preparing'::text,
  message text,
  consent_addition text,
  locale text NOT NULL,
  require_code boolean NOT NULL,
  allow_delegation boolean NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  created_by uuid NOT NULL,
  created_by_type text NOT NULL DEFAULT 'user'::text,
  owner_id uuid NOT NULL,
  requested_by uuid NOT NULL,
  suspended text,
  paused boolean NOT NULL DEFAULT false,
  workflow_id uuid,
  step_id text,
  step text,
  error text,
  step_since timestamp with time zone,
  tries integer NOT NULL DEFAULT 0,
  next_retry_at timestamp with time zone,
  end_reason text,
  completed_at timestamp with time zone,
  ended_at timestamp with time zone,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT signature_request_status_check CHECK ((status = ANY (ARRAY['preparing'::text, 'pending'::text, 'sealing'::text, 'completed'::text, 'declined'::text, 'expired'::text, 'voided'::text, 'failed'::text]))),
  CONSTRAINT signature_request_suspended_check CHECK ((suspended = ANY (ARRAY['right_lost'::text, 'signer_left'::text, 'signer_excluded'::text]))),
  CONSTRAINT signature_request_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT signature_request_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX signature_request_by ON public.signature_request USING btree (team_id, requested_by, id);
CREATE INDEX signature_request_by_change ON public.signature_request USING btree (team_id, updated_at, id);
CREATE INDEX signature_request_by_status ON public.signature_request USING btree (team_id, status, id);
CREATE INDEX signature_request_expiring ON public.signature_request USING btree (expires_at) WHERE (status = 'pending'::text);
CREATE INDEX signature_request_owner ON public.signature_request USING btree (team_id, owner_id, id);
-- lookup: SELECT TO chancery_owner USING true
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- without_documents: DELETE TO chancery_owner USING true
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE signature_request_document (
  team_id uuid NOT NULL,
  request_id uuid NOT NULL,
  place integer NOT NULL,
  document_id uuid NOT NULL,
  document_version integer NOT NULL,
  document_sha256 text NOT NULL,
  title text NOT NULL,
  signers uuid[],
  readers uuid[],
  live boolean NOT NULL DEFAULT true,
  presented_storage_key text,
  presented_sha256 text,
  presented_size bigint,
  pages jsonb,
  manner text,
  findings text[] NOT NULL DEFAULT '{}'::text[],
  error text,
  sealed_version integer,
  sealed_sha256 text,
  seal_level text,
  sealed_at timestamp with time zone,
  time_source text,
  CONSTRAINT signature_request_document_manner_check CHECK ((manner = ANY (ARRAY['append'::text, 'separate'::text]))),
  CONSTRAINT signature_request_document_place_check CHECK ((place >= 0)),
  CONSTRAINT signature_request_document_time_source_check CHECK ((time_source = ANY (ARRAY['service'::text, 'timestamp'::text]))),
  CONSTRAINT signature_request_document_is FOREIGN KEY (team_id, document_id) REFERENCES document(team_id, id) ON DELETE CASCADE,
  CONSTRAINT signature_request_document_of FOREIGN KEY (team_id, request_id) REFERENCES signature_request(team_id, id) ON DELETE CASCADE,
  CONSTRAINT signature_request_document_pkey PRIMARY KEY (team_id, request_id, place),
  CONSTRAINT signature_request_document_once UNIQUE (team_id, request_id, document_id)
);
CREATE INDEX signature_request_document_file ON public.signature_request_document USING btree (presented_storage_key) WHERE (presented_storage_key IS NOT NULL);
CREATE INDEX signature_request_document_of_document ON public.signature_request_document USING btree (team_id, document_id, request_id);
CREATE UNIQUE INDEX signature_request_document_one_live ON public.signature_request_document USING btree (team_id, document_id) WHERE live;
CREATE INDEX signature_request_document_sealed ON public.signature_request_document USING btree (sealed_sha256) WHERE (sealed_sha256 IS NOT NULL);
-- lookup: SELECT TO chancery_owner USING true
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE signature_seal (
  team_id uuid NOT NULL,
  request_id uuid NOT NULL,
  place integer NOT NULL,
  storage_key text NOT NULL,
  sha256 text NOT NULL,
  size bigint NOT NULL,
  level text NOT NULL,
  timestamped_at timestamp with time zone,
  CONSTRAINT signature_seal_of FOREIGN KEY (team_id, request_id, place) REFERENCES signature_request_document(team_id, request_id, place) ON DELETE CASCADE,
  CONSTRAINT signature_seal_pkey PRIMARY KEY (team_id, request_id, place)
);
CREATE INDEX signature_seal_file ON public.signature_seal USING btree (storage_key);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE signature_session (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  signer_id uuid NOT NULL,
  hash bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT signature_session_of FOREIGN KEY (team_id, signer_id) REFERENCES signature_signer(team_id, id) ON DELETE CASCADE,
  CONSTRAINT signature_session_pkey PRIMARY KEY (team_id, id),
  CONSTRAINT signature_session_hash_once UNIQUE (team_id, hash)
);
CREATE INDEX signature_session_of_signer ON public.signature_session USING btree (team_id, signer_id);
CREATE INDEX signature_session_over ON public.signature_session USING btree (expires_at);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE signature_signer (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  request_id uuid NOT NULL,
  place integer NOT NULL,
  turn integer NOT NULL,
  role text NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  name text NOT NULL,
  account_id uuid,
  status text NOT NULL DEFAULT 'waiting'::text,
  hash bytea,
  sealed bytea,
  sent_at timestamp with time zone,
  viewed_at timestamp with time zone,
  signed_at timestamp with time zone,
  declined_at timestamp with time zone,
  decline_reason text,
  typed_name text,
  mark_kind text,
  mark_text text,
  mark_png bytea,
  known text,
  filled jsonb,
  delegated_name text,
  delegated_email text,
  reminders integer NOT NULL DEFAULT 0,
  reminded_at timestamp with time zone,
  remind_at timestamp with time zone,
  resent integer NOT NULL DEFAULT 0,
  resent_at timestamp with time zone,
  resent_since timestamp with time zone,
  code_hash bytea,
  code_expires_at timestamp with time zone,
  code_tries integer NOT NULL DEFAULT 0,
  codes_sent integer NOT NULL DEFAULT 0,
  codes_since timestamp with time zone,
  locale text NOT NULL,
  CONSTRAINT signature_signer_has_link CHECK (((hash IS NULL) = (sealed IS NULL))),
  CONSTRAINT signature_signer_known_check CHECK ((known = ANY (ARRAY['link'::text, 'code'::text, 'account'::text]))),
  CONSTRAINT signature_signer_mark_kind_check CHECK ((mark_kind = ANY (ARRAY['typed'::text, 'drawn'::text, 'confirmed'::text]))),
  CONSTRAINT signature_signer_role_check CHECK ((role = ANY (ARRAY['signer'::text, 'approver'::text, 'copy'::text]))),
  CONSTRAINT signature_signer_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'pending'::text, 'viewed'::text, 'signed'::text, 'declined'::text]))),
  CONSTRAINT signature_signer_of FOREIGN KEY (team_id, request_id) REFERENCES signature_request(team_id, id) ON DELETE CASCADE,
  CONSTRAINT signature_signer_pkey PRIMARY KEY (team_id, id),
  CONSTRAINT signature_signer_link_once UNIQUE (team_id, hash),
  CONSTRAINT signature_signer_once UNIQUE (team_id, request_id, email_key)
);
CREATE INDEX signature_signer_address ON public.signature_signer USING btree (email_key);
CREATE INDEX signature_signer_in_order ON public.signature_signer USING btree (team_id, request_id, place);
CREATE INDEX signature_signer_member ON public.signature_signer USING btree (team_id, account_id) WHERE (account_id IS NOT NULL);
CREATE INDEX signature_signer_pending ON public.signature_signer USING btree (team_id, account_id) WHERE ((account_id IS NOT NULL) AND (status = ANY (ARRAY['pending'::text, 'viewed'::text])));
CREATE INDEX signature_signer_reminding ON public.signature_signer USING btree (remind_at) WHERE (remind_at IS NOT NULL);
-- lookup: SELECT TO chancery_owner USING true
-- system_delete: DELETE TO chancery_system USING true
-- system_reseal: UPDATE TO chancery_system USING true CHECK true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- no row-level security: not owned by a team
CREATE TABLE signing_key (
  kid text NOT NULL,
  purpose text NOT NULL,
  alg text NOT NULL,
  public_jwk jsonb NOT NULL,
  private_jwk bytea,
  status text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  activated_at timestamp with time zone,
  retired_at timestamp with time zone,
  activates_at timestamp with time zone,
  removed_at timestamp with time zone,
  CONSTRAINT signing_key_purpose_check CHECK ((purpose = ANY (ARRAY['access'::text, 'witness'::text, 'webhook'::text, 'evidence'::text, 'saml'::text]))),
  CONSTRAINT signing_key_signs_or_is_over CHECK (((private_jwk IS NOT NULL) = (status = ANY (ARRAY['next'::text, 'active'::text])))),
  CONSTRAINT signing_key_status_check CHECK ((status = ANY (ARRAY['next'::text, 'active'::text, 'retired'::text, 'removed'::text]))),
  CONSTRAINT signing_key_pkey PRIMARY KEY (kid)
);
CREATE UNIQUE INDEX signing_key_one_active ON public.signing_key USING btree (purpose) WHERE (status = 'active'::text);
CREATE UNIQUE INDEX signing_key_one_next ON public.signing_key USING btree (purpose) WHERE (status = 'next'::text);
-- chancery_system may DELETE, INSERT, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE sso_connection (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  issuer text NOT NULL,
  client_id text,
  client_secret bytea,
  default_role text NOT NULL,
  is_enforced boolean NOT NULL,
  email_trust text NOT NULL DEFAULT 'claim'::text,
  trusts_mfa boolean NOT NULL,
  jit boolean NOT NULL DEFAULT true,
  is_active boolean NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  created_by uuid,
  kind text NOT NULL DEFAULT 'oidc'::text,
  trusts_home boolean NOT NULL DEFAULT false,
  subject_claim text,
  CONSTRAINT sso_connection_default_role_check CHECK ((default_role = ANY (ARRAY['member'::text, 'viewer'::text]))),
  CONSTRAINT sso_connection_email_trust_check CHECK ((email_trust = ANY (ARRAY['claim'::text, 'domain'::text]))),
  CONSTRAINT sso_connection_kind_check CHECK ((kind = ANY (ARRAY['oidc'::text, 'saml'::text]))),
  CONSTRAINT sso_connection_of_kind CHECK ((((kind = 'oidc'::text) = (client_id IS NOT NULL)) AND ((kind = 'oidc'::text) = (client_secret IS NOT NULL)))),
  CONSTRAINT sso_connection_saml_trust CHECK (((kind = 'oidc'::text) OR (email_trust = 'domain'::text))),
  CONSTRAINT sso_connection_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT sso_connection_pkey PRIMARY KEY (team_id, id),
  CONSTRAINT sso_connection_id_once UNIQUE (id)
);
-- lookup: SELECT TO chancery_owner USING true
-- system_delete: DELETE TO chancery_system USING true
-- system_reseal: UPDATE TO chancery_system USING true CHECK true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE sso_domain (
  team_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  domain text NOT NULL,
  proof text NOT NULL,
  verified_at timestamp with time zone,
  checked_at timestamp with time zone,
  missing_since timestamp with time zone,
  CONSTRAINT sso_domain_team_id_connection_id_fkey FOREIGN KEY (team_id, connection_id) REFERENCES sso_connection(team_id, id) ON DELETE CASCADE,
  CONSTRAINT sso_domain_pkey PRIMARY KEY (team_id, connection_id, domain)
);
CREATE INDEX sso_domain_by_check ON public.sso_domain USING btree (checked_at) WHERE (verified_at IS NOT NULL);
CREATE UNIQUE INDEX sso_domain_once ON public.sso_domain USING btree (domain) WHERE (verified_at IS NOT NULL);
-- lookup: SELECT TO chancery_owner USING true
-- release: UPDATE TO chancery_owner USING (EXISTS ( SELECT
   FROM team t
  WHERE ((t.team_id = sso_domain.team_id) AND (t.status = 'closed'::text)))) CHECK (verified_at IS NULL)
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- no row-level security: not owned by a team
CREATE TABLE sso_state_spent (
  hash bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT sso_state_spent_pkey PRIMARY KEY (hash)
);
CREATE INDEX sso_state_spent_by_age ON public.sso_state_spent USING btree (expires_at);
-- chancery_app may INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- no row-level security: not owned by a team
CREATE TABLE staff (
  id uuid NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  name text NOT NULL,
  password_hash text,
  is_active boolean NOT NULL DEFAULT true,
  totp_secret bytea,
  totp_last_step bigint NOT NULL DEFAULT 0,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  last_login_at timestamp with time zone,
  credential_epoch integer NOT NULL DEFAULT 1,
  CONSTRAINT staff_pkey PRIMARY KEY (id),
  CONSTRAINT staff_email_once UNIQUE (email_key)
);
-- chancery_system may DELETE, INSERT, SELECT, UPDATE

-- no row-level security: not owned by a team
CREATE TABLE staff_backup_code (
  staff_id uuid NOT NULL,
  slot smallint NOT NULL,
  hash text NOT NULL,
  used_at timestamp with time zone,
  CONSTRAINT staff_backup_code_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  CONSTRAINT staff_backup_code_pkey PRIMARY KEY (staff_id, slot)
);
-- chancery_system may DELETE, INSERT, SELECT, UPDATE

-- no row-level security: not owned by a team
CREATE TABLE staff_challenge (
  staff_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  expires_at timestamp with time zone NOT NULL,
  epoch integer NOT NULL DEFAULT 1,
  CONSTRAINT staff_challenge_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  CONSTRAINT staff_challenge_pkey PRIMARY KEY (staff_id),
  CONSTRAINT staff_challenge_once UNIQUE (token_hash)
);
-- chancery_system may DELETE, INSERT, SELECT, UPDATE

-- no row-level security: not owned by a team
CREATE TABLE staff_password_link (
  staff_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  epoch integer NOT NULL DEFAULT 1,
  CONSTRAINT staff_password_link_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  CONSTRAINT staff_password_link_pkey PRIMARY KEY (staff_id),
  CONSTRAINT staff_password_link_once UNIQUE (token_hash)
);
-- chancery_system may DELETE, INSERT, SELECT, UPDATE

-- no row-level security: not owned by a team
CREATE TABLE staff_session (
  id uuid NOT NULL,
  staff_id uuid NOT NULL,
  refresh_counter integer NOT NULL DEFAULT 0,
  rotations timestamp with time zone[] NOT NULL DEFAULT '{}'::timestamp with time zone[],
  auth_time timestamp with time zone NOT NULL,
  amr text[] NOT NULL,
  acr text NOT NULL,
  ip inet,
  user_agent text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  last_used_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone,
  epoch integer NOT NULL DEFAULT 1,
  second_factor_at timestamp with time zone,
  CONSTRAINT staff_session_acr_check CHECK ((acr = ANY (ARRAY['aal1'::text, 'aal2'::text]))),
  CONSTRAINT staff_session_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  CONSTRAINT staff_session_pkey PRIMARY KEY (id)
);
CREATE INDEX staff_session_of_staff ON public.staff_session USING btree (staff_id) WHERE (revoked_at IS NULL);
-- chancery_system may DELETE, INSERT, SELECT, UPDATE

-- no row-level security: not owned by a team
CREATE TABLE staff_totp_setup (
  staff_id uuid NOT NULL,
  id uuid NOT NULL,
  secret bytea NOT NULL,
  backup_hashes text[] NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT staff_totp_setup_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  CONSTRAINT staff_totp_setup_pkey PRIMARY KEY (staff_id)
);
-- chancery_system may DELETE, INSERT, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE submission (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  interface_id uuid NOT NULL,
  version integer NOT NULL,
  channel text NOT NULL,
  status text NOT NULL,
  data jsonb,
  records jsonb,
  locale text,
  session_id uuid,
  task_id uuid,
  confirm_hash bytea,
  confirm_until timestamp with time zone,
  row_version integer NOT NULL DEFAULT 1,
  erase_after timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  erased_at timestamp with time zone,
  erased_by uuid,
  erased_by_type text,
  erased_for text,
  shelf text NOT NULL GENERATED ALWAYS AS (
CASE
    WHEN (erased_at IS NULL) THEN status
    ELSE 'erased'::text
END) STORED,
  address_hash bytea,
  CONSTRAINT submission_channel_check CHECK ((channel = ANY (ARRAY['public'::text, 'api'::text]))),
  CONSTRAINT submission_erased_for_check CHECK ((erased_for = ANY (ARRAY['request'::text, 'retention'::text, 'deletion'::text]))),
  CONSTRAINT submission_is_a_tombstone CHECK ((((erased_at IS NULL) = (erased_for IS NULL)) AND ((erased_at IS NULL) OR ((data IS NULL) AND (records IS NULL))))),
  CONSTRAINT submission_status_check CHECK ((status = ANY (ARRAY['received'::text, 'spam'::text, 'held'::text, 'failed'::text]))),
  CONSTRAINT submission_waits CHECK ((((status = 'held'::text) = (confirm_until IS NOT NULL)) AND ((status = 'held'::text) = (confirm_hash IS NOT NULL)))),
  CONSTRAINT submission_of FOREIGN KEY (team_id, interface_id) REFERENCES interface(team_id, id),
  CONSTRAINT submission_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX submission_of_interface ON public.submission USING btree (team_id, interface_id, shelf, created_at, id);
CREATE INDEX submission_of_session ON public.submission USING btree (team_id, session_id) WHERE (session_id IS NOT NULL);
CREATE INDEX submission_of_task ON public.submission USING btree (team_id, task_id) WHERE (task_id IS NOT NULL);
CREATE INDEX submission_unconfirmed ON public.submission USING btree (confirm_until) WHERE (status = 'held'::text);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE submission_draft (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  interface_id uuid NOT NULL,
  session_id uuid,
  hash bytea NOT NULL,
  version integer NOT NULL,
  data jsonb NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  mails integer NOT NULL DEFAULT 0,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT submission_draft_of FOREIGN KEY (team_id, interface_id) REFERENCES interface(team_id, id) ON DELETE CASCADE,
  CONSTRAINT submission_draft_pkey PRIMARY KEY (team_id, id),
  CONSTRAINT submission_draft_hash_once UNIQUE (team_id, hash)
);
CREATE INDEX submission_draft_of_interface ON public.submission_draft USING btree (team_id, interface_id);
CREATE UNIQUE INDEX submission_draft_of_session ON public.submission_draft USING btree (team_id, session_id);
CREATE INDEX submission_draft_over ON public.submission_draft USING btree (expires_at);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE submission_effect (
  team_id uuid NOT NULL,
  submission_id uuid NOT NULL,
  kind text NOT NULL,
  status text NOT NULL,
  result_id uuid,
  attempts integer NOT NULL DEFAULT 0,
  code text,
  detail text,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT submission_effect_kind_check CHECK ((kind = ANY (ARRAY['document'::text, 'pdf'::text, 'record'::text, 'workflow'::text, 'booking'::text]))),
  CONSTRAINT submission_effect_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'done'::text, 'failed'::text]))),
  CONSTRAINT submission_effect_of FOREIGN KEY (team_id, submission_id) REFERENCES submission(team_id, id) ON DELETE CASCADE,
  CONSTRAINT submission_effect_pkey PRIMARY KEY (team_id, submission_id, kind)
);
CREATE INDEX submission_effect_result ON public.submission_effect USING btree (team_id, result_id) WHERE (result_id IS NOT NULL);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE submission_export (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  interface_id uuid NOT NULL,
  format text NOT NULL,
  dialect jsonb NOT NULL DEFAULT '{}'::jsonb,
  filters jsonb NOT NULL,
  status text NOT NULL DEFAULT 'waiting'::text,
  submissions bigint,
  code text,
  detail text,
  created_by uuid NOT NULL,
  created_by_type text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  CONSTRAINT submission_export_ends CHECK ((((status = 'waiting'::text) = (ended_at IS NULL)) AND ((status = 'done'::text) = (submissions IS NOT NULL)))),
  CONSTRAINT submission_export_format_check CHECK ((format = ANY (ARRAY['csv'::text, 'json'::text]))),
  CONSTRAINT submission_export_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'done'::text, 'failed'::text]))),
  CONSTRAINT submission_export_of FOREIGN KEY (team_id, interface_id) REFERENCES interface(team_id, id) ON DELETE CASCADE,
  CONSTRAINT submission_export_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX submission_export_of_interface ON public.submission_export USING btree (team_id, interface_id, id);
CREATE INDEX submission_export_over ON public.submission_export USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX submission_export_waiting ON public.submission_export USING btree (team_id) WHERE (status = 'waiting'::text);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE submission_export_file (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  storage_key text NOT NULL,
  size bigint NOT NULL,
  sha256 text NOT NULL,
  CONSTRAINT submission_export_file_of FOREIGN KEY (team_id, id) REFERENCES submission_export(team_id, id) ON DELETE CASCADE,
  CONSTRAINT submission_export_file_pkey PRIMARY KEY (team_id, id)
);
CREATE UNIQUE INDEX submission_export_file_key ON public.submission_export_file USING btree (storage_key, team_id);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE submission_output (
  team_id uuid NOT NULL,
  submission_id uuid NOT NULL,
  output_id text NOT NULL,
  place integer NOT NULL,
  make text NOT NULL,
  needs text[] NOT NULL,
  status text NOT NULL,
  result_id uuid,
  attempts integer NOT NULL DEFAULT 0,
  code text,
  detail text,
  updated_at timestamp with time zone NOT NULL,
  next_attempt_at timestamp with time zone,
  CONSTRAINT submission_output_make_check CHECK ((make = ANY (ARRAY['document'::text, 'workflow'::text, 'record'::text]))),
  CONSTRAINT submission_output_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'done'::text, 'skipped'::text, 'failed'::text]))),
  CONSTRAINT submission_output_of FOREIGN KEY (team_id, submission_id) REFERENCES submission(team_id, id) ON DELETE CASCADE,
  CONSTRAINT submission_output_pkey PRIMARY KEY (team_id, submission_id, output_id)
);
CREATE INDEX submission_output_result ON public.submission_output USING btree (team_id, result_id) WHERE (result_id IS NOT NULL);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE submission_proof (
  team_id uuid NOT NULL,
  id bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT submission_proof_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT submission_proof_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX submission_proof_by_age ON public.submission_proof USING btree (expires_at);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE submission_session (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  interface_id uuid NOT NULL,
  link_id uuid NOT NULL,
  hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT submission_session_of FOREIGN KEY (team_id, interface_id) REFERENCES interface(team_id, id) ON DELETE CASCADE,
  CONSTRAINT submission_session_pkey PRIMARY KEY (team_id, id),
  CONSTRAINT submission_session_hash_once UNIQUE (team_id, hash)
);
CREATE INDEX submission_session_by_age ON public.submission_session USING btree (expires_at);
CREATE INDEX submission_session_of_interface ON public.submission_session USING btree (team_id, interface_id);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE submission_upload (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  interface_id uuid NOT NULL,
  session_id uuid,
  submission_id uuid,
  storage_key text NOT NULL,
  name text NOT NULL,
  media_type text NOT NULL,
  size bigint NOT NULL,
  sha256 text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone,
  CONSTRAINT submission_upload_stays_or_goes CHECK (((submission_id IS NULL) = (expires_at IS NOT NULL))),
  CONSTRAINT submission_upload_of FOREIGN KEY (team_id, interface_id) REFERENCES interface(team_id, id),
  CONSTRAINT submission_upload_with FOREIGN KEY (team_id, submission_id) REFERENCES submission(team_id, id),
  CONSTRAINT submission_upload_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX submission_upload_file ON public.submission_upload USING btree (storage_key);
CREATE INDEX submission_upload_of_interface ON public.submission_upload USING btree (team_id, interface_id);
CREATE INDEX submission_upload_of_session ON public.submission_upload USING btree (team_id, session_id) WHERE (session_id IS NOT NULL);
CREATE INDEX submission_upload_of_submission ON public.submission_upload USING btree (team_id, submission_id) WHERE (submission_id IS NOT NULL);
CREATE INDEX submission_upload_over ON public.submission_upload USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX submission_upload_waiting ON public.submission_upload USING btree (team_id, interface_id) INCLUDE (size) WHERE (submission_id IS NULL);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE task (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  title text NOT NULL,
  description text,
  type text NOT NULL DEFAULT 'task'::text,
  status text NOT NULL DEFAULT 'open'::text,
  assigned_to uuid,
  created_by uuid NOT NULL,
  workflow_id uuid,
  step_id text,
  round_id uuid,
  document_id text,
  due_at timestamp with time zone,
  outcome text,
  comment text,
  completed_by uuid,
  completed_at timestamp with time zone,
  overdue_emitted boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  paused boolean NOT NULL DEFAULT false,
  created_by_type text NOT NULL DEFAULT 'user'::text,
  owner_id uuid NOT NULL,
  participant_id uuid,
  linked_document_id uuid,
  linked_by uuid,
  about_document_id uuid,
  document_version integer,
  document_sha256 text,
  on_new_version text NOT NULL DEFAULT 'ignore'::text,
  outcomes text[] NOT NULL DEFAULT '{completed}'::text[],
  delegated_from uuid,
  on_behalf_of uuid,
  completed_by_type text,
  cancel_reason text,
  assigned_at timestamp with time zone NOT NULL DEFAULT now(),
  reminders integer NOT NULL DEFAULT 0,
  remind_at timestamp with time zone,
  escalation jsonb,
  escalated integer NOT NULL DEFAULT 0,
  escalate_at timestamp with time zone,
  container_id uuid,
  assigned_group_id uuid,
  approval_round_id uuid,
  CONSTRAINT task_cancel_reason_check CHECK ((cancel_reason = ANY (ARRAY['document_changed'::text, 'round_decided'::text, 'round_voided'::text, 'round_expired'::text]))),
  CONSTRAINT task_on_new_version_check CHECK ((on_new_version = ANY (ARRAY['restart'::text, 'refuse'::text, 'ignore'::text]))),
  CONSTRAINT task_status_check CHECK ((status = ANY (ARRAY['open'::text, 'completed'::text, 'rejected'::text, 'cancelled'::text]))),
  CONSTRAINT task_about FOREIGN KEY (team_id, linked_document_id) REFERENCES document(team_id, id) ON DELETE SET NULL (linked_document_id),
  CONSTRAINT task_assignee_exists FOREIGN KEY (team_id, assigned_to) REFERENCES account(team_id, id),
  CONSTRAINT task_in_container FOREIGN KEY (team_id, container_id) REFERENCES access_container(team_id, id),
  CONSTRAINT task_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT task_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX task_about_document ON public.task USING btree (team_id, linked_document_id) WHERE (linked_document_id IS NOT NULL);
CREATE INDEX task_by_change ON public.task USING btree (team_id, status COLLATE "C", updated_at, id);
CREATE INDEX task_by_container ON public.task USING btree (team_id, container_id) WHERE (container_id IS NOT NULL);
CREATE INDEX task_by_due ON public.task USING btree (team_id, status COLLATE "C", (
CASE
    WHEN (due_at IS NULL) THEN 'infinity'::timestamp with time zone
    ELSE due_at
END), id);
CREATE INDEX task_by_status ON public.task USING btree (team_id, status COLLATE "C", id);
CREATE INDEX task_due ON public.task USING btree (due_at) WHERE ((status = 'open'::text) AND (NOT paused) AND (NOT overdue_emitted) AND (due_at IS NOT NULL));
CREATE INDEX task_escalating ON public.task USING btree (escalate_at) WHERE ((status = 'open'::text) AND (NOT paused) AND (escalate_at IS NOT NULL));
CREATE INDEX task_for_absent ON public.task USING btree (team_id, on_behalf_of, status, id) WHERE (on_behalf_of IS NOT NULL);
CREATE INDEX task_of_approval_round ON public.task USING btree (team_id, approval_round_id, id) WHERE (approval_round_id IS NOT NULL);
CREATE INDEX task_of_assignee ON public.task USING btree (team_id, assigned_to, status, id);
CREATE INDEX task_of_document ON public.task USING btree (team_id, document_id) WHERE (document_id IS NOT NULL);
CREATE INDEX task_of_group ON public.task USING btree (team_id, assigned_group_id, id) WHERE ((assigned_group_id IS NOT NULL) AND (status = 'open'::text));
CREATE INDEX task_of_step ON public.task USING btree (team_id, workflow_id, step_id) WHERE (workflow_id IS NOT NULL);
CREATE INDEX task_owner ON public.task USING btree (team_id, owner_id, status, id);
CREATE INDEX task_participant ON public.task USING btree (team_id, participant_id, status, id) WHERE (participant_id IS NOT NULL);
CREATE INDEX task_reminding ON public.task USING btree (remind_at) WHERE ((status = 'open'::text) AND (NOT paused) AND (remind_at IS NOT NULL));
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE task_comment (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  task_id uuid NOT NULL,
  user_id uuid NOT NULL,
  text text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  created_by_type text NOT NULL DEFAULT 'user'::text,
  CONSTRAINT task_comment_of FOREIGN KEY (team_id, task_id) REFERENCES task(team_id, id),
  CONSTRAINT task_comment_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX task_comment_by_task ON public.task_comment USING btree (team_id, task_id, id);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE task_delegation (
  team_id uuid NOT NULL,
  user_id uuid NOT NULL,
  to_user_id uuid NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  kinds text[],
  open_tasks boolean NOT NULL,
  given_by uuid NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT task_delegation_check CHECK (((user_id <> to_user_id) AND (ends_at > starts_at))),
  CONSTRAINT task_delegation_of FOREIGN KEY (team_id, user_id) REFERENCES account(team_id, id),
  CONSTRAINT task_delegation_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT task_delegation_to FOREIGN KEY (team_id, to_user_id) REFERENCES account(team_id, id),
  CONSTRAINT task_delegation_pkey PRIMARY KEY (team_id, user_id)
);
CREATE INDEX task_delegation_by_delegate ON public.task_delegation USING btree (team_id, to_user_id);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE task_digest (
  team_id uuid NOT NULL,
  account_id uuid NOT NULL,
  since timestamp with time zone NOT NULL,
  due_at timestamp with time zone NOT NULL,
  CONSTRAINT task_digest_pkey PRIMARY KEY (team_id, account_id)
);
CREATE INDEX task_digest_due ON public.task_digest USING btree (due_at);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE team (
  team_id uuid NOT NULL,
  name text NOT NULL,
  time_zone text NOT NULL DEFAULT 'UTC'::text,
  status text NOT NULL DEFAULT 'active'::text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  closed_at timestamp with time zone,
  purged_at timestamp with time zone,
  clients_await_takeover boolean NOT NULL DEFAULT true,
  four_eyes boolean NOT NULL DEFAULT false,
  CONSTRAINT team_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text, 'closed'::text]))),
  CONSTRAINT team_pkey PRIMARY KEY (team_id)
);
CREATE INDEX team_by_age ON public.team USING btree (created_at DESC, team_id DESC);
CREATE INDEX team_to_purge ON public.team USING btree (closed_at) WHERE ((closed_at IS NOT NULL) AND (purged_at IS NULL));
-- lookup: SELECT TO chancery_owner USING true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may SELECT, UPDATE

-- row-level security, forced
CREATE TABLE team_brand (
  team_id uuid NOT NULL,
  name text,
  colour text,
  logo bytea,
  logo_type text,
  logo_hash text,
  version integer NOT NULL DEFAULT 1,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT team_brand_colour_check CHECK ((colour ~ '^#[0-9a-f]{6}$'::text)),
  CONSTRAINT team_brand_logo_check CHECK ((octet_length(logo) <= 262144)),
  CONSTRAINT team_brand_logo_is_whole CHECK ((num_nulls(logo, logo_type, logo_hash) = ANY (ARRAY[0, 3]))),
  CONSTRAINT team_brand_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT team_brand_pkey PRIMARY KEY (team_id)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE team_budget (
  team_id uuid NOT NULL,
  name text NOT NULL,
  free_at timestamp with time zone NOT NULL DEFAULT now(),
  said_at timestamp with time zone,
  CONSTRAINT team_budget_pkey PRIMARY KEY (team_id, name)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_insert: INSERT TO chancery_system CHECK true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, INSERT, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE team_policy (
  team_id uuid NOT NULL,
  second_factor boolean NOT NULL,
  session_hours integer,
  version integer NOT NULL DEFAULT 1,
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  guest_days_max integer NOT NULL DEFAULT 180,
  guest_domains text[] NOT NULL DEFAULT '{}'::text[],
  members_may_sponsor boolean NOT NULL DEFAULT false,
  CONSTRAINT team_policy_guest_days_max_check CHECK (((guest_days_max >= 1) AND (guest_days_max <= 730))),
  CONSTRAINT team_policy_session_hours_check CHECK (((session_hours >= 1) AND (session_hours <= 2160))),
  CONSTRAINT team_policy_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT team_policy_pkey PRIMARY KEY (team_id)
);
-- lookup: SELECT TO chancery_owner USING true
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE team_quota (
  team_id uuid NOT NULL,
  name text NOT NULL,
  most bigint NOT NULL,
  CONSTRAINT team_quota_most_check CHECK ((most >= 0)),
  CONSTRAINT team_quota_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT team_quota_pkey PRIMARY KEY (team_id, name)
);
-- counting: SELECT TO chancery_owner USING true
-- system_delete: DELETE TO chancery_system USING true
-- system_insert: INSERT TO chancery_system CHECK true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may SELECT
-- chancery_system may DELETE, INSERT, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE team_usage (
  team_id uuid NOT NULL,
  name text NOT NULL,
  slot smallint NOT NULL,
  used bigint NOT NULL,
  CONSTRAINT team_usage_pkey PRIMARY KEY (team_id, name, slot)
);
-- counting: ALL TO chancery_owner USING true CHECK true
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may SELECT
-- chancery_system may DELETE, SELECT

-- no row-level security: not owned by a team
CREATE TABLE throttle (
  key bytea NOT NULL,
  hits integer NOT NULL,
  since timestamp with time zone NOT NULL,
  blocked_until timestamp with time zone,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT throttle_pkey PRIMARY KEY (key)
);
CREATE INDEX throttle_by_age ON public.throttle USING btree (expires_at);
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, INSERT, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE two_factor (
  person_id uuid NOT NULL,
  secret bytea NOT NULL,
  last_step bigint NOT NULL DEFAULT 0,
  enabled_at timestamp with time zone NOT NULL,
  CONSTRAINT two_factor_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  CONSTRAINT two_factor_pkey PRIMARY KEY (person_id)
);
-- lookup: SELECT TO chancery_owner USING true
-- person_isolation: ALL TO chancery_app USING (person_id = ( SELECT current_person() AS current_person)) CHECK (person_id = ( SELECT current_person() AS current_person))
-- system_delete: DELETE TO chancery_system USING true
-- system_reseal: UPDATE TO chancery_system USING true CHECK true
-- system_select: SELECT TO chancery_system USING true
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE two_factor_setup (
  person_id uuid NOT NULL,
  id uuid NOT NULL,
  secret bytea NOT NULL,
  backup_hashes text[] NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT two_factor_setup_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  CONSTRAINT two_factor_setup_pkey PRIMARY KEY (person_id)
);
CREATE INDEX two_factor_setup_by_age ON public.two_factor_setup USING btree (expires_at);
-- lookup: SELECT TO chancery_owner USING true
-- person_isolation: ALL TO chancery_app USING (person_id = ( SELECT current_person() AS current_person)) CHECK (person_id = ( SELECT current_person() AS current_person))
-- system_delete: DELETE TO chancery_system USING true
-- system_reseal: UPDATE TO chancery_system USING true CHECK true
-- system_select: SELECT TO chancery_system USING true
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE undeliverable_address (
  team_id uuid NOT NULL,
  address_hash bytea NOT NULL,
  status text NOT NULL,
  diagnostic text NOT NULL,
  since timestamp with time zone NOT NULL,
  failed_at timestamp with time zone NOT NULL,
  cleared_at timestamp with time zone,
  CONSTRAINT undeliverable_address_pkey PRIMARY KEY (team_id, address_hash)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT, UPDATE

-- no row-level security: not owned by a team
CREATE TABLE visitor_mail (
  address_hash bytea NOT NULL,
  at timestamp with time zone NOT NULL
);
CREATE INDEX visitor_mail_by_age ON public.visitor_mail USING btree (at);
CREATE INDEX visitor_mail_to ON public.visitor_mail USING btree (address_hash, at);
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE webhook_attempt (
  team_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  attempt integer NOT NULL,
  started_at timestamp with time zone NOT NULL,
  latency_ms integer NOT NULL,
  response_status integer,
  error text,
  error_detail text,
  response_headers text,
  response_body bytea,
  CONSTRAINT webhook_attempt_pkey PRIMARY KEY (team_id, endpoint_id, delivery_id, attempt)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_insert: INSERT TO chancery_system CHECK true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may SELECT
-- chancery_system may DELETE, INSERT, SELECT

-- no row-level security: not owned by a team
CREATE TABLE webhook_attempt_rest (
  team_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  attempt integer NOT NULL,
  started_at timestamp with time zone NOT NULL,
  latency_ms integer NOT NULL,
  response_status integer,
  error text,
  error_detail text,
  response_headers text,
  response_body bytea,
  CONSTRAINT webhook_attempt_rest_pkey PRIMARY KEY (team_id, endpoint_id, delivery_id, attempt)
);

-- row-level security, forced
CREATE TABLE webhook_delivery (
  team_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  id uuid NOT NULL,
  event_id text NOT NULL,
  event_type text NOT NULL,
  status text NOT NULL DEFAULT 'pending'::text,
  attempts integer NOT NULL DEFAULT 0,
  max_attempts integer NOT NULL,
  response_status integer,
  error text,
  created_at timestamp with time zone NOT NULL,
  delivered_at timestamp with time zone,
  last_attempt_at timestamp with time zone,
  next_retry_at timestamp with time zone,
  undelivered text GENERATED ALWAYS AS (
CASE
    WHEN (status = ANY (ARRAY['failed'::text, 'cancelled'::text])) THEN status
    ELSE NULL::text
END) STORED,
  CONSTRAINT webhook_delivery_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text, 'cancelled'::text]))),
  CONSTRAINT webhook_delivery_pkey PRIMARY KEY (team_id, endpoint_id, id)
);
CREATE INDEX webhook_delivery_by_event ON ONLY public.webhook_delivery USING btree (team_id, event_id, endpoint_id);
CREATE INDEX webhook_delivery_by_type ON ONLY public.webhook_delivery USING btree (team_id, event_type, endpoint_id, id);
CREATE INDEX webhook_delivery_undelivered ON ONLY public.webhook_delivery USING btree (team_id, endpoint_id, undelivered, id) WHERE (undelivered IS NOT NULL);
-- system_delete: DELETE TO chancery_system USING true
-- system_insert: INSERT TO chancery_system CHECK true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, INSERT, SELECT, UPDATE

-- no row-level security: not owned by a team
CREATE TABLE webhook_delivery_rest (
  team_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  id uuid NOT NULL,
  event_id text NOT NULL,
  event_type text NOT NULL,
  status text NOT NULL DEFAULT 'pending'::text,
  attempts integer NOT NULL DEFAULT 0,
  max_attempts integer NOT NULL,
  response_status integer,
  error text,
  created_at timestamp with time zone NOT NULL,
  delivered_at timestamp with time zone,
  last_attempt_at timestamp with time zone,
  next_retry_at timestamp with time zone,
  undelivered text GENERATED ALWAYS AS (
CASE
    WHEN (status = ANY (ARRAY['failed'::text, 'cancelled'::text])) THEN status
    ELSE NULL::text
END) STORED,
  CONSTRAINT webhook_delivery_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text, 'cancelled'::text]))),
  CONSTRAINT webhook_delivery_rest_pkey PRIMARY KEY (team_id, endpoint_id, id)
);
CREATE INDEX webhook_delivery_rest_team_id_endpoint_id_undelivered_id_idx ON public.webhook_delivery_rest USING btree (team_id, endpoint_id, undelivered, id) WHERE (undelivered IS NOT NULL);
CREATE INDEX webhook_delivery_rest_team_id_event_id_endpoint_id_idx ON public.webhook_delivery_rest USING btree (team_id, event_id, endpoint_id);
CREATE INDEX webhook_delivery_rest_team_id_event_type_endpoint_id_id_idx ON public.webhook_delivery_rest USING btree (team_id, event_type, endpoint_id, id);

-- row-level security, forced
CREATE TABLE webhook_endpoint (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  deactivated_at timestamp with time zone,
  client_id uuid,
  created_by uuid NOT NULL,
  secret bytea NOT NULL,
  previous_secret bytea,
  previous_secret_until timestamp with time zone,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  deleted_at timestamp with time zone,
  description text,
  headers bytea,
  signing text NOT NULL DEFAULT 'hmac'::text,
  scopes text[],
  CONSTRAINT webhook_endpoint_check CHECK ((is_active = (deactivated_at IS NULL))),
  CONSTRAINT webhook_endpoint_signing_check CHECK ((signing = ANY (ARRAY['hmac'::text, 'ed25519'::text]))),
  CONSTRAINT webhook_endpoint_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT webhook_endpoint_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX webhook_endpoint_active ON public.webhook_endpoint USING btree (team_id) WHERE (is_active AND (deleted_at IS NULL));
-- system_delete: DELETE TO chancery_system USING true
-- system_reseal: UPDATE TO chancery_system USING true CHECK true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE webhook_endpoint_state (
  team_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  consecutive_failures integer NOT NULL DEFAULT 0,
  failing_since timestamp with time zone,
  blocked_until timestamp with time zone,
  CONSTRAINT webhook_endpoint_state_pkey PRIMARY KEY (team_id, endpoint_id)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_insert: INSERT TO chancery_system CHECK true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, INSERT, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE webhook_queue (
  team_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  event_id text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  max_attempts integer NOT NULL,
  base_attempts integer NOT NULL DEFAULT 0,
  next_at timestamp with time zone NOT NULL,
  lease_until timestamp with time zone,
  lease_token uuid,
  CONSTRAINT webhook_queue_pkey PRIMARY KEY (team_id, endpoint_id, delivery_id)
);
CREATE INDEX webhook_queue_due ON public.webhook_queue USING btree (team_id, endpoint_id, next_at);
-- retention: SELECT TO chancery_owner USING true
-- system_delete: DELETE TO chancery_system USING true
-- system_insert: INSERT TO chancery_system CHECK true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, INSERT, SELECT, UPDATE

-- row-level security, forced
CREATE TABLE webhook_rate_limit (
  team_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  max_per_second integer NOT NULL,
  free_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT webhook_rate_limit_max_per_second_check CHECK (((max_per_second >= 1) AND (max_per_second <= 1000))),
  CONSTRAINT webhook_rate_limit_pkey PRIMARY KEY (team_id, endpoint_id)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- system_update: UPDATE TO chancery_system USING true CHECK true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT, UPDATE

-- no row-level security: not owned by a team
CREATE TABLE webhook_setting (
  only_row boolean NOT NULL DEFAULT true,
  max_attempts integer NOT NULL,
  CONSTRAINT webhook_setting_max_attempts_check CHECK ((max_attempts > 0)),
  CONSTRAINT webhook_setting_only_row_check CHECK (only_row),
  CONSTRAINT webhook_setting_pkey PRIMARY KEY (only_row)
);
-- chancery_app may SELECT
-- chancery_system may SELECT, UPDATE

-- row-level security, forced
CREATE TABLE workflow (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  type text NOT NULL DEFAULT 'custom'::text,
  status text NOT NULL DEFAULT 'draft'::text,
  document_id text NOT NULL,
  assigned_to uuid,
  created_by uuid NOT NULL,
  due_at timestamp with time zone,
  reason text,
  started_at timestamp with time zone,
  paused_at timestamp with time zone,
  completed_at timestamp with time zone,
  overdue_emitted boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  due_fixed boolean NOT NULL DEFAULT false,
  created_by_type text NOT NULL DEFAULT 'user'::text,
  owner_id uuid NOT NULL,
  linked_document_id uuid,
  linked_by uuid,
  about_document_id uuid,
  size integer NOT NULL DEFAULT 0,
  document_linked boolean NOT NULL GENERATED ALWAYS AS ((linked_document_id IS NOT NULL)) STORED,
  returns integer NOT NULL DEFAULT 0,
  template_version integer,
  container_id uuid,
  people jsonb NOT NULL DEFAULT '{}'::jsonb,
  locale text,
  submission_id uuid,
  omitted_documents text[] NOT NULL DEFAULT '{}'::text[],
  CONSTRAINT workflow_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'active'::text, 'paused'::text, 'completed'::text, 'rejected'::text, 'cancelled'::text]))),
  CONSTRAINT workflow_about FOREIGN KEY (team_id, linked_document_id) REFERENCES document(team_id, id) ON DELETE SET NULL (linked_document_id),
  CONSTRAINT workflow_assignee_exists FOREIGN KEY (team_id, assigned_to) REFERENCES account(team_id, id),
  CONSTRAINT workflow_in_container FOREIGN KEY (team_id, container_id) REFERENCES access_container(team_id, id),
  CONSTRAINT workflow_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT workflow_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX workflow_about_document ON public.workflow USING btree (team_id, linked_document_id) WHERE (linked_document_id IS NOT NULL);
CREATE INDEX workflow_assigned_to ON public.workflow USING btree (team_id, assigned_to) WHERE (assigned_to IS NOT NULL);
CREATE INDEX workflow_by_container ON public.workflow USING btree (team_id, container_id) WHERE (container_id IS NOT NULL);
CREATE INDEX workflow_by_status ON public.workflow USING btree (team_id, status, id);
CREATE INDEX workflow_due ON public.workflow USING btree (due_at) WHERE ((status = ANY (ARRAY['draft'::text, 'active'::text])) AND (NOT overdue_emitted) AND (due_at IS NOT NULL));
CREATE INDEX workflow_of_document ON public.workflow USING btree (team_id, document_id);
CREATE INDEX workflow_owner ON public.workflow USING btree (team_id, owner_id);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE workflow_comment (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  workflow_id uuid NOT NULL,
  step_id text,
  user_id uuid NOT NULL,
  text text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  created_by_type text NOT NULL DEFAULT 'user'::text,
  CONSTRAINT workflow_comment_of FOREIGN KEY (team_id, workflow_id) REFERENCES workflow(team_id, id) ON DELETE CASCADE,
  CONSTRAINT workflow_comment_pkey PRIMARY KEY (team_id, id)
);
CREATE INDEX workflow_comment_by_workflow ON public.workflow_comment USING btree (team_id, workflow_id, id);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE workflow_document (
  team_id uuid NOT NULL,
  workflow_id uuid NOT NULL,
  name text NOT NULL,
  "position" integer NOT NULL,
  document_id text NOT NULL,
  linked_document_id uuid,
  linked_by uuid,
  about_document_id uuid,
  leads boolean NOT NULL DEFAULT false,
  status_before text,
  result text,
  CONSTRAINT workflow_document_result_check1 CHECK ((result = ANY (ARRAY['approved'::text, 'draft'::text]))),
  CONSTRAINT workflow_document_status_before_check1 CHECK ((status_before = ANY (ARRAY['draft'::text, 'in_review'::text, 'approved'::text, 'signed'::text, 'archived'::text]))),
  CONSTRAINT workflow_document_about FOREIGN KEY (team_id, linked_document_id) REFERENCES document(team_id, id) ON DELETE SET NULL (linked_document_id),
  CONSTRAINT workflow_document_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT workflow_document_pkey PRIMARY KEY (team_id, workflow_id, name)
);
CREATE INDEX workflow_document_by_document ON public.workflow_document USING btree (team_id, linked_document_id) WHERE (linked_document_id IS NOT NULL);
CREATE INDEX workflow_document_by_text ON public.workflow_document USING btree (team_id, document_id);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE workflow_step (
  team_id uuid NOT NULL,
  workflow_id uuid NOT NULL,
  id text NOT NULL,
  "position" integer NOT NULL,
  type text NOT NULL,
  name text,
  description text,
  assignees uuid[] NOT NULL DEFAULT '{}'::uuid[],
  mode text NOT NULL,
  depends_on text[] NOT NULL,
  due_in_days integer,
  config jsonb NOT NULL DEFAULT '{}'::jsonb,
  status text NOT NULL DEFAULT 'pending'::text,
  started_at timestamp with time zone,
  completed_at timestamp with time zone,
  outcome text,
  wake_at timestamp with time zone,
  wait_left bigint,
  vacant boolean NOT NULL DEFAULT false,
  roles text[] NOT NULL DEFAULT '{}'::text[],
  nonce text,
  request_id uuid,
  groups uuid[] NOT NULL DEFAULT '{}'::uuid[],
  detail text,
  CONSTRAINT workflow_step_mode_check CHECK ((mode = ANY (ARRAY['any'::text, 'all'::text]))),
  CONSTRAINT workflow_step_roles_check CHECK ((roles <@ '{owner,admin,member,viewer}'::text[])),
  CONSTRAINT workflow_step_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'active'::text, 'completed'::text, 'rejected'::text, 'skipped'::text, 'failed'::text]))),
  CONSTRAINT workflow_step_of FOREIGN KEY (team_id, workflow_id) REFERENCES workflow(team_id, id) ON DELETE CASCADE,
  CONSTRAINT workflow_step_pkey PRIMARY KEY (team_id, workflow_id, id)
);
CREATE INDEX workflow_step_asks ON public.workflow_step USING btree (team_id, lower((config ->> 'endpointId'::text))) WHERE ((status = 'active'::text) AND (type = 'webhook'::text));
CREATE INDEX workflow_step_of_groups ON public.workflow_step USING btree (team_id, workflow_id) WHERE (groups <> '{}'::uuid[]);
CREATE INDEX workflow_step_wakes ON public.workflow_step USING btree (wake_at) WHERE ((status = 'active'::text) AND (wake_at IS NOT NULL));
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE workflow_template (
  team_id uuid NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  steps jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  created_by uuid,
  created_by_type text NOT NULL DEFAULT 'user'::text,
  owner_id uuid,
  steps_by uuid,
  parameters jsonb NOT NULL DEFAULT '[]'::jsonb,
  CONSTRAINT workflow_template_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT workflow_template_pkey PRIMARY KEY (team_id, name)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE workflow_template_version (
  team_id uuid NOT NULL,
  name text NOT NULL,
  version integer NOT NULL,
  description text NOT NULL,
  steps jsonb NOT NULL,
  parameters jsonb NOT NULL,
  created_by uuid,
  created_by_type text NOT NULL DEFAULT 'user'::text,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT workflow_template_version_of FOREIGN KEY (team_id, name) REFERENCES workflow_template(team_id, name) ON DELETE CASCADE,
  CONSTRAINT workflow_template_version_pkey PRIMARY KEY (team_id, name, version)
);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may DELETE, INSERT, SELECT
-- chancery_system may DELETE, SELECT

-- row-level security, forced
CREATE TABLE working_time (
  team_id uuid NOT NULL,
  definition jsonb NOT NULL,
  holidays jsonb NOT NULL DEFAULT '[]'::jsonb,
  holidays_until date,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT working_time_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(team_id),
  CONSTRAINT working_time_pkey PRIMARY KEY (team_id)
);
CREATE INDEX working_time_holidays_end ON public.working_time USING btree (holidays_until) WHERE (holidays_until IS NOT NULL);
-- system_delete: DELETE TO chancery_system USING true
-- system_select: SELECT TO chancery_system USING true
-- team_isolation: ALL TO chancery_app USING (team_id = ( SELECT current_team() AS current_team)) CHECK (team_id = ( SELECT current_team() AS current_team))
-- chancery_app may INSERT, SELECT, UPDATE
-- chancery_system may DELETE, SELECT

CREATE VIEW active_client WITH (security_invoker=true) AS
 SELECT team_id,
    id,
    scopes,
    folder_ids
   FROM api_client c
  WHERE (is_active AND ((expires_at IS NULL) OR (expires_at > now())));

CREATE VIEW live_session AS
 SELECT s.team_id,
    s.id,
    s.account_id,
    s.connection_id,
    a.role,
    i.auth_time,
    i.amr,
    i.acr,
    i.app_id,
    i.app_scopes,
    i.refresh_counter,
    i.rotations,
    i.last_used_at,
    y.second_factor,
    a.ends_at
   FROM (((((session s
     JOIN sign_in i ON ((i.id = s.id)))
     JOIN account a ON (((a.team_id = s.team_id) AND (a.id = s.account_id))))
     JOIN person p ON ((p.id = s.account_id)))
     JOIN team t ON ((t.team_id = s.team_id)))
     LEFT JOIN team_policy y ON ((y.team_id = s.team_id)))
  WHERE ((s.revoked_at IS NULL) AND (i.revoked_at IS NULL) AND (i.expires_at > now()) AND (s.epoch = a.credential_epoch) AND (team_closed_because(membership_is_open(a.status, a.ends_at), t.status, (i.epoch = p.credential_epoch), NULL::timestamp with time zone, NULL::timestamp with time zone, y.session_hours, i.auth_time, true, NULL::boolean, NULL::timestamp with time zone) IS NULL) AND ((i.app_id IS NULL) OR (a.ends_at IS NULL)));

CREATE VIEW member WITH (security_invoker=true) AS
 SELECT team_id,
    id,
    email,
    first_name,
    last_name,
    role,
    locale,
    created_at,
    timezone,
    task_mails
   FROM account a
  WHERE ((deleted_at IS NULL) AND membership_is_open(status, ends_at));

CREATE VIEW permanent_member WITH (security_invoker=true) AS
 SELECT team_id,
    id
   FROM account a
  WHERE ((deleted_at IS NULL) AND (ends_at IS NULL));

CREATE OR REPLACE FUNCTION public.access_above(of_team uuid, of_container uuid)
 RETURNS TABLE(id uuid, distance integer)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT p.ancestor_id, p.distance FROM access_path p WHERE p.team_id = of_team AND p.container_id = of_container
$function$;

CREATE OR REPLACE FUNCTION public.access_above_unbarred(of_team uuid, of_container uuid)
 RETURNS TABLE(id uuid)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT c.id FROM (SELECT barrier_of(of_team, of_container) AS barrier OFFSET 0) s
  JOIN access_path p ON p.team_id = of_team AND p.container_id = of_container
  JOIN access_container c ON c.team_id = of_team AND c.id = p.ancestor_id
  WHERE barrier_now(of_team, c.id, c.barrier_id) = s.barrier
$function$;

CREATE OR REPLACE FUNCTION public.access_at_once(barrier uuid, owner uuid, person uuid, views_all boolean)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT barrier = '00000000-0000-0000-0000-000000000000' AND (views_all OR owner = person)
$function$;

CREATE OR REPLACE FUNCTION public.access_below(of_team uuid, of_container uuid)
 RETURNS TABLE(id uuid, distance integer)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT p.container_id, p.distance FROM access_path p WHERE p.team_id = of_team AND p.ancestor_id = of_container
$function$;

CREATE OR REPLACE FUNCTION public.access_below_unbarred(of_team uuid, of_container uuid)
 RETURNS TABLE(id uuid)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT c.id FROM (SELECT barrier_of(of_team, of_container) AS barrier OFFSET 0) s
  JOIN access_path p ON p.team_id = of_team AND p.ancestor_id = of_container
  JOIN access_container c ON c.team_id = of_team AND c.id = p.container_id
  WHERE barrier_now(of_team, c.id, c.barrier_id) = s.barrier
$function$;

CREATE OR REPLACE PROCEDURE public.access_contained_type(IN target regclass)
 LANGUAGE plpgsql
AS $procedure$
BEGIN
  EXECUTE format('CREATE TRIGGER keep_barrier AFTER DELETE ON %s FOR EACH ROW WHEN (OLD.folder_id IS NOT NULL) EXECUTE FUNCTION keep_barrier()', target);
END $procedure$;

CREATE OR REPLACE PROCEDURE public.access_container_column(IN target regclass)
 LANGUAGE plpgsql
AS $procedure$
BEGIN
  EXECUTE format('ALTER TABLE %s ADD COLUMN container_id uuid, ADD CONSTRAINT %I FOREIGN KEY (team_id, container_id) REFERENCES access_container (team_id, id)',
    target, target || '_in_container');
  EXECUTE format('CREATE INDEX %I ON %s (team_id, container_id) WHERE container_id IS NOT NULL', target || '_by_container', target);
END $procedure$;

CREATE OR REPLACE PROCEDURE public.access_container_type(IN target regclass, IN of_type text)
 LANGUAGE plpgsql
AS $procedure$
BEGIN
  EXECUTE format('CREATE TRIGGER insert_container AFTER INSERT ON %s FOR EACH ROW EXECUTE FUNCTION insert_container(%L)', target, of_type);
  EXECUTE format('CREATE TRIGGER move_container AFTER UPDATE ON %s FOR EACH ROW
    WHEN ((OLD.parent_id, OLD.user_id, OLD.barrier_id) IS DISTINCT FROM (NEW.parent_id, NEW.user_id, NEW.barrier_id))
    EXECUTE FUNCTION move_container()', target);
  EXECUTE format('CREATE TRIGGER delete_container AFTER DELETE ON %s FOR EACH ROW EXECUTE FUNCTION delete_container()', target);
END $procedure$;

CREATE OR REPLACE FUNCTION public.access_containers(team uuid, person uuid, roots uuid[], wanted text[])
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE ROWS 100
AS $function$
DECLARE starts uuid[] := coalesce(roots, ARRAY(SELECT access_resources(team, person, true, 'folder', wanted)));
BEGIN
  RETURN QUERY SELECT DISTINCT p.container_id FROM unnest(starts) AS s(id) JOIN access_path p ON p.team_id = team AND p.ancestor_id = s.id;
END $function$;

CREATE OR REPLACE FUNCTION public.access_facts(team uuid, person uuid, roots uuid[], of_type text, resource uuid, owner uuid, container uuid, stored uuid)
 RETURNS TABLE(relations text[], inherited text[], excluded boolean, outsider boolean)
 LANGUAGE sql
 STABLE PARALLEL SAFE ROWS 1
AS $function$
  SELECT (f.facts).relations, (f.facts).inherited, (f.facts).excluded, (f.facts).outsider FROM (
    SELECT CASE WHEN access_at_once(stored, owner, person, false) AND NOT EXISTS (SELECT FROM access_barrier_change c WHERE c.team_id = team)
      THEN ROW('{owner}', '{}', false, false)::access_fact
      ELSE read_access_facts(team, person, roots, of_type, resource, owner, container, stored) END AS facts OFFSET 0
  ) f
$function$;

CREATE OR REPLACE FUNCTION public.access_group_members(team uuid, of_group uuid)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE ROWS 20
AS $function$
BEGIN
  RETURN QUERY SELECT a.id FROM access_group_member m JOIN member a ON a.team_id = team AND a.id = m.user_id
    WHERE m.team_id = team AND m.group_id = of_group;
END $function$;

CREATE OR REPLACE FUNCTION public.access_in_group(team uuid, of_group uuid, person uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN EXISTS (SELECT FROM access_group_member m WHERE m.team_id = team AND m.group_id = of_group AND m.user_id = person);
END $function$;

CREATE OR REPLACE FUNCTION public.access_principals(team uuid, caller uuid, person boolean)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
DECLARE ends timestamptz;
BEGIN
  IF caller IS NULL THEN RETURN '{}'; END IF;
  IF NOT person THEN RETURN ARRAY[caller]; END IF;
  SELECT a.ends_at INTO ends FROM account a WHERE a.team_id = team AND a.id = caller;
  IF ends <= now() THEN RETURN '{}'; END IF;
  RETURN CASE WHEN ends IS NULL THEN ARRAY[caller, team] ELSE ARRAY[caller] END
    || ARRAY(SELECT m.group_id FROM access_group_member m WHERE m.team_id = team AND m.user_id = caller);
END $function$;

CREATE OR REPLACE FUNCTION public.access_relations(team uuid, caller uuid, person boolean, of_type text, resource uuid, owner uuid)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
DECLARE principals uuid[] := access_principals(team, caller, person);
BEGIN
  RETURN ARRAY(
    SELECT DISTINCT r.relation FROM access_grant g CROSS JOIN LATERAL unnest(g.relations) AS r(relation)
    WHERE g.team_id = team AND g.resource_type = of_type AND g.resource_id = resource AND g.principal_id = ANY (principals)
      AND (g.expires_at IS NULL OR g.expires_at > now())
    UNION SELECT 'owner' WHERE owner = caller);
END $function$;

CREATE OR REPLACE PROCEDURE public.access_resource_type(IN target regclass, IN of_type text)
 LANGUAGE plpgsql
AS $procedure$
BEGIN
  EXECUTE format('CREATE TRIGGER drop_access_grants AFTER DELETE ON %s REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION drop_access_grants(%L)', target, of_type);
END $procedure$;

CREATE OR REPLACE FUNCTION public.access_resources(team uuid, caller uuid, person boolean, of_type text, wanted text[])
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE ROWS 100
AS $function$
DECLARE principals uuid[] := access_principals(team, caller, person);
BEGIN
  RETURN QUERY
    SELECT DISTINCT g.resource_id FROM unnest(principals) AS p(id)
    CROSS JOIN LATERAL (
      SELECT a.resource_id FROM access_grant a
      WHERE a.team_id = team AND a.principal_id = p.id AND a.resource_type = of_type AND a.relations && wanted
        AND (a.expires_at IS NULL OR a.expires_at > now())
    ) g;
END $function$;

CREATE OR REPLACE FUNCTION public.access_shares(of_team uuid, of_type text)
 RETURNS TABLE(id uuid, resource_id uuid, principal_type text, principal_id uuid, relations text[], source text, source_id uuid, granted_by uuid, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT g.id, g.resource_id, g.principal_type, g.principal_id, g.relations, g.source, g.source_id, g.granted_by, g.created_at
  FROM access_grant g
  WHERE g.team_id = of_team AND g.resource_type = of_type AND g.source = 'share' AND (g.expires_at IS NULL OR g.expires_at > now())
$function$;

CREATE OR REPLACE FUNCTION public.access_task_grants(team uuid, of_type text, by uuid[])
 RETURNS TABLE(id uuid, resource_id uuid, user_id uuid, group_id uuid, task_id uuid, granted_by uuid, created_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE ROWS 10
AS $function$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT g.id, g.resource_id, g.user_id, g.group_id, g.source_id, g.granted_by, g.created_at FROM access_grant g
    WHERE g.team_id = team AND g.source = 'task' AND g.resource_type = of_type AND (by IS NULL OR g.granted_by = ANY (by));
END $function$;

CREATE OR REPLACE FUNCTION public.add_usage(team uuid, quota text, counter smallint, amount bigint)
 RETURNS void
 LANGUAGE sql
AS $function$
  INSERT INTO team_usage AS u (team_id, name, slot, used) VALUES (team, quota, counter, amount)
  ON CONFLICT (team_id, name, slot) DO UPDATE SET used = u.used + excluded.used
$function$;

CREATE OR REPLACE FUNCTION public.address_hash(team uuid, address text)
 RETURNS bytea
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN sha256(convert_to((((team)::text || ' '::text) || lower(address)), 'UTF8'::name));

CREATE OR REPLACE FUNCTION public.admits_from_home(team uuid, person uuid, wanted uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT EXISTS (
    SELECT FROM account a
    JOIN live_session s ON s.id = wanted AND s.account_id = a.id AND s.team_id <> a.team_id
    JOIN sso_connection home ON home.team_id = s.team_id AND home.id = s.connection_id AND home.is_active
    JOIN sso_domain d ON d.team_id = home.team_id AND d.connection_id = home.id AND d.verified_at IS NOT NULL
      AND d.domain = split_part(a.email_key, '@', 2)
    WHERE a.team_id = team AND a.id = person AND a.role NOT IN ('owner', 'admin')
      AND EXISTS (SELECT FROM sso_connection c WHERE c.team_id = team AND c.is_active AND c.trusts_home)
      AND NOT EXISTS (
        SELECT FROM enforced_connection(team, person) e JOIN sso_connection c ON c.team_id = team AND c.id = e.id WHERE NOT c.trusts_home))
$function$;

CREATE OR REPLACE FUNCTION public.agent_run_barriers(team uuid, run uuid)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE ROWS 2
AS $function$
BEGIN
  RETURN QUERY
      SELECT barrier_now(team, f.id, f.barrier_id) FROM agent_run_subject s JOIN folder f ON f.team_id = team AND f.id = s.id
      WHERE s.team_id = team AND s.run_id = run AND s.type = 'folder'
      UNION
      SELECT barrier_now(team, d.folder_id, d.barrier_id) FROM agent_run_subject s JOIN document d ON d.team_id = team AND d.id = s.id
      WHERE s.team_id = team AND s.run_id = run AND s.type = 'document'
      UNION
      SELECT barrier_now(team, f.id, f.barrier_id) FROM agent_run_subject s JOIN interface i ON i.team_id = team AND i.id = s.id
      JOIN folder f ON f.team_id = team AND f.id = i.folder_id
      WHERE s.team_id = team AND s.run_id = run AND s.type = 'form'
      UNION
      SELECT deleted_barriers(team, ARRAY(SELECT s.id FROM agent_run_subject s WHERE s.team_id = team AND s.run_id = run));
END $function$;

CREATE OR REPLACE FUNCTION public.agent_run_excludes(team uuid, run uuid, person uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN EXISTS (SELECT FROM agent_run_barriers(team, run) AS around (id) WHERE barrier_excludes(team, around.id, person));
END $function$;

CREATE OR REPLACE FUNCTION public.agent_run_subject_gone(team uuid, of_type text, subject uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT CASE of_type
    WHEN 'folder' THEN NOT EXISTS (SELECT FROM folder f WHERE f.team_id = team AND f.id = subject)
    WHEN 'document' THEN NOT EXISTS (SELECT FROM document d WHERE d.team_id = team AND d.id = subject AND d.deleted_at IS DISTINCT FROM 'epoch')
    ELSE false
  END
$function$;

CREATE OR REPLACE FUNCTION public.agent_run_subjects(team uuid, ids uuid[])
 RETURNS TABLE(type text, id uuid)
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE ROWS 10
AS $function$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT 'folder', f.id FROM folder f WHERE f.team_id = team AND f.id = ANY (ids)
    UNION SELECT 'document', d.id FROM document d WHERE d.team_id = team AND d.id = ANY (ids)
    UNION SELECT 'document', n.id FROM (
      SELECT w.about_document_id FROM workflow w WHERE w.team_id = team AND w.id = ANY (ids)
      UNION SELECT t.about_document_id FROM task t WHERE t.team_id = team AND t.id = ANY (ids)
      UNION SELECT d.about_document_id FROM workflow_document d WHERE d.team_id = team AND (d.workflow_id = ANY (ids)
        OR d.workflow_id IN (SELECT t.workflow_id FROM task t WHERE t.team_id = team AND t.id = ANY (ids)))
    ) n (id) WHERE EXISTS (SELECT FROM document d WHERE d.team_id = team AND d.id = n.id)
      OR document_barrier(team, n.id) <> '00000000-0000-0000-0000-000000000000'
    UNION SELECT 'form', i.id FROM interface i WHERE i.team_id = team AND i.id = ANY (ids)
    UNION SELECT s.type, s.id FROM submission u CROSS JOIN LATERAL (VALUES ('submission', u.id), ('form', u.interface_id)) AS s (type, id)
      WHERE u.team_id = team AND u.id = ANY (ids);
END $function$;

CREATE OR REPLACE FUNCTION public.answers_of_submission(of_team uuid, submission uuid)
 RETURNS TABLE(data jsonb, records jsonb, locale text, created_at timestamp with time zone, fields jsonb, settings jsonb)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT s.data, s.records, s.locale, s.created_at, v.definition -> 'fields', v.definition -> 'publicSettings' FROM submission s
  JOIN interface_version v ON v.team_id = of_team AND v.interface_id = s.interface_id AND v.number = s.version
  WHERE s.team_id = of_team AND s.id = submission AND s.data IS NOT NULL AND s.erased_at IS NULL
$function$;

CREATE OR REPLACE FUNCTION public.answers_of_tasks(of_team uuid, tasks uuid[])
 RETURNS TABLE(task_id uuid, data jsonb)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT s.task_id, s.data FROM submission s
  WHERE s.team_id = of_team AND s.task_id = ANY (tasks) AND s.status = 'received' AND s.data IS NOT NULL ORDER BY s.created_at, s.id
$function$;

CREATE OR REPLACE FUNCTION public.approval_policy_uses(team uuid, policy text, person uuid)
 RETURNS TABLE(kind text, id text, step text)
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE ROWS 10
AS $function$
BEGIN
  RETURN QUERY
    SELECT 'template', t.name, s.step->>'id' FROM workflow_template t CROSS JOIN LATERAL jsonb_array_elements(t.steps) s(step)
      WHERE t.team_id = team AND s.step->'config'->'approval'->>'policy' = policy
    UNION ALL
    SELECT 'workflow', CASE WHEN NOT document_outsider(team, w.about_document_id, person) THEN w.id::text END, s.id
      FROM workflow_step s JOIN workflow w ON w.team_id = team AND w.id = s.workflow_id
      WHERE s.team_id = team AND s.status IN ('pending', 'active') AND w.status IN ('draft', 'active', 'paused')
        AND s.config->'approval'->>'policy' = policy
    UNION ALL SELECT 'agent', a.id::text, NULL FROM agent a WHERE a.team_id = team AND a.approval_policy = policy
    UNION ALL SELECT 'client', c.id::text, NULL FROM api_client c WHERE c.team_id = team AND c.approval_policy = policy
    UNION ALL SELECT 'connected_app', c.session_id::text, NULL FROM connected_app_connection c
      WHERE c.team_id = team AND c.approval_policy = policy AND connected_app_session_lives(team, c.session_id);
END $function$;

CREATE OR REPLACE FUNCTION public.asks_own_person(type text, created_by_type text, workflow uuid)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ SELECT type = 'tool_approval' AND created_by_type = 'user' AND workflow IS NULL $function$;

CREATE OR REPLACE FUNCTION public.asks_own_person(type text, created_by_type text, workflow uuid, creator uuid, assignee uuid)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ SELECT asks_own_person(type, created_by_type, workflow) AND creator IS NOT DISTINCT FROM assignee $function$;

CREATE OR REPLACE FUNCTION public.barrier_by_path(team uuid, container uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN coalesce((
    SELECT b.id FROM access_path p JOIN access_barrier b ON b.team_id = team AND b.id = p.ancestor_id
    WHERE p.team_id = team AND p.container_id = container ORDER BY p.distance LIMIT 1
  ), '00000000-0000-0000-0000-000000000000');
END $function$;

CREATE OR REPLACE FUNCTION public.barrier_changes(team uuid)
 RETURNS TABLE(id uuid, kind text, from_barrier uuid, to_barrier uuid, documents_total integer, documents_done integer)
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE ROWS 1
AS $function$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT c.id, c.kind, c.from_barrier, c.to_barrier, c.documents_total, c.documents_done FROM access_barrier_change c WHERE c.team_id = team;
END $function$;

CREATE OR REPLACE FUNCTION public.barrier_excludes(team uuid, barrier uuid, person uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN (SELECT s.excluded FROM barrier_state(team, barrier, person) s);
END $function$;

CREATE OR REPLACE FUNCTION public.barrier_now(team uuid, container uuid, stored uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM access_barrier_change c WHERE c.team_id = team) THEN RETURN stored; END IF;
  RETURN barrier_by_path(team, container);
END $function$;

CREATE OR REPLACE FUNCTION public.barrier_of(team uuid, resource uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  IF resource IS NULL THEN RETURN '00000000-0000-0000-0000-000000000000'; END IF;
  RETURN coalesce(
    (SELECT barrier_now(team, c.id, c.barrier_id) FROM access_container c WHERE c.team_id = team AND c.id = resource),
    (SELECT d.barrier_id FROM access_deleted d WHERE d.team_id = team AND d.id = resource),
    '00000000-0000-0000-0000-000000000000');
END $function$;

CREATE OR REPLACE FUNCTION public.barrier_state(team uuid, barrier uuid, person uuid, OUT excluded boolean, OUT outsider boolean)
 RETURNS record
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
DECLARE principals uuid[];
BEGIN
  excluded := false;
  outsider := false;
  IF barrier IS NULL OR barrier = '00000000-0000-0000-0000-000000000000' THEN RETURN; END IF;
  principals := access_principals(team, person, true);
  SELECT bool_or(m.reads IS NOT TRUE), bool_or(m.acts IS NOT TRUE) INTO excluded, outsider
  FROM access_path p JOIN access_barrier b ON b.team_id = team AND b.id = p.ancestor_id
  CROSS JOIN LATERAL (
    SELECT bool_or(true) AS reads, bool_or(o.expires_at IS NULL) AS acts FROM access_barrier_member o
    WHERE o.team_id = team AND o.barrier_id = b.id AND o.principal_id = ANY (principals) AND (o.expires_at IS NULL OR o.expires_at > now())
  ) m
  WHERE p.team_id = team AND p.container_id = barrier;
  -- A barrier without rows is closed.
  excluded := coalesce(excluded, true);
  outsider := coalesce(outsider, true);
END $function$;

CREATE OR REPLACE FUNCTION public.barriers_of_workflow(team uuid, of_workflow uuid)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE ROWS 2
AS $function$
BEGIN
  RETURN QUERY
    SELECT document_barrier(team, d.about_document_id) FROM workflow_document d WHERE d.team_id = team AND d.workflow_id = of_workflow
    UNION SELECT barrier_of(team, w.container_id) FROM workflow w WHERE w.team_id = team AND w.id = of_workflow AND w.container_id IS NOT NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.be_about_all_documents()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE workflow w SET about_document_id = w.id
  WHERE w.team_id = NEW.team_id AND w.id = NEW.workflow_id AND w.about_document_id IS DISTINCT FROM w.id;
  UPDATE task t SET about_document_id = NEW.workflow_id
  WHERE t.team_id = NEW.team_id AND t.workflow_id = NEW.workflow_id AND t.about_document_id IS DISTINCT FROM NEW.workflow_id;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.began_in_the_future(since timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT since > now() + interval '1 minute'
$function$;

CREATE OR REPLACE FUNCTION public.booking_by_token(of_team uuid, wanted bytea)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT b.id FROM booking b JOIN team t ON t.team_id = b.team_id
  WHERE b.team_id = of_team AND b.token_hash = wanted AND b.moves IS NULL AND t.status = 'active'
$function$;

CREATE OR REPLACE FUNCTION public.booking_holds_place(status text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT status IN ('held', 'pending', 'confirmed')
$function$;

CREATE OR REPLACE FUNCTION public.bounced_mail(mail uuid)
 RETURNS TABLE(recipient text, about uuid, status text, diagnostic text, sent_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT m.recipient, m.about, m.bounce_status, m.bounce_diagnostic, m.sent_at FROM mail_message m
  WHERE m.id = mail AND m.team_id = current_team() AND m.bounce_status IS NOT NULL AND m.recipient <> ''
$function$;

CREATE OR REPLACE FUNCTION public.calendar_by_feed(of_team uuid, wanted bytea)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT c.id FROM calendar c JOIN team t ON t.team_id = c.team_id
  WHERE c.team_id = of_team AND c.feed_hash = wanted AND t.status = 'active'
$function$;

CREATE OR REPLACE FUNCTION public.calendar_definition(of_team uuid, interface uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT c.definition FROM calendar c WHERE c.team_id = of_team AND c.id = interface
$function$;

CREATE OR REPLACE FUNCTION public.challenge_by_token(wanted bytea)
 RETURNS TABLE(person_id uuid, team_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT c.person_id, c.opens_team_id FROM sign_in_challenge c WHERE c.token_hash = wanted AND c.expires_at > now()
$function$;

CREATE OR REPLACE FUNCTION public.check_client_credential(locked_team uuid, locked_client uuid, locked_secret uuid, locked_token uuid, believed_scopes text[], believed_folders uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE now_good record;
BEGIN
  -- See check_person_credential.
  IF NOT (pg_try_advisory_xact_lock_shared(credential_key(locked_client)) AND pg_try_advisory_xact_lock_shared(credential_key(locked_team))) THEN
    PERFORM lock_credential_shared(locked_client);
    PERFORM lock_credential_shared(locked_team);
  END IF;
  SELECT l.scopes, l.folder_ids INTO now_good FROM live_client_token(locked_team, locked_secret, locked_token) l
  WHERE l.client_id = locked_client;
  IF NOT FOUND THEN RAISE EXCEPTION 'the token has ended' USING ERRCODE = 'CR401'; END IF;
  IF NOT (believed_scopes <@ now_good.scopes) OR believed_folders IS DISTINCT FROM now_good.folder_ids THEN
    RAISE EXCEPTION 'what the client may do was changed' USING ERRCODE = 'CR403';
  END IF;
END $function$;

CREATE OR REPLACE FUNCTION public.check_person_credential(in_team uuid, of_account uuid, of_session uuid, expected_role text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE role_now text;
BEGIN
  -- Changes are rare: without one, no function that can wait is called.
  IF NOT (pg_try_advisory_xact_lock_shared(credential_key(of_account)) AND pg_try_advisory_xact_lock_shared(credential_key(in_team))) THEN
    PERFORM lock_credential_shared(of_account);
    PERFORM lock_credential_shared(in_team);
  END IF;
  SELECT s.role INTO role_now FROM live_session s WHERE s.team_id = in_team AND s.id = of_session AND s.account_id = of_account;
  IF role_now IS NULL THEN RAISE EXCEPTION 'the session has ended' USING ERRCODE = 'CR401'; END IF;
  IF role_now <> expected_role THEN RAISE EXCEPTION 'the role was changed' USING ERRCODE = 'CR403'; END IF;
END $function$;

CREATE OR REPLACE FUNCTION public.check_staff_credential(locked_staff uuid, locked_session uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM lock_credential_shared(locked_staff);
  PERFORM FROM staff_session t JOIN staff s ON s.id = t.staff_id
  WHERE t.id = locked_session AND s.id = locked_staff AND t.epoch = s.credential_epoch
    AND t.revoked_at IS NULL AND t.expires_at > now() AND s.is_active;
  IF NOT FOUND THEN RAISE EXCEPTION 'the session has ended' USING ERRCODE = 'CR401'; END IF;
END $function$;

CREATE OR REPLACE FUNCTION public.clients_await_takeover(of_team uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT EXISTS (SELECT FROM team t WHERE t.team_id = of_team AND t.clients_await_takeover)
$function$;

CREATE OR REPLACE FUNCTION public.closing_containers(team uuid, person uuid)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE ROWS 1
AS $function$
DECLARE opened uuid[];
BEGIN
  IF NOT EXISTS (SELECT FROM access_barrier_change c WHERE c.team_id = team) THEN RETURN; END IF;
  opened := ARRAY(SELECT open_barriers(team, person));
  RETURN QUERY
    SELECT DISTINCT p.container_id FROM access_barrier_change c JOIN access_path p ON p.team_id = team AND p.ancestor_id = c.id
    WHERE c.team_id = team AND EXISTS (
      SELECT FROM access_path a JOIN access_barrier b ON b.team_id = team AND b.id = a.ancestor_id
      WHERE a.team_id = team AND a.container_id = c.id AND b.id <> ALL (opened)
    );
END $function$;

CREATE OR REPLACE PROCEDURE public.confine_to_person(IN target regclass, IN owner_column name)
 LANGUAGE plpgsql
AS $procedure$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format('CREATE POLICY person_isolation ON %s TO chancery_app USING (%2$I = (SELECT current_person())) WITH CHECK (%2$I = (SELECT current_person()))',
    target, owner_column);
  EXECUTE format('DROP POLICY IF EXISTS lookup ON %s', target);
  EXECUTE format('CREATE POLICY lookup ON %s FOR SELECT TO chancery_owner USING (true)', target);
END $procedure$;

CREATE OR REPLACE PROCEDURE public.confine_to_team(IN target regclass, IN privileges text)
 LANGUAGE plpgsql
AS $procedure$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format('CREATE POLICY team_isolation ON %s TO chancery_app USING (team_id = (SELECT current_team())) WITH CHECK (team_id = (SELECT current_team()))', target);
  EXECUTE format('GRANT %s ON %s TO chancery_app', privileges, target);
END $procedure$;

CREATE OR REPLACE FUNCTION public.conflict_reasons(team uuid, creator uuid, requester uuid, of_workflow uuid, of_document uuid, of_version integer, began timestamp with time zone)
 RETURNS TABLE(person uuid, late boolean, reason text)
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE ROWS 5
AS $function$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT behind.id, coalesce(source.at > began, false), source.reason FROM (
      SELECT creator AS id, NULL::timestamptz AS at, 'creator' AS reason
      UNION ALL SELECT requester, NULL, 'requester'
      UNION ALL SELECT v.created_by, v.created_at, 'uploader' FROM document_version v
        WHERE v.team_id = team AND v.document_id = of_document AND v.number = of_version
      UNION ALL SELECT t.completed_by, t.completed_at, 'submitter' FROM task t
        WHERE t.team_id = team AND t.workflow_id = of_workflow AND t.type = 'form' AND t.status = 'completed'
    ) source CROSS JOIN LATERAL (
      SELECT source.id
      UNION ALL SELECT coalesce(c.responsible_id, c.created_by) FROM api_client c WHERE c.team_id = team AND c.id = source.id
      UNION ALL SELECT f.responsible_id FROM former_client f WHERE f.team_id = team AND f.id = source.id
    ) behind WHERE behind.id IS NOT NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.conflicted_of_workflow(team uuid, creator uuid, of_document uuid)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE ROWS 3
AS $function$
BEGIN
  RETURN QUERY SELECT c.person
    FROM conflicted_with(team, creator, of_document, (SELECT d.current_version FROM filed_documents(team) d WHERE d.id = of_document), NULL) c;
END $function$;

CREATE OR REPLACE FUNCTION public.conflicted_persons(team uuid, of_task uuid)
 RETURNS TABLE(person uuid, late boolean)
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE ROWS 5
AS $function$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT c.person, c.late OR eyes.four FROM task t LEFT JOIN workflow w ON w.team_id = team AND w.id = t.workflow_id
    CROSS JOIN LATERAL (SELECT o.four_eyes AS four FROM team o WHERE o.team_id = t.team_id) eyes
    CROSS JOIN LATERAL conflict_reasons(team, t.created_by, NULL, CASE WHEN eyes.four THEN t.workflow_id END, t.linked_document_id, t.document_version, w.started_at) c
    WHERE t.team_id = team AND t.id = of_task AND t.approval_round_id IS NULL
    UNION ALL
    SELECT e.person, true FROM task t CROSS JOIN LATERAL excluded_from_round(team, t.approval_round_id) e
    WHERE t.team_id = team AND t.id = of_task AND t.approval_round_id IS NOT NULL
    UNION ALL
    SELECT voice.id, t.document_version IS NOT NULL OR t.approval_round_id IS NOT NULL FROM task t
    JOIN task o ON o.team_id = team AND o.workflow_id = t.workflow_id AND o.step_id = t.step_id AND o.round_id = t.round_id
      AND o.id <> t.id AND o.status <> 'cancelled'
    CROSS JOIN LATERAL (VALUES (o.assigned_to), (o.completed_by)) voice (id)
    WHERE t.team_id = team AND t.id = of_task AND voice.id IS NOT NULL
    UNION ALL
    SELECT voice.id, true FROM task t
    JOIN task o ON o.team_id = team AND o.approval_round_id = t.approval_round_id AND o.id <> t.id AND o.status <> 'cancelled'
    CROSS JOIN LATERAL (VALUES (o.assigned_to), (o.completed_by)) voice (id)
    WHERE t.team_id = team AND t.id = of_task AND t.workflow_id IS NULL AND voice.id IS NOT NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.conflicted_with(team uuid, creator uuid, of_document uuid, of_version integer, began timestamp with time zone)
 RETURNS TABLE(person uuid, late boolean)
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE ROWS 3
AS $function$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT c.person, c.late FROM conflict_reasons(team, creator, NULL, NULL, of_document, of_version, began) c;
END $function$;

CREATE OR REPLACE FUNCTION public.connected_app_session_lives(team uuid, one uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  RETURN EXISTS (SELECT FROM live_session s WHERE s.team_id = team AND s.id = one AND s.app_id IS NOT NULL);
END $function$;

CREATE OR REPLACE FUNCTION public.connection_by_code(of_team uuid, wanted bytea)
 RETURNS TABLE(session_id uuid, account_id uuid, client_id text, redirect_uri text, code_challenge text, lives_until timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT c.session_id, c.account_id, c.client_id, c.redirect_uri, c.code_challenge, c.lives_until
  FROM connected_app_connection c WHERE c.team_id = of_team AND c.code_hash = wanted
$function$;

CREATE OR REPLACE FUNCTION public.containers_of_matter(of_team uuid, of_matter uuid)
 RETURNS TABLE(id uuid)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT p.container_id FROM access_path p WHERE p.team_id = of_team AND p.ancestor_id = of_matter
$function$;

CREATE OR REPLACE FUNCTION public.copy_person()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM FROM account a WHERE a.id = NEW.id AND a.deleted_at IS NULL ORDER BY a.team_id FOR NO KEY UPDATE;
  UPDATE account a SET email = NEW.email, email_key = NEW.email_key, first_name = NEW.first_name, last_name = NEW.last_name, locale = NEW.locale,
    timezone = NEW.timezone, two_factor_enabled = NEW.two_factor_enabled, version = a.version + 1, updated_at = NEW.updated_at
  WHERE a.id = NEW.id AND a.deleted_at IS NULL;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.count_gone()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  team record;
BEGIN
  FOR team IN EXECUTE format('SELECT team_id, %s AS amount FROM gone GROUP BY team_id ORDER BY team_id',
    CASE WHEN TG_NARGS > 1 THEN format('sum(%I)', TG_ARGV[1]) ELSE 'count(*)' END)
  LOOP
    PERFORM add_usage(team.team_id, TG_ARGV[0], -1::smallint, -team.amount::bigint);
  END LOOP;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.count_jobs_ended()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  team record;
BEGIN
  FOR team IN SELECT o.team_id, (count(*) FILTER (WHERE o.state = 'failed') - count(*) FILTER (WHERE n.state = 'failed')) AS amount
    FROM before o JOIN after n ON n.team_id = o.team_id AND n.id = o.id
    WHERE o.counted AND (o.state = 'failed') <> (n.state = 'failed') GROUP BY o.team_id ORDER BY o.team_id
  LOOP
    PERFORM add_usage(team.team_id, 'jobsWaiting', -1::smallint, team.amount);
  END LOOP;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.count_jobs_gone()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  team record;
BEGIN
  FOR team IN SELECT team_id, count(*) AS amount FROM gone WHERE counted AND state <> 'failed' GROUP BY team_id ORDER BY team_id LOOP
    PERFORM add_usage(team.team_id, 'jobsWaiting', -1::smallint, -team.amount);
  END LOOP;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.count_made()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM take_usage(NEW.team_id, TG_ARGV[0], CASE WHEN TG_NARGS > 1 THEN (to_jsonb(NEW) ->> TG_ARGV[1])::bigint ELSE 1 END);
  RETURN NULL;
END $function$;

CREATE OR REPLACE PROCEDURE public.count_rows(IN target regclass, IN quota text, IN amount text DEFAULT NULL::text)
 LANGUAGE plpgsql
AS $procedure$
DECLARE arguments text := quote_literal(quota) || coalesce(', ' || quote_literal(amount), '');
BEGIN
  -- Triggers of one row run in the order of their names, so this one runs first.
  EXECUTE format('CREATE TRIGGER adds_made AFTER INSERT ON %s FOR EACH ROW EXECUTE FUNCTION sum_made(%s)', target, arguments);
  EXECUTE format('CREATE CONSTRAINT TRIGGER counts_made AFTER INSERT ON %s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_sum(%s)', target, arguments);
  EXECUTE format('CREATE TRIGGER counts_gone AFTER DELETE ON %s REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_gone(%s)', target, arguments);
  -- Counts the existing rows. Row-level security would hide them.
  EXECUTE format('ALTER TABLE %s NO FORCE ROW LEVEL SECURITY', target);
  EXECUTE format('INSERT INTO team_usage SELECT team_id, %L, 0, %s FROM %s GROUP BY team_id', quota, coalesce('sum(' || quote_ident(amount) || ')', 'count(*)'), target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
END $procedure$;

CREATE OR REPLACE FUNCTION public.count_sum()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  place text := 'app.made_' || TG_ARGV[0];
  sums jsonb := current_setting(place);
  team text := NEW.team_id;
BEGIN
  IF sums ? team THEN
    PERFORM set_config(place, (sums - team)::text, true);
    PERFORM take_usage(NEW.team_id, TG_ARGV[0], (sums ->> team)::bigint);
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.credential_key(credential_owner uuid)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN hashtextextended(('credential '::text || (credential_owner)::text), (0)::bigint);

CREATE OR REPLACE FUNCTION public.current_person()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('app.person_id'::text, true), ''::text))::uuid;

CREATE OR REPLACE FUNCTION public.current_team()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('app.team_id'::text, true), ''::text))::uuid;

CREATE OR REPLACE FUNCTION public.delete_container()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  DELETE FROM access_container WHERE team_id = OLD.team_id AND id = OLD.id;
  -- A barrier keeps its members and its path.
  IF OLD.barrier_id <> OLD.id THEN
    DELETE FROM access_path WHERE team_id = OLD.team_id AND container_id = OLD.id;
    DELETE FROM access_path WHERE team_id = OLD.team_id AND ancestor_id = OLD.id;
  END IF;
  IF OLD.barrier_id <> '00000000-0000-0000-0000-000000000000' THEN
    INSERT INTO access_deleted (team_id, id, barrier_id) VALUES (OLD.team_id, OLD.id, OLD.barrier_id);
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.deleted_barriers(team uuid, resources uuid[])
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE ROWS 1
AS $function$
BEGIN
  RETURN QUERY SELECT DISTINCT d.barrier_id FROM access_deleted d WHERE d.team_id = team AND d.id = ANY (resources);
END $function$;

CREATE OR REPLACE FUNCTION public.directory_by_surge(of_team uuid, wanted bytea)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT d.id FROM directory d JOIN team t ON t.team_id = d.team_id
  WHERE d.team_id = of_team AND d.surge_hash = wanted AND d.surge_at > now() - interval '7 days' AND d.deleted_at IS NULL AND t.status = 'active'
$function$;

CREATE OR REPLACE FUNCTION public.directory_by_token(of_team uuid, wanted bytea)
 RETURNS TABLE(directory_id uuid, token_id uuid, expires_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT k.directory_id, k.id, k.expires_at
  FROM directory_token k JOIN directory d ON d.team_id = k.team_id AND d.id = k.directory_id JOIN team t ON t.team_id = k.team_id
  WHERE k.team_id = of_team AND k.hash = wanted AND k.expires_at > now() AND d.is_active AND d.deleted_at IS NULL AND t.status = 'active'
$function$;

CREATE OR REPLACE FUNCTION public.document_barrier(team uuid, document uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  IF document IS NULL THEN RETURN '00000000-0000-0000-0000-000000000000'; END IF;
  RETURN coalesce(
    (SELECT barrier_now(team, d.folder_id, d.barrier_id) FROM document d WHERE d.team_id = team AND d.id = document), barrier_of(team, document));
END $function$;

CREATE OR REPLACE FUNCTION public.document_barrier_state(team uuid, document uuid, person uuid, OUT excluded boolean, OUT outsider boolean)
 RETURNS record
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
DECLARE barrier uuid := (SELECT barrier_now(team, d.folder_id, d.barrier_id) FROM document d WHERE d.team_id = team AND d.id = document);
BEGIN
  IF barrier IS NULL THEN barrier := nullif(barrier_of(team, document), '00000000-0000-0000-0000-000000000000'); END IF;
  IF barrier IS NOT NULL THEN
    SELECT s.excluded, s.outsider INTO excluded, outsider FROM barrier_state(team, barrier, person) s;
  ELSE
    SELECT coalesce(bool_or(s.excluded), false), coalesce(bool_or(s.outsider), false) INTO excluded, outsider
    FROM barriers_of_workflow(team, document) b CROSS JOIN LATERAL barrier_state(team, b, person) s;
  END IF;
END $function$;

CREATE OR REPLACE FUNCTION public.document_excludes(team uuid, document uuid, person uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  IF document IS NULL THEN RETURN false; END IF;
  RETURN (SELECT s.excluded FROM document_barrier_state(team, document, person) s);
END $function$;

CREATE OR REPLACE FUNCTION public.document_is_barred(team uuid, document uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
DECLARE barrier uuid;
BEGIN
  IF document IS NULL THEN RETURN false; END IF;
  barrier := (SELECT barrier_now(team, d.folder_id, d.barrier_id) FROM document d WHERE d.team_id = team AND d.id = document);
  IF barrier IS NULL THEN barrier := nullif(barrier_of(team, document), '00000000-0000-0000-0000-000000000000'); END IF;
  IF barrier IS NOT NULL THEN RETURN barrier <> '00000000-0000-0000-0000-000000000000'; END IF;
  RETURN EXISTS (SELECT FROM barriers_of_workflow(team, document) b WHERE b <> '00000000-0000-0000-0000-000000000000');
END $function$;

CREATE OR REPLACE FUNCTION public.document_is_gone(team uuid, document uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN NOT EXISTS (SELECT FROM document d WHERE d.team_id = team AND d.id = document AND d.deleted_at IS DISTINCT FROM 'epoch');
END $function$;

CREATE OR REPLACE FUNCTION public.document_of_step(team uuid, of_workflow uuid, named text)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN (SELECT d.linked_document_id FROM workflow_document d
    WHERE d.team_id = team AND d.workflow_id = of_workflow AND (d.name = named OR named IS NULL AND d.position = 0));
END $function$;

CREATE OR REPLACE FUNCTION public.document_outsider(team uuid, document uuid, person uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  IF document IS NULL THEN RETURN false; END IF;
  RETURN (SELECT s.outsider FROM document_barrier_state(team, document, person) s);
END $function$;

CREATE OR REPLACE FUNCTION public.documents_being_signed(of_team uuid)
 RETURNS TABLE(document_id uuid, status text)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT d.document_id, r.status FROM signature_request_document d
  JOIN signature_request r ON r.team_id = d.team_id AND r.id = d.request_id WHERE d.team_id = of_team AND d.live
$function$;

CREATE OR REPLACE FUNCTION public.documents_of_workflow(of_team uuid, of_workflow uuid)
 RETURNS TABLE(id uuid)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT d.linked_document_id FROM workflow_document d
  WHERE d.team_id = of_team AND d.workflow_id = of_workflow AND d.linked_document_id IS NOT NULL
$function$;

CREATE OR REPLACE FUNCTION public.documents_with_words(of_team uuid, wanted tsquery, named tsquery, part text, most integer, ranked integer)
 RETURNS TABLE(id uuid, rank real)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_indexscan TO 'off'
AS $function$
  WITH often AS (
    SELECT ranked <= most AND count(*) * 64 > most AS so FROM (
      SELECT FROM document_text t
      WHERE t.words @@ (quote_literal(word_of_team(of_team) || ' 0')::tsquery && coalesce(wanted || named, wanted, named))
        AND (t.team_id = of_team) IS TRUE AND of_team = current_team() LIMIT most / 64 + 1
    ) sample
  ),
  by_words AS (
    SELECT t.document_id, t.ctid AS place FROM document_text t
    WHERE t.words @@ (quote_literal(word_of_team(of_team))::tsquery && wanted)
      AND (t.team_id = of_team) IS TRUE AND of_team = current_team() AND NOT (SELECT so FROM often) LIMIT most + 1
  ),
  by_title AS (
    SELECT t.document_id FROM document_text t
    WHERE t.words @@ (quote_literal(word_of_team(of_team))::tsquery && named) AND position(lower(part) IN lower(t.title)) > 0
      AND t.document_id NOT IN (SELECT w.document_id FROM by_words w)
      AND (t.team_id = of_team) IS TRUE AND of_team = current_team() AND NOT (SELECT so FROM often) LIMIT most + 1
  ),
  counted AS (SELECT (SELECT count(*) FROM by_words) + (SELECT count(*) FROM by_title) AS matches),
  state AS (SELECT c.matches <= ranked AS ranks, o.so OR (c.matches > most AND ranked <= most) AS too_many FROM counted c, often o)
  SELECT NULL::uuid, NULL::real FROM state s WHERE s.too_many
  UNION ALL
  SELECT w.document_id, 0 FROM state s, by_words w WHERE NOT s.too_many AND NOT s.ranks
  UNION ALL
  SELECT w.document_id, ts_rank(t.words, wanted, 1) + (position(lower(part) IN lower(t.title)) > 0)::integer::real
  FROM state s, by_words w, LATERAL (SELECT o.words, o.title FROM document_text o WHERE o.ctid = w.place OFFSET 0) t WHERE NOT s.too_many AND s.ranks
  UNION ALL
  SELECT t.document_id, s.ranks::integer::real FROM state s, by_title t WHERE NOT s.too_many
$function$;

CREATE OR REPLACE FUNCTION public.drop_access_grants()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  DELETE FROM access_grant g USING gone WHERE g.team_id = gone.team_id AND g.resource_type = TG_ARGV[0] AND g.resource_id = gone.id;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.drop_record_values()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  DELETE FROM registry_value v USING gone, LATERAL jsonb_each(gone.keys) e, LATERAL jsonb_array_elements_text(e.value) AS k(key)
  WHERE v.team_id = gone.team_id AND v.registry_id = gone.registry_id AND v.state = gone.state AND v.field = e.key AND v.key = k.key
    AND v.record_id = gone.id;
  DELETE FROM registry_unique_value u USING gone
  WHERE u.team_id = gone.team_id AND u.registry_id = gone.registry_id AND u.record_id = gone.id;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.end_away_from_home(team uuid, one uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  WITH ended AS (
    UPDATE session s SET revoked_at = now() FROM sign_in i
    WHERE s.id = one AND s.team_id <> team AND s.revoked_at IS NULL AND i.id = s.id AND i.own_proof_at IS NULL RETURNING s.id
  ) SELECT pg_notify('revoked', ended.id::text) FROM ended
$function$;

CREATE OR REPLACE FUNCTION public.end_challenges(through uuid, person uuid, at_provider text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  WITH waiting AS (
    SELECT c.person_id FROM sign_in_challenge c
    WHERE c.connection_id = through AND c.opens_team_id = (SELECT current_team()) AND (person IS NULL OR c.person_id = person)
      AND (at_provider IS NULL OR c.idp_session = at_provider)
    ORDER BY c.person_id FOR UPDATE
  )
  DELETE FROM sign_in_challenge c USING waiting WHERE c.person_id = waiting.person_id
$function$;

CREATE OR REPLACE FUNCTION public.end_signature_request()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  DELETE FROM signature_request r WHERE r.team_id = OLD.team_id AND r.id = OLD.request_id
    AND NOT EXISTS (SELECT FROM signature_request_document d WHERE d.team_id = r.team_id AND d.request_id = r.id);
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.end_unadmitted()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM end_unadmitted_sessions(OLD.team_id);
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.end_unadmitted_sessions(team uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  WITH unadmitted AS MATERIALIZED (
    SELECT s.id FROM session s JOIN sign_in i ON i.id = s.id
    WHERE s.team_id = team AND s.connection_id IS NULL AND s.revoked_at IS NULL AND i.own_proof_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > now()
      AND NOT admits_from_home(team, s.account_id, s.id)
    ORDER BY s.account_id, s.id FOR NO KEY UPDATE OF s
  ), ended AS (
    UPDATE session s SET revoked_at = now() FROM unadmitted WHERE s.team_id = team AND s.id = unadmitted.id RETURNING s.id
  ) SELECT pg_notify('revoked', ended.id::text) FROM ended
$function$;

CREATE OR REPLACE FUNCTION public.endpoint_gets(team uuid, client uuid, set_with text[], scope text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  IF client IS NULL THEN RETURN true; END IF;
  RETURN (set_with IS NULL OR scope = ANY (set_with)) AND EXISTS (
    SELECT FROM active_client c WHERE c.team_id = team AND c.id = client AND scope = ANY (c.scopes) AND c.folder_ids IS NULL);
END $function$;

CREATE OR REPLACE FUNCTION public.enforced_connection(team uuid, person uuid)
 RETURNS TABLE(id uuid)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT c.id FROM account a JOIN sso_connection c ON c.team_id = a.team_id
  WHERE a.team_id = team AND a.id = person AND a.role <> 'owner' AND NOT a.address_released AND c.is_active AND c.is_enforced AND (
    EXISTS (SELECT FROM sso_domain d
      WHERE d.team_id = team AND d.connection_id = c.id AND d.domain = split_part(a.email_key, '@', 2) AND d.verified_at IS NOT NULL)
    OR EXISTS (SELECT FROM federated_identity f WHERE f.team_id = team AND f.connection_id = c.id AND f.account_id = person))
  ORDER BY c.id
$function$;

CREATE OR REPLACE FUNCTION public.entries_about(of_team uuid, target text, before timestamp with time zone, before_id uuid, many bigint)
 RETURNS TABLE(id uuid, type text, actor_type text, actor_id text, at timestamp with time zone, data jsonb)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT a.id, a.type, a.actor_type, a.actor_id, a.at, a.data FROM audit_entry a WHERE a.team_id = of_team AND a.target_id = target
    AND (a.at, a.id) < (coalesce(before, 'infinity'), coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
  ORDER BY a.at DESC, a.id DESC LIMIT many
$function$;

CREATE OR REPLACE FUNCTION public.entry_is_whole()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
END $function$;

CREATE OR REPLACE FUNCTION public.erase_addresses(person uuid)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE erased uuid[];
BEGIN
  PERFORM FROM audit_entry WHERE team_id = current_team() AND actor_id = person AND ip IS NOT NULL ORDER BY id FOR NO KEY UPDATE;
  WITH done AS (
    UPDATE audit_entry SET ip = NULL, ip_salt = NULL,
      ip_digest = sha256(convert_to('["' || ip_salt || '","ip","' || host(ip) || '"]', 'UTF8'))
    WHERE team_id = current_team() AND actor_id = person AND ip IS NOT NULL
    RETURNING id
  ) SELECT coalesce(array_agg(id), '{}') INTO erased FROM done;
  UPDATE event v SET body = without_address(v.body) FROM unnest(erased) AS e(id)
  WHERE v.team_id = current_team() AND v.id = 'evt_' || replace(e.id::text, '-', '');
  RETURN cardinality(erased);
END $function$;

CREATE OR REPLACE FUNCTION public.excluded_by(team uuid, exclude text[], requester uuid, of_workflow uuid, documents uuid[], versions integer[], previous uuid)
 RETURNS TABLE(person uuid, reason text)
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE ROWS 5
AS $function$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT c.person, c.reason FROM (SELECT) always
    LEFT JOIN workflow w ON w.team_id = team AND w.id = of_workflow
    CROSS JOIN LATERAL conflict_reasons(team, w.created_by, coalesce(requester, w.owner_id), of_workflow, NULL, NULL, NULL) c
    WHERE is_excluded(team, exclude, c.reason)
    UNION ALL SELECT c.person, c.reason FROM unnest(documents, versions) d(id, version)
    CROSS JOIN LATERAL conflict_reasons(team, NULL, NULL, NULL, d.id, d.version, NULL) c
    WHERE is_excluded(team, exclude, c.reason)
    UNION ALL SELECT v.created_by, 'uploader' FROM approval_round_document p
    JOIN unnest(documents, versions) d(id, version) ON d.id = p.document_id
    JOIN document_version v ON v.team_id = team AND v.document_id = d.id AND v.number > p.document_version AND v.number <= d.version
    JOIN task t ON t.team_id = team AND t.approval_round_id = p.round_id AND t.completed_by = v.created_by AND t.status IN ('completed', 'rejected')
    WHERE p.team_id = team AND p.round_id = previous;
END $function$;

CREATE OR REPLACE FUNCTION public.excluded_from_round(team uuid, of_round uuid)
 RETURNS TABLE(person uuid, reason text)
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE ROWS 5
AS $function$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT e.person, e.reason FROM approval_round r
    CROSS JOIN LATERAL (
      SELECT array_agg(d.document_id ORDER BY d.position) AS documents, array_agg(d.document_version ORDER BY d.position) AS versions
      FROM approval_round_document d WHERE d.team_id = team AND d.round_id = r.id
    ) about
    CROSS JOIN LATERAL excluded_by(team, r.exclude, r.requester_id, r.workflow_id, about.documents, about.versions, r.supersedes) e
    WHERE r.team_id = team AND r.id = of_round
    UNION ALL SELECT run.requested_by, 'requester' FROM approval_round r
    JOIN agent_run_call c ON c.team_id = team AND c.approval_round_id = r.id JOIN agent_run run ON run.team_id = team AND run.id = c.run_id
    WHERE r.team_id = team AND r.id = of_round AND run.requested_by IS NOT NULL AND is_excluded(team, r.exclude, 'requester');
END $function$;

CREATE OR REPLACE FUNCTION public.filed_documents(of_team uuid)
 RETURNS TABLE(id uuid, folder_id uuid, user_id uuid, barrier_id uuid, made_by_client uuid, current_version integer, deleted_at timestamp with time zone)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT d.id, d.folder_id, d.user_id, barrier_now(of_team, d.folder_id, d.barrier_id), d.made_by_client, d.current_version, d.deleted_at
  FROM document d WHERE d.team_id = of_team
$function$;

CREATE OR REPLACE FUNCTION public.find_session(wanted uuid, in_team uuid)
 RETURNS TABLE(account_id uuid, role text, auth_time timestamp with time zone, acr text, lacks_second_factor boolean, app_id text, app_scopes text[], ends_in double precision)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT s.account_id, s.role, s.auth_time, s.acr, 
    coalesce(s.second_factor AND (s.acr = 'aal1' OR s.connection_id IS NULL AND NOT s.amr && '{otp,rc,hwk,swk}'), false), s.app_id, s.app_scopes,
    extract(epoch FROM s.ends_at - now())::float8
  FROM live_session s WHERE s.team_id = in_team AND s.id = wanted
$function$;

CREATE OR REPLACE FUNCTION public.folders_binned_with(of_team uuid, folder uuid)
 RETURNS TABLE(id uuid)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT f.id FROM folder f WHERE f.team_id = of_team AND f.deleted_with = folder
$function$;

CREATE OR REPLACE FUNCTION public.folders_of_clients(of_team uuid)
 RETURNS TABLE(folder_ids uuid[])
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT c.folder_ids FROM api_client c WHERE c.team_id = of_team
$function$;

CREATE OR REPLACE FUNCTION public.follow_signature_request()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE signature_request_document d SET live = NEW.status IN ('preparing', 'pending', 'sealing')
  WHERE d.team_id = NEW.team_id AND d.request_id = NEW.id AND d.live <> (NEW.status IN ('preparing', 'pending', 'sealing'));
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.forget_workflow_documents()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  DELETE FROM workflow_document d WHERE d.team_id = OLD.team_id AND d.workflow_id = OLD.id
    AND NOT EXISTS (SELECT FROM task t WHERE t.team_id = OLD.team_id AND t.workflow_id = OLD.id AND t.about_document_id = OLD.id);
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.further_documents_of_round(team uuid, of_round uuid)
 RETURNS TABLE(id uuid, linked_by uuid)
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE ROWS 5
AS $function$
BEGIN
  RETURN QUERY SELECT w.linked_document_id, w.linked_by FROM approval_round r
    JOIN approval_round_document d ON d.team_id = team AND d.round_id = r.id AND d.position > 0
    JOIN workflow_document w ON w.team_id = team AND w.workflow_id = r.workflow_id AND w.linked_document_id = d.document_id
    WHERE r.team_id = team AND r.id = of_round AND w.linked_by IS NOT NULL ORDER BY d.position;
END $function$;

CREATE OR REPLACE FUNCTION public.group_uses(team uuid, of_group uuid)
 RETURNS TABLE(shares integer, barriers integer, tasks integer, steps integer, templates integer, policies integer)
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE ROWS 1
AS $function$
DECLARE named text := '"group:' || of_group || '"';
BEGIN
  RETURN QUERY SELECT
    (SELECT count(*)::int FROM access_grant g WHERE g.team_id = team AND g.group_id = of_group AND g.source = 'share'),
    (SELECT count(*)::int FROM access_barrier_member m WHERE m.team_id = team AND m.group_id = of_group),
    (SELECT count(*)::int FROM task t WHERE t.team_id = team AND t.assigned_group_id = of_group AND t.status = 'open'),
    (SELECT count(*)::int FROM workflow_step s JOIN workflow w ON w.team_id = team AND w.id = s.workflow_id
      WHERE s.team_id = team AND (of_group = ANY (s.groups) OR strpos((s.config->'approval')::text, named) > 0) AND s.status IN ('pending', 'active')
        AND w.status IN ('draft', 'active', 'paused')),
    (SELECT count(*)::int FROM workflow_template t WHERE t.team_id = team
      AND (t.steps @> jsonb_build_array(jsonb_build_object('groups', jsonb_build_array(of_group::text))) OR strpos(t.steps::text, named) > 0)),
    (SELECT count(*)::int FROM approval_policy p WHERE p.team_id = team AND strpos(p.rules::text, named) > 0);
END $function$;

CREATE OR REPLACE FUNCTION public.has_delegations(team uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN EXISTS (SELECT FROM task_delegation d WHERE d.team_id = team);
END $function$;

CREATE OR REPLACE FUNCTION public.has_matters(team uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN EXISTS (SELECT FROM matter m WHERE m.team_id = team);
END $function$;

CREATE OR REPLACE FUNCTION public.hides_its_text(type text, workflow uuid, assignee uuid, person uuid)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ SELECT type IN ('tool_approval', 'tool_outcome') AND workflow IS NULL AND assignee IS DISTINCT FROM person $function$;

CREATE OR REPLACE FUNCTION public.hold_directory(in_team uuid, of_token uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF NOT (pg_try_advisory_xact_lock_shared(credential_key(of_token)) AND pg_try_advisory_xact_lock_shared(credential_key(in_team))) THEN
    PERFORM lock_credential_shared(of_token);
    PERFORM lock_credential_shared(in_team);
  END IF;
  PERFORM FROM directory_token k JOIN directory d ON d.team_id = k.team_id AND d.id = k.directory_id JOIN team t ON t.team_id = k.team_id
  WHERE k.team_id = in_team AND k.id = of_token AND k.expires_at > now() AND d.is_active AND d.deleted_at IS NULL AND t.status = 'active';
  IF NOT FOUND THEN RAISE EXCEPTION 'the token has ended' USING ERRCODE = 'CR401'; END IF;
END $function$;

CREATE OR REPLACE FUNCTION public.holds_within(of_team uuid, folders uuid[])
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT EXISTS (
    SELECT FROM legal_hold h
    LEFT JOIN LATERAL (SELECT d.folder_id FROM document d WHERE d.team_id = of_team AND d.id = h.document_id OFFSET 0) d ON true
    WHERE h.team_id = of_team AND h.lifted_at IS NULL AND coalesce(h.folder_id, d.folder_id) = ANY (folders)
  )
$function$;

CREATE OR REPLACE FUNCTION public.in_closed_matter(team uuid, container uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
DECLARE matter uuid := matter_of(team, container);
BEGIN
  IF matter IS NULL THEN RETURN false; END IF;
  RETURN EXISTS (SELECT FROM matter m WHERE m.team_id = team AND m.id = matter AND m.status = 'closed');
END $function$;

CREATE OR REPLACE FUNCTION public.insert_container()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO access_container (team_id, id, type, owner_id, barrier_id, matter_id)
  VALUES (NEW.team_id, NEW.id, CASE WHEN NEW.is_matter THEN 'matter' ELSE TG_ARGV[0] END, NEW.user_id, NEW.barrier_id,
    CASE WHEN NEW.is_matter THEN NEW.id
      WHEN NEW.parent_id IS NOT NULL THEN (SELECT c.matter_id FROM access_container c WHERE c.team_id = NEW.team_id AND c.id = NEW.parent_id) END);
  INSERT INTO access_path (team_id, container_id, ancestor_id, distance)
  SELECT NEW.team_id, NEW.id, NEW.id, 0
  UNION ALL SELECT NEW.team_id, NEW.id, p.ancestor_id, p.distance + 1 FROM access_path p WHERE p.team_id = NEW.team_id AND p.container_id = NEW.parent_id;
  IF NEW.parent_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM access_path p WHERE p.team_id = NEW.team_id AND p.container_id = NEW.id AND p.ancestor_id = NEW.parent_id
  ) THEN RAISE EXCEPTION 'a container is inserted after its parent'; END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.interface_by_link(of_team uuid, wanted bytea)
 RETURNS TABLE(interface_id uuid, link_id uuid, channel text, retired boolean, task_id uuid, person_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT l.interface_id, l.id, l.channel, l.retired_at IS NOT NULL, l.task_id, l.person_id
  FROM interface_link l JOIN team t ON t.team_id = l.team_id
  WHERE l.team_id = of_team AND l.hash = wanted AND t.status = 'active' AND (l.expires_at IS NULL OR l.expires_at > now())
    AND (l.retired_at IS NULL OR l.retired_at > now() - interval '1 day')
$function$;

CREATE OR REPLACE FUNCTION public.invitation_by_token(of_team uuid, wanted bytea)
 RETURNS TABLE(team_id uuid, id uuid, email text, email_key text, role text, expires_at timestamp with time zone, team_name text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT i.team_id, i.id, i.email, i.email_key, i.role, i.expires_at, t.name
  FROM invitation i JOIN team t ON t.team_id = i.team_id
  WHERE i.team_id = of_team AND i.token_hash = wanted AND i.status = 'pending' AND i.expires_at > now() AND t.status = 'active'
$function$;

CREATE OR REPLACE FUNCTION public.invitations_of_address(wanted text)
 RETURNS TABLE(team_id uuid, id uuid, email text, email_key text, role text, expires_at timestamp with time zone, team_name text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT i.team_id, i.id, i.email, i.email_key, i.role, i.expires_at, t.name
  FROM invitation i JOIN team t ON t.team_id = i.team_id
  WHERE i.email_key = wanted AND i.status = 'pending' AND i.expires_at > now() AND t.status = 'active'
  ORDER BY i.sent_at DESC, i.id DESC LIMIT 50
$function$;

CREATE OR REPLACE FUNCTION public.is_candidate(team uuid, of_group uuid, status text, person uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT of_group IS NOT NULL AND status = 'open' AND access_in_group(team, of_group, person)
$function$;

CREATE OR REPLACE FUNCTION public.is_excluded(team uuid, exclude text[], reason text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN reason = ANY (exclude) OR reason <> 'requester' AND EXISTS (SELECT FROM team o WHERE o.team_id = team AND o.four_eyes);
END $function$;

CREATE OR REPLACE FUNCTION public.is_related_to_task(who uuid, owner uuid, on_behalf_of uuid, participant uuid, assignee uuid, status text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ SELECT who IN (owner, on_behalf_of, participant) OR (assignee = who AND status = 'open') $function$;

CREATE OR REPLACE FUNCTION public.is_team_domain(team uuid, wanted text)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT EXISTS (SELECT FROM sso_domain d WHERE d.team_id = team AND d.domain = wanted AND d.verified_at IS NOT NULL)
$function$;

CREATE OR REPLACE FUNCTION public.issued_document_by_code(wanted bytea)
 RETURNS TABLE(status text, issued_at timestamp with time zone, issuer text, sha256 text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT r.status, r.issued_at, t.name, f.sha256
  FROM issued_document r JOIN team t ON t.team_id = r.team_id LEFT JOIN issued_document_file f ON f.team_id = r.team_id AND f.id = r.id
  WHERE r.code_hash = wanted AND t.status = 'active'
$function$;

CREATE OR REPLACE FUNCTION public.job_waits(of_job text, team uuid, item text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN EXISTS (SELECT FROM job_failure t WHERE t.team_id = team AND t.job = of_job AND t.thing = item AND t.next_at > now());
END $function$;

CREATE OR REPLACE FUNCTION public.json_text(bigint)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ SELECT $1::text $function$;

CREATE OR REPLACE FUNCTION public.json_text(boolean)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ SELECT $1::text $function$;

CREATE OR REPLACE FUNCTION public.json_text(date)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ SELECT to_json($1)::text $function$;

CREATE OR REPLACE FUNCTION public.json_text(integer)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ SELECT $1::text $function$;

CREATE OR REPLACE FUNCTION public.json_text(json)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ SELECT nullif(json_strip_nulls($1)::text, 'null') $function$;

CREATE OR REPLACE FUNCTION public.json_text(jsonb)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ SELECT nullif(jsonb_strip_nulls($1)::text, 'null') $function$;

CREATE OR REPLACE FUNCTION public.json_text(text)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ SELECT to_json($1)::text $function$;

CREATE OR REPLACE FUNCTION public.json_text(text[])
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ SELECT to_json($1)::text $function$;

CREATE OR REPLACE FUNCTION public.json_text(uuid)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ SELECT '"' || $1 || '"' $function$;

CREATE OR REPLACE FUNCTION public.json_text(uuid[])
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ SELECT to_json($1)::text $function$;

CREATE OR REPLACE FUNCTION public.keep_agent_file_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO agent_file_version (team_id, agent_id, key, version, content, size, changed_by, changed_at)
  VALUES (NEW.team_id, NEW.agent_id, NEW.key, NEW.version, NEW.content, NEW.size, NEW.changed_by, NEW.updated_at);
  DELETE FROM agent_file_version
  WHERE team_id = NEW.team_id AND agent_id = NEW.agent_id AND key = NEW.key AND version <= NEW.version - 20;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.keep_agent_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO agent_version (team_id, agent_id, version, agent, changed_by, changed_at)
  VALUES (NEW.team_id, NEW.id, NEW.version, to_jsonb(NEW), NEW.changed_by, NEW.updated_at);
  DELETE FROM agent_version WHERE team_id = NEW.team_id AND agent_id = NEW.id AND version <= NEW.version - 100;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.keep_barrier()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE barrier uuid := barrier_of(OLD.team_id, OLD.folder_id);
BEGIN
  IF barrier <> '00000000-0000-0000-0000-000000000000' THEN
    INSERT INTO access_deleted (team_id, id, barrier_id) VALUES (OLD.team_id, OLD.id, barrier);
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.keep_folder_of_answers()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF EXISTS (SELECT FROM interface i WHERE i.team_id = OLD.team_id AND i.folder_id = OLD.id) THEN
    RETURN NULL;
  END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION public.last_sign_in_through(of_team uuid, connection uuid)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT max(f.last_used_at) FROM federated_identity f WHERE f.team_id = of_team AND f.connection_id = connection
$function$;

CREATE OR REPLACE FUNCTION public.leaves_hold(of_team uuid, from_folder uuid, to_folder uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT EXISTS (SELECT FROM legal_hold h WHERE h.team_id = of_team AND h.lifted_at IS NULL) AND EXISTS (
    SELECT FROM access_above(of_team, from_folder) a CROSS JOIN LATERAL (
      SELECT h.id FROM legal_hold h WHERE h.team_id = of_team AND h.folder_id = a.id AND (h.lifted_at IS NULL) IS TRUE LIMIT 1
    ) holds
    WHERE a.id NOT IN (SELECT t.id FROM access_above(of_team, to_folder) t)
  )
$function$;

CREATE OR REPLACE PROCEDURE public.let_system_reseal(IN target regclass, VARIADIC columns text[])
 LANGUAGE plpgsql
AS $procedure$
BEGIN
  EXECUTE format('GRANT UPDATE (%s) ON %s TO chancery_system', array_to_string(columns, ', '), target);
  EXECUTE format('CREATE POLICY system_reseal ON %s FOR UPDATE TO chancery_system USING (true) WITH CHECK (true)', target);
END $procedure$;

CREATE OR REPLACE FUNCTION public.links_document_of_workflow(team uuid, of_workflow uuid, person uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN EXISTS (SELECT FROM workflow_document d WHERE d.team_id = team AND d.workflow_id = of_workflow AND d.linked_by = person);
END $function$;

CREATE OR REPLACE FUNCTION public.live_client_token(of_team uuid, wanted uuid, token uuid)
 RETURNS TABLE(client_id uuid, scopes text[], folder_ids uuid[], until timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT c.id, c.scopes, c.folder_ids, least(c.expires_at, s.expires_at)
  FROM api_client_secret s
  JOIN api_client c ON c.team_id = s.team_id AND c.id = s.client_id
  JOIN team t ON t.team_id = s.team_id
  WHERE s.team_id = of_team AND s.id = wanted AND (s.expires_at IS NULL OR s.expires_at > now())
    AND c.is_active AND (c.expires_at IS NULL OR c.expires_at > now()) AND t.status = 'active'
    AND NOT EXISTS (SELECT FROM api_client_revoked_token r WHERE r.team_id = s.team_id AND r.jti = token)
$function$;

CREATE OR REPLACE FUNCTION public.live_job_workers()
 RETURNS integer
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT count(*)::int FROM job_worker WHERE seen_at > now() - interval '15 seconds'
$function$;

CREATE OR REPLACE FUNCTION public.lock_approval_policy(team uuid, policy text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM FROM approval_policy p WHERE p.team_id = team AND p.name = policy FOR KEY SHARE;
  RETURN FOUND;
END $function$;

CREATE OR REPLACE FUNCTION public.lock_approval_round(team uuid, of_round uuid)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
DECLARE is_open boolean;
BEGIN
  SELECT r.status = 'open' AND coalesce(r.expires_at > now(), true) INTO is_open FROM approval_round r
    WHERE r.team_id = team AND r.id = of_round FOR NO KEY UPDATE;
  RETURN is_open;
END $function$;

CREATE OR REPLACE FUNCTION public.lock_credential_exclusively()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE ended jsonb := CASE WHEN TG_OP = 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
BEGIN
  IF coalesce(ended ->> 'team_id' <> current_setting('app.locked_team', true), true) THEN
    PERFORM pg_advisory_xact_lock(credential_key((ended ->> TG_ARGV[0])::uuid));
  END IF;
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $function$;

CREATE OR REPLACE FUNCTION public.lock_credential_shared(credential_owner uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  last_try timestamptz := clock_timestamp() + interval '500 milliseconds';
  pause double precision := 0.001;
BEGIN
  WHILE NOT pg_try_advisory_xact_lock_shared(credential_key(credential_owner)) LOOP
    IF clock_timestamp() > last_try THEN
      RAISE EXCEPTION 'the credential is being changed' USING ERRCODE = 'lock_not_available';
    END IF;
    PERFORM pg_sleep(pause);
    pause := least(pause * 2, 0.02);
  END LOOP;
END $function$;

CREATE OR REPLACE FUNCTION public.lock_documents(of_team uuid, folder uuid)
 RETURNS integer
 LANGUAGE sql
AS $function$
  WITH locked AS (SELECT d.id FROM document d WHERE d.team_id = of_team AND d.folder_id = folder ORDER BY d.id FOR UPDATE)
  SELECT count(*)::integer FROM locked
$function$;

CREATE OR REPLACE FUNCTION public.lock_documents_beside(team uuid, documents uuid[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE beside uuid[] := ARRAY(
  SELECT o.linked_document_id FROM workflow_document d
  JOIN workflow w ON w.team_id = team AND w.id = d.workflow_id AND w.about_document_id = w.id AND w.status IN ('active', 'paused')
  JOIN workflow_document o ON o.team_id = team AND o.workflow_id = w.id AND o.linked_document_id IS NOT NULL
  WHERE d.team_id = team AND d.linked_document_id = ANY (documents));
BEGIN
  IF beside <> '{}' THEN PERFORM FROM document d WHERE d.team_id = team AND d.id = ANY (beside) ORDER BY d.id FOR NO KEY UPDATE; END IF;
END $function$;

CREATE OR REPLACE FUNCTION public.lock_documents_of_leaver(team uuid, person uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE changed uuid[] := ARRAY(
  SELECT d.id FROM document d WHERE d.team_id = team AND d.user_id = person AND d.folder_id IS NULL
  UNION SELECT d.linked_document_id FROM workflows_of_leaver(team, person) w JOIN workflow_document d ON d.team_id = team AND d.workflow_id = w.id
  UNION SELECT d.document_id FROM requests_of_leaver(team, person) r JOIN signature_request_document d ON d.team_id = team AND d.request_id = r.id);
BEGIN
  PERFORM FROM document d WHERE d.team_id = team AND d.id = ANY (changed) ORDER BY d.id FOR NO KEY UPDATE;
END $function$;

CREATE OR REPLACE FUNCTION public.lock_open_matter(team uuid, container uuid)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
DECLARE
  matter uuid := matter_of(team, container);
  state text;
BEGIN
  IF matter IS NULL THEN RETURN true; END IF;
  SELECT m.status INTO state FROM matter m WHERE m.team_id = team AND m.id = matter FOR KEY SHARE;
  RETURN state IS DISTINCT FROM 'closed';
END $function$;

CREATE OR REPLACE FUNCTION public.lock_team_credentials(locked_team uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock(credential_key(locked_team));
  PERFORM set_config('app.locked_team', locked_team::text, true);
END $function$;

CREATE OR REPLACE FUNCTION public.lock_team_exclusively()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock(credential_key(NEW.team_id));
  PERFORM pg_notify('revoked', 'team ' || NEW.team_id);
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.mail_refused(thing uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT coalesce((SELECT status = 'failed' FROM mail_message WHERE team_id = current_team() AND about = thing ORDER BY id DESC LIMIT 1), false)
$function$;

CREATE OR REPLACE FUNCTION public.mails_taken(OUT in_day bigint, OUT day_free_at timestamp with time zone, OUT to_one_in_hour bigint)
 RETURNS record
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT count(*), min(counted_at) + interval '1 day',
    coalesce((SELECT max(n) FROM (SELECT count(*) AS n FROM mail_message
      WHERE team_id = current_team() AND budgeted AND counted_at > now() - interval '1 hour' GROUP BY recipient) one), 0)
  FROM mail_message WHERE team_id = current_team() AND budgeted AND counted_at > now() - interval '1 day'
$function$;

CREATE OR REPLACE FUNCTION public.main_agent(team uuid, at timestamp with time zone)
 RETURNS SETOF agent
 LANGUAGE sql
AS $function$
  INSERT INTO agent (team_id, id, name, is_default, scopes, created_at, updated_at)
  SELECT team,
    encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
      PLACING substring(int8send((extract(epoch FROM at) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid,
    'Main', true,
    '{folders:read,documents:read,workflows:read,tasks:read,interfaces:read,registries:read}', at, at
  RETURNING *
$function$;

CREATE OR REPLACE FUNCTION public.make_main_agent()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM main_agent(NEW.team_id, NEW.created_at);
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.make_webhook_log_day(day date)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET lock_timeout TO '500ms'
AS $function$
DECLARE
  low uuid := uuidv7_from(day::timestamp AT TIME ZONE 'UTC');
  high uuid := uuidv7_from((day + 1)::timestamp AT TIME ZONE 'UTC');
  part record;
  made boolean := false;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('webhook log', 0));
  FOR part IN SELECT * FROM (VALUES ('webhook_delivery', 'id', 85), ('webhook_attempt', 'delivery_id', 100)) AS t (parent, key, fill) LOOP
    CONTINUE WHEN to_regclass(part.parent || to_char(day, '_YYYYMMDD')) IS NOT NULL;
    EXECUTE format('LOCK TABLE ONLY %I IN SHARE ROW EXCLUSIVE MODE', part.parent);
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL) WITH (fillfactor = %s)', part.parent || to_char(day, '_YYYYMMDD'), part.parent, part.fill);
    EXECUTE format('WITH moved AS (DELETE FROM %1$I WHERE %2$I >= %3$L AND %2$I < %4$L RETURNING *) INSERT INTO %5$I (%6$s) SELECT %6$s FROM moved',
      part.parent || '_rest', part.key, low, high, part.parent || to_char(day, '_YYYYMMDD'), webhook_log_columns(part.parent::regclass));
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', part.parent, part.parent || to_char(day, '_YYYYMMDD'), low, high);
    made := true;
  END LOOP;
  RETURN made;
END $function$;

CREATE OR REPLACE FUNCTION public.matter_contents(of_team uuid, of_matter uuid)
 RETURNS TABLE(type text, id uuid, name text, owner_id uuid, about uuid, is_open boolean, is_binned boolean, inherits boolean, updated_at timestamp with time zone)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT 'folder', f.id, f.name, f.user_id, f.id, false, f.deleted_at IS NOT NULL, true, f.updated_at
  FROM folder f WHERE f.team_id = of_team AND f.parent_id = of_matter
  UNION ALL
  SELECT 'document', d.id, d.title, d.user_id, of_matter, false, d.deleted_at IS NOT NULL, true, d.updated_at
  FROM document d WHERE d.team_id = of_team AND d.folder_id = of_matter AND d.deleted_at IS DISTINCT FROM 'epoch'
  UNION ALL
  SELECT 'workflow', w.id, w.name, w.owner_id, w.about_document_id, w.status IN ('active', 'paused'), false, true, w.updated_at
  FROM workflow w WHERE w.team_id = of_team AND w.container_id = of_matter
  UNION ALL
  SELECT 'task', t.id, t.title, t.owner_id, t.about_document_id, t.status = 'open', false, t.type <> 'tool_approval' AND t.type <> 'tool_outcome', t.updated_at
  FROM task t WHERE t.team_id = of_team AND t.container_id = of_matter AND t.workflow_id IS NULL
  UNION ALL
  SELECT 'form', i.id, i.title, i.owner_id, i.folder_id, false, false, false, i.updated_at
  FROM containers_of_matter(of_team, of_matter) c JOIN interface i ON i.team_id = of_team AND i.folder_id = c.id AND i.deleted_at IS NULL
  UNION ALL
  SELECT 'registry', r.id, r.name, r.user_id, of_matter, false, r.deleted_at IS NOT NULL, true, r.updated_at
  FROM registry r WHERE r.team_id = of_team AND r.container_id = of_matter
  UNION ALL
  SELECT 'signature_request', s.id, s.title, s.owner_id, about.document_id, s.status IN ('preparing', 'pending', 'sealing'), false, false, s.updated_at
  FROM (
    SELECT DISTINCT ON (r.request_id) r.request_id, r.document_id
    FROM containers_of_matter(of_team, of_matter) c JOIN document d ON d.team_id = of_team AND d.folder_id = c.id
    JOIN signature_request_document r ON r.team_id = of_team AND r.document_id = d.id
    ORDER BY r.request_id, r.place
  ) about
  JOIN signature_request s ON s.team_id = of_team AND s.id = about.request_id
$function$;

CREATE OR REPLACE FUNCTION public.matter_facts(team uuid, caller uuid, person boolean, matter uuid, OUT inherited text[], OUT excluded boolean, OUT outsider boolean)
 RETURNS record
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  inherited := '{}';
  excluded := false;
  outsider := false;
  IF matter IS NULL THEN RETURN; END IF;
  SELECT s.excluded, s.outsider INTO excluded, outsider FROM barrier_state(team, barrier_of(team, matter), CASE WHEN person THEN caller END) s;
  IF NOT person THEN RETURN; END IF;
  IF EXISTS (SELECT FROM access_container c WHERE c.team_id = team AND c.id = matter AND c.owner_id = caller) THEN inherited := '{editor}'; RETURN; END IF;
  inherited := access_relations(team, caller, true, 'folder', matter, NULL);
END $function$;

CREATE OR REPLACE FUNCTION public.matter_of(team uuid, container uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  IF container IS NULL THEN RETURN NULL; END IF;
  RETURN (SELECT c.matter_id FROM access_container c WHERE c.team_id = team AND c.id = container);
END $function$;

CREATE OR REPLACE FUNCTION public.matter_of_document(team uuid, document uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN (SELECT matter_of(team, d.folder_id) FROM document d WHERE d.team_id = team AND d.id = document);
END $function$;

CREATE OR REPLACE FUNCTION public.matter_retains(team uuid, container uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
DECLARE matter uuid := matter_of(team, container);
BEGIN
  IF matter IS NULL THEN RETURN false; END IF;
  RETURN EXISTS (SELECT FROM matter m WHERE m.team_id = team AND m.id = matter AND m.retain_until >= current_date);
END $function$;

CREATE OR REPLACE FUNCTION public.matter_roots(of_team uuid)
 RETURNS TABLE(id uuid, name text, user_id uuid, barrier_id uuid, version integer, created_by uuid, created_by_type text, created_at timestamp with time zone, updated_at timestamp with time zone)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT f.id, f.name, f.user_id, f.barrier_id, f.version, coalesce(f.created_by, f.user_id), f.created_by_type, f.created_at, f.updated_at
  FROM folder f WHERE f.team_id = of_team AND f.is_matter AND f.deleted_at IS NULL
$function$;

CREATE OR REPLACE FUNCTION public.membership_ends_at_home()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM end_away_from_home(s.team_id, s.id) FROM session s
  WHERE s.team_id = NEW.team_id AND s.account_id = NEW.id AND s.connection_id IS NOT NULL AND s.revoked_at IS NULL ORDER BY s.id;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.membership_is_open(status text, ends_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN ((status = 'active'::text) AND ((ends_at IS NULL) OR (ends_at > now())));

CREATE OR REPLACE FUNCTION public.move_about()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NEW.linked_document_id IS NULL AND NEW.about_document_id IS NOT DISTINCT FROM OLD.container_id THEN NEW.about_document_id := NEW.container_id; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.move_container()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE matter uuid;
BEGIN
  IF NEW.parent_id IS DISTINCT FROM OLD.parent_id THEN
    DELETE FROM access_path p USING access_path below, access_path above
    WHERE below.team_id = NEW.team_id AND below.ancestor_id = NEW.id AND above.team_id = NEW.team_id AND above.container_id = OLD.parent_id
      AND p.team_id = NEW.team_id AND p.container_id = below.container_id AND p.ancestor_id = above.ancestor_id;
    INSERT INTO access_path (team_id, container_id, ancestor_id, distance)
    SELECT NEW.team_id, below.container_id, above.ancestor_id, below.distance + 1 + above.distance FROM access_path below, access_path above
    WHERE below.team_id = NEW.team_id AND below.ancestor_id = NEW.id AND above.team_id = NEW.team_id AND above.container_id = NEW.parent_id;
    SELECT c.matter_id INTO matter FROM access_container c WHERE c.team_id = NEW.team_id AND c.id = NEW.parent_id;
    UPDATE access_container c SET matter_id = matter FROM access_path p
    WHERE p.team_id = NEW.team_id AND p.ancestor_id = NEW.id AND c.team_id = NEW.team_id AND c.id = p.container_id AND c.matter_id IS DISTINCT FROM matter;
  END IF;
  UPDATE access_container SET owner_id = NEW.user_id, barrier_id = NEW.barrier_id
  WHERE team_id = NEW.team_id AND id = NEW.id AND (owner_id <> NEW.user_id OR barrier_id <> NEW.barrier_id);
  -- The container no longer has a barrier of its own.
  IF OLD.barrier_id = OLD.id AND NEW.barrier_id <> NEW.id THEN
    UPDATE access_deleted SET barrier_id = NEW.barrier_id WHERE team_id = NEW.team_id AND barrier_id = NEW.id;
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.move_tasks_of_workflow()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE task t SET container_id = NEW.container_id
  WHERE t.team_id = NEW.team_id AND t.workflow_id = NEW.id AND t.container_id IS DISTINCT FROM NEW.container_id;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.move_work(team uuid, documents uuid[], matter uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  WITH locked AS (
    SELECT w.id FROM workflow w WHERE w.team_id = team AND w.linked_document_id = ANY (documents) AND w.container_id IS DISTINCT FROM matter
    ORDER BY w.id FOR NO KEY UPDATE
  )
  UPDATE workflow w SET container_id = matter FROM locked WHERE w.team_id = team AND w.id = locked.id;
  WITH locked AS (
    SELECT t.id FROM task t WHERE t.team_id = team AND t.linked_document_id = ANY (documents) AND t.container_id IS DISTINCT FROM matter
    ORDER BY t.id FOR NO KEY UPDATE
  )
  UPDATE task t SET container_id = matter FROM locked WHERE t.team_id = team AND t.id = locked.id;
END $function$;

CREATE OR REPLACE FUNCTION public.move_work_of_container()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM move_work(NEW.team_id, ARRAY(SELECT d.id FROM document d WHERE d.team_id = NEW.team_id AND d.folder_id = NEW.id), NEW.matter_id);
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.move_work_of_document()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE matter uuid := matter_of(NEW.team_id, NEW.folder_id);
BEGIN
  IF matter IS DISTINCT FROM matter_of(OLD.team_id, OLD.folder_id) THEN PERFORM move_work(NEW.team_id, ARRAY[NEW.id], matter); END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.newest_is_approved(team uuid, of_workflow uuid, document uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN EXISTS (
    SELECT FROM task t
    LEFT JOIN approval_round_document r ON r.team_id = team AND r.round_id = t.approval_round_id AND r.document_id = document
    CROSS JOIN LATERAL (SELECT d.current_version FROM filed_documents(team) d WHERE d.id = document) d
    WHERE t.team_id = team AND t.workflow_id = of_workflow AND t.type = 'approval' AND t.outcome = 'approved'
      AND (t.linked_document_id = document OR r.document_id IS NOT NULL)
      AND CASE WHEN r.document_id IS NULL THEN t.document_version ELSE r.document_version END IS NOT DISTINCT FROM nullif(d.current_version, 0));
END $function$;

CREATE OR REPLACE FUNCTION public.note_reactivation()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  NEW.reactivated_at := now();
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.on_legal_hold(of_team uuid, of_document uuid, of_folder uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT EXISTS (SELECT FROM legal_hold h WHERE h.team_id = of_team AND h.lifted_at IS NULL) AND (
    EXISTS (SELECT FROM legal_hold h WHERE h.team_id = of_team AND h.document_id = of_document AND (h.lifted_at IS NULL) IS TRUE)
    OR EXISTS (
      SELECT FROM access_above(of_team, of_folder) a CROSS JOIN LATERAL (
        SELECT h.id FROM legal_hold h WHERE h.team_id = of_team AND h.folder_id = a.id AND (h.lifted_at IS NULL) IS TRUE LIMIT 1
      ) holds
    )
  )
$function$;

CREATE OR REPLACE FUNCTION public.open_barriers(team uuid, person uuid)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE ROWS 5
AS $function$
DECLARE inside uuid[] := ARRAY(
  SELECT m.barrier_id FROM unnest(access_principals(team, person, true)) AS me(id) CROSS JOIN LATERAL (
    SELECT o.barrier_id FROM access_barrier_member o
    WHERE o.team_id = team AND o.principal_id = me.id AND (o.expires_at IS NULL OR o.expires_at > now()) OFFSET 0
  ) m
);
BEGIN
  RETURN NEXT '00000000-0000-0000-0000-000000000000'::uuid;
  RETURN QUERY
    SELECT DISTINCT i.id FROM unnest(inside) AS i(id) WHERE NOT EXISTS (
      SELECT FROM access_path p JOIN access_barrier b ON b.team_id = team AND b.id = p.ancestor_id
      WHERE p.team_id = team AND p.container_id = i.id AND b.id <> ALL (inside)
    );
END $function$;

CREATE OR REPLACE PROCEDURE public.open_to_system(IN target regclass, VARIADIC commands text[])
 LANGUAGE plpgsql
AS $procedure$
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
END $procedure$;

CREATE OR REPLACE FUNCTION public.owns_document(team uuid, document uuid, person uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN EXISTS (SELECT FROM filed_documents(team) own WHERE own.id = document AND own.user_id = person AND NOT barrier_excludes(team, own.barrier_id, person));
END $function$;

CREATE OR REPLACE FUNCTION public.owns_document_of_workflow(team uuid, of_workflow uuid, person uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN EXISTS (SELECT FROM workflow_document d
    WHERE d.team_id = team AND d.workflow_id = of_workflow AND d.linked_document_id IS NOT NULL AND owns_document(team, d.linked_document_id, person));
END $function$;

CREATE OR REPLACE FUNCTION public.participates(team uuid, of_workflow uuid, person uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN EXISTS (
    SELECT FROM task t WHERE t.team_id = team AND t.workflow_id = of_workflow
      AND (person IN (t.on_behalf_of, t.participant_id) OR t.assigned_to = person AND t.status = 'open'));
END $function$;

CREATE OR REPLACE FUNCTION public.passkey_by_credential(wanted bytea)
 RETURNS TABLE(person_id uuid, id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT p.person_id, p.id FROM passkey p WHERE p.credential_id = wanted
$function$;

CREATE OR REPLACE FUNCTION public.person_by_email(wanted text)
 RETURNS TABLE(id uuid, email text, locale text, password_hash text, credential_epoch integer, team_id uuid, status text, team_status text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT p.id, p.email, p.locale, p.password_hash, p.credential_epoch, m.team_id, m.status, m.team_status
  FROM person p LEFT JOIN LATERAL (
    SELECT a.team_id, CASE WHEN a.ends_at <= now() THEN 'ended' ELSE a.status END AS status, t.status AS team_status
    FROM account a JOIN team t ON t.team_id = a.team_id
    WHERE a.id = p.id AND a.deleted_at IS NULL
    ORDER BY membership_is_open(a.status, a.ends_at) AND t.status = 'active' DESC, a.team_id = p.last_team_id DESC NULLS LAST, a.created_at, a.team_id LIMIT 1
  ) m ON true
  WHERE p.email_key = wanted AND p.deleted_at IS NULL
$function$;

CREATE OR REPLACE FUNCTION public.person_of_session(wanted uuid, in_team uuid, idle double precision)
 RETURNS TABLE(person_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT s.account_id FROM live_session s
  WHERE s.team_id = in_team AND s.id = wanted AND s.app_id IS NULL AND s.last_used_at > now() - make_interval(secs => idle)
$function$;

CREATE OR REPLACE FUNCTION public.queued_here()
 RETURNS integer
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT coalesce(nullif(current_setting('app.queued', true), '')::integer, 0)
$function$;

CREATE OR REPLACE FUNCTION public.raise_credential_epoch()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock(credential_key(NEW.id));
  NEW.credential_epoch := OLD.credential_epoch + 1;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.read_access_facts(team uuid, person uuid, roots uuid[], of_type text, resource uuid, owner uuid, container uuid, stored uuid)
 RETURNS access_fact
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
DECLARE
  barrier uuid := barrier_now(team, CASE of_type WHEN 'folder' THEN resource ELSE container END, stored);
  principals uuid[];
  relations text[] := '{}';
  inherited text[] := '{}';
  excluded boolean := false;
  outsider boolean := false;
BEGIN
  IF barrier <> '00000000-0000-0000-0000-000000000000' THEN
    SELECT s.excluded, s.outsider INTO excluded, outsider FROM barrier_state(team, barrier, person) s;
  END IF;
  IF owner = person THEN
    relations := '{owner}';
  ELSIF person IS NOT NULL THEN
    principals := access_principals(team, person, true);
    relations := ARRAY(
      SELECT DISTINCT r.relation FROM access_grant g CROSS JOIN LATERAL unnest(g.relations) AS r(relation)
      WHERE g.team_id = team AND g.resource_type = of_type AND g.resource_id = resource AND g.principal_id = ANY (principals)
        AND (g.expires_at IS NULL OR g.expires_at > now()));
    inherited := ARRAY(
      SELECT DISTINCT r.relation FROM access_path p CROSS JOIN LATERAL (
        SELECT o.relations FROM access_grant o
        WHERE o.team_id = team AND o.resource_type = 'folder' AND o.resource_id = p.ancestor_id AND o.principal_id = ANY (principals)
          AND (o.expires_at IS NULL OR o.expires_at > now()) OFFSET 0
      ) g CROSS JOIN LATERAL unnest(g.relations) AS r(relation)
      WHERE p.team_id = team AND p.container_id = container);
  ELSIF roots IS NOT NULL THEN
    IF resource = ANY (roots) THEN relations := '{editor}'; END IF;
    IF EXISTS (SELECT FROM access_path p WHERE p.team_id = team AND p.container_id = container AND p.ancestor_id = ANY (roots)) THEN inherited := '{editor}'; END IF;
  END IF;
  RETURN (relations, inherited, excluded, outsider);
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_closed(team uuid, of_matter uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE state text;
BEGIN
  IF of_matter IS NULL THEN RETURN; END IF;
  SELECT m.status INTO state FROM matter m WHERE m.team_id = team AND m.id = of_matter FOR KEY SHARE;
  IF state = 'closed' THEN RAISE EXCEPTION 'the matter is closed' USING ERRCODE = 'MT001'; END IF;
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_end_of_hold()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF OLD.lifted_at IS NULL THEN
    RAISE EXCEPTION 'a legal hold is active' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'legal_hold_active';
  END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_in_closed_container()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM refuse_closed(NEW.team_id, NEW.container_id);
  IF TG_OP = 'UPDATE' AND OLD.container_id IS DISTINCT FROM NEW.container_id THEN PERFORM refuse_closed(OLD.team_id, OLD.container_id); END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_in_closed_folder()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM refuse_closed(NEW.team_id, matter_of(NEW.team_id, NEW.folder_id));
  IF TG_OP = 'UPDATE' AND OLD.folder_id IS DISTINCT FROM NEW.folder_id THEN PERFORM refuse_closed(OLD.team_id, matter_of(OLD.team_id, OLD.folder_id)); END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_in_closed_parent()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM refuse_closed(NEW.team_id, matter_of(NEW.team_id, NEW.parent_id));
  IF TG_OP = 'UPDATE' AND OLD.parent_id IS DISTINCT FROM NEW.parent_id THEN PERFORM refuse_closed(OLD.team_id, matter_of(OLD.team_id, OLD.parent_id)); END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_request_in_closed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM refuse_closed(NEW.team_id, matter_of_document(NEW.team_id, NEW.document_id));
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.release_sso_domain(wanted text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  UPDATE sso_domain d SET verified_at = NULL
  WHERE d.domain = wanted AND d.verified_at IS NOT NULL AND EXISTS (SELECT FROM team t WHERE t.team_id = d.team_id AND t.status = 'closed')
$function$;

CREATE OR REPLACE FUNCTION public.reminded_before(ends_at timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN CASE WHEN (ends_at <= (now() + '3 days'::interval)) THEN 3 WHEN (ends_at <= (now() + '14 days'::interval)) THEN 14 ELSE NULL::integer END;

CREATE OR REPLACE FUNCTION public.request_by_seal(wanted text)
 RETURNS TABLE(team_id uuid, request_id uuid, place integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT r.team_id, r.id, d.place FROM signature_request_document d
  JOIN signature_request r ON r.team_id = d.team_id AND r.id = d.request_id JOIN team t ON t.team_id = r.team_id
  WHERE d.sealed_sha256 = wanted AND r.status = 'completed' AND t.status = 'active' LIMIT 1
$function$;

CREATE OR REPLACE FUNCTION public.requests_of_leaver(of_team uuid, person uuid)
 RETURNS TABLE(id uuid)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT r.id FROM signature_request r
  WHERE r.team_id = of_team AND r.status IN ('preparing', 'pending', 'sealing') AND (r.owner_id = person OR r.requested_by = person
    OR EXISTS (SELECT FROM signature_signer s WHERE s.team_id = of_team AND s.request_id = r.id AND s.account_id = person))
$function$;

CREATE OR REPLACE FUNCTION public.require_round_of_call()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF EXISTS (SELECT FROM api_client c WHERE c.team_id = NEW.team_id AND c.id = NEW.client_id AND c.approval_policy IS NOT NULL)
    OR EXISTS (SELECT FROM connected_app_connection c WHERE c.team_id = NEW.team_id AND c.session_id = NEW.connection_id AND c.approval_policy IS NOT NULL)
  THEN RAISE EXCEPTION 'the caller has an approval policy' USING ERRCODE = '53400';
  END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.requires_provider(team uuid, person uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  RETURN EXISTS (SELECT FROM enforced_connection(team, person));
END $function$;

CREATE OR REPLACE FUNCTION public.reset_by_token(wanted bytea)
 RETURNS TABLE(person_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT r.person_id FROM password_reset r WHERE r.token_hash = wanted AND r.expires_at > now()
$function$;

CREATE OR REPLACE FUNCTION public.rotate_session(wanted uuid, in_team uuid, of_app boolean, idle double precision, expected integer, keep integer)
 RETURNS TABLE(account_id uuid, role text, auth_time timestamp with time zone, amr text[], acr text, counter integer, app_id text, app_scopes text[])
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY UPDATE sign_in i SET refresh_counter = i.refresh_counter + 1, last_used_at = now(),
      rotations = (i.rotations || now())[greatest(1, cardinality(i.rotations) + 2 - keep) :]
    FROM live_session s
    WHERE i.id = wanted AND i.refresh_counter = expected AND s.team_id = in_team AND s.id = i.id AND (s.app_id IS NOT NULL) = of_app
      AND i.last_used_at > now() - make_interval(secs => idle)
    RETURNING s.account_id, s.role, i.auth_time, i.amr, i.acr, i.refresh_counter, i.app_id, i.app_scopes;
END $function$;

CREATE OR REPLACE FUNCTION public.searched_words(configuration regconfig, content text)
 RETURNS tsvector
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT to_tsvector(configuration, content) || CASE WHEN configuration = 'simple'::regconfig THEN ''::tsvector ELSE to_tsvector('simple', content) END
$function$;

CREATE OR REPLACE FUNCTION public.seat_period(of_team uuid, person uuid)
 RETURNS TABLE(journal_from timestamp with time zone, journal_to timestamp with time zone)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT s.journal_from, s.journal_to FROM audit_seat s WHERE s.team_id = of_team AND s.account_id = person
$function$;

CREATE OR REPLACE FUNCTION public.seat_targets(team uuid, person uuid)
 RETURNS SETOF text
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE ROWS 100
AS $function$
DECLARE
  opened uuid[] := ARRAY(SELECT open_barriers(team, person));
  closing uuid[] := ARRAY(SELECT closing_containers(team, person));
  areas uuid[] := ARRAY(
    SELECT c.id FROM access_containers(team, person, NULL, '{viewer}') AS a(id) JOIN access_container c ON c.team_id = team AND c.id = a.id
    WHERE c.barrier_id = ANY (opened) AND c.id <> ALL (closing));
BEGIN
  RETURN QUERY
    SELECT area.id::text FROM unnest(areas) AS area(id)
    UNION SELECT d.id::text FROM document d WHERE d.team_id = team AND d.folder_id = ANY (areas)
    UNION SELECT d.id::text FROM access_resources(team, person, true, 'document', '{viewer}') AS r(id) JOIN document d ON d.team_id = team AND d.id = r.id
      WHERE d.barrier_id = ANY (opened) AND (d.folder_id IS NULL OR d.folder_id <> ALL (closing));
END $function$;

CREATE OR REPLACE FUNCTION public.secrets_of_client(wanted uuid)
 RETURNS TABLE(team_id uuid, secret_id uuid, hash bytea, scopes text[], usable boolean, until timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT c.team_id, s.id, s.hash, c.scopes,
    c.is_active AND t.status = 'active' AND (c.expires_at IS NULL OR c.expires_at > now()),
    least(c.expires_at, s.expires_at)
  FROM api_client_secret s
  JOIN api_client c ON c.team_id = s.team_id AND c.id = s.client_id
  JOIN team t ON t.team_id = s.team_id
  WHERE s.client_id = wanted AND (s.expires_at IS NULL OR s.expires_at > now())
$function$;

CREATE OR REPLACE FUNCTION public.seen_barriers(team uuid, person uuid)
 RETURNS TABLE(id uuid, created_at timestamp with time zone, is_member boolean, is_inside boolean)
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE ROWS 10
AS $function$
#variable_conflict use_column
DECLARE
  opened uuid[] := ARRAY(SELECT open_barriers(team, person));
  principals uuid[] := access_principals(team, person, true);
BEGIN
  RETURN QUERY
    SELECT b.id, b.created_at,
      EXISTS (SELECT FROM access_barrier_member m WHERE m.team_id = team AND m.barrier_id = b.id AND m.principal_id = ANY (principals) AND m.expires_at IS NULL),
      b.id = ANY (opened)
    FROM access_barrier b WHERE b.team_id = team AND NOT EXISTS (
      SELECT FROM access_path p JOIN access_barrier o ON o.team_id = team AND o.id = p.ancestor_id
      WHERE p.team_id = team AND p.container_id = b.id AND p.distance > 0 AND o.id <> ALL (opened)
    );
END $function$;

CREATE OR REPLACE FUNCTION public.session_ends_at_home()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM end_away_from_home(NEW.team_id, NEW.id);
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.session_in_use(revoked_at timestamp with time zone, expires_at timestamp with time zone, last_used_at timestamp with time zone, idle double precision)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT revoked_at IS NULL AND expires_at > now() AND last_used_at > now() - make_interval(secs => idle)
$function$;

CREATE OR REPLACE FUNCTION public.session_state(wanted uuid, in_team uuid, of_app boolean, idle double precision)
 RETURNS TABLE(account_id uuid, role text, auth_time timestamp with time zone, amr text[], acr text, counter integer, app_id text, app_scopes text[], ages double precision[])
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT s.account_id, s.role, s.auth_time, s.amr, s.acr, s.refresh_counter, s.app_id, s.app_scopes,
    ARRAY(SELECT extract(epoch FROM now() - r)::float8 FROM unnest(s.rotations) WITH ORDINALITY AS x(r, n) ORDER BY n)
  FROM live_session s
  WHERE s.team_id = in_team AND s.id = wanted AND (s.app_id IS NOT NULL) = of_app AND s.last_used_at > now() - make_interval(secs => idle)
$function$;

CREATE OR REPLACE FUNCTION public.sign_in_state(wanted uuid, idle double precision)
 RETURNS TABLE(person_id uuid, counter integer, ages double precision[])
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT i.person_id, i.refresh_counter,
    ARRAY(SELECT extract(epoch FROM now() - r)::float8 FROM unnest(i.rotations) WITH ORDINALITY AS x(r, n) ORDER BY n)
  FROM sign_in i JOIN person p ON p.id = i.person_id
  WHERE i.id = wanted AND i.app_id IS NULL AND i.epoch = p.credential_epoch AND p.deleted_at IS NULL
    AND session_in_use(i.revoked_at, i.expires_at, i.last_used_at, idle)
$function$;

CREATE OR REPLACE FUNCTION public.signature_request_excludes(team uuid, request uuid, person uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN EXISTS (SELECT FROM signature_request_document d WHERE d.team_id = team AND d.request_id = request
    AND document_excludes(team, d.document_id, person));
END $function$;

CREATE OR REPLACE FUNCTION public.signature_request_is_barred(team uuid, request uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN EXISTS (SELECT FROM signature_request_document d WHERE d.team_id = team AND d.request_id = request AND document_is_barred(team, d.document_id));
END $function$;

CREATE OR REPLACE FUNCTION public.signature_request_is_gone(team uuid, request uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN NOT EXISTS (SELECT FROM signature_request_document d WHERE d.team_id = team AND d.request_id = request
    AND NOT document_is_gone(team, d.document_id));
END $function$;

CREATE OR REPLACE FUNCTION public.signature_request_outsider(team uuid, request uuid, person uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN EXISTS (SELECT FROM signature_request_document d WHERE d.team_id = team AND d.request_id = request
    AND document_outsider(team, d.document_id, person));
END $function$;

CREATE OR REPLACE FUNCTION public.signer_by_link(of_team uuid, wanted bytea)
 RETURNS TABLE(request_id uuid, signer_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT s.request_id, s.id FROM signature_signer s JOIN team t ON t.team_id = s.team_id
  WHERE s.team_id = of_team AND s.hash = wanted AND t.status = 'active'
$function$;

CREATE OR REPLACE FUNCTION public.sso_connection_by_domain(wanted text)
 RETURNS TABLE(team_id uuid, id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT c.team_id, c.id FROM sso_domain d
  JOIN sso_connection c ON c.team_id = d.team_id AND c.id = d.connection_id
  JOIN team t ON t.team_id = d.team_id
  WHERE d.domain = wanted AND d.verified_at IS NOT NULL AND c.is_active AND t.status = 'active'
$function$;

CREATE OR REPLACE FUNCTION public.sso_connection_by_id(wanted uuid)
 RETURNS TABLE(team_id uuid, id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT c.team_id, c.id FROM sso_connection c JOIN team t ON t.team_id = c.team_id
  WHERE c.id = wanted AND c.is_active AND t.status = 'active'
    AND EXISTS (SELECT FROM sso_domain d WHERE d.team_id = c.team_id AND d.connection_id = c.id AND d.verified_at IS NOT NULL)
$function$;

CREATE OR REPLACE FUNCTION public.sso_connection_team(wanted uuid)
 RETURNS TABLE(team_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT c.team_id FROM sso_connection c JOIN team t ON t.team_id = c.team_id WHERE c.id = wanted AND t.status = 'active'
$function$;

CREATE OR REPLACE FUNCTION public.still_made_by(made_by uuid, changed_by uuid)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT CASE WHEN made_by = changed_by THEN made_by END
$function$;

CREATE OR REPLACE FUNCTION public.submission_erased_since(team uuid, submission uuid, read_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN EXISTS (SELECT FROM submission s WHERE s.team_id = team AND s.id = submission AND s.erased_at + interval '1 minute' > read_at);
END $function$;

CREATE OR REPLACE FUNCTION public.sum_made()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  place text := 'app.made_' || TG_ARGV[0];
  sums jsonb := coalesce(nullif(current_setting(place, true), ''), '{}');
  team text := NEW.team_id;
  amount bigint := CASE WHEN TG_NARGS > 1 THEN (to_jsonb(NEW) ->> TG_ARGV[1])::bigint ELSE 1 END;
BEGIN
  PERFORM set_config(place, (sums || jsonb_build_object(team, coalesce((sums ->> team)::bigint, 0) + amount))::text, true);
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.take_barrier()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.barrier_id := coalesce(
    (SELECT c.barrier_id FROM access_container c WHERE c.team_id = NEW.team_id AND c.id = NEW.folder_id), '00000000-0000-0000-0000-000000000000');
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.take_matter_of_document()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NEW.linked_document_id IS NOT NULL THEN
    NEW.container_id := matter_of_document(NEW.team_id, NEW.linked_document_id);
  END IF;
  IF NEW.about_document_id IS NULL THEN NEW.about_document_id := NEW.container_id; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.take_matter_of_workflow()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NEW.workflow_id IS NOT NULL THEN
    NEW.container_id := (SELECT w.container_id FROM workflow w WHERE w.team_id = NEW.team_id AND w.id = NEW.workflow_id);
  END IF;
  IF NEW.about_document_id IS NULL THEN NEW.about_document_id := NEW.container_id; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.take_over_documents(of_team uuid, folders uuid[], client uuid)
 RETURNS void
 LANGUAGE sql
AS $function$
  UPDATE document d SET made_by_client = NULL
  WHERE d.team_id = of_team AND d.folder_id = ANY (folders) AND d.made_by_client IS DISTINCT FROM client AND d.made_by_client IS NOT NULL
$function$;

CREATE OR REPLACE FUNCTION public.take_usage(team uuid, quota text, amount bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  most bigint := coalesce((SELECT q.most FROM team_quota q WHERE q.team_id = team AND q.name = quota),
                          (SELECT d.most FROM quota_default d WHERE d.name = quota));
  room bigint := greatest(most / 10, 256 * amount);
  total bigint;
BEGIN
  IF most IS NOT NULL AND amount > 0 THEN
    SELECT coalesce(sum(used), 0) INTO total FROM team_usage WHERE team_id = team AND name = quota;
    IF total + room <= most THEN
      PERFORM pg_advisory_xact_lock_shared(hashtextextended('quota ' || quota || ' ' || team, 0));
      SELECT coalesce(sum(used), 0) INTO total FROM team_usage WHERE team_id = team AND name = quota;
      IF total + room / 2 > most THEN
        RAISE EXCEPTION 'the use of a quota grew quickly' USING ERRCODE = 'serialization_failure';
      END IF;
    ELSE
      PERFORM pg_advisory_xact_lock(hashtextextended('quota ' || quota || ' ' || team, 0));
      SELECT coalesce(sum(used), 0) INTO total FROM team_usage WHERE team_id = team AND name = quota;
      IF total + amount > most THEN
        RAISE EXCEPTION 'quota exceeded' USING ERRCODE = 'QX001', DETAIL = json_build_object('quota', quota, 'used', total, 'limit', most);
      END IF;
    END IF;
  END IF;
  PERFORM add_usage(team, quota, (pg_backend_pid() % 32)::smallint, amount);
END $function$;

CREATE OR REPLACE FUNCTION public.take_visitor_mail(address text, in_hour integer, in_day integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  wanted bytea := sha256(convert_to(lower(address), 'UTF8'));
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('visitor mails ' || encode(wanted, 'hex'), 0));
  DELETE FROM visitor_mail WHERE address_hash = wanted AND at <= now() - interval '1 day';
  IF (SELECT count(*) >= in_day OR count(*) FILTER (WHERE at > now() - interval '1 hour') >= in_hour FROM visitor_mail WHERE address_hash = wanted) THEN
    RETURN false;
  END IF;
  INSERT INTO visitor_mail VALUES (wanted, now());
  RETURN true;
END $function$;

CREATE OR REPLACE FUNCTION public.task_ids_of_step(team uuid, of_workflow uuid, of_step text)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN ARRAY(SELECT o.id FROM (
    SELECT t.id FROM task t WHERE t.team_id = team AND t.workflow_id = of_workflow AND t.step_id = of_step OFFSET 0) o ORDER BY o.id);
END $function$;

CREATE OR REPLACE FUNCTION public.task_participants(of_team uuid, of_workflow uuid)
 RETURNS TABLE(id uuid, since timestamp with time zone)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT t.assigned_to, t.assigned_at FROM task t WHERE t.team_id = of_team AND t.workflow_id = of_workflow AND t.status = 'open'
  UNION ALL SELECT t.on_behalf_of, t.assigned_at FROM task t WHERE t.team_id = of_team AND t.workflow_id = of_workflow AND t.on_behalf_of IS NOT NULL
  UNION ALL SELECT t.participant_id, coalesce(t.completed_at, t.assigned_at) FROM task t WHERE t.team_id = of_team AND t.workflow_id = of_workflow
$function$;

CREATE OR REPLACE FUNCTION public.tasks_of_workflow(of_team uuid, of_workflow uuid)
 RETURNS TABLE(id uuid, step_id text)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT t.id, t.step_id FROM task t WHERE t.team_id = of_team AND t.workflow_id = of_workflow
$function$;

CREATE OR REPLACE FUNCTION public.team_active(of_team uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN EXISTS (SELECT FROM team t WHERE t.team_id = of_team AND t.status = 'active');
END $function$;

CREATE OR REPLACE FUNCTION public.team_closed_because(member_active boolean, team_status text, unchanged boolean, reactivated_at timestamp with time zone, signed_in_at timestamp with time zone, session_hours integer, auth_time timestamp with time zone, through_provider boolean, provider_required boolean, own_proof_at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT CASE
    WHEN NOT member_active OR team_status <> 'active' THEN 'disabled'
    WHEN NOT unchanged THEN 'credentials_changed'
    WHEN signed_in_at <= reactivated_at THEN 'reactivated'
    WHEN auth_time <= now() - make_interval(hours => session_hours) THEN 'proof_too_old'
    WHEN through_provider THEN NULL
    WHEN provider_required THEN 'provider_required'
    WHEN own_proof_at IS NULL THEN 'own_proof_required'
  END
$function$;

CREATE OR REPLACE FUNCTION public.team_locale(of_team uuid)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT a.locale FROM account a WHERE a.team_id = of_team AND a.role = 'owner' AND a.deleted_at IS NULL
$function$;

CREATE OR REPLACE FUNCTION public.team_name(of_team uuid)
 RETURNS TABLE(name text)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT t.name FROM team t WHERE t.team_id = of_team
$function$;

CREATE OR REPLACE FUNCTION public.teams_of_person()
 RETURNS TABLE(team_id uuid, name text, team_status text, role text, status text, joined_at timestamp with time zone, connection_id uuid, needs_second_factor boolean, ends_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT a.team_id, t.name, t.status, a.role, CASE WHEN a.ends_at <= now() THEN 'ended' ELSE a.status END, a.created_at,
    (SELECT e.id FROM enforced_connection(a.team_id, a.id) e LIMIT 1),
    NOT a.two_factor_enabled AND EXISTS (SELECT FROM team_policy y WHERE y.team_id = a.team_id AND y.second_factor), a.ends_at
  FROM account a JOIN team t ON t.team_id = a.team_id
  WHERE a.id = (SELECT current_person()) AND a.deleted_at IS NULL ORDER BY a.created_at, a.team_id LIMIT 200
$function$;

CREATE OR REPLACE FUNCTION public.text_configuration(of_team uuid)
 RETURNS regconfig
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT coalesce((
    SELECT CASE split_part(l.locale, '-', 1)
      WHEN 'da' THEN 'danish' WHEN 'de' THEN 'german' WHEN 'en' THEN 'english' WHEN 'es' THEN 'spanish' WHEN 'fi' THEN 'finnish'
      WHEN 'fr' THEN 'french' WHEN 'hu' THEN 'hungarian' WHEN 'it' THEN 'italian' WHEN 'nb' THEN 'norwegian' WHEN 'nl' THEN 'dutch'
      WHEN 'no' THEN 'norwegian' WHEN 'pt' THEN 'portuguese' WHEN 'ro' THEN 'romanian' WHEN 'ru' THEN 'russian' WHEN 'sv' THEN 'swedish'
      WHEN 'tr' THEN 'turkish' END
    FROM team_locale(of_team) AS l(locale)
  ), 'simple')::regconfig
$function$;

CREATE OR REPLACE FUNCTION public.thin_webhook_log_day(day date, keep_undelivered boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET lock_timeout TO '500ms'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
DECLARE
  deliveries text := 'webhook_delivery' || to_char(day, '_YYYYMMDD');
  attempts text := 'webhook_attempt' || to_char(day, '_YYYYMMDD');
  low uuid := uuidv7_from(day::timestamp AT TIME ZONE 'UTC');
  high uuid := uuidv7_from((day + 1)::timestamp AT TIME ZONE 'UTC');
  surplus boolean;
  kept boolean;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('webhook log', 0));
  EXECUTE format('SELECT NOT EXISTS (SELECT FROM %1$I) OR EXISTS (SELECT FROM %1$I WHERE status = ''delivered'' OR (NOT %2$L AND status <> ''pending''))',
    deliveries, keep_undelivered) INTO surplus;
  IF NOT surplus THEN RETURN false; END IF;
  LOCK TABLE ONLY webhook_delivery IN ACCESS EXCLUSIVE MODE;
  LOCK TABLE ONLY webhook_attempt IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('CREATE TEMP TABLE kept_webhook_delivery ON COMMIT DROP AS
    SELECT d.* FROM %1$I d WHERE %2$L AND d.undelivered IS NOT NULL
    UNION ALL SELECT d.* FROM webhook_queue q JOIN %1$I d ON d.team_id = q.team_id AND d.endpoint_id = q.endpoint_id AND d.id = q.delivery_id
    WHERE q.delivery_id >= %3$L AND q.delivery_id < %4$L', deliveries, keep_undelivered, low, high);
  EXECUTE format('CREATE TEMP TABLE kept_webhook_attempt ON COMMIT DROP AS
    SELECT a.* FROM kept_webhook_delivery d JOIN %I a ON a.team_id = d.team_id AND a.endpoint_id = d.endpoint_id AND a.delivery_id = d.id', attempts);
  EXECUTE format('DROP TABLE %I, %I', deliveries, attempts);
  SELECT EXISTS (SELECT FROM kept_webhook_delivery) INTO kept;
  IF kept THEN
    EXECUTE format('CREATE TABLE %I PARTITION OF webhook_delivery FOR VALUES FROM (%L) TO (%L)', deliveries, low, high);
    EXECUTE format('CREATE TABLE %I PARTITION OF webhook_attempt FOR VALUES FROM (%L) TO (%L)', attempts, low, high);
    EXECUTE format('INSERT INTO %1$I (%2$s) SELECT %2$s FROM kept_webhook_delivery', deliveries, webhook_log_columns('webhook_delivery'));
    EXECUTE format('INSERT INTO %I SELECT * FROM kept_webhook_attempt', attempts);
  END IF;
  DROP TABLE kept_webhook_delivery, kept_webhook_attempt;
  RETURN true;
END $function$;

CREATE OR REPLACE FUNCTION public.throttle_block(keys bytea[])
 RETURNS TABLE(seconds double precision)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT extract(epoch FROM max(t.blocked_until) - now())::float8 FROM throttle t
  WHERE t.key = ANY (keys) AND t.blocked_until > now() AND NOT began_in_the_future(t.since)
$function$;

CREATE OR REPLACE FUNCTION public.uuidv7_from(moment timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN ((lpad(to_hex((floor((EXTRACT(epoch FROM moment) * (1000)::numeric)))::bigint), 12, '0'::text) || '00000000000000000000'::text))::uuid;

CREATE OR REPLACE FUNCTION public.uuidv7_like(base uuid)
 RETURNS uuid
 LANGUAGE sql
 PARALLEL SAFE
RETURN (encode((SUBSTRING(uuid_send(base) FROM 1 FOR 8) || SUBSTRING(uuid_send(gen_random_uuid()) FROM 9)), 'hex'::text))::uuid;

CREATE OR REPLACE FUNCTION public.version_in_round(team uuid, of_round uuid, document uuid)
 RETURNS integer
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT d.document_version FROM approval_round_document d WHERE d.team_id = team AND d.round_id = of_round AND d.document_id = document LIMIT 1
$function$;

CREATE OR REPLACE FUNCTION public.viewed_matters(team uuid, person uuid)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE ROWS 20
AS $function$
BEGIN
  -- The principals of an API client are no persons.
  IF NOT EXISTS (SELECT FROM account a WHERE a.team_id = team AND a.id = person) THEN RETURN; END IF;
  RETURN QUERY
    SELECT f.id FROM folder f WHERE f.team_id = team AND f.user_id = person AND f.is_matter AND f.deleted_at IS NULL
    UNION SELECT c.id FROM access_resources(team, person, true, 'folder', '{viewer,editor}') s(id)
      JOIN access_container c ON c.team_id = team AND c.id = s.id AND c.type = 'matter';
END $function$;

CREATE OR REPLACE FUNCTION public.webhook_burst(max_per_second integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN GREATEST(1, (max_per_second / 10));

CREATE OR REPLACE FUNCTION public.webhook_log_columns(parent regclass)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
RETURN (SELECT string_agg(quote_ident((pg_attribute.attname)::text), ', '::text ORDER BY pg_attribute.attnum) AS string_agg FROM pg_attribute WHERE ((pg_attribute.attrelid = (webhook_log_columns.parent)::oid) AND (pg_attribute.attnum > 0) AND (NOT pg_attribute.attisdropped) AND (pg_attribute.attgenerated = ''::"char")));

CREATE OR REPLACE FUNCTION public.webhook_log_days_before(moment timestamp with time zone)
 RETURNS SETOF date
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT day FROM (
    SELECT to_date(right(c.relname, 8), 'YYYYMMDD') AS day FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'webhook_delivery'::regclass AND c.relname ~ '^webhook_delivery_[0-9]{8}$'
  ) days WHERE (day + 1)::timestamp AT TIME ZONE 'UTC' <= moment ORDER BY day
$function$;

CREATE OR REPLACE FUNCTION public.webhook_log_days_to_make(since timestamp with time zone, until timestamp with time zone)
 RETURNS SETOF date
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT DISTINCT (to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0) AT TIME ZONE 'UTC')::date
  FROM webhook_delivery_rest WHERE id >= uuidv7_from(since) AND id < uuidv7_from(until)
$function$;

CREATE OR REPLACE FUNCTION public.webhook_rate(max_per_second integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((max_per_second - GREATEST(1, (max_per_second / 10))) + 1);

CREATE OR REPLACE FUNCTION public.withdraw_jobs(job_name text, job_key text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  DELETE FROM job WHERE team_id = current_team() AND name = job_name AND key = job_key AND attempts = 0 AND state IN ('ready', 'waiting');
$function$;

CREATE OR REPLACE FUNCTION public.withdraw_mails(thing uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  DELETE FROM mail_message WHERE team_id = current_team() AND about = thing AND status <> 'sent';
  UPDATE mail_message SET recipient = '' WHERE team_id = current_team() AND about = thing;
$function$;

CREATE OR REPLACE FUNCTION public.without_address(body bytea)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN convert_to(regexp_replace(convert_from(body, 'UTF8'::name), '("at":"[^"]*"),"ip":"[^"]*"'::text, '\1'::text), 'UTF8'::name);

CREATE OR REPLACE FUNCTION public.word_of_team(of_team uuid)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ SELECT 'team ' || of_team $function$;

CREATE OR REPLACE FUNCTION public.words_of_team(of_team uuid, document uuid)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT ARRAY[word_of_team(of_team), word_of_team(of_team) || ' ' || (get_byte(uuid_send(document), 15) & 63)]
$function$;

CREATE OR REPLACE FUNCTION public.workflows_of_leaver(of_team uuid, person uuid)
 RETURNS TABLE(id uuid)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT w.id FROM workflow w
  WHERE w.team_id = of_team AND (w.assigned_to = person OR w.owner_id = person OR w.status IN ('draft', 'active', 'paused') AND (w.linked_by = person
    OR links_document_of_workflow(of_team, w.id, person)
    OR EXISTS (SELECT FROM workflow_step s WHERE s.team_id = of_team AND s.workflow_id = w.id AND (person = ANY (s.assignees) OR s.roles <> '{}' OR s.config ? 'approval'))
    OR EXISTS (SELECT FROM task t WHERE t.team_id = of_team AND t.workflow_id = w.id AND t.assigned_to = person AND t.status = 'open')))
$function$;

CREATE OR REPLACE FUNCTION public.write_webhook_outcomes(first uuid, last uuid, teams uuid[], endpoints uuid[], ids uuid[], places tid[], outcomes text[], numbers integer[], statuses integer[], errors text[], ages double precision[], waits double precision[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_indexscan TO 'off'
 SET enable_indexonlyscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_tidscan TO 'on'
 SET enable_nestloop TO 'on'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
BEGIN
  UPDATE webhook_delivery d SET status = CASE r.outcome WHEN 'moved' THEN 'pending' ELSE r.outcome END,
    max_attempts = d.max_attempts + (r.outcome = 'moved')::int, attempts = least(r.attempt, d.max_attempts),
    response_status = r.response_status, error = r.error,
    last_attempt_at = CASE WHEN r.age IS NULL THEN d.last_attempt_at ELSE now() - make_interval(secs => r.age) END,
    delivered_at = CASE WHEN r.outcome = 'delivered' THEN now() END,
    next_retry_at = CASE WHEN r.outcome IN ('pending', 'moved') THEN now() + make_interval(secs => r.wait) END
  FROM unnest(teams, endpoints, ids, places, outcomes, numbers, statuses, errors, ages, waits)
    AS r(team_id, endpoint_id, id, place, outcome, attempt, response_status, error, age, wait)
  WHERE d.ctid = r.place AND d.team_id = r.team_id AND d.endpoint_id = r.endpoint_id AND d.id = r.id AND d.id BETWEEN first AND last;
END $function$;
