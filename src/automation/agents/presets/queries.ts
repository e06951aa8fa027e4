import { sqlStatement } from '../../../platform/database/statement.ts';

/** The files and settings of a preset when it was last applied to an agent. */
export type Applied = { files: Record<string, string>; settings: Record<string, unknown> };
type AgentKey = { team: string; agent: string };

export const findApplied = sqlStatement<AgentKey, { preset_id: string; applied: Applied }>(
  'SELECT preset_id, applied FROM agent_preset WHERE team_id = $team AND agent_id = $agent',
);

export const putApplied = sqlStatement<AgentKey & { preset: string; applied: string; by: string; at: Date }, never>(
  `INSERT INTO agent_preset (team_id, agent_id, preset_id, applied, applied_by, applied_at)
   VALUES ($team, $agent, $preset, $applied, $by, $at)
   ON CONFLICT (team_id, agent_id) DO UPDATE SET preset_id = excluded.preset_id, applied = excluded.applied,
     applied_by = excluded.applied_by, applied_at = excluded.applied_at`,
);
