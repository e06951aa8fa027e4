import { lockWorkflowSql } from '#tasks';
import { sqlStatement } from '../../platform/database/statement.ts';
import { shownWorkflow } from './queries.ts';

type All = { team: string; workflow: string; user: string | null };
type RelatedWorkflowLock = All & { principalId: string };
const lockSeen = (named: string) => sqlStatement<RelatedWorkflowLock, { id: string }>(lockWorkflowSql({ named }));

// Most workflows name no role: of these nobody of the team is looked at.
const rolesOf = (workflow: string) => {
  const steps = `FROM workflow_step s WHERE s.team_id = $team AND s.workflow_id = ${workflow}`;
  return `SELECT a.id FROM member a WHERE a.team_id = $team AND EXISTS (SELECT ${steps} AND s.roles <> '{}') AND a.role = ANY (ARRAY(SELECT unnest(s.roles) ${steps}))
     ORDER BY a.id FOR SHARE OF a`;
};
const lockSeenWithRoles = (named: string) => sqlStatement<RelatedWorkflowLock, { id: string }>(lockWorkflowSql({ first: rolesOf, named }));

/** The lock of a workflow for a person or program with a relation to it; `all` is for who sees those of the team. */
export const lockSeenWorkflow = {
  all: sqlStatement<All, { id: string }>(lockWorkflowSql({ named: shownWorkflow.all })),
  related: lockSeen(shownWorkflow.related),
};

/** The same, after the members of the roles that its steps name, who stay that until the transaction ends. */
export const lockSeenWorkflowWithRoles = {
  all: sqlStatement<All, { id: string }>(lockWorkflowSql({ first: rolesOf, named: shownWorkflow.all })),
  related: lockSeenWithRoles(shownWorkflow.related),
};
