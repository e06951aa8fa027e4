import { noBarrier } from '#access';
import type { Row } from '../../platform/database/row.ts';
import { sqlStatement } from '../../platform/database/statement.ts';

// Parts of statements for other domains that refer to documents by identifier. `$team` is the team.

/** Selects the file of a version. */
export const fileOfVersion = sqlStatement<
  { team: string; document: string; number: number },
  Row<'document_version', 'storage_key' | 'file_name' | 'media_type' | 'size' | 'sha256'>
>(
  `SELECT v.storage_key, v.file_name, v.media_type, v.size, v.sha256 FROM document_version v
   WHERE v.team_id = $team AND v.document_id = $document AND v.number = $number`,
);

/** Joins the document `d` that a row of another domain refers to. */
export const joinDocumentSql = (id: string) => `JOIN document d ON d.team_id = $team AND d.id = ${id}`;

/**
 * The `deleted_at` of a document that was created from an erased resource. The document appears in no bin, and the next purge deletes it with its
 * files.
 */
export const ended = "'epoch'::timestamptz";

/** Whether a copy of a document stays inside the document’s barrier (if there is one) when it is created in a folder, or outside any. */
export const copyStays = sqlStatement<{ team: string; id: string; folder: string | null }, { stays: boolean }>(
  `SELECT w.barrier_id = '${noBarrier}' OR w.barrier_id = barrier_of($team, $folder) AS stays FROM (
     SELECT barrier_now($team, d.folder_id, d.barrier_id) AS barrier_id FROM document d WHERE d.team_id = $team AND d.id = $id
   ) w`,
  { stays: 'the function never returns null' },
);

/** Like `copyStays`, for a document that is created from a resource in the folder `from`. */
export const createdStaysBehindBarrier = sqlStatement<{ team: string; from: string; folder: string | null }, { stays: boolean }>(
  `SELECT w.barrier_id = '${noBarrier}' OR w.barrier_id = barrier_of($team, $folder) AS stays FROM (SELECT barrier_of($team, $from) AS barrier_id) w`,
  { stays: 'the function never returns null' },
);
