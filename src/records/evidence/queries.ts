import type { RowWithout } from '../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';

/** Serializes requests of a team, so that the limit of packs in progress is exact. */
export const lockPacks = sqlStatement<{ team: string }, { locked: unknown }>(
  "SELECT pg_advisory_xact_lock(hashtextextended('evidence packs ' || $team, 0)) AS locked",
);
export const pendingPacks = sqlStatement<{ team: string }, { pending: number }>(
  "SELECT count(*)::int AS pending FROM evidence_pack WHERE team_id = $team AND status = 'pending'",
);
/** Counts the packs that a person requested since a time. */
export const packsOf = sqlStatement<{ team: string; by: string; since: Date }, { packs: number }>(
  'SELECT count(*)::int AS packs FROM evidence_pack WHERE team_id = $team AND created_by = $by AND created_at > $since',
);

type NewPack = TeamScopedId & { type: string; subject: string; document: string | null; network: boolean; by: string; at: Date };
export const insertPack = sqlStatement<NewPack, never>(
  `INSERT INTO evidence_pack (team_id, id, subject_type, subject_id, document_id, network, created_by, owner_id, created_at)
   VALUES ($team, $id, $type, $subject, $document, $network, $by, $by, $at)`,
);

export type PackRow = RowWithout<'evidence_pack', 'created_by' | 'document_id' | 'team_id'> & {
  storage_key: string | null;
  size: number | null;
  sha256: string | null;
  /** Whether a barrier around one of its documents excludes the caller, or one of them was deleted permanently. */
  excluded: boolean;
};

/** Selects a pack. `person` is the caller, or null for the service. */
export const findPack = sqlStatement<TeamScopedId & { person: string | null }, PackRow>(
  `SELECT p.id, p.subject_type, p.subject_id, p.network, p.status, p.manifest, p.manifest_sha256, p.code, p.detail, p.owner_id, p.created_at,
     p.ended_at, f.storage_key, f.size::float8 AS size, f.sha256,
     EXISTS (
       SELECT FROM (SELECT p.document_id UNION SELECT (file->>'documentId')::uuid FROM jsonb_array_elements(p.manifest::jsonb->'files') file) about (id)
       WHERE about.id IS NOT NULL AND (document_excludes($team, about.id, $person::uuid) OR document_is_gone($team, about.id))
     ) AS excluded
   FROM evidence_pack p LEFT JOIN evidence_pack_file f ON f.team_id = $team AND f.id = p.id
   WHERE p.team_id = $team AND p.id = $id`,
);

/** Transfers the packs of a member who leaves to their successor. */
export const handOver = sqlStatement<{ team: string; from: string; to: string }, never>(
  'UPDATE evidence_pack SET owner_id = $to WHERE team_id = $team AND owner_id = $from',
);

/** Stores the manifest once. Returns no row if the manifest is already stored or the pack has ended. */
export const keepManifest = sqlStatement<TeamScopedId & { manifest: string; sha256: string }, { id: string }>(
  `UPDATE evidence_pack SET manifest = $manifest, manifest_sha256 = $sha256
   WHERE team_id = $team AND id = $id AND status = 'pending' AND manifest IS NULL RETURNING id`,
);

/** Completes a pack. Returns no row if it has already ended. */
export const finishPack = sqlStatement<TeamScopedId & { at: Date }, { id: string }>(
  `UPDATE evidence_pack SET status = 'ready', ended_at = $at WHERE team_id = $team AND id = $id AND status = 'pending' RETURNING id`,
);
export const insertFile = sqlStatement<TeamScopedId & { key: string; size: number; sha256: string }, never>(
  'INSERT INTO evidence_pack_file (team_id, id, storage_key, size, sha256) VALUES ($team, $id, $key, $size, $sha256)',
);

export const failPack = sqlStatement<TeamScopedId & { code: string; detail: string }, never>(
  `UPDATE evidence_pack SET status = 'failed', code = $code, detail = $detail, ended_at = now()
   WHERE team_id = $team AND id = $id AND status = 'pending'`,
);

/** Deletes old packs with their files, at most `limit`, the oldest first. */
export const dropPacks = sqlStatement<{ before: Date; limit: number }, { storage_key: string | null }>(
  `WITH ended AS (
     SELECT team_id, id FROM evidence_pack WHERE ended_at < $before ORDER BY ended_at LIMIT $limit FOR UPDATE SKIP LOCKED
   ), files AS (
     DELETE FROM evidence_pack_file f USING ended WHERE f.team_id = ended.team_id AND f.id = ended.id RETURNING f.id, f.storage_key
   ), gone AS (
     DELETE FROM evidence_pack p USING ended WHERE p.team_id = ended.team_id AND p.id = ended.id RETURNING p.id
   ) SELECT f.storage_key FROM gone LEFT JOIN files f ON f.id = gone.id`,
);
