-- Something a person is to do. `document_id` is text: it may name a document that is kept in another system.
CREATE TABLE task (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  title text NOT NULL,
  description text,
  type text NOT NULL DEFAULT 'task',
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'completed', 'rejected', 'cancelled')),
  assigned_to uuid,
  created_by uuid NOT NULL,
  workflow_id uuid,
  step_id text,
  document_id text,
  due_at timestamptz,
  outcome text,
  comment text,
  completed_by uuid,
  completed_at timestamptz,
  overdue_announced boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, id),
  CONSTRAINT task_assignee_exists FOREIGN KEY (team_id, assigned_to) REFERENCES account (team_id, id)
);
CREATE INDEX task_of_assignee ON task (team_id, assigned_to, status);
CREATE INDEX task_of_step ON task (team_id, workflow_id, step_id) WHERE workflow_id IS NOT NULL;
CREATE INDEX task_due ON task (due_at) WHERE status = 'open' AND NOT overdue_announced AND due_at IS NOT NULL;
CALL confine_to_team('task', 'SELECT, INSERT, UPDATE');
CALL open_to_system('task', 'SELECT');

CREATE TABLE task_comment (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  task_id uuid NOT NULL,
  user_id uuid NOT NULL,
  text text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, id),
  CONSTRAINT task_comment_of FOREIGN KEY (team_id, task_id) REFERENCES task (team_id, id)
);
CREATE INDEX task_comment_by_task ON task_comment (team_id, task_id, id);
CALL confine_to_team('task_comment', 'SELECT, INSERT');

CREATE TABLE workflow (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  name text NOT NULL,
  type text NOT NULL DEFAULT 'custom',
  status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'active', 'paused', 'completed', 'rejected', 'cancelled')),
  document_id text NOT NULL,
  document_linked boolean NOT NULL,
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
  PRIMARY KEY (team_id, id),
  CONSTRAINT workflow_assignee_exists FOREIGN KEY (team_id, assigned_to) REFERENCES account (team_id, id)
);
CREATE INDEX workflow_by_status ON workflow (team_id, status, id);
CREATE INDEX workflow_of_document ON workflow (team_id, document_id);
CREATE INDEX workflow_due ON workflow (due_at) WHERE status IN ('draft', 'active', 'paused') AND NOT overdue_announced AND due_at IS NOT NULL;
CALL confine_to_team('workflow', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('workflow', 'SELECT');

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
  PRIMARY KEY (team_id, workflow_id, id),
  CONSTRAINT workflow_step_of FOREIGN KEY (team_id, workflow_id) REFERENCES workflow (team_id, id) ON DELETE CASCADE
);
CREATE INDEX workflow_step_wakes ON workflow_step (wake_at) WHERE status = 'active' AND wake_at IS NOT NULL;
CALL confine_to_team('workflow_step', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('workflow_step', 'SELECT');

CREATE TABLE workflow_template (
  team_id uuid NOT NULL REFERENCES team,
  name text NOT NULL,
  description text NOT NULL,
  steps jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, name)
);
CALL confine_to_team('workflow_template', 'SELECT, INSERT, UPDATE, DELETE');
