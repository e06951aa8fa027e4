import { sqlStatement } from '../../../platform/database/statement.ts';

type RunParams = { team: string; run: string };

/** Inserts the next event of a run. The caller must hold the lock of the run. */
export const insertEvent = sqlStatement<RunParams & { type: string; data: string; at: Date }, never>(
  `WITH counted AS (UPDATE agent_run SET events = events + 1 WHERE team_id = $team AND id = $run RETURNING events)
   INSERT INTO agent_run_event (team_id, run_id, seq, type, data, at) SELECT $team, $run, events, $type, $data::jsonb, $at FROM counted`,
);

export type EventRow = { seq: number; type: string; data: Record<string, unknown>; at: string; text: string | null };
/** The events of a run after an event, in order. The event of a step includes the start of its text. */
export const eventsAfter = sqlStatement<RunParams & { after: number; limit: number }, EventRow>(
  `SELECT e.seq, e.type, e.data, e.at, left(s.content ->> 'text', 65536) AS text
   FROM agent_run_event e LEFT JOIN agent_run_step s
     ON e.type = 'step.finished' AND s.team_id = e.team_id AND s.run_id = e.run_id AND s.step = (e.data ->> 'step')::integer
   WHERE e.team_id = $team AND e.run_id = $run AND e.seq > $after ORDER BY e.seq LIMIT $limit`,
);
