import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';

/** The language of the submission that started a workflow. */
export const localeOfWorkflow = sqlStatement<TeamScopedId, { locale: string | null }>(
  'SELECT locale FROM workflow WHERE team_id = $team AND id = $id',
);
export const setLocaleOfWorkflow = sqlStatement<TeamScopedId & { locale: string }, never>(
  'UPDATE workflow SET locale = $locale WHERE team_id = $team AND id = $id',
);
