import { type ImmediateAccessParams, barrierIsThere, type Facts, factsAreThere, type ResourceName, type Viewer } from '#access';
import type { Row, RowWithout } from '../../platform/database/row.ts';
import { sqlStatement } from '../../platform/database/statement.ts';
import { ended } from './reference-queries.ts';
import { type DocumentStatus, type TextMember, textMembers } from './schemas.ts';

export type DocumentVersionRow = RowWithout<'document_version', 'document_id' | 'team_id'>;

/** The matter that a row is in. Its root is the folder of the documents outside of folders. */
type InMatter = { matter_id: string | null };
export type DocumentRow = InMatter &
  RowWithout<
    'document',
    'created_by' | 'deleted_at' | 'deleted_with' | 'description' | 'label_keys' | 'metadata' | 'reference' | 'team_id'
  > & { created_by: string; metadata: Record<string, unknown>; current: DocumentVersionRow | null } & Record<TextMember, string | null>;

/** The barrier of a document. While a job changes barriers it comes from the folder. */
const barrierNow = (row: string) => `barrier_now($team, ${row}.folder_id, ${row}.barrier_id)`;

const columns = `d.id, d.title, ${textMembers.map((name) => `d.${name}`).join(', ')}, d.folder_id, d.user_id, coalesce(d.created_by, d.user_id) AS created_by, d.created_by_type, ${barrierNow('d')} AS barrier_id, matter_of($team, d.folder_id) AS matter_id, d.made_by_client, d.status, d.metadata, d.labels, d.version, d.current_version, d.created_at, d.updated_at,
  (SELECT json_build_object('number', v.number, 'storage_key', v.storage_key, 'file_name', v.file_name, 'media_type', v.media_type,
     'size', v.size, 'sha256', v.sha256, 'created_by', v.created_by, 'created_by_type', v.created_by_type, 'created_at', to_char(v.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
   FROM document_version v WHERE v.team_id = $team AND v.document_id = d.id AND v.number = d.current_version) AS current`;

const facts = `CROSS JOIN LATERAL access_facts($team, $user, $roots::uuid[], 'document', d.id, d.user_id, d.folder_id, d.barrier_id) facts`;

export type ReachedDocument = DocumentRow & Facts;

/** Locks a document against deletion until the transaction ends, while it is shared. */
export const keepDocument = sqlStatement<{ team: string; id: string }, { id: string }>(
  'SELECT id FROM document WHERE team_id = $team AND id = $id FOR KEY SHARE',
);

/** Reads a document with the facts of the viewer’s access. */
export const reachDocument = sqlStatement<Viewer & { team: string; id: string }, ReachedDocument>(
  `SELECT ${columns}, facts.*
   FROM document d ${facts}
   WHERE d.team_id = $team AND d.id = $id AND d.deleted_at IS NULL`,
  { ...factsAreThere, ...barrierIsThere },
);

/** Reads a document for the person who completed a task that gave them access to it. */
export const reachByRecord = sqlStatement<{ team: string; id: string; task: string; user: string }, Pick<DocumentRow, 'id' | 'title'>>(
  `SELECT d.id, d.title FROM document d
   WHERE d.team_id = $team AND d.id = $id AND d.deleted_at IS NULL
     AND 'participant' = ANY (access_relations($team, $user, true, 'task', $task, NULL))
     AND NOT barrier_excludes($team, ${barrierNow('d')}, $user)`,
);

/** Reads several documents that exist with the facts of the viewer’s access. */
export const reachDocuments = sqlStatement<Viewer & { team: string; ids: readonly string[] }, Facts & ResourceName & { user_id: string }>(
  `SELECT d.id, d.title AS name, d.user_id, facts.*
   FROM (SELECT unnest($ids::uuid[]) AS id) named
   CROSS JOIN LATERAL (
     SELECT o.id, o.title, o.folder_id, o.user_id, o.barrier_id FROM document o WHERE o.team_id = $team AND o.id = named.id AND o.deleted_at IS NULL OFFSET 0
   ) d ${facts}`,
  factsAreThere,
);

/** Returns which of these identifiers are documents, with the facts of the viewer’s access. */
export const documentsAmong = sqlStatement<Viewer & { team: string; ids: readonly string[] }, Facts & { id: string }>(
  `SELECT d.id, facts.*
   FROM (SELECT unnest($ids::uuid[]) AS id) named
   CROSS JOIN LATERAL (
     SELECT o.id, o.user_id, o.folder_id, o.barrier_id FROM document o WHERE o.team_id = $team AND o.id = named.id OFFSET 0
   ) d ${facts}`,
  factsAreThere,
);

/** Reads a document in the bin with the facts of the viewer’s access. */
export const reachBinned = sqlStatement<Viewer & { team: string; id: string }, ReachedDocument & { deleted_at: string }>(
  `SELECT ${columns}, d.deleted_at, facts.*
   FROM document d ${facts}
   WHERE d.team_id = $team AND d.id = $id AND d.deleted_at > ${ended}`,
  { ...factsAreThere, ...barrierIsThere },
);

/** Locks a document, after those that share a workflow in progress with it. */
export const lockDocument = sqlStatement<
  { team: string; id: string },
  Row<'document', 'id' | 'current_version' | 'version' | 'deleted_at'>
>(
  `WITH beside AS (SELECT lock_documents_beside($team, ARRAY[$id::uuid]))
   SELECT id, current_version, version, deleted_at FROM document
   WHERE team_id = $team AND id = $id AND (SELECT count(*) FROM beside) >= 0 FOR UPDATE`,
);

const visibleDirectly =
  'd.team_id = $team AND d.id = $id AND d.deleted_at IS NULL AND access_at_once(d.barrier_id, d.user_id, $user, $all)';
/** Locks a document in one statement for an actor with immediate access. */
export const lockDocumentDirectly = sqlStatement<ImmediateAccessParams & { team: string; id: string }, { id: string }>(
  `WITH beside AS (SELECT lock_documents_beside($team, ARRAY[d.id]) FROM document d WHERE ${visibleDirectly})
   SELECT d.id FROM document d WHERE ${visibleDirectly} AND (SELECT count(*) FROM beside) >= 0 FOR UPDATE OF d`,
);

/** Whether a document has an open signature request or is being sealed. */
export const openSignatureOf = sqlStatement<{ team: string; id: string }, { status: string }>(
  'SELECT b.status FROM documents_being_signed($team) b WHERE b.document_id = $id',
);

/** Whether a document that went to the bin with a folder has an open signature request or is being sealed. */
export const signedInFolder = sqlStatement<{ team: string; folder: string }, { id: string }>(
  `SELECT d.id FROM documents_being_signed($team) b
   CROSS JOIN LATERAL (SELECT o.id, o.folder_id FROM document o WHERE o.team_id = $team AND o.id = b.document_id OFFSET 0) d
   JOIN folders_binned_with($team, $folder) f ON f.id = d.folder_id LIMIT 1`,
);

type NewDocument = Record<TextMember, string | null> & {
  team: string;
  id: string;
  folder: string | null;
  user: string;
  by: string;
  byType: string;
  client: string | null;
  title: string;
  metadata: string;
  labels: readonly string[];
  keys: readonly string[];
  at: Date;
};

export const insertDocument = sqlStatement<NewDocument, never>(
  `INSERT INTO document (team_id, id, folder_id, user_id, created_by, created_by_type, made_by_client, title, metadata, ${textMembers.join(', ')},
     labels, label_keys, created_at, updated_at)
   VALUES ($team, $id, $folder, $user, $by, $byType, $client, $title, $metadata, ${textMembers.map((name) => `$${name}`).join(', ')}, $labels, $keys, $at, $at)`,
);

export const updateDocument = sqlStatement<
  Record<TextMember, string | null> & {
    team: string;
    id: string;
    title: string;
    status: string;
    metadata: string;
    labels: readonly string[];
    keys: readonly string[];
    client: string | null;
    at: Date;
  },
  never
>(
  `UPDATE document SET title = $title, ${textMembers.map((name) => `${name} = $${name}`).join(', ')}, status = $status, metadata = $metadata, labels = $labels, label_keys = $keys, version = version + 1, updated_at = $at,
     made_by_client = still_made_by(made_by_client, $client)
   WHERE team_id = $team AND id = $id`,
);

type Move = { team: string; id: string; folder: string | null; user: string; client: string | null; at: Date };

export const moveDocument = sqlStatement<Move, never>(
  `UPDATE document SET folder_id = $folder, user_id = $user, version = version + 1, updated_at = $at,
     made_by_client = still_made_by(made_by_client, $client)
   WHERE team_id = $team AND id = $id`,
);

export const restoreDocument = sqlStatement<Omit<Move, 'user'>, never>(
  `UPDATE document SET deleted_at = NULL, deleted_with = NULL, folder_id = $folder, version = version + 1, updated_at = $at,
     made_by_client = still_made_by(made_by_client, $client)
   WHERE team_id = $team AND id = $id`,
);

export const setStatus = sqlStatement<
  { team: string; id: string; status: DocumentStatus; from: readonly DocumentStatus[] | null; at: Date },
  Row<'document', 'title' | 'folder_id' | 'barrier_id'> & InMatter & { before: DocumentStatus }
>(
  `WITH kept AS (SELECT id, title, folder_id, barrier_id, status FROM document WHERE team_id = $team AND id = $id FOR UPDATE)
   UPDATE document d SET status = $status, version = d.version + 1, updated_at = $at FROM kept
   WHERE d.team_id = $team AND d.id = kept.id AND kept.status <> $status
     AND ($from::text[] IS NULL OR kept.status = ANY ($from)) RETURNING kept.title, kept.folder_id, matter_of($team, kept.folder_id) AS matter_id, ${barrierNow('kept')} AS barrier_id, kept.status AS before`,
  barrierIsThere,
);

export const binDocument = sqlStatement<{ team: string; id: string; client: string | null; at: Date }, never>(
  `UPDATE document SET deleted_at = $at, version = version + 1, made_by_client = still_made_by(made_by_client, $client) WHERE team_id = $team AND id = $id`,
);

/** Deletes a document that was created from an erased resource, also in the bin. Returns no row if the document was already deleted in this way. */
export const endMadeDocument = sqlStatement<{ team: string; id: string }, Row<'document', 'title' | 'folder_id' | 'barrier_id'> & InMatter>(
  `UPDATE document SET deleted_at = ${ended}, deleted_with = NULL, version = version + 1
   WHERE team_id = $team AND id = $id AND deleted_at IS DISTINCT FROM ${ended} RETURNING title, folder_id, matter_of($team, folder_id) AS matter_id, ${barrierNow('document')} AS barrier_id`,
  barrierIsThere,
);

/** Reads the document of a version to seal. A document with an open signature request is never in the bin. */
export const toSeal = sqlStatement<{ team: string; id: string }, Pick<DocumentRow, 'id' | 'title' | 'barrier_id' | 'current_version'>>(
  `SELECT id, title, ${barrierNow('document')} AS barrier_id, current_version FROM document WHERE team_id = $team AND id = $id`,
  barrierIsThere,
);

type NewVersion = {
  team: string;
  document: string;
  number: number;
  key: string;
  fileName: string;
  mediaType: string;
  size: number;
  sha256: string;
  by: string;
  byType: string;
  at: Date;
};

export const insertVersion = sqlStatement<NewVersion, never>(
  `WITH added AS (
     INSERT INTO document_version (team_id, document_id, number, storage_key, file_name, media_type, size, sha256, created_by, created_by_type, created_at)
     VALUES ($team, $document, $number, $key, $fileName, $mediaType, $size, $sha256, $by, $byType, $at)
   )
   UPDATE document SET current_version = $number, version = version + 1, updated_at = $at, made_by_client = still_made_by(made_by_client, $by)
   WHERE team_id = $team AND id = $document`,
);

const versionColumns = 'number, storage_key, file_name, media_type, size, sha256, created_by, created_by_type, created_at';

export const listVersions = sqlStatement<{ team: string; document: string }, DocumentVersionRow & { preview: string | null }>(
  `SELECT ${versionColumns}, (SELECT p.status FROM document_preview p WHERE p.team_id = $team AND p.document_id = v.document_id AND p.version = v.number) AS preview
   FROM document_version v WHERE v.team_id = $team AND v.document_id = $document ORDER BY v.number DESC`,
);

/** Selects the newest versions of a document, at most `limit`. With `numbers`, only versions with these numbers. */
export const newestVersions = sqlStatement<
  { team: string; document: string; numbers: readonly number[] | null; limit: number },
  DocumentVersionRow
>(
  `SELECT ${versionColumns} FROM document_version
   WHERE team_id = $team AND document_id = $document AND ($numbers::int[] IS NULL OR number = ANY ($numbers)) ORDER BY number DESC LIMIT $limit`,
);

export const findVersion = sqlStatement<{ team: string; document: string; number: number }, DocumentVersionRow>(
  `SELECT ${versionColumns} FROM document_version WHERE team_id = $team AND document_id = $document AND number = $number`,
);

/** A version of a document’s file with its number, hash and uploader; without a number the newest. */
export const versionOf = sqlStatement<
  { team: string; document: string; number: number | null },
  { version: number; sha256: string; created_by: string }
>(
  `SELECT v.number AS version, v.sha256, v.created_by FROM document d
   JOIN document_version v ON v.team_id = $team AND v.document_id = d.id AND v.number = coalesce($number::integer, d.current_version)
   WHERE d.team_id = $team AND d.id = $document`,
);

/** Returns whether a version with this file exists, after a connection was lost during the commit. */
export const findFile = sqlStatement<{ team: string; key: string }, { number: number }>(
  'SELECT number FROM document_version WHERE team_id = $team AND storage_key = $key LIMIT 1',
);

/** Moves the documents in folders that went to the bin with a folder to the bin too. */
export const binWithFolder = sqlStatement<{ team: string; folder: string; client: string | null; at: Date }, never>(
  `UPDATE document d SET deleted_at = $at, deleted_with = $folder, version = d.version + 1, made_by_client = still_made_by(d.made_by_client, $client)
   FROM folders_binned_with($team, $folder) f
   WHERE d.team_id = $team AND d.folder_id = f.id AND d.deleted_at IS NULL`,
);

export const restoreWithFolder = sqlStatement<{ team: string; folder: string; client: string | null }, never>(
  `UPDATE document SET deleted_at = NULL, deleted_with = NULL, version = version + 1, made_by_client = still_made_by(made_by_client, $client)
   WHERE team_id = $team AND deleted_with = $folder`,
);

/** Deletes documents whose time in the bin has ended, unless a legal hold applies. Returns the stored files that are no longer referenced. */
export const purgeDocuments = sqlStatement<{ team: string; before: Date }, { storage_keys: string[] }>(
  `WITH gone AS (
     SELECT id FROM document WHERE team_id = $team AND deleted_at < $before AND NOT on_legal_hold($team, id, folder_id)
     ORDER BY deleted_at LIMIT 500 FOR UPDATE SKIP LOCKED
   ), versions AS (
     DELETE FROM document_version v USING gone WHERE v.team_id = $team AND v.document_id = gone.id RETURNING v.document_id, v.storage_key
   ), texts AS (
     DELETE FROM document_text t USING gone WHERE t.team_id = $team AND t.document_id = gone.id
   ), passages AS (
     DELETE FROM document_passage p USING gone WHERE p.team_id = $team AND p.document_id = gone.id
   ), pictures AS (
     DELETE FROM document_preview_file f USING gone WHERE f.team_id = $team AND f.document_id = gone.id RETURNING f.document_id, f.storage_key
   ), previews AS (
     DELETE FROM document_preview p USING gone WHERE p.team_id = $team AND p.document_id = gone.id
   ), documents AS (
     DELETE FROM document d USING gone WHERE d.team_id = $team AND d.id = gone.id
   ), files AS (
     SELECT v.document_id, v.storage_key FROM versions v UNION ALL SELECT f.document_id, f.storage_key FROM pictures f
   ) SELECT coalesce((SELECT array_agg(f.storage_key) FROM files f WHERE f.document_id = gone.id), '{}') AS storage_keys FROM gone`,
);

/** The job that empties the bins, and the teams with due documents, the longest due first. */
export const documentBin = 'document-bin';
export const binsToEmpty = sqlStatement<{ before: Date }, { team_id: string }>(
  `SELECT d.team_id FROM document d WHERE d.deleted_at < $before AND NOT on_legal_hold(d.team_id, d.id, d.folder_id) AND NOT job_waits('${documentBin}', d.team_id, '')
   GROUP BY d.team_id ORDER BY min(d.deleted_at) LIMIT 1000`,
);

/** Locks the documents that the removal of a member changes, also in workflows and signature requests, before all of them. */
export const lockDocumentsOfLeaver = sqlStatement<{ team: string; from: string }, never>(
  'SELECT FROM lock_documents_of_leaver($team, $from)',
);

/** Gives the documents of a member who leaves to another member, if they are outside any folder. Documents in folders go with their folders. */
export const handOverDocuments = sqlStatement<{ team: string; from: string; to: string; at: Date }, never>(
  `UPDATE document SET user_id = $to, made_by_client = NULL, version = version + 1, updated_at = $at
   WHERE team_id = $team AND user_id = $from AND folder_id IS NULL`,
);
