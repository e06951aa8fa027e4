import { sqlStatement } from '../../../platform/database/statement.ts';

export type ConsentRow = { origin: string; models: string[]; max_cost_per_day: number | null; given_by: string; given_at: string };

export const findConsent = sqlStatement<{ team: string }, ConsentRow>(
  'SELECT origin, models, max_cost_per_day, given_by, given_at FROM agent_consent WHERE team_id = $team',
);
export const giveConsent = sqlStatement<
  { team: string; origin: string; models: readonly string[]; cost: number | null; by: string; at: Date },
  never
>(
  `INSERT INTO agent_consent (team_id, origin, models, max_cost_per_day, given_by, given_at) VALUES ($team, $origin, $models, $cost, $by, $at)
   ON CONFLICT (team_id) DO UPDATE SET origin = excluded.origin, models = excluded.models, max_cost_per_day = excluded.max_cost_per_day,
     given_by = excluded.given_by, given_at = excluded.given_at`,
);
export const endConsent = sqlStatement<{ team: string }, { origin: string }>(
  'DELETE FROM agent_consent WHERE team_id = $team RETURNING origin',
);
