-- Workflows: steps about a document. These tables are created before those of tasks. The deletion of a document clears its foreign keys in the order
-- of their creation, and that is also the lock order (docs/internals/locks.md).
CREATE TABLE workflow (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  name text NOT NULL,
  type text NOT NULL DEFAULT 'custom',
  status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'active', 'paused', 'completed', 'rejected', 'cancelled')),
  -- Text, because it can name a document in another system.
  document_id text NOT NULL,
  assigned_to uuid,
  created_by uuid NOT NULL,
  due_at timestamptz,
  reason text,
  started_at timestamptz,
  paused_at timestamptz,
  completed_at timestamptz,
  overdue_emitted boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- The due date was set while the workflow was paused, so that resuming does not move it.
  due_fixed boolean NOT NULL DEFAULT false,
  -- The type of the creator. Steps without an assignee go to a creator who is a person, but never to an API client.
  created_by_type text NOT NULL DEFAULT 'user',
  -- The creator. After the creator leaves the team, the successor.
  owner_id uuid NOT NULL,
  -- The document as a foreign key, which becomes null with the deletion of the document, and the user who linked it.
  linked_document_id uuid,
  linked_by uuid,
  -- The same document, kept after its deletion. Its barrier hides the workflow.
  about_document_id uuid,
  -- Bytes of the texts and settings of the steps. A list limits its pages by these sizes before it reads any step.
  size integer NOT NULL DEFAULT 0,
  document_linked boolean NOT NULL GENERATED ALWAYS AS (linked_document_id IS NOT NULL) STORED,
  -- Workflows change the status of their document. These are the status before the workflow started, and its result.
  document_status_before text CHECK (document_status_before IN ('draft', 'in_review', 'approved', 'signed', 'archived')),
  document_result text CHECK (document_result IN ('approved', 'draft')),
  -- Whether the workflow controls the status of its document and may reject versions. The user who linked the document needs write access for that.
  leads_document boolean NOT NULL DEFAULT false,
  -- How often a rejection sent the workflow back.
  returns integer NOT NULL DEFAULT 0,
  -- The version of the team template that it was created from.
  template_version integer,
  PRIMARY KEY (team_id, id),
  CONSTRAINT workflow_assignee_exists FOREIGN KEY (team_id, assigned_to) REFERENCES account (team_id, id),
  CONSTRAINT workflow_about FOREIGN KEY (team_id, linked_document_id) REFERENCES document (team_id, id)
    ON DELETE SET NULL (linked_document_id)
) WITH (autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX workflow_by_status ON workflow (team_id, status, id);
CREATE INDEX workflow_of_document ON workflow (team_id, document_id);
-- The indexes of timers exclude paused workflows.
CREATE INDEX workflow_due ON workflow (due_at)
  WHERE status IN ('draft', 'active') AND NOT overdue_emitted AND due_at IS NOT NULL;
CREATE INDEX workflow_about_document ON workflow (team_id, linked_document_id) WHERE linked_document_id IS NOT NULL;
-- The list of a person has the workflows that they own and those that they are assigned.
CREATE INDEX workflow_owner ON workflow (team_id, owner_id);
CREATE INDEX workflow_assigned_to ON workflow (team_id, assigned_to) WHERE assigned_to IS NOT NULL;
CALL confine_to_team('workflow', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('workflow', 'SELECT', 'DELETE');
CALL count_rows('workflow', 'workflows');
CALL access_container_column('workflow');

-- `depends_on` is always stored, also if the steps were given in order.
CREATE TABLE workflow_step (
  team_id uuid NOT NULL,
  workflow_id uuid NOT NULL,
  id text NOT NULL,
  position integer NOT NULL,
  type text NOT NULL,
  name text,
  description text,
  assignees uuid[] NOT NULL DEFAULT '{}',
  mode text NOT NULL CHECK (mode IN ('any', 'all')),
  depends_on text[] NOT NULL,
  due_in_days integer,
  config jsonb NOT NULL DEFAULT '{}',
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'active', 'completed', 'rejected', 'skipped', 'failed')),
  started_at timestamptz,
  completed_at timestamptz,
  outcome text,
  -- When a waiting step continues.
  wake_at timestamptz,
  -- The milliseconds that a wait had left when its workflow was paused.
  wait_left bigint,
  -- The assignee of a decision left, and no other member may decide. It has no assignee until its task is reassigned.
  vacant boolean NOT NULL DEFAULT false,
  -- Roles whose members become the assignees when the step begins.
  roles text[] NOT NULL DEFAULT '{}' CHECK (roles <@ '{owner,admin,member,viewer}'),
  -- The nonce of the answer that the step waits for, valid for this run of the step only.
  nonce text,
  -- The signature request that the step waits for, or that ended it.
  request_id uuid,
  PRIMARY KEY (team_id, workflow_id, id),
  CONSTRAINT workflow_step_of FOREIGN KEY (team_id, workflow_id) REFERENCES workflow (team_id, id) ON DELETE CASCADE
) WITH (autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX workflow_step_wakes ON workflow_step (wake_at) WHERE status = 'active' AND wake_at IS NOT NULL;
-- Finds the steps that wait for a deleted endpoint.
CREATE INDEX workflow_step_asks ON workflow_step (team_id, lower(config ->> 'endpointId')) WHERE status = 'active' AND type = 'webhook';
CALL confine_to_team('workflow_step', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('workflow_step', 'SELECT', 'DELETE');

-- Comments on a workflow or on one of its steps.
CREATE TABLE workflow_comment (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  workflow_id uuid NOT NULL,
  step_id text,
  user_id uuid NOT NULL,
  text text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by_type text NOT NULL DEFAULT 'user',
  PRIMARY KEY (team_id, id),
  CONSTRAINT workflow_comment_of FOREIGN KEY (team_id, workflow_id) REFERENCES workflow (team_id, id) ON DELETE CASCADE
);
CREATE INDEX workflow_comment_by_workflow ON workflow_comment (team_id, workflow_id, id);
CALL confine_to_team('workflow_comment', 'SELECT, INSERT');
CALL open_to_system('workflow_comment', 'SELECT', 'DELETE');

CREATE TABLE workflow_template (
  team_id uuid NOT NULL REFERENCES team,
  name text NOT NULL,
  description text NOT NULL,
  steps jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  created_by_type text NOT NULL DEFAULT 'user',
  -- The creator. After the creator leaves the team, the successor.
  owner_id uuid,
  -- Who last changed its steps.
  steps_by uuid,
  -- The values that a new workflow of this template needs.
  parameters jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (team_id, name)
);
CALL confine_to_team('workflow_template', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('workflow_template', 'SELECT', 'DELETE');
CALL count_rows('workflow_template', 'templates');

-- The versions of a template. A workflow stores the version that it was created from.
CREATE TABLE workflow_template_version (
  team_id uuid NOT NULL,
  name text NOT NULL,
  version integer NOT NULL,
  description text NOT NULL,
  steps jsonb NOT NULL,
  parameters jsonb NOT NULL,
  created_by uuid,
  created_by_type text NOT NULL DEFAULT 'user',
  created_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, name, version),
  CONSTRAINT workflow_template_version_of FOREIGN KEY (team_id, name) REFERENCES workflow_template (team_id, name) ON DELETE CASCADE
);
CALL confine_to_team('workflow_template_version', 'SELECT, INSERT, DELETE');
CALL open_to_system('workflow_template_version', 'SELECT', 'DELETE');

-- The template that a key date of a document starts, and its state when a user set it. If another user changes the template afterwards, it does not
-- start with the rights of the first. `started`: the dates that have started it.
CREATE TABLE date_template (
  team_id uuid NOT NULL,
  document_id uuid NOT NULL,
  template text NOT NULL,
  -- The hash of its steps; null for a built-in template, which cannot change.
  hash text,
  -- Null after the user left the team. Then no workflow starts with their rights.
  set_by uuid,
  set_at timestamptz NOT NULL,
  started text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (team_id, document_id),
  CONSTRAINT date_template_of FOREIGN KEY (team_id, document_id) REFERENCES document (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('date_template', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('date_template', 'SELECT', 'DELETE');
