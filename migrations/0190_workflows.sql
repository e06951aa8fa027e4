-- Steps about a document. The tables of workflows come before those of tasks: a document that is ended empties what names it in
-- the order in which the keys were made, and locks are taken in that order too (docs/internals/locks.md).
CREATE TABLE workflow (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  name text NOT NULL,
  type text NOT NULL DEFAULT 'custom',
  status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'active', 'paused', 'completed', 'rejected', 'cancelled')),
  -- Text, since it may name a document that is kept in another system.
  document_id text NOT NULL,
  assigned_to uuid,
  created_by uuid NOT NULL,
  due_at timestamptz,
  reason text,
  started_at timestamptz,
  paused_at timestamptz,
  completed_at timestamptz,
  overdue_announced boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- The due date was set while the workflow was paused, so that resuming does not move it.
  due_fixed boolean NOT NULL DEFAULT false,
  -- Who made it: a person, to whom steps without anybody else go, or an API client, which is given none.
  created_by_type text NOT NULL DEFAULT 'user',
  -- The creator, and after they leave the team their successor.
  owner_id uuid NOT NULL,
  -- The document, by a key that is emptied when it is ended, and who put it there.
  linked_document_id uuid,
  linked_by uuid,
  -- The same document, also after its deletion. Its barrier hides the workflow.
  about_document_id uuid,
  -- Bytes of the steps' texts and settings: lists are cut by it before anything of them is read.
  size integer NOT NULL DEFAULT 0,
  document_linked boolean NOT NULL GENERATED ALWAYS AS (linked_document_id IS NOT NULL) STORED,
  -- The state of a document follows from the workflows about it: what it was before one started, and what one led to.
  document_status_before text CHECK (document_status_before IN ('draft', 'in_review', 'approved', 'signed', 'archived')),
  document_result text CHECK (document_result IN ('approved', 'draft')),
  -- A workflow leads the state of its document, and may refuse versions of it, where who put the document there may change it.
  leads_document boolean NOT NULL DEFAULT false,
  -- How often a refusal has led back.
  returns integer NOT NULL DEFAULT 0,
  -- The version of the team’s template that it was made from.
  template_version integer,
  PRIMARY KEY (team_id, id),
  CONSTRAINT workflow_assignee_exists FOREIGN KEY (team_id, assigned_to) REFERENCES account (team_id, id),
  CONSTRAINT workflow_about FOREIGN KEY (team_id, linked_document_id) REFERENCES document (team_id, id)
    ON DELETE SET NULL (linked_document_id)
) WITH (autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX workflow_by_status ON workflow (team_id, status, id);
CREATE INDEX workflow_of_document ON workflow (team_id, document_id);
-- What stands still with a paused workflow is outside the indexes that timers look at.
CREATE INDEX workflow_due ON workflow (due_at)
  WHERE status IN ('draft', 'active') AND NOT overdue_announced AND due_at IS NOT NULL;
CREATE INDEX workflow_about_document ON workflow (team_id, linked_document_id) WHERE linked_document_id IS NOT NULL;
-- What a person gave or ended is looked for as well as what they hold.
CREATE INDEX workflow_owner ON workflow (team_id, owner_id);
CREATE INDEX workflow_assigned_to ON workflow (team_id, assigned_to) WHERE assigned_to IS NOT NULL;
CALL confine_to_team('workflow', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('workflow', 'SELECT', 'DELETE');
CALL count_rows('workflow', 'workflows');
CALL access_container_column('workflow');

-- `depends_on` is always written out, also when the steps were given in order.
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
  -- When a waiting step goes on.
  wake_at timestamptz,
  -- Milliseconds that a wait still had when its workflow was paused.
  wait_left bigint,
  -- A decision whose person has left, and that nobody else may take: it is given to nobody until somebody passes it on.
  vacant boolean NOT NULL DEFAULT false,
  -- Roles whose people it is given to when it begins; they are among the assignees from then on.
  roles text[] NOT NULL DEFAULT '{}' CHECK (roles <@ '{owner,admin,member,viewer}'),
  -- What an answer that the step waits for must name: of this run of it alone.
  nonce text,
  -- The request for signatures that it waits for, or was ended by.
  request_id uuid,
  PRIMARY KEY (team_id, workflow_id, id),
  CONSTRAINT workflow_step_of FOREIGN KEY (team_id, workflow_id) REFERENCES workflow (team_id, id) ON DELETE CASCADE
) WITH (autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX workflow_step_wakes ON workflow_step (wake_at) WHERE status = 'active' AND wake_at IS NOT NULL;
-- Who waits for the answer of an endpoint that is deleted.
CREATE INDEX workflow_step_asks ON workflow_step (team_id, lower(config ->> 'endpointId')) WHERE status = 'active' AND type = 'webhook';
CALL confine_to_team('workflow_step', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('workflow_step', 'SELECT', 'DELETE');

-- What people say on a workflow, or on one of its steps.
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
  -- The creator, and after they leave the team their successor.
  owner_id uuid,
  -- Who has said last what its steps are.
  steps_by uuid,
  -- What is asked for when a workflow is made from it.
  parameters jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (team_id, name)
);
CALL confine_to_team('workflow_template', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('workflow_template', 'SELECT', 'DELETE');
CALL count_rows('workflow_template', 'templates');

-- What a template said before, for those who ask what a workflow was made from.
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

-- The template that a key date of a document starts, as it was when somebody named it there: one that others change afterwards is not
-- started by that person's right. `started` are the dates for which it was.
CREATE TABLE date_template (
  team_id uuid NOT NULL,
  document_id uuid NOT NULL,
  template text NOT NULL,
  -- Of its steps; none of a built-in one, which nobody changes.
  hash text,
  -- Null after they left the team: nothing is started by their right then.
  set_by uuid,
  set_at timestamptz NOT NULL,
  started text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (team_id, document_id),
  CONSTRAINT date_template_of FOREIGN KEY (team_id, document_id) REFERENCES document (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('date_template', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('date_template', 'SELECT', 'DELETE');
