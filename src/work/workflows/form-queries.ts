import { sqlStatement } from '../../platform/database/statement.ts';

// Queries of the domain of forms about steps that name a form.

export type FormStep = {
  /** The identifier of the form, in upper or lower case as the step gives it. */
  interface_id: string;
  /** The creator of the workflow, whose rights the form uses; null if they no longer own the workflow. */
  creator: string | null;
};

/** The form of a step; returns no row without a form. */
export const formOfStep = sqlStatement<{ team: string; workflow: string; step: string }, FormStep>(
  `SELECT s.config ->> 'interfaceId' AS interface_id, CASE WHEN w.owner_id = w.created_by THEN w.created_by END AS creator
   FROM workflow_step s JOIN workflow w ON w.team_id = $team AND w.id = s.workflow_id
   WHERE s.team_id = $team AND s.workflow_id = $workflow AND s.id = $step AND s.type = 'form' AND s.config ? 'interfaceId'`,
  { interface_id: 'the condition requires it' },
);

/** The forms of the pending steps of a workflow, each with the position of its step. */
export const formsOfWorkflow = sqlStatement<{ team: string; workflow: string }, { position: number; interface_id: string }>(
  `SELECT position, config ->> 'interfaceId' AS interface_id FROM workflow_step
   WHERE team_id = $team AND workflow_id = $workflow AND type = 'form' AND status = 'pending' AND config ? 'interfaceId' ORDER BY position`,
  { interface_id: 'the condition requires it' },
);
