import { noBarrier } from '#access';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';

/** Whether the barriers around the document of a task exclude a person, and whether that person has emergency access only. */
export const barrierOfTask = sqlStatement<TeamScopedId & { user: string | null }, { outside: boolean; emergency: boolean }>(
  `SELECT s.excluded AS outside, s.outsider AND NOT s.excluded AS emergency
   FROM task CROSS JOIN LATERAL document_barrier_state($team, task.about_document_id, $user) s
   WHERE task.team_id = $team AND task.id = $id`,
);

export type Outsider = { id: string; name: string };
const peopleSql = `unnest($people::uuid[]) AS named(id)
   CROSS JOIN LATERAL (
     SELECT a.id, a.first_name || ' ' || a.last_name AS name FROM member a WHERE a.team_id = $team AND a.id = named.id OFFSET 0
   ) a`;

/** Members excluded by a barrier around a document, including those with emergency access. */
export const outsidersOfDocument = sqlStatement<{ team: string; document: string; people: readonly string[] }, Outsider>(
  `SELECT a.id, a.name FROM ${peopleSql} WHERE document_outsider($team, $document::uuid, a.id) ORDER BY a.id`,
);

/** Members excluded by a barrier around the document, for each of several tasks. */
export const outsidersOfTasks = sqlStatement<
  { team: string; tasks: readonly string[]; people: readonly string[] },
  Outsider & { task: string }
>(
  `SELECT about.task, a.id, a.name FROM unnest($tasks::uuid[]) AS one(id)
   CROSS JOIN LATERAL (SELECT t.id AS task, t.about_document_id AS document FROM task t WHERE t.team_id = $team AND t.id = one.id OFFSET 0) about
   CROSS JOIN ${peopleSql} WHERE document_outsider($team, about.document, a.id) ORDER BY about.task, a.id`,
);

/** Whether a folder is behind a barrier. */
export const isBarred = sqlStatement<{ team: string; folder: string }, { barred: boolean }>(
  `SELECT barrier_of($team, $folder) <> '${noBarrier}' AS barred`,
  { barred: 'the function never returns null' },
);
