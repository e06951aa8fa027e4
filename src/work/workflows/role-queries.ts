import { eligibleSql } from '#tasks';
import { conflictedOfStepSql } from './document-queries.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';

/** Maximum number of members of a role that a step is assigned to. */
export const maxOfRole = 20;

/** The members that each step with roles would be assigned to now: at most {@link maxOfRole}, the first by identifier. */
export const peopleOfRoles = sqlStatement<TeamScopedId, { id: string; people: string[] }>(
  `SELECT s.id, ARRAY(
     SELECT e.id FROM (SELECT a.id FROM member a WHERE a.team_id = $team AND a.role = ANY (s.roles)
       AND ${eligibleSql({ type: 's.type', about: 'w.about_document_id', conflicted: conflictedOfStepSql })}
     ) e ORDER BY e.id LIMIT ${maxOfRole}
   ) AS people
   FROM workflow w JOIN workflow_step s ON s.team_id = $team AND s.workflow_id = w.id
   WHERE w.team_id = $team AND w.id = $id AND s.roles <> '{}'`,
);

/** Replaces the roles of a step by members. `vacant`: the decision has no eligible member. */
export const storeStepAssignees = sqlStatement<TeamScopedId & { step: string; people: readonly string[]; vacant: boolean }, never>(
  `UPDATE workflow_step SET assignees = $people::uuid[], roles = '{}', vacant = $vacant WHERE team_id = $team AND workflow_id = $id AND id = $step`,
);

/**
 * Locks the members with these roles, so that they keep them until the transaction ends. The workflow is locked afterwards, in the same order as an
 * offboarding.
 */
export const lockMembersWithRoles = sqlStatement<{ team: string; roles: readonly string[] }, never>(
  `SELECT a.id FROM member a WHERE a.team_id = $team AND a.role = ANY ($roles::text[]) ORDER BY a.id FOR SHARE OF a`,
);
