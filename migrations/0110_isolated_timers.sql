-- What stands still with a paused workflow is outside the indexes that timers look at.
ALTER TABLE workflow_step
  -- Milliseconds that a wait still had when its workflow was paused.
  ADD COLUMN wait_left bigint;
ALTER TABLE workflow
  -- The due date was set while the workflow was paused, so that resuming does not move it.
  ADD COLUMN due_fixed boolean NOT NULL DEFAULT false;
ALTER TABLE task
  -- The workflow of the task is paused.
  ADD COLUMN held boolean NOT NULL DEFAULT false;

-- Who made it: a person, to whom steps without anybody else go, or an API client, which is given none.
ALTER TABLE workflow ADD COLUMN created_by_type text NOT NULL DEFAULT 'user';
ALTER TABLE task ADD COLUMN created_by_type text NOT NULL DEFAULT 'user';

ALTER TABLE account NO FORCE ROW LEVEL SECURITY;
ALTER TABLE workflow NO FORCE ROW LEVEL SECURITY;
ALTER TABLE workflow_step NO FORCE ROW LEVEL SECURITY;
ALTER TABLE task NO FORCE ROW LEVEL SECURITY;
UPDATE workflow_step s SET wait_left = greatest(extract(epoch FROM s.wake_at - w.paused_at) * 1000, 0), wake_at = NULL
  FROM workflow w WHERE w.team_id = s.team_id AND w.id = s.workflow_id AND w.status = 'paused' AND s.wake_at IS NOT NULL;
UPDATE task t SET held = true
  FROM workflow w WHERE w.team_id = t.team_id AND w.id = t.workflow_id AND w.status = 'paused' AND t.status = 'open';
UPDATE workflow w SET created_by_type = 'client'
  WHERE NOT EXISTS (SELECT FROM account a WHERE a.team_id = w.team_id AND a.id = w.created_by);
UPDATE task t SET created_by_type = 'client'
  WHERE NOT EXISTS (SELECT FROM account a WHERE a.team_id = t.team_id AND a.id = t.created_by);
ALTER TABLE account FORCE ROW LEVEL SECURITY;
ALTER TABLE workflow FORCE ROW LEVEL SECURITY;
ALTER TABLE workflow_step FORCE ROW LEVEL SECURITY;
ALTER TABLE task FORCE ROW LEVEL SECURITY;

DROP INDEX workflow_due;
CREATE INDEX workflow_due ON workflow (due_at)
  WHERE status IN ('draft', 'active') AND NOT overdue_announced AND due_at IS NOT NULL;
DROP INDEX task_due;
CREATE INDEX task_due ON task (due_at)
  WHERE status = 'open' AND NOT held AND NOT overdue_announced AND due_at IS NOT NULL;
