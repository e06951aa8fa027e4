import { eligibleSql } from '#tasks';
import { conflictedOfStepSql } from './document-queries.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';

/** Maximum number of members of groups that get a task of a step with the mode `all`. */
export const maxOfGroups = 100;

/**
 * The members of the groups of each step with the mode `all` who may do it now, by identifier. One more than {@link maxOfGroups} shows that there are too
 * many.
 */
export const membersOfGroups = sqlStatement<TeamScopedId, { id: string; people: string[] }>(
  `SELECT s.id, ARRAY(
     SELECT DISTINCT a.id FROM unnest(s.groups) AS g(id) CROSS JOIN LATERAL access_group_members($team, g.id) AS m(id) JOIN member a ON a.team_id = $team AND a.id = m.id
     WHERE ${eligibleSql({ type: 's.type', about: 'w.about_document_id', conflicted: conflictedOfStepSql })}
     ORDER BY a.id LIMIT ${maxOfGroups + 1}
   ) AS people
   FROM workflow w JOIN workflow_step s ON s.team_id = $team AND s.workflow_id = w.id
   WHERE w.team_id = $team AND w.id = $id AND s.groups <> '{}' AND s.mode = 'all'`,
);

/** Replaces the groups of a step by members. `vacant`: no eligible member was found. */
export const settleGroups = sqlStatement<TeamScopedId & { step: string; people: readonly string[]; vacant: boolean }, never>(
  `UPDATE workflow_step SET assignees = $people::uuid[], groups = '{}', vacant = $vacant WHERE team_id = $team AND workflow_id = $id AND id = $step`,
);

/** Removes a deleted group from the pending and active steps of unfinished workflows, which the caller has locked. A step without other assignees is vacant. */
export const dropGroup = sqlStatement<{ team: string; group: string }, never>(
  `UPDATE workflow_step s SET groups = array_remove(s.groups, $group::uuid),
     vacant = s.vacant OR (cardinality(s.groups) = 1 AND s.assignees = '{}' AND s.roles = '{}')
   FROM workflow w
   WHERE s.team_id = $team AND s.groups <> '{}' AND $group::uuid = ANY (s.groups) AND w.team_id = $team AND w.id = s.workflow_id
     AND w.status IN ('draft', 'active', 'paused')`,
);
