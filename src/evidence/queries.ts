import { leftSinceText } from '#teams';
import { sqlStatement } from '../platform/database/statement.ts';
import type { SubjectType } from './subject.ts';

type One = { team: string; id: string };

/** One after the other, so that no more are under way than may be. */
export const lockPacks = sqlStatement<{ team: string }, { locked: unknown }>(
  "SELECT pg_advisory_xact_lock(hashtextextended('evidence packs ' || $team, 0)) AS locked",
);
export const pendingPacks = sqlStatement<{ team: string }, { pending: number }>(
  "SELECT count(*)::int AS pending FROM evidence_pack WHERE team_id = $team AND status = 'pending'",
);
/** How many somebody has asked for since then. */
export const packsOf = sqlStatement<{ team: string; by: string; since: Date }, { asked: number }>(
  'SELECT count(*)::int AS asked FROM evidence_pack WHERE team_id = $team AND created_by = $by AND created_at > $since',
);

type NewPack = One & { type: string; subject: string; network: boolean; by: string; at: Date };
export const insertPack = sqlStatement<NewPack, never>(
  `INSERT INTO evidence_pack (team_id, id, subject_type, subject_id, network, created_by, created_at)
   VALUES ($team, $id, $type, $subject, $network, $by, $at)`,
);

export type PackRow = {
  id: string;
  subject_type: SubjectType;
  subject_id: string;
  network: boolean;
  by_role: boolean;
  status: 'pending' | 'ready' | 'failed';
  manifest: string | null;
  manifest_sha256: string | null;
  code: string | null;
  detail: string | null;
  created_by: string;
  created_at: string;
  /** Whoever asked has left the team since, and may be back. */
  maker_left: boolean;
  ended_at: string | null;
  storage_key: string | null;
  size: number | null;
  sha256: string | null;
};

export const findPack = sqlStatement<One, PackRow>(
  `SELECT p.id, p.subject_type, p.subject_id, p.network, p.by_role, p.status, p.manifest, p.manifest_sha256, p.code, p.detail, p.created_by, p.created_at,
     ${leftSinceText('p.team_id', 'p.created_by', 'p.created_at')} AS maker_left, p.ended_at, f.storage_key, f.size::float8 AS size, f.sha256
   FROM evidence_pack p LEFT JOIN evidence_pack_file f ON f.team_id = $team AND f.id = p.id
   WHERE p.team_id = $team AND p.id = $id`,
);

/** Says what a pack will hold, once; no row where that was said, or the pack has ended. */
export const keepManifest = sqlStatement<One & { manifest: string; sha256: string }, { id: string }>(
  `UPDATE evidence_pack SET manifest = $manifest, manifest_sha256 = $sha256
   WHERE team_id = $team AND id = $id AND status = 'pending' AND manifest IS NULL RETURNING id`,
);

/** The pack is written; no row where it has ended meanwhile. */
export const finishPack = sqlStatement<One & { byRole: boolean; at: Date }, { id: string }>(
  `UPDATE evidence_pack SET status = 'ready', by_role = $byRole, ended_at = $at WHERE team_id = $team AND id = $id AND status = 'pending' RETURNING id`,
);
export const insertFile = sqlStatement<One & { key: string; size: number; sha256: string }, never>(
  'INSERT INTO evidence_pack_file (team_id, id, storage_key, size, sha256) VALUES ($team, $id, $key, $size, $sha256)',
);

export const failPack = sqlStatement<One & { code: string; detail: string }, never>(
  `UPDATE evidence_pack SET status = 'failed', code = $code, detail = $detail, ended_at = now()
   WHERE team_id = $team AND id = $id AND status = 'pending'`,
);

/** Ends packs whose time is over: some of them, the oldest first, with their files. */
export const dropPacks = sqlStatement<{ before: Date; limit: number }, { storage_key: string | null }>(
  `WITH ended AS MATERIALIZED (
     SELECT team_id, id FROM evidence_pack WHERE ended_at < $before ORDER BY ended_at LIMIT $limit FOR UPDATE SKIP LOCKED
   ), files AS (
     DELETE FROM evidence_pack_file f USING ended WHERE f.team_id = ended.team_id AND f.id = ended.id RETURNING f.id, f.storage_key
   ), gone AS (
     DELETE FROM evidence_pack p USING ended WHERE p.team_id = ended.team_id AND p.id = ended.id RETURNING p.id
   ) SELECT f.storage_key FROM gone LEFT JOIN files f ON f.id = gone.id`,
);
