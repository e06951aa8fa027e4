import { jsonThing, pageStatement } from '../../../platform/database/json-page.ts';
import type { Row, RowWithout } from '../../../platform/database/row.ts';
import { isoText } from '../../../platform/database/sorted-page.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';
import { eligibleSql } from '../eligible-queries.ts';
import { aboutFailedSteps } from '../kinds.ts';
import { taskColumns, type TaskRow } from '../queries.ts';

type DelegationKey = { team: string; user: string };

export type DelegationRow = RowWithout<'task_delegation', 'team_id'>;
const columns = 'user_id, to_user_id, starts_at, ends_at, kinds, open_tasks, given_by, version, created_at, updated_at';

export const findDelegation = sqlStatement<DelegationKey, DelegationRow>(
  `SELECT ${columns} FROM task_delegation WHERE team_id = $team AND user_id = $user`,
);
export const lockDelegation = sqlStatement<DelegationKey, DelegationRow>(
  `SELECT ${columns} FROM task_delegation WHERE team_id = $team AND user_id = $user FOR NO KEY UPDATE`,
);

type DelegationInput = DelegationKey & {
  to: string;
  from: Date;
  until: Date;
  kinds: readonly string[] | null;
  openTasks: boolean;
  by: string;
  at: Date;
};
/** Stores the delegation of a member and replaces the previous one. */
export const putDelegation = sqlStatement<DelegationInput, DelegationRow>(
  `INSERT INTO task_delegation (team_id, user_id, to_user_id, starts_at, ends_at, kinds, open_tasks, given_by, created_at, updated_at)
   VALUES ($team, $user, $to, $from, $until, $kinds, $openTasks, $by, $at, $at)
   ON CONFLICT (team_id, user_id) DO UPDATE SET to_user_id = excluded.to_user_id, starts_at = excluded.starts_at, ends_at = excluded.ends_at,
     kinds = excluded.kinds, open_tasks = excluded.open_tasks, given_by = excluded.given_by, version = task_delegation.version + 1, updated_at = $at
   RETURNING ${columns}`,
);
export const dropDelegation = sqlStatement<DelegationKey, DelegationRow>(
  `DELETE FROM task_delegation WHERE team_id = $team AND user_id = $user RETURNING ${columns}`,
);
/** Deletes the delegations in which a member is the absent member or the delegate. */
export const dropDelegationsWith = sqlStatement<DelegationKey, DelegationRow>(
  `DELETE FROM task_delegation WHERE team_id = $team AND (user_id = $user OR to_user_id = $user) RETURNING ${columns}`,
);
/** Deletes the delegations that a user set for other members. */
export const dropDelegationsBy = sqlStatement<DelegationKey, DelegationRow>(
  `DELETE FROM task_delegation WHERE team_id = $team AND given_by = $user AND user_id <> $user RETURNING ${columns}`,
);

const item = jsonThing({
  userId: 'd.user_id',
  toUserId: 'd.to_user_id',
  from: isoText('d.starts_at'),
  until: isoText('d.ends_at'),
  kinds: 'd.kinds',
  openTasks: 'd.open_tasks',
  givenBy: 'd.given_by',
  createdAt: isoText('d.created_at'),
  updatedAt: isoText('d.updated_at'),
});
/** Lists the delegations of the team (`principalId` null), or those in which `principalId` is the absent member or the delegate. */
export const listDelegations = pageStatement<{ team: string; principalId: string | null; after: string; now: Date; limit: number }>(
  `WITH page AS (
     SELECT d.* FROM task_delegation d WHERE d.team_id = $team AND d.ends_at > $now AND d.user_id > $after
       AND ($principalId::uuid IS NULL OR $principalId IN (d.user_id, d.to_user_id)) ORDER BY d.user_id LIMIT $limit + 1
   )`,
  { from: 'page d', item, order: 'd.user_id', key: ['d.user_id'] },
);

/**
 * Condition: the member `a` may be the delegate for a task. The delegate must be eligible and must not have created the task. Tasks about failed
 * steps and agent results need an owner or administrator. Questions about tool calls are not delegated, except where `calls`
 * holds: votes whose delegates are admitted.
 */
const mayStandInSql = (
  about: string,
  conflicted: string,
  calls = 'false',
) => `a.id <> t.created_by AND ${eligibleSql({ type: 't.type', about, conflicted })}
     AND (NOT (t.type = ANY ('{${aboutFailedSteps.join(',')},agent_result}')) OR a.role IN ('owner', 'admin')) AND (t.type NOT IN ('tool_approval', 'tool_outcome') OR ${calls})`;
// FOR SHARE keeps the delegate a member until the transaction ends. SKIP LOCKED waits for no lock: a delegate who is leaving gets no task.
const delegateSql = `SELECT a.id, a.role FROM member a WHERE a.team_id = $team AND a.id = d.to_user_id FOR SHARE OF a SKIP LOCKED`;
const isActiveDelegationSql = `d.team_id = $team AND d.user_id = t.assigned_to AND d.starts_at <= $now AND d.ends_at > $now
     AND (d.kinds IS NULL OR t.type = ANY (d.kinds))`;

/** Returns a row if the team has a delegation, current or future. Most teams have none and skip {@link delegatesOfTasks}. */
export const someDelegation = sqlStatement<{ team: string }, unknown>('SELECT FROM task_delegation WHERE team_id = $team LIMIT 1');

const conflicted = `SELECT c.person FROM conflicted_with($team, t.created_by, t.linked_document_id, t.document_version, NULL) c WHERE t.approval_round_id IS NULL
       UNION ALL SELECT e.person FROM excluded_from_round($team, t.approval_round_id) e`;
/** For tasks (a JSON array) whose assignees are absent, returns the delegates who may do them. */
export const delegatesOfTasks = sqlStatement<{ team: string; tasks: string; now: Date }, { id: string; delegate: string }>(
  `SELECT t.id, a.id AS delegate
   FROM jsonb_to_recordset($tasks) AS t(id uuid, type text, assigned_to uuid, created_by uuid, about uuid, linked_document_id uuid, document_version integer, approval_round_id uuid)
   JOIN task_delegation d ON ${isActiveDelegationSql}
   CROSS JOIN LATERAL (${delegateSql}) a
   WHERE ${mayStandInSql('t.about', conflicted, 't.approval_round_id IS NOT NULL')} AND EXISTS (SELECT FROM member a WHERE a.team_id = $team AND a.id = d.user_id)`,
  { id: 'every task in the array has an id' },
);

/** The open tasks of an absent member that the delegation covers. Sorted by identifier. */
export const openTasksOf = sqlStatement<DelegationKey & { now: Date; limit: number }, Row<'task', 'id' | 'workflow_id'>>(
  `SELECT t.id, t.workflow_id FROM task t JOIN task_delegation d ON ${isActiveDelegationSql} AND d.open_tasks
   WHERE t.team_id = $team AND t.assigned_to = $user AND t.status = 'open' ORDER BY t.id LIMIT $limit`,
);

/** Assigns an open task to the delegate if the delegate may do it. The caller must have locked the task. */
export const assignToDelegate = sqlStatement<{ team: string; id: string; now: Date }, TaskRow>(
  `UPDATE task SET assigned_to = given.delegate, assigned_group_id = NULL, assigned_at = $now, delegated_from = coalesce(task.delegated_from, task.assigned_to),
     on_behalf_of = task.assigned_to, version = task.version + 1, updated_at = $now
   FROM (
     SELECT a.id AS delegate FROM task t JOIN task_delegation d ON ${isActiveDelegationSql} AND d.open_tasks
     CROSS JOIN LATERAL (${delegateSql}) a
     WHERE t.team_id = $team AND t.id = $id AND ${mayStandInSql('t.about_document_id', 'SELECT c.person FROM conflicted_persons($team, t.id) c')}
   ) given
   WHERE task.team_id = $team AND task.id = $id AND task.status = 'open' RETURNING ${taskColumns}`,
);
