import type { ResourceName } from '#access';
import { relatedToWorkflowSql } from '#tasks';
import type { Row, RowWithout } from '../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';

/** A row of a step; times are ISO text. */
export type StepRow = RowWithout<
  'workflow_step',
  'config' | 'groups' | 'nonce' | 'position' | 'request_id' | 'roles' | 'team_id' | 'vacant' | 'wait_left' | 'workflow_id'
> & {
  /** Roles whose members become the assignees when the step begins. Empty after the step has begun. */
  roles: string[];
  /** The groups whose members do the step. With the mode `all` they become the assignees when the step begins, and this is empty afterwards. */
  groups: string[];
  /**
   * Whether an assignee left and no other member may decide. Then the step has one task without an assignee, in addition to those of the assignees.
   */
  vacant: boolean;
  config: Record<string, unknown>;
  /** The nonce of the callback that the step waits for. Valid only for this run of the step. */
  nonce: string | null;
  /** The signature request that the step waits for, or that ended it. */
  request_id: string | null;
  task_ids: string[];
};

/** A document of a workflow. */
export type DocumentRow = {
  name: string;
  /** The document in this service or in another system. */
  document_id: string;
  /** The document, if it is one of the team; null after its deletion. */
  linked_document_id: string | null;
  /** The user who linked the document. Tasks grant access with the rights of that user. */
  linked_by: string | null;
  /** The document of the team, kept after its deletion; or the matter of a workflow without one. */
  about_document_id: string | null;
  /** Whether the workflow controls the status of the document and may reject versions. Set at the start. */
  leads: boolean;
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
  | 'container_id'
  | 'due_at'
  | 'reason'
  | 'started_at'
  | 'paused_at'
  | 'submission_id'
  | 'omitted_documents'
  | 'completed_at'
  | 'version'
  | 'created_at'
  | 'updated_at'
> & {
  /** The document, if it is one of the team; null after its deletion. */
  linked_document_id: string | null;
  /** The user who linked the document. Tasks grant access with the rights of that user. */
  linked_by: string | null;
  /** The document, kept after its deletion; the matter of a workflow without one; the workflow itself if it has several documents. */
  about_document_id: string | null;
  /** The documents by their position. The first is also in the columns above. */
  documents: DocumentRow[];
  /** The number of times that a rejection sent the workflow back. */
  returns: number;
  /** The version of the team template that it was created from. */
  template_version: number | null;
  /** The persons in the parameters of its template, by name. */
  people: Record<string, string>;
  /** Whether a document of the workflow is behind a barrier now. */
  barred: boolean;
  /** Whether the team has a delegation, current or future. */
  some_stand_in: boolean;
  steps: StepRow[];
};

/**
 * A workflow in memory. `written`: this transaction has already increased its version. `emergency`: the caller has only emergency access to the
 * document and cannot change the workflow.
 */
export type WorkflowRow = StoredWorkflow & { written?: boolean; emergency?: boolean };

const iso = (column: string) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

// One query reads a workflow, its documents, its steps and their tasks.
const whole = `w.id, w.name, w.type, w.status, w.document_id, w.linked_document_id, w.about_document_id, w.linked_by, w.assigned_to, w.created_by, w.created_by_type, w.owner_id, w.container_id, w.due_at, w.reason,
  w.started_at, w.paused_at, w.completed_at, w.returns, w.template_version, w.submission_id, w.omitted_documents, w.people, w.version, w.created_at, w.updated_at,
  (SELECT coalesce(json_agg(json_build_object('name', d.name, 'document_id', d.document_id, 'linked_document_id', d.linked_document_id, 'linked_by', d.linked_by,
     'about_document_id', d.about_document_id, 'leads', d.leads) ORDER BY d.position), '[]')
   FROM workflow_document d WHERE d.team_id = $team AND d.workflow_id = w.id) AS documents,
  document_is_barred(w.team_id, w.about_document_id) AS barred, has_delegations(w.team_id) AS some_stand_in,
  (SELECT coalesce(json_agg(json_build_object('id', s.id, 'type', s.type, 'name', s.name, 'description', s.description, 'assignees', s.assignees,
     'roles', s.roles, 'groups', s.groups, 'vacant', s.vacant, 'mode', s.mode, 'depends_on', s.depends_on, 'due_in_days', s.due_in_days, 'config', s.config, 'status', s.status,
     'started_at', ${iso('s.started_at')}, 'completed_at', ${iso('s.completed_at')}, 'outcome', s.outcome, 'detail', s.detail, 'wake_at', ${iso('s.wake_at')}, 'nonce', s.nonce, 'request_id', s.request_id,
     'task_ids', task_ids_of_step($team, w.id, s.id)
   ) ORDER BY s.position), '[]') FROM workflow_step s WHERE s.team_id = $team AND s.workflow_id = w.id) AS steps`;

export const findWorkflow = sqlStatement<TeamScopedId, StoredWorkflow>(
  `SELECT ${whole} FROM workflow w WHERE w.team_id = $team AND w.id = $id`,
);

/** Condition: no barrier around a document of the workflow `w` excludes the caller. `$user`: the person, or null for an API client. */
const insideSql = `NOT document_excludes($team, w.about_document_id, $user::uuid)`;

/**
 * Condition: the caller may see the workflow `w`. `$principalId`: the person or API client whose workflows are visible, or null for all of the team.
 */
export const visibleSql = `(($principalId::uuid IS NULL OR ${relatedToWorkflowSql}) AND ${insideSql})`;

/** The names of the workflows among these identifiers that the caller may see. */
export const workflowsNamed = sqlStatement<
  { team: string; ids: readonly string[]; principalId: string | null; user: string | null },
  ResourceName
>(
  `SELECT w.id, w.name FROM (SELECT unnest($ids::uuid[]) AS id) named
   CROSS JOIN LATERAL (SELECT * FROM workflow o WHERE o.team_id = $team AND o.id = named.id OFFSET 0) w
   WHERE ${visibleSql}`,
);

/** Whether the barriers around the document of a workflow exclude a person, and whether that person has emergency access only. */
export const barrierOfWorkflow = sqlStatement<TeamScopedId & { user: string | null }, { outside: boolean; emergency: boolean }>(
  `SELECT s.excluded AS outside, s.outsider AND NOT s.excluded AS emergency
   FROM workflow w CROSS JOIN LATERAL document_barrier_state($team, w.about_document_id, $user) s WHERE w.team_id = $team AND w.id = $id`,
);

/**
 * A workflow that is related to a person or API client. Reads nothing of other workflows, so an invisible workflow takes as long as a missing one.
 */
export const findRelatedWorkflow = sqlStatement<TeamScopedId & { principalId: string }, StoredWorkflow>(
  `SELECT ${whole} FROM workflow w WHERE w.team_id = $team AND w.id = $id AND ${relatedToWorkflowSql}`,
);

/** Finds the workflow of a request if the actor may see it. Does not lock an invisible workflow. */
const shownTo = (condition: string) =>
  `SELECT w.id FROM workflow w WHERE w.team_id = $team AND w.id = $workflow AND ${condition} AND ${insideSql}`;
export const shownWorkflow = { all: shownTo('true'), related: shownTo(relatedToWorkflowSql) };

/** Whether a workflow runs or ran on a document that the user owns. */
export const runsOnOwn = sqlStatement<TeamScopedId & { user: string }, { owns: boolean }>(
  `SELECT (w.status <> 'draft' AND coalesce(owns_document_of_workflow($team, w.id, $user), false)) AS owns FROM workflow w WHERE w.team_id = $team AND w.id = $id`,
);

/** Changes the status of a locked workflow. After a pause, its due date moves by the length of the pause. */
export const transition = sqlStatement<TeamScopedId & { to: string; reason: string | null; at: Date }, never>(
  `UPDATE workflow SET status = $to, reason = coalesce($reason, reason), version = version + 1, updated_at = $at,
     started_at = CASE WHEN $to = 'active' THEN coalesce(started_at, $at) ELSE started_at END,
     paused_at = CASE WHEN $to = 'paused' THEN $at::timestamptz ELSE NULL END,
     completed_at = CASE WHEN $to IN ('completed', 'rejected', 'cancelled') THEN $at ELSE completed_at END,
     due_at = CASE WHEN $to = 'active' AND paused_at IS NOT NULL AND due_at IS NOT NULL AND NOT due_fixed
       THEN least(due_at + ($at::timestamptz - paused_at), '9999-12-31 23:59:59.999Z') ELSE due_at END,
     due_fixed = false
   WHERE team_id = $team AND id = $id`,
);

/** Counts a return after a rejection. */
export const countReturn = sqlStatement<TeamScopedId, never>(
  'UPDATE workflow SET returns = returns + 1 WHERE team_id = $team AND id = $id',
);

export const deleteWorkflow = sqlStatement<TeamScopedId, never>('DELETE FROM workflow WHERE team_id = $team AND id = $id');

/** Puts a workflow without a document of the team into a matter, or out of it. */
export const setMatter = sqlStatement<TeamScopedId & { matter: string | null; at: Date }, never>(
  'UPDATE workflow SET container_id = $matter, version = version + 1, updated_at = $at WHERE team_id = $team AND id = $id AND linked_document_id IS NULL',
);
