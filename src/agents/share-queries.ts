import { sqlStatement } from '../platform/database/statement.ts';

export type ShareRow = { id: string; agent_id: string; user_id: string | null; created_by: string; created_at: string };
const columns = 'id, agent_id, user_id, created_by, created_at';
type OfAgent = { team: string; agent: string };

/** With a member, or all of them where `user` is null; a second share with the same stays the first. */
export const putShare = sqlStatement<OfAgent & { id: string; user: string | null; by: string; at: Date }, ShareRow>(
  `INSERT INTO agent_share (team_id, id, agent_id, user_id, created_by, created_at) VALUES ($team, $id, $agent, $user, $by, $at)
   ON CONFLICT ON CONSTRAINT agent_share_once DO UPDATE SET created_by = excluded.created_by
   RETURNING ${columns}`,
);

export const listShares = sqlStatement<OfAgent, ShareRow>(
  `SELECT ${columns} FROM agent_share WHERE team_id = $team AND agent_id = $agent ORDER BY id LIMIT 10000`,
);

export const deleteShare = sqlStatement<OfAgent & { id: string }, ShareRow>(
  `DELETE FROM agent_share WHERE team_id = $team AND agent_id = $agent AND id = $id RETURNING ${columns}`,
);

/** Ends all that somebody who leaves was given. */
export const dropSharesWith = sqlStatement<{ team: string; user: string }, never>(
  'DELETE FROM agent_share WHERE team_id = $team AND user_id = $user',
);
