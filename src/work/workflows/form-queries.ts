import { sqlStatement } from '../../platform/database/statement.ts';

// What whoever has forms asks of the steps that name one.

export type FormStep = {
  /** As the step says it: of letters as they were given. */
  interface_id: string;
  /** By whose right it is filled in: who made the workflow, while they own it. */
  creator: string | null;
};

/** The form that a step names; no row where it names none. */
export const formOfStep = sqlStatement<{ team: string; workflow: string; step: string }, FormStep>(
  `SELECT s.config ->> 'interfaceId' AS interface_id, CASE WHEN w.owner_id = w.created_by THEN w.created_by END AS creator
   FROM workflow_step s JOIN workflow w ON w.team_id = $team AND w.id = s.workflow_id
   WHERE s.team_id = $team AND s.workflow_id = $workflow AND s.id = $step AND s.type = 'form' AND s.config ? 'interfaceId'`,
  { interface_id: 'asked for' },
);

/** The forms that the steps of a workflow name which have not begun, each with the place of its step. */
export const formsOfWorkflow = sqlStatement<{ team: string; workflow: string }, { position: number; interface_id: string }>(
  `SELECT position, config ->> 'interfaceId' AS interface_id FROM workflow_step
   WHERE team_id = $team AND workflow_id = $workflow AND type = 'form' AND status = 'pending' AND config ? 'interfaceId' ORDER BY position`,
  { interface_id: 'asked for' },
);
