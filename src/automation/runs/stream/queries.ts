import { sqlStatement } from '../../../platform/database/statement.ts';

type Run = { team: string; run: string };

/** Writes the next event of a run. Whoever writes holds the lock of the run. */
export const insertEvent = sqlStatement<Run & { type: string; data: string; at: Date }, never>(
  `WITH counted AS (UPDATE agent_run SET events = events + 1 WHERE team_id = $team AND id = $run RETURNING events)
   INSERT INTO agent_run_event (team_id, run_id, seq, type, data, at) SELECT $team, $run, events, $type, $data::jsonb, $at FROM counted`,
);

export type EventRow = { seq: number; type: string; data: Record<string, unknown>; at: string; text: string | null };
/** Events of a run after one of them, in order; that of a step with the beginning of what the model said in it. */
export const eventsAfter = sqlStatement<Run & { after: number; limit: number }, EventRow>(
  `SELECT e.seq, e.type, e.data, e.at, left(s.content ->> 'text', 65536) AS text
   FROM agent_run_event e LEFT JOIN agent_run_step s
     ON e.type = 'step.finished' AND s.team_id = e.team_id AND s.run_id = e.run_id AND s.step = (e.data ->> 'step')::integer
   WHERE e.team_id = $team AND e.run_id = $run AND e.seq > $after ORDER BY e.seq LIMIT $limit`,
);
