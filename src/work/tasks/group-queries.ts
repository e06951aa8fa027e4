import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';
import { eligibleSql } from './eligible-queries.ts';
import { taskColumns, type TaskRow } from './queries.ts';

/** Maximum number of members that get a mail about a new task of their group. */
const maxCandidates = 100;

/** The members who can claim each of several open tasks of groups, at most {@link maxCandidates}, the first by identifier. */
export const candidatesOf = sqlStatement<{ team: string; tasks: readonly string[] }, { task: string; people: string[] }>(
  `SELECT t.id AS task, ARRAY(
     SELECT a.id FROM access_group_members($team, t.assigned_group_id) AS m(id) JOIN member a ON a.team_id = $team AND a.id = m.id
     WHERE ${eligibleSql({ type: 't.type', about: 't.about_document_id', conflicted: 'SELECT c.person FROM conflicted_persons($team, t.id) c' })}
     ORDER BY a.id LIMIT ${maxCandidates}
   ) AS people
   FROM unnest($tasks::uuid[]) AS one(id) CROSS JOIN LATERAL (SELECT * FROM task o WHERE o.team_id = $team AND o.id = one.id OFFSET 0) t`,
);

/** Assigns an unclaimed open task of a group to a person. Returns no row if it is claimed. The caller has locked it. */
export const claim = sqlStatement<TeamScopedId & { user: string; at: Date }, TaskRow>(
  `UPDATE task SET assigned_to = $user, assigned_at = $at, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id AND status = 'open' AND assigned_to IS NULL AND assigned_group_id IS NOT NULL RETURNING ${taskColumns}`,
);

/** Gives claimed open tasks back to their groups. `assigned_from`: the previous assignee. */
export const release = sqlStatement<{ team: string; ids: readonly string[]; at: Date }, TaskRow & { assigned_from: string }>(
  `WITH locked AS (
     SELECT t.id, t.assigned_to FROM task t
     WHERE t.team_id = $team AND t.id = ANY ($ids) AND t.status = 'open' AND t.assigned_to IS NOT NULL AND t.assigned_group_id IS NOT NULL
     ORDER BY t.id FOR NO KEY UPDATE
   )
   UPDATE task SET assigned_to = NULL, on_behalf_of = NULL, assigned_at = $at, version = task.version + 1, updated_at = $at FROM locked
   WHERE task.team_id = $team AND task.id = locked.id RETURNING ${taskColumns}, locked.assigned_to AS assigned_from`,
);

type OfGroup = { team: string; group: string; at: Date };
const lockedOfGroup = (where: string) => `WITH locked AS (
     SELECT t.id, t.assigned_to FROM task t WHERE t.team_id = $team AND t.assigned_group_id = $group AND t.status = 'open'${where}
     ORDER BY t.id FOR NO KEY UPDATE
   )`;
/** Takes the open tasks from a group that is deleted. Claimed ones stay with their assignees. */
export const leaveGroup = sqlStatement<OfGroup, TaskRow>(
  `${lockedOfGroup('')}
   UPDATE task SET assigned_group_id = NULL, version = task.version + 1, updated_at = $at FROM locked
   WHERE task.team_id = $team AND task.id = locked.id RETURNING ${taskColumns}`,
);
/** Takes an open task from its group and its assignee. Returns no row if the task has another group now. */
export const withdrawFromGroup = sqlStatement<OfGroup & { id: string }, TaskRow & { assigned_from: string | null }>(
  `${lockedOfGroup(' AND t.id = $id')}
   UPDATE task SET assigned_group_id = NULL, assigned_to = NULL, on_behalf_of = NULL, assigned_at = $at, version = task.version + 1, updated_at = $at FROM locked
   WHERE task.team_id = $team AND task.id = locked.id RETURNING ${taskColumns}, locked.assigned_to AS assigned_from`,
);

/** Users who have claimed open tasks of a group. */
export const claimants = sqlStatement<{ team: string; group: string; users: readonly string[] }, { user: string }>(
  `SELECT DISTINCT assigned_to AS user FROM task
   WHERE team_id = $team AND assigned_group_id = $group AND status = 'open' AND assigned_to = ANY ($users::uuid[]) ORDER BY 1`,
);

/** Maximum number of waiting tasks that one mail is about. */
const maxWaiting = 1_000;
/** The unclaimed open tasks of a group without an active member. Without `group`, those of all such groups. */
export const waitingTasks = sqlStatement<{ team: string; group: string | null }, TaskRow>(
  `SELECT ${taskColumns} FROM task
   WHERE team_id = $team AND status = 'open' AND assigned_group_id IS NOT NULL AND assigned_to IS NULL
     AND ($group::uuid IS NULL OR assigned_group_id = $group) AND NOT EXISTS (SELECT FROM access_group_members($team, assigned_group_id))
   ORDER BY id LIMIT ${maxWaiting}`,
);
