import { noBarrier } from '#access';
import { sqlStatement } from '../../platform/database/statement.ts';

// The subjects of a run are the resources that its calls have read. The erasure of a subject deletes the transcript.

type OfRun = { team: string; run: string };

/** Stores which of these identifiers are subjects of the run. */
export const storeSubjects = sqlStatement<OfRun & { ids: readonly string[] }, never>(
  `INSERT INTO agent_run_subject (team_id, run_id, type, id)
   SELECT $team, $run, named.type, named.id FROM agent_run_subjects($team, $ids::uuid[]) AS named ON CONFLICT DO NOTHING`,
);

/** The runs that have read a submission. */
export const runsThatRead = sqlStatement<{ team: string; submission: string }, { id: string; over: boolean }>(
  `SELECT r.id, r.finished_at IS NOT NULL AS over FROM agent_run_subject s JOIN agent_run r ON r.team_id = s.team_id AND r.id = s.run_id
   WHERE s.team_id = $team AND s.id = $submission ORDER BY r.id`,
);

/**
 * Deletes the transcripts of the runs in `old`, with their instruction and summary. A run that a barrier hides keeps its subjects, so that it stays
 * hidden.
 */
const dropSaid = `events AS (
     DELETE FROM agent_run_event e USING old WHERE e.team_id = old.team_id AND e.run_id = old.id
   ), subjects AS (
     DELETE FROM agent_run_subject t USING old WHERE t.team_id = old.team_id AND t.run_id = old.id
       AND NOT EXISTS (SELECT FROM agent_run_barriers(old.team_id, old.id) AS around (id) WHERE around.id <> '${noBarrier}')
   ), steps AS (
     DELETE FROM agent_run_step s USING old WHERE s.team_id = old.team_id AND s.run_id = old.id
   )
   UPDATE agent_run r SET message = NULL, summary = NULL FROM old WHERE r.team_id = old.team_id AND r.id = old.id RETURNING r.id AS run_id`;

/** Deletes the transcripts of runs that ended more than 30 days ago. */
export const dropOldSteps = sqlStatement<{ limit: number }, { run_id: string }>(
  `WITH old AS MATERIALIZED (
     SELECT r.team_id, r.id FROM agent_run r WHERE r.finished_at < now() - interval '30 days'
       AND EXISTS (SELECT FROM agent_run_step o WHERE o.team_id = r.team_id AND o.run_id = r.id)
     ORDER BY r.finished_at LIMIT $limit
   ), ${dropSaid}`,
);

/** Deletes the transcripts of ended runs that have read a permanently deleted resource. */
export const dropOrphanedSteps = sqlStatement<{ limit: number }, { run_id: string }>(
  `WITH old AS MATERIALIZED (
     SELECT DISTINCT t.team_id, t.run_id AS id FROM agent_run_subject t
     JOIN agent_run r ON r.team_id = t.team_id AND r.id = t.run_id AND r.finished_at IS NOT NULL
       AND EXISTS (SELECT FROM agent_run_step o WHERE o.team_id = r.team_id AND o.run_id = r.id)
     WHERE agent_run_subject_gone(t.team_id, t.type, t.id)
     LIMIT $limit
   ), ${dropSaid}`,
);

/** Deletes the transcript of a run. */
export const dropSteps = sqlStatement<OfRun, { run_id: string }>(
  `WITH old AS MATERIALIZED (SELECT r.team_id, r.id FROM agent_run r WHERE r.team_id = $team AND r.id = $run), ${dropSaid}`,
);
