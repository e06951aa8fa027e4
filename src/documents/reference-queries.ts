import { noBarrier } from '#access';
import { sqlStatement } from '../platform/database/statement.ts';

// Parts of the statements of other domains, which refer to documents by their ids. `$team` is the team.

/** One version of a document's file, as a query of the `columns` of `v`. */
export const versionText = (columns: string, document: string, number: string) =>
  `SELECT ${columns} FROM document_version v WHERE v.team_id = $team AND v.document_id = ${document} AND v.number = ${number}`;

/** The document `d` that a row of another domain names, joined to that row. */
export const joinDocumentText = (id: string) => `JOIN document d ON d.team_id = $team AND d.id = ${id}`;

/**
 * When a document counts as binned that was made of something which is erased: it is in nobody's bin, and gone with its files the next
 * time bins are emptied.
 */
export const ended = "'epoch'::timestamptz";

/** Whether the document that `id`, an expression, names was made of something which is erased, and goes with the bins: a condition. */
export const documentEndedText = (id: string) => `EXISTS (
  SELECT FROM document erased WHERE erased.team_id = $team AND erased.id = ${id} AND erased.deleted_at = ${ended})`;

/** Whether there is no document of an identifier any more, not even in the bin, or it has `ended`; `team` and `id` are expressions. */
export const documentGoneText = (team: string, id: string) =>
  `NOT EXISTS (SELECT FROM document gone WHERE gone.team_id = ${team} AND gone.id = ${id} AND gone.deleted_at IS DISTINCT FROM ${ended})`;

/** Whether a copy of a document stands behind the barrier of the document, where there is one, when it goes into a folder, or outside of any. */
export const copyStays = sqlStatement<{ team: string; id: string; folder: string | null }, { stays: boolean }>(
  `SELECT w.barrier_id = '${noBarrier}' OR w.barrier_id = barrier_of($team, $folder) AS stays FROM (
     SELECT barrier_now($team, d.folder_id, d.barrier_id) AS barrier_id FROM document d WHERE d.team_id = $team AND d.id = $id
   ) w`,
  { stays: 'the function never returns null' },
);

/** The same of what is taken out of a folder. */
export const takenStays = sqlStatement<{ team: string; from: string; folder: string | null }, { stays: boolean }>(
  `SELECT w.barrier_id = '${noBarrier}' OR w.barrier_id = barrier_of($team, $folder) AS stays FROM (SELECT barrier_of($team, $from) AS barrier_id) w`,
  { stays: 'the function never returns null' },
);
