-- A job of an agent: its instruction, its schedule and its responsible person.
CREATE TABLE agent_job (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  agent_id uuid NOT NULL,
  name text NOT NULL,
  description text,
  enabled boolean NOT NULL DEFAULT true,
  -- All defaults are filled in: the time zone has a name, and the anchor is a time.
  schedule jsonb NOT NULL,
  message text NOT NULL,
  model text,
  timeout_seconds integer,
  misfire_policy text NOT NULL CHECK (misfire_policy IN ('run_once', 'skip')),
  misfire_grace_seconds integer NOT NULL,
  overlap text NOT NULL CHECK (overlap IN ('skip', 'queue', 'replace')),
  delete_after_run boolean NOT NULL DEFAULT false,
  -- The recipient of the result of a run: an endpoint, or a person by a task. Without `delivery_to` it is the person of `on_behalf_of`.
  delivery text NOT NULL DEFAULT 'none' CHECK (delivery IN ('none', 'webhook', 'task')),
  delivery_endpoint uuid,
  delivery_to uuid,
  -- The person whose rights its runs have: the last one to set the schedule, the agent or the instruction.
  on_behalf_of uuid NOT NULL,
  -- The next due time, and the start, which is later by the stagger. Both are null while the job is paused.
  due_at timestamptz,
  wake_at timestamptz,
  last_run_at timestamptz,
  last_status text CHECK (last_status IN ('ok', 'error', 'skipped', 'cancelled')),
  last_reason text,
  last_duration_ms integer,
  consecutive_errors integer NOT NULL DEFAULT 0,
  -- The reason that the service disabled the job.
  disabled_reason text CHECK (disabled_reason IN ('consecutive_errors', 'owner_inactive', 'schedule_invalid')),
  disabled_at timestamptz,
  created_by uuid NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, id),
  CONSTRAINT agent_job_of FOREIGN KEY (team_id, agent_id) REFERENCES agent (team_id, id),
  CONSTRAINT agent_job_waits CHECK ((due_at IS NULL) = (wake_at IS NULL) AND (enabled OR due_at IS NULL)),
  CONSTRAINT agent_job_recipient CHECK ((delivery = 'webhook') = (delivery_endpoint IS NOT NULL) AND (delivery = 'task' OR delivery_to IS NULL)),
  CONSTRAINT agent_job_disabled CHECK ((disabled_reason IS NULL) = (disabled_at IS NULL))
);
-- The index of the scheduler contains only jobs with a due time.
CREATE INDEX agent_job_due ON agent_job (wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX agent_job_of_team ON agent_job (team_id, wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX agent_job_by_change ON agent_job (team_id, updated_at, id);
CREATE INDEX agent_job_of_agent ON agent_job (team_id, agent_id);
CREATE INDEX agent_job_for ON agent_job (team_id, on_behalf_of);
CALL confine_to_team('agent_job', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('agent_job', 'SELECT', 'UPDATE', 'DELETE');
CALL count_rows('agent_job', 'agentJobs');

-- A run of an agent. It stays when its job or its agent is deleted.
CREATE TABLE agent_run (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  agent_id uuid NOT NULL,
  -- Null for a run that a user or a workflow step requested.
  job_id uuid,
  trigger text NOT NULL CHECK (trigger IN ('schedule', 'misfire', 'manual', 'request', 'workflow')),
  -- The due time of its job.
  due_at timestamptz,
  status text NOT NULL DEFAULT 'queued'
    CHECK (status IN ('queued', 'running', 'awaiting_approval', 'needs_attention', 'ok', 'error', 'skipped', 'cancelled')),
  -- The code of the reason for the status.
  reason text,
  -- The missed times that this run replaces.
  missed jsonb,
  on_behalf_of uuid NOT NULL,
  requested_by uuid,
  -- The person who requested the run, or else the person of `on_behalf_of`. Later their successor.
  owner_id uuid NOT NULL,
  -- The workflow step of the run with its start, and the number of runs that started each other before this one.
  workflow_id uuid,
  step_id text,
  step_begun_at timestamptz,
  depth integer NOT NULL DEFAULT 0,
  -- The workflow is paused: the run gets no slot.
  paused boolean NOT NULL DEFAULT false,
  -- The run has a slot of its team, and a job that executes it.
  in_flight boolean NOT NULL DEFAULT false,
  -- The run must end for this reason.
  cancel_reason text,
  -- The number of starts. Writes of an earlier attempt are rejected.
  attempts integer NOT NULL DEFAULT 0,
  -- The times of restarts after a node failure.
  interruptions jsonb NOT NULL DEFAULT '[]',
  -- Whether the event of the end was emitted.
  end_emitted boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  started_at timestamptz,
  finished_at timestamptz,
  -- The instruction, the model and the time limit, copied from the job at the start of the run.
  message text,
  model text,
  timeout_seconds integer,
  -- The recipient of the result, copied from the job at the start; null if there is none.
  delivery text CHECK (delivery IN ('webhook', 'task')),
  delivery_endpoint uuid,
  delivery_to uuid,
  -- The state of the delivery after the end. `sent` means that the task, or the delivery in the webhook log, exists.
  delivery_status text CHECK (delivery_status IN ('pending', 'sent', 'failed')),
  delivery_error text,
  delivery_id uuid,
  -- The working time before the last wait for a person, in milliseconds.
  worked_ms integer NOT NULL DEFAULT 0,
  -- The tokens that count for the limit, including the reserved tokens of the current request.
  tokens bigint NOT NULL DEFAULT 0,
  -- The cost that counts for the limit in millionths, including the reserved cost.
  cost_reserved bigint NOT NULL DEFAULT 0,
  input_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  -- In millionths; null if only models without a price were used.
  cost_micros bigint,
  -- The price table of the last cost.
  price_table text,
  steps integer NOT NULL DEFAULT 0,
  -- The number of events in its stream.
  events integer NOT NULL DEFAULT 0,
  -- The last text of the model.
  summary text,
  -- The responses came from the simulated model.
  simulated boolean NOT NULL DEFAULT false,
  PRIMARY KEY (team_id, id),
  -- One run per due time: over all nodes, after restarts, and when a schedule is set back.
  CONSTRAINT agent_run_once UNIQUE (team_id, job_id, due_at),
  CONSTRAINT agent_run_by_schedule CHECK ((due_at IS NULL) = (trigger IN ('manual', 'request', 'workflow'))),
  CONSTRAINT agent_run_of_request CHECK ((job_id IS NULL) = (trigger IN ('request', 'workflow'))),
  CONSTRAINT agent_run_of_step CHECK ((workflow_id IS NOT NULL) = (trigger = 'workflow') AND (workflow_id IS NULL) = (step_id IS NULL)
    AND (workflow_id IS NULL) = (step_begun_at IS NULL)),
  CONSTRAINT agent_run_delivered CHECK ((delivery_status IS NULL OR delivery IS NOT NULL AND finished_at IS NOT NULL)
    AND (delivery_id IS NOT NULL) = (delivery_status IS NOT DISTINCT FROM 'sent') AND (delivery_error IS NOT NULL) = (delivery_status IS NOT DISTINCT FROM 'failed')),
  CONSTRAINT agent_run_ended CHECK ((status IN ('queued', 'running', 'awaiting_approval', 'needs_attention')) = (finished_at IS NULL))
);
CREATE INDEX agent_run_of_job ON agent_run (team_id, job_id, id);
CREATE INDEX agent_run_of_agent ON agent_run (team_id, agent_id, id);
CREATE INDEX agent_run_of_workflow ON agent_run (team_id, workflow_id) WHERE workflow_id IS NOT NULL;
CREATE INDEX agent_run_of_owner ON agent_run (team_id, owner_id);
CREATE INDEX agent_run_live ON agent_run (team_id, job_id) WHERE finished_at IS NULL;
CREATE INDEX agent_run_waiting ON agent_run (team_id, id) WHERE status = 'queued' AND NOT in_flight;
CREATE INDEX agent_run_in_flight ON agent_run (team_id) WHERE in_flight;
CREATE INDEX agent_run_over ON agent_run (finished_at) WHERE finished_at IS NOT NULL;
CALL confine_to_team('agent_run', 'SELECT, INSERT, UPDATE');
CALL open_to_system('agent_run', 'SELECT', 'INSERT', 'UPDATE', 'DELETE');

-- A step of a run. Step 0 has the instructions for the model, and each later step one response. Kept for 30 days.
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
  -- The price table of this cost.
  price_table text,
  begun_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, run_id, step),
  CONSTRAINT agent_run_step_of FOREIGN KEY (team_id, run_id) REFERENCES agent_run (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('agent_run_step', 'SELECT, INSERT, DELETE');
CALL open_to_system('agent_run_step', 'SELECT', 'DELETE');

-- A tool call that the model requested in a step, and its result.
CREATE TABLE agent_run_call (
  team_id uuid NOT NULL,
  run_id uuid NOT NULL,
  id uuid NOT NULL,
  step integer NOT NULL,
  position integer NOT NULL,
  tool text NOT NULL,
  arguments jsonb NOT NULL,
  -- `unknown`: the call was sent to an external server, its outcome is unknown, and a person must report it.
  status text NOT NULL CHECK (status IN ('ready', 'awaiting_approval', 'unknown', 'done', 'refused')),
  result text,
  -- The length of the whole result in characters, if it is longer than the stored part.
  result_total integer,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  -- The task of the request, the hash of the exact request, and its expiry; then the person who decided.
  task_id uuid,
  request_hash text,
  expires_at timestamptz,
  -- The time just before the call was sent to an external server. A call that may change data is not sent again.
  sent_at timestamptz,
  decided_by uuid,
  decided_at timestamptz,
  PRIMARY KEY (team_id, id),
  CONSTRAINT agent_run_call_request CHECK ((task_id IS NULL) = (request_hash IS NULL) AND (task_id IS NULL) = (expires_at IS NULL)
    AND (decided_by IS NULL) = (decided_at IS NULL) AND (status NOT IN ('awaiting_approval', 'unknown') OR task_id IS NOT NULL)),
  CONSTRAINT agent_run_call_place UNIQUE (team_id, run_id, step, position),
  CONSTRAINT agent_run_call_of FOREIGN KEY (team_id, run_id, step) REFERENCES agent_run_step (team_id, run_id, step) ON DELETE CASCADE,
  CONSTRAINT agent_run_call_over CHECK ((status IN ('done', 'refused')) = (finished_at IS NOT NULL) AND (finished_at IS NULL) = (result IS NULL))
);
CREATE UNIQUE INDEX agent_run_call_task ON agent_run_call (team_id, task_id) WHERE task_id IS NOT NULL;
CREATE INDEX agent_run_call_waiting ON agent_run_call (team_id, run_id) WHERE status IN ('awaiting_approval', 'unknown');
CALL confine_to_team('agent_run_call', 'SELECT, INSERT, UPDATE');
CALL open_to_system('agent_run_call', 'SELECT', 'DELETE');

-- The resources that the calls of a run have read. A barrier around one of them hides the run, and the erasure of one deletes the transcript.
-- Deleted with the transcript, unless one of them has a barrier.
CREATE TABLE agent_run_subject (
  team_id uuid NOT NULL,
  run_id uuid NOT NULL,
  type text NOT NULL CHECK (type IN ('folder', 'document', 'form', 'submission')),
  id uuid NOT NULL,
  PRIMARY KEY (team_id, run_id, id),
  CONSTRAINT agent_run_subject_of FOREIGN KEY (team_id, run_id) REFERENCES agent_run (team_id, id) ON DELETE CASCADE
);
CREATE INDEX agent_run_subject_by_id ON agent_run_subject (team_id, id);
CALL confine_to_team('agent_run_subject', 'SELECT, INSERT, DELETE');
CALL open_to_system('agent_run_subject', 'SELECT', 'DELETE');

-- Returns the subjects among some identifiers. A task or a workflow counts as its document, and a submission also as its form.
CREATE FUNCTION agent_run_subjects(team uuid, ids uuid[]) RETURNS TABLE (type text, id uuid) LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 10 AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT 'folder', f.id FROM folder f WHERE f.team_id = team AND f.id = ANY (ids)
    UNION SELECT 'document', d.id FROM document d WHERE d.team_id = team AND d.id = ANY (ids)
    UNION SELECT 'document', n.id FROM (
      SELECT w.about_document_id FROM workflow w WHERE w.team_id = team AND w.id = ANY (ids)
      UNION SELECT t.about_document_id FROM task t WHERE t.team_id = team AND t.id = ANY (ids)
    ) n (id) WHERE EXISTS (SELECT FROM document d WHERE d.team_id = team AND d.id = n.id)
      OR document_barrier(team, n.id) <> '00000000-0000-0000-0000-000000000000'
    UNION SELECT 'form', i.id FROM interface i WHERE i.team_id = team AND i.id = ANY (ids)
    UNION SELECT s.type, s.id FROM submission u CROSS JOIN LATERAL (VALUES ('submission', u.id), ('form', u.interface_id)) AS s (type, id)
      WHERE u.team_id = team AND u.id = ANY (ids);
END $$;

-- Whether a subject was permanently deleted, or was created from erased content (deletion time `epoch`).
CREATE FUNCTION agent_run_subject_gone(team uuid, of_type text, subject uuid) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE of_type
    WHEN 'folder' THEN NOT EXISTS (SELECT FROM folder f WHERE f.team_id = team AND f.id = subject)
    WHEN 'document' THEN NOT EXISTS (SELECT FROM document d WHERE d.team_id = team AND d.id = subject AND d.deleted_at IS DISTINCT FROM 'epoch')
    ELSE false
  END
$$;

-- Returns the barriers around the subjects of a run. The nil UUID stands for a subject without a barrier.
CREATE FUNCTION agent_run_barriers(team uuid, run uuid) RETURNS SETOF uuid LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 2 AS $$
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
END $$;

-- Whether a barrier of the run excludes a person. Null is an API client, which every barrier excludes.
CREATE FUNCTION agent_run_excludes(team uuid, run uuid, person uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM agent_run_barriers(team, run) AS around (id) WHERE barrier_excludes(team, around.id, person));
END $$;

-- The events of a run in the order of its stream. Kept for 30 days.
CREATE TABLE agent_run_event (
  team_id uuid NOT NULL,
  run_id uuid NOT NULL,
  seq integer NOT NULL,
  type text NOT NULL,
  data jsonb NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (team_id, run_id, seq),
  CONSTRAINT agent_run_event_of FOREIGN KEY (team_id, run_id) REFERENCES agent_run (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('agent_run_event', 'SELECT, INSERT, DELETE');
CALL open_to_system('agent_run_event', 'SELECT', 'DELETE');

-- The consent of a team to send content to the model at this address. Nothing is sent before.
CREATE TABLE agent_consent (
  team_id uuid PRIMARY KEY REFERENCES team,
  origin text NOT NULL,
  models text[] NOT NULL,
  -- The cost limit of all runs of the team per day in millionths; null means no limit.
  max_cost_per_day bigint,
  given_by uuid NOT NULL,
  given_at timestamptz NOT NULL
);
CALL confine_to_team('agent_consent', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('agent_consent', 'SELECT', 'DELETE');

-- The usage of a day (UTC) per agent. The row of the nil UUID is the total of the team.
CREATE TABLE agent_usage (
  team_id uuid NOT NULL REFERENCES team,
  agent_id uuid NOT NULL,
  day date NOT NULL,
  -- Includes the reserved tokens of current requests.
  tokens bigint NOT NULL DEFAULT 0,
  cost_reserved bigint NOT NULL DEFAULT 0,
  input_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  cost_micros bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (team_id, agent_id, day)
);
CREATE INDEX agent_usage_old ON agent_usage (day);
CALL confine_to_team('agent_usage', 'SELECT, INSERT, UPDATE');
CALL open_to_system('agent_usage', 'SELECT', 'DELETE');
