import { lockWorkflowSql } from '#tasks';
import { sqlStatement } from '../../platform/database/statement.ts';
import { shownWorkflow } from './queries.ts';

type All = { team: string; workflow: string; user: string | null };
type RelatedWorkflowLock = All & { principalId: string };
const lockSeen = (named: string) => sqlStatement<RelatedWorkflowLock, { id: string }>(lockWorkflowSql({ named }));

// Most workflows name no role. For those no member is read.
const rolesOf = (workflow: string) => {
  const steps = `FROM workflow_step s WHERE s.team_id = $team AND s.workflow_id = ${workflow}`;
  return `SELECT a.id FROM member a WHERE a.team_id = $team AND EXISTS (SELECT ${steps} AND s.roles <> '{}') AND a.role = ANY (ARRAY(SELECT unnest(s.roles) ${steps}))
     ORDER BY a.id FOR SHARE OF a`;
};
const lockSeenWithRoles = (named: string) => sqlStatement<RelatedWorkflowLock, { id: string }>(lockWorkflowSql({ first: rolesOf, named }));

/** Locks a workflow that is related to a person or API client. `all` is for actors who see all workflows of the team. */
export const lockSeenWorkflow = {
  all: sqlStatement<All, { id: string }>(lockWorkflowSql({ named: shownWorkflow.all })),
  related: lockSeen(shownWorkflow.related),
};

/** Like {@link lockSeenWorkflow}, but first locks the members with the roles of the steps. They then keep these roles until the transaction ends. */
export const lockSeenWorkflowWithRoles = {
  all: sqlStatement<All, { id: string }>(lockWorkflowSql({ first: rolesOf, named: shownWorkflow.all })),
  related: lockSeenWithRoles(shownWorkflow.related),
};
