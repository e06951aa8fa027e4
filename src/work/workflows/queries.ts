import type { Row, RowWithout } from '../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';

/** A step as the table has it; times as ISO text. */
export type StepRow = RowWithout<
  'workflow_step',
  'config' | 'nonce' | 'position' | 'request_id' | 'roles' | 'team_id' | 'vacant' | 'wait_left' | 'workflow_id'
> & {
  /** Roles whose people it is given to when it begins. Those are assignees from then on, and this is empty. */
  roles: string[];
  /** Somebody has left whose decision nobody could take over: it is given to nobody, beside the assignees. */
  vacant: boolean;
  config: Record<string, unknown>;
  /** What an answer that the step waits for must name: of this run of it alone. */
  nonce: string | null;
  /** The request for signatures that it waits for, or was ended by. */
  request_id: string | null;
  task_ids: string[];
};

type StoredWorkflow = Row<
  'workflow',
  | 'id'
  | 'name'
  | 'type'
  | 'status'
  | 'document_id'
  | 'assigned_to'
  | 'created_by'
  | 'created_by_type'
  | 'owner_id'
  | 'due_at'
  | 'reason'
  | 'started_at'
  | 'paused_at'
  | 'completed_at'
  | 'version'
  | 'created_at'
  | 'updated_at'
> & {
  /** The document, where it is one of the team's; emptied when that is ended. */
  linked_document_id: string | null;
  /** Who put the document there: tasks open what they may read. */
  linked_by: string | null;
  /** The document that it is about, also after its deletion. */
  about_document_id: string | null;
  /** Whether the workflow leads the document's state and may refuse versions of it, since it was started. */
  leads_document: boolean;
  /** How often a refusal has led back. */
  returns: number;
  /** Of the team's template that it was made from. */
  template_version: number | null;
  /** Whether the document that it is about stands behind a barrier now. */
  barred: boolean;
  /** Whether anybody of the team stands in for another. */
  some_stand_in: boolean;
  steps: StepRow[];
};

/**
 * A workflow in hand; `written` where this act has written the row already, so that it is another version once. `emergency`: the caller is
 * inside of the barrier around its document by emergency access only, and changes nothing.
 */
export type WorkflowRow = StoredWorkflow & { written?: boolean; emergency?: boolean };

const iso = (column: string) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

// A workflow with its steps, and each step with its tasks, in one query however many there are.
const whole = `w.id, w.name, w.type, w.status, w.document_id, w.linked_document_id, w.about_document_id, w.linked_by, w.leads_document, w.assigned_to, w.created_by, w.created_by_type, w.owner_id, w.due_at, w.reason,
  w.started_at, w.paused_at, w.completed_at, w.returns, w.template_version, w.version, w.created_at, w.updated_at,
  document_is_barred(w.team_id, w.about_document_id) AS barred, has_delegations(w.team_id) AS some_stand_in,
  (SELECT coalesce(json_agg(json_build_object('id', s.id, 'type', s.type, 'name', s.name, 'description', s.description, 'assignees', s.assignees,
     'roles', s.roles, 'vacant', s.vacant, 'mode', s.mode, 'depends_on', s.depends_on, 'due_in_days', s.due_in_days, 'config', s.config, 'status', s.status,
     'started_at', ${iso('s.started_at')}, 'completed_at', ${iso('s.completed_at')}, 'outcome', s.outcome, 'wake_at', ${iso('s.wake_at')}, 'nonce', s.nonce, 'request_id', s.request_id,
     'task_ids', task_ids_of_step($team, w.id, s.id)
   ) ORDER BY s.position), '[]') FROM workflow_step s WHERE s.team_id = $team AND s.workflow_id = w.id) AS steps`;

export const findWorkflow = sqlStatement<TeamScopedId, StoredWorkflow>(
  `SELECT ${whole} FROM workflow w WHERE w.team_id = $team AND w.id = $id`,
);

/** Whether a person or program has a relation to the workflow `w`: owner, given it, a task of it, or owner of the document that it runs on. */
const relatedSql = `($principalId IN (w.owner_id, w.assigned_to) OR (w.status <> 'draft' AND owns_document($team, w.linked_document_id, $principalId)) OR participates($team, w.id, $principalId))`;

/** Whether no barrier around the document of the workflow `w` excludes the caller. `$user`: the person, null for a program. */
const insideSql = `NOT document_excludes($team, w.about_document_id, $user::uuid)`;

/** Whether somebody sees the workflow `w`. `$principalId`: whose workflows are seen, null for all of the team. */
export const visibleSql = `(($principalId::uuid IS NULL OR ${relatedSql}) AND ${insideSql})`;

/** Whether the barriers around the document of a workflow exclude a person, and whether that person is inside by emergency access only. */
export const barrierOfWorkflow = sqlStatement<TeamScopedId & { user: string | null }, { outside: boolean; emergency: boolean }>(
  `SELECT s.excluded AS outside, s.outsider AND NOT s.excluded AS emergency
   FROM workflow w CROSS JOIN LATERAL document_barrier_state($team, w.about_document_id, $user) s WHERE w.team_id = $team AND w.id = $id`,
);

/** A workflow that somebody has a relation to. Of another one nothing is read: it takes as long as one that is not there. */
export const findRelatedWorkflow = sqlStatement<TeamScopedId & { principalId: string }, StoredWorkflow>(
  `SELECT ${whole} FROM workflow w WHERE w.team_id = $team AND w.id = $id AND ${relatedSql}`,
);

/** The workflow that an act names, where whoever acts sees it: of one that they do not see nothing is locked either. */
const shownTo = (condition: string) =>
  `SELECT w.id FROM workflow w WHERE w.team_id = $team AND w.id = $workflow AND ${condition} AND ${insideSql}`;
export const shownWorkflow = { all: shownTo('true'), related: shownTo(relatedSql) };

/** Whether a workflow runs or ran on a document of somebody's. */
export const runsOnOwn = sqlStatement<TeamScopedId & { user: string }, { owns: boolean }>(
  `SELECT (w.status <> 'draft' AND owns_document($team, w.linked_document_id, $user)) AS owns FROM workflow w WHERE w.team_id = $team AND w.id = $id`,
);

/** Takes a workflow whose lock is held to another state; due dates move by as long as it was paused. */
export const transition = sqlStatement<TeamScopedId & { to: string; reason: string | null; at: Date }, never>(
  `UPDATE workflow SET status = $to, reason = coalesce($reason, reason), version = version + 1, updated_at = $at,
     started_at = CASE WHEN $to = 'active' THEN coalesce(started_at, $at) ELSE started_at END,
     paused_at = CASE WHEN $to = 'paused' THEN $at::timestamptz ELSE NULL END,
     completed_at = CASE WHEN $to IN ('completed', 'rejected', 'cancelled') THEN $at ELSE completed_at END,
     due_at = CASE WHEN $to = 'active' AND paused_at IS NOT NULL AND NOT due_fixed
       THEN least(due_at + ($at::timestamptz - paused_at), '9999-12-31 23:59:59.999Z') ELSE due_at END,
     due_fixed = false
   WHERE team_id = $team AND id = $id`,
);

/** A refusal has led back once more. */
export const noteReturn = sqlStatement<TeamScopedId, never>('UPDATE workflow SET returns = returns + 1 WHERE team_id = $team AND id = $id');

export const deleteWorkflow = sqlStatement<TeamScopedId, never>('DELETE FROM workflow WHERE team_id = $team AND id = $id');
