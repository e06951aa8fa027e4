import { sqlStatement } from '../../platform/database/statement.ts';
import { successorSql } from './eligible-queries.ts';
import { taskColumns, type TaskRow } from './queries.ts';

type Leaving = { team: string; from: string; to: string; at: Date };

/**
 * Transfers the tasks of a member who leaves to the successor. The successor becomes the owner of the tasks, and the user who linked the documents of
 * the open ones. The member is removed as participant and as absent member.
 */
export const transferTasks = sqlStatement<Leaving, never>(
  `WITH theirs AS MATERIALIZED (
     SELECT id FROM task WHERE team_id = $team AND owner_id = $from
     UNION SELECT id FROM task WHERE team_id = $team AND participant_id = $from
     UNION SELECT id FROM task WHERE team_id = $team AND on_behalf_of = $from
     UNION SELECT id FROM task WHERE team_id = $team AND linked_by = $from AND status = 'open'
   ),
   locked AS (SELECT t.id FROM task t WHERE t.team_id = $team AND t.id IN (SELECT id FROM theirs) ORDER BY t.id FOR NO KEY UPDATE)
   UPDATE task t SET owner_id = CASE WHEN t.owner_id = $from THEN $to ELSE t.owner_id END,
     linked_by = CASE WHEN t.linked_by = $from AND t.status = 'open' THEN $to ELSE t.linked_by END,
     participant_id = nullif(t.participant_id, $from), on_behalf_of = nullif(t.on_behalf_of, $from),
     version = CASE WHEN t.on_behalf_of = $from THEN t.version + 1 ELSE t.version END,
     updated_at = CASE WHEN t.on_behalf_of = $from THEN $at ELSE t.updated_at END
   FROM locked WHERE t.team_id = $team AND t.id = locked.id`,
);

/** Assigns the open tasks of a member who leaves to an eligible person. A vote has no successor, because the rules of its round chose the member. */
export const handOverTasks = sqlStatement<Leaving, TaskRow>(
  `WITH handed AS (
     SELECT t.id, CASE WHEN t.approval_round_id IS NULL THEN ${successorSql({ type: 't.type', about: 't.about_document_id', conflicted: 'SELECT c.person FROM conflicted_persons($team, t.id) c' })} END AS heir
     FROM task t WHERE t.team_id = $team AND t.assigned_to = $from AND t.status = 'open'
   )
   UPDATE task SET assigned_to = handed.heir, on_behalf_of = NULL, assigned_at = $at, version = version + 1, updated_at = $at
   FROM handed WHERE task.team_id = $team AND task.id = handed.id RETURNING ${taskColumns}`,
);
