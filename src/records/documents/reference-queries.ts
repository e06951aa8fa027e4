import { noBarrier } from '#access';
import type { Row } from '../../platform/database/row.ts';
import { sqlStatement } from '../../platform/database/statement.ts';

// Parts of the statements of other domains, which refer to documents by their ids. `$team` is the team.

/** The file of a version. */
export const fileOfVersion = sqlStatement<
  { team: string; document: string; number: number },
  Row<'document_version', 'storage_key' | 'file_name' | 'media_type' | 'size' | 'sha256'>
>(
  `SELECT v.storage_key, v.file_name, v.media_type, v.size, v.sha256 FROM document_version v
   WHERE v.team_id = $team AND v.document_id = $document AND v.number = $number`,
);

/** The document `d` that a row of another domain names, joined to that row. */
export const joinDocumentSql = (id: string) => `JOIN document d ON d.team_id = $team AND d.id = ${id}`;

/**
 * When a document counts as binned that was made of something which is erased: it is in nobody's bin, and gone with its files the next
 * time bins are emptied.
 */
export const ended = "'epoch'::timestamptz";

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
