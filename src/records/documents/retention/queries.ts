import { barrierIsThere } from '#access';
import type { Row, RowWithout } from '../../../platform/database/row.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';

/** The jobs that find due documents and act on one of them. */
export const planJob = 'document-retention';
export const retentionActionJob = 'document-retention-of-one';

type RuleKey = { team: string } & { folder: string };

/** Serializes rule changes of one team, so that their number is limited exactly. */
export const lockRules = sqlStatement<{ team: string }, never>(
  "SELECT pg_advisory_xact_lock(hashtextextended('retention rules ' || $team, 0)) AS locked",
);

export type RuleRow = RowWithout<'retention_rule', 'team_id'>;
const columns = `r.folder_id, r.action, r.after, r.counted_from, r.effective_from, r.ends_at, r.waiting, r.confirmed_on, r.confirmed_by, r.set_by, r.version,
  r.created_at, r.updated_at`;

export const ruleOf = sqlStatement<RuleKey, RuleRow>(
  `SELECT ${columns} FROM retention_rule r WHERE r.team_id = $team AND r.folder_id = $folder`,
);

export const rulesOfTeam = sqlStatement<{ team: string }, RuleRow>(
  `SELECT ${columns} FROM retention_rule r WHERE r.team_id = $team ORDER BY r.folder_id`,
);

/** Counts the rules of a team, at most `most`. */
export const countRules = sqlStatement<{ team: string } & { most: number }, { rules: number }>(
  'SELECT count(*)::int AS rules FROM (SELECT FROM retention_rule r WHERE r.team_id = $team LIMIT $most) standing',
);

/** Selects the rules that cover a folder or anything in it, without crossing a barrier. */
export const rulesWithin = sqlStatement<RuleKey, RuleRow>(
  `SELECT ${columns} FROM (
     SELECT a.id FROM access_above_unbarred($team, $folder) a UNION SELECT b.id FROM access_below_unbarred($team, $folder) b
   ) p CROSS JOIN LATERAL (
     SELECT o.* FROM retention_rule o WHERE o.team_id = $team AND o.folder_id = p.id OFFSET 0
   ) r ORDER BY r.folder_id`,
);

type NewRule = RuleKey & { action: string; after: string; from: string; effectiveFrom: Date; by: string; at: Date };

/** Stores a rule. A replaced rule loses its confirmation. */
export const putRule = sqlStatement<NewRule, never>(
  `INSERT INTO retention_rule AS r (team_id, folder_id, action, after, counted_from, effective_from, set_by, created_at, updated_at)
   VALUES ($team, $folder, $action, $after, $from, $effectiveFrom, $by, $at, $at)
   ON CONFLICT (team_id, folder_id) DO UPDATE SET action = excluded.action, after = excluded.after, counted_from = excluded.counted_from,
     effective_from = excluded.effective_from, ends_at = NULL, waiting = 0, confirmed_on = NULL, confirmed_by = NULL, set_by = excluded.set_by,
     version = r.version + 1, updated_at = excluded.updated_at`,
);

export const endRule = sqlStatement<RuleKey & { endsAt: Date; by: string; at: Date }, never>(
  `UPDATE retention_rule SET ends_at = $endsAt, waiting = 0, set_by = $by, version = version + 1, updated_at = $at
   WHERE team_id = $team AND folder_id = $folder`,
);

export const dropEnded = sqlStatement<{ team: string } & { now: Date }, never>(
  'DELETE FROM retention_rule WHERE team_id = $team AND ends_at <= $now',
);

/** Stores how many documents wait for a confirmation of the rule. Returns a row if that is new and managers must be notified. */
export const askFor = sqlStatement<RuleKey & { documents: number }, { folder_id: string }>(
  `WITH before AS (SELECT folder_id, waiting FROM retention_rule WHERE team_id = $team AND folder_id = $folder FOR UPDATE),
   asked AS (
     UPDATE retention_rule r SET waiting = $documents FROM before b WHERE r.team_id = $team AND r.folder_id = b.folder_id AND b.waiting <> $documents
   ) SELECT folder_id FROM before WHERE waiting = 0 AND $documents::int > 0`,
);

/** Confirms a rule. Returns a row if documents were waiting. */
export const confirmRule = sqlStatement<RuleKey & { day: string; by: string }, { documents: number }>(
  `WITH before AS (SELECT folder_id, waiting FROM retention_rule WHERE team_id = $team AND folder_id = $folder AND waiting > 0 FOR UPDATE)
   UPDATE retention_rule r SET waiting = 0, confirmed_on = $day, confirmed_by = $by FROM before b
   WHERE r.team_id = $team AND r.folder_id = b.folder_id RETURNING b.waiting AS documents`,
);

/** Selects the active teams that have rules. */
export const teamsWithRules = sqlStatement<Record<string, never>, { team: string; id: string }>(
  `SELECT r.team_id AS team, '' AS id FROM retention_rule r
   WHERE team_active(r.team_id) AND NOT job_waits('${planJob}', r.team_id, '')
   GROUP BY r.team_id ORDER BY r.team_id`,
);

/**
 * The parameters of rules and the folders that they cover. `$folders` are the folders of the rules, `$befores` and `$days` the limits of due
 * documents. `$marks` identify the version of a rule.
 */
const ruleParams = '$folders::uuid[], $bases::text[], $befores::timestamptz[], $days::date[], $marks::text[]';
const places = `rule AS (
     SELECT r.id, r.base, r.before, r.day, r.mark, r.n::int AS n
     FROM unnest(${ruleParams}) WITH ORDINALITY AS r(id, base, before, day, mark, n)
   ),
   covered AS (SELECT r.n, b.id FROM rule r CROSS JOIN LATERAL access_below_unbarred($team, r.id) b),
   place AS (
     SELECT c.id, array_agg(c.n ORDER BY c.n) AS rules, string_agg(r.mark, ' ' ORDER BY c.n) AS basis,
       min(r.before) FILTER (WHERE r.base = 'created') AS created_before, min(r.before) FILTER (WHERE r.base = 'updated') AS updated_before,
       min(r.day) FILTER (WHERE r.base = 'expires') AS expired_by
     FROM covered c JOIN rule r ON r.n = c.n GROUP BY c.id
   )`;
type Rules = { team: string } & {
  folders: readonly string[];
  bases: readonly string[];
  befores: readonly Date[];
  days: readonly string[];
  marks: readonly string[];
};

export type CountedRow = { id: string; created_at: string; updated_at: string; expires_at: string | null; renewal: string | null };
const dates = `LEFT JOIN LATERAL (
     SELECT s.expires_at, s.renewal FROM document_dates s WHERE s.team_id = $team AND s.document_id = d.id OFFSET 0
   ) e ON true`;
const counted = 'd.id, d.created_at, d.updated_at, e.expires_at, e.renewal';

/**
 * Selects documents that are old enough for all covering rules, by identifier after `$after`. `comes`: the rule applies now, because no key date,
 * legal hold, signature request or earlier equal action prevents it. `free`: no failed attempt waits for a retry. Both are computed only for the
 * documents of the page.
 */
export const dueDocuments = sqlStatement<
  Rules & { after: string; limit: number },
  CountedRow & { rules: number[]; basis: string; comes: boolean; free: boolean }
>(
  `WITH ${places},
   d AS (
     SELECT o.*, p.rules, p.basis, p.expired_by, p.created_before IS NOT NULL OR p.updated_before IS NOT NULL AS is_old
     FROM place p CROSS JOIN LATERAL (
       SELECT o.id, o.folder_id, o.created_at, o.updated_at FROM document o
       WHERE o.team_id = $team AND o.folder_id = p.id AND o.deleted_at IS NULL AND o.status <> 'in_review' AND o.id > $after
         AND (p.created_before IS NULL OR o.created_at < p.created_before) AND (p.updated_before IS NULL OR o.updated_at < p.updated_before) OFFSET 0
     ) o ORDER BY o.id LIMIT $limit
   )
   SELECT ${counted}, d.rules, d.basis, coalesce((d.expired_by IS NULL OR e.expires_at IS NULL OR (e.renewal <> 'tacit' AND e.expires_at <= d.expired_by))
     AND (d.is_old OR e.expires_at IS NOT NULL)
     AND NOT EXISTS (
       SELECT FROM retention_done n WHERE n.team_id = $team AND n.document_id = d.id AND n.basis = d.basis
         AND (n.action = 'delete' OR (n.updated_at = d.updated_at AND n.expires_at IS NOT DISTINCT FROM e.expires_at))
     )
     AND NOT (EXISTS (SELECT FROM legal_hold h WHERE h.team_id = $team AND h.lifted_at IS NULL) AND on_legal_hold($team, d.id, d.folder_id))
     AND NOT matter_retains($team, d.folder_id)
     AND NOT EXISTS (SELECT FROM documents_being_signed($team) b WHERE b.document_id = d.id), false) AS comes,
     NOT job_waits('${retentionActionJob}', $team, d.id::text) AS free
   FROM d ${dates} ORDER BY d.id`,
);

export type Previewed = CountedRow & { title: string; folder_id: string; rules: number[] };

/** Selects the documents in a folder, without crossing a barrier, with the rules that cover each. By identifier after `$after`. */
export const previewed = sqlStatement<Rules & { folder: string; after: string; limit: number }, Previewed>(
  `WITH ${places}
   SELECT ${counted}, d.title, p.id AS folder_id, p.rules
   FROM access_below_unbarred($team, $folder) b JOIN place p ON p.id = b.id CROSS JOIN LATERAL (
     SELECT o.id, o.title, o.created_at, o.updated_at FROM document o
     WHERE o.team_id = $team AND o.folder_id = p.id AND o.deleted_at IS NULL AND o.id > $after
     ORDER BY o.deleted_at, o.id LIMIT $limit + 1
   ) d ${dates}
   ORDER BY d.id LIMIT $limit + 1`,
);

/** Selects the rules that cover the content of a folder. */
export const rulesOver = sqlStatement<RuleKey, RuleRow>(
  `SELECT ${columns} FROM access_above_unbarred($team, $folder) a CROSS JOIN LATERAL (
     SELECT o.* FROM retention_rule o WHERE o.team_id = $team AND o.folder_id = a.id
   ) r ORDER BY r.folder_id`,
);

export type LockedDocument = CountedRow &
  Row<'document', 'title' | 'folder_id' | 'user_id' | 'barrier_id' | 'status'> & { on_hold: boolean };
/** Reads a locked document that may be due. Returns no row for a document in the bin. */
export const documentToKeep = sqlStatement<{ team: string } & { document: string }, LockedDocument>(
  `SELECT ${counted}, d.title, d.folder_id, d.user_id, barrier_now($team, d.folder_id, d.barrier_id) AS barrier_id, d.status, on_legal_hold($team, d.id, d.folder_id) IS TRUE OR matter_retains($team, d.folder_id) IS TRUE AS on_hold
   FROM document d ${dates} WHERE d.team_id = $team AND d.id = $document AND d.deleted_at IS NULL`,
  barrierIsThere,
);

type Done = { team: string } & {
  document: string;
  folder: string;
  action: string;
  on: string;
  basis: string;
  expiresAt: string | null;
  at: Date;
};
/** Records the action on a document, so that it happens once. */
export const storeRetentionDone = sqlStatement<Done, never>(
  `INSERT INTO retention_done AS n (team_id, document_id, folder_id, action, due_on, basis, updated_at, expires_at, done_at)
   SELECT $team, d.id, $folder, $action, $on, $basis, d.updated_at, $expiresAt, $at FROM document d WHERE d.team_id = $team AND d.id = $document
   ON CONFLICT (team_id, document_id) DO UPDATE SET folder_id = excluded.folder_id, action = excluded.action, due_on = excluded.due_on,
     basis = excluded.basis, updated_at = excluded.updated_at, expires_at = excluded.expires_at, done_at = excluded.done_at`,
);

/** Counts the team’s documents, and those that unconfirmed rules moved to the bin today. */
export const shareOfDay = sqlStatement<{ team: string } & { day: string }, { documents: number; binned: number }>(
  `SELECT (SELECT count(*)::int FROM document d WHERE d.team_id = $team AND d.deleted_at IS NULL) AS documents,
     coalesce((SELECT t.binned FROM retention_day t WHERE t.team_id = $team AND t.day = $day), 0) AS binned`,
);
export const countOfDay = sqlStatement<{ team: string } & { day: string }, never>(
  `INSERT INTO retention_day AS t (team_id, day, binned) VALUES ($team, $day, 1)
   ON CONFLICT (team_id) DO UPDATE SET binned = CASE WHEN t.day = excluded.day THEN t.binned + 1 ELSE 1 END, day = excluded.day`,
);
