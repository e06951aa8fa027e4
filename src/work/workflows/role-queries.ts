import { eligibleSql } from '#tasks';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';

/** People of a role whom a step is given to at most. */
export const maxOfRole = 20;

/** Whom each step that names roles would be given to now: at most {@link maxOfRole} of them, the first by identifier. */
export const peopleOfRoles = sqlStatement<TeamScopedId, { id: string; people: string[] }>(
  `SELECT s.id, ARRAY(
     SELECT e.id FROM (SELECT a.id FROM member a WHERE a.team_id = $team AND a.role = ANY (s.roles)
       AND ${eligibleSql({ type: 's.type', about: 'w.about_document_id', conflicted: 'SELECT conflicted_of_workflow($team, w.created_by, w.linked_document_id)' })}
     ) e ORDER BY e.id LIMIT ${maxOfRole}
   ) AS people
   FROM workflow w JOIN workflow_step s ON s.team_id = $team AND s.workflow_id = w.id
   WHERE w.team_id = $team AND w.id = $id AND s.roles <> '{}'`,
);

/** Roles have become people; with `vacant` there are none, and nobody else decides. */
export const settleRoles = sqlStatement<TeamScopedId & { step: string; people: readonly string[]; vacant: boolean }, never>(
  `UPDATE workflow_step SET assignees = $people::uuid[], roles = '{}', vacant = $vacant WHERE team_id = $team AND workflow_id = $id AND id = $step`,
);

/**
 * Holds the members of roles, who stay that until the transaction ends: of these, or of those that the steps of a workflow name, which is
 * locked after them. Whoever leaves is taken in the same order.
 */
export const holdRoles = sqlStatement<{ team: string; roles: readonly string[] }, never>(
  `SELECT a.id FROM member a WHERE a.team_id = $team AND a.role = ANY ($roles::text[]) ORDER BY a.id FOR SHARE OF a`,
);
