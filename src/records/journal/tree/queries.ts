import { isOpenTo } from '../auditor.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';
import type { LeafRow } from './leaf.ts';

/** The tree of this database. Others are trees of databases that teams came from. */
export const ownLog = 1;
const own = `log_id = ${ownLog}`;

type LeaseOwner = { owner: string };

/** An entry that is not a leaf yet, with the number of its team’s leaves. */
export type DueRow = LeafRow & { at: string; integrated: number };
export type TileRow = { level: number; n: number; hashes: Buffer };
export type LogRow = {
  size: number;
  checkpoint: string | null;
  published_size: number | null;
  published: string | null;
  /** Whether there are entries that are not leaves yet. */
  due: boolean;
};
export type PublishedRow = { log_id: number; published_size: number; published: string; published_at: string };
export type SequencedRow = LeafRow & { log_id: number; seq: number; number: number };

// The columns of a leaf as text, independent of session settings. Years before 1 CE get a suffix, and addresses of networks keep their mask: the
// plain text omits both.
const leafColumns = `e.team_id, e.id, e.type, e.actor_type, e.actor_id, e.target_type, e.target_id,
  to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || CASE WHEN e.at < '0001-01-01Z' THEN ' BC' ELSE '' END AS exact_at,
  CASE WHEN masklen(e.ip) = CASE family(e.ip) WHEN 4 THEN 32 ELSE 128 END THEN host(e.ip) ELSE e.ip::text END AS ip, e.request_id, e.data, e.salt, e.ip_salt, e.ip_digest, e.record_version`;

/** Reads the state of the tree without a lock, because most reads find no work. */
export const readLog = sqlStatement<object, LogRow>(
  `SELECT size, checkpoint, published_size, published, EXISTS (SELECT FROM audit_entry WHERE seq IS NULL) AS due FROM audit_log WHERE ${own}`,
);

/** Reads the newest signed checkpoint and the first entry of the tree, which identifies it. */
export const readTree = sqlStatement<object, { checkpoint: string | null; first: string | null }>(
  `SELECT checkpoint, (SELECT e.id FROM audit_entry e WHERE e.${own} AND e.seq = 0) AS first FROM audit_log WHERE ${own}`,
);

/** Acquires or renews the lease and locks the row until the transaction ends. Returns no row while another sequencer has the lease. */
export const takeLease = sqlStatement<LeaseOwner & { leaseSeconds: number }, Omit<LogRow, 'due'>>(
  `UPDATE audit_log SET lease_owner = $owner, lease_until = clock_timestamp() + make_interval(secs => $leaseSeconds)
   WHERE ${own} AND (lease_owner IS NULL OR lease_owner = $owner OR lease_until < clock_timestamp())
   RETURNING size, checkpoint, published_size, published`,
);

export const releaseLease = sqlStatement<LeaseOwner, never>(
  `UPDATE audit_log SET lease_owner = NULL, lease_until = NULL WHERE ${own} AND lease_owner = $owner`,
);

/** Selects the teams of entries: one team, or all except some. */
export type TeamFilter = { only: string | null; except: readonly string[] };
const dueOf = `seq IS NULL AND ($only::uuid IS NULL OR team_id = $only) AND team_id <> ALL ($except::uuid[])`;

/**
 * The next entries in the order of their identifiers, which nearly is the order of time. Entries with an older
 * identifier that were committed late are included.
 */
export const dueEntries = sqlStatement<TeamFilter & { limit: number }, DueRow>(
  `SELECT ${leafColumns}, e.at, coalesce(last.number, 0) AS integrated
   FROM (SELECT * FROM audit_entry WHERE ${dueOf} ORDER BY id LIMIT $limit) e
   LEFT JOIN LATERAL (
     SELECT l.number FROM audit_entry l WHERE l.team_id = e.team_id AND l.number IS NOT NULL ORDER BY l.number DESC LIMIT 1
   ) last ON true
   ORDER BY e.id`,
);

/** The teams of the next entries. */
export const dueTeams = sqlStatement<TeamFilter & { limit: number }, { team_id: string }>(
  `SELECT DISTINCT team_id FROM (SELECT team_id FROM audit_entry WHERE ${dueOf} ORDER BY id LIMIT $limit) e`,
);

/** Limits how long listeners wait for locked rows. */
export const limitLockWait = sqlStatement<object, never>("SELECT set_config('lock_timeout', '2s', true)");

/** The last tile of each level and the last bundle, where the tree grows. */
export const lastTiles = sqlStatement<object, TileRow>(
  `SELECT t.level, t.n, t.hashes FROM generate_series(-1, 7) AS l(level)
   CROSS JOIN LATERAL (SELECT a.* FROM audit_tile a WHERE a.${own} AND a.level = l.level ORDER BY a.n DESC LIMIT 1) t`,
);

export const tilesById = sqlStatement<{ log: number; levels: number[]; ns: number[] }, TileRow>(
  `SELECT t.level, t.n, t.hashes FROM unnest($levels::smallint[], $ns::bigint[]) AS w(level, n)
   JOIN audit_tile t ON t.log_id = $log::smallint AND t.level = w.level AND t.n = w.n`,
);

type Places = { teams: string[]; ids: string[]; first: number; numbers: number[] };

/**
 * Stores the positions of entries. Returns how many rows changed, which is fewer than requested if another process changed them. Also returns the
 * entries without an address, because an address may have been erased since the read. Locks rows in the order of identifiers, like `erase_addresses`.
 */
export const placeEntries = sqlStatement<Places, { placed: number; without_address: string[] }>(
  `WITH locked AS MATERIALIZED (
     SELECT e.team_id, e.id, d.number, d.at
     FROM unnest($teams::uuid[], $ids::uuid[], $numbers::bigint[]) WITH ORDINALITY AS d(team_id, id, number, at)
     JOIN audit_entry e ON e.team_id = d.team_id AND e.id = d.id AND e.seq IS NULL
     ORDER BY e.id FOR NO KEY UPDATE OF e
   ), placed AS (
     UPDATE audit_entry e SET seq = $first::bigint + locked.at - 1, number = locked.number
     FROM locked WHERE e.team_id = locked.team_id AND e.id = locked.id
     RETURNING e.id, e.ip
   ) SELECT count(*)::int AS placed, coalesce(array_agg(id) FILTER (WHERE ip IS NULL), '{}') AS without_address FROM placed`,
);

/** Stores the tiles that grew. {@link advanceLog} detects another sequencer in the same transaction. */
export const putTiles = sqlStatement<{ levels: number[]; ns: number[]; hashes: Buffer[] }, never>(
  `INSERT INTO audit_tile (log_id, level, n, hashes)
   SELECT ${ownLog}, t.* FROM unnest($levels::smallint[], $ns::bigint[], $hashes::bytea[]) AS t
   ON CONFLICT (log_id, level, n) DO UPDATE SET hashes = excluded.hashes`,
);

/** Moves the tree to its next size, if this process still has the lease and the size is unchanged. */
export const advanceLog = sqlStatement<LeaseOwner & { from: number; to: number; checkpoint: string }, { size: number }>(
  `UPDATE audit_log SET size = $to, checkpoint = $checkpoint WHERE ${own} AND size = $from AND lease_owner = $owner RETURNING size`,
);

export const keepCheckpoint = sqlStatement<{ size: number; note: string; at: Date }, never>(
  `INSERT INTO audit_checkpoint (log_id, size, note, signed_at) VALUES (${ownLog}, $size, $note, $at)
   ON CONFLICT (log_id, size) DO UPDATE SET note = excluded.note, signed_at = excluded.signed_at`,
);

/** Publishes a checkpoint, but never one of a smaller tree than the published one. */
export const publishCheckpoint = sqlStatement<LeaseOwner & { size: number; note: string; at: Date }, { size: number }>(
  `UPDATE audit_log SET published_size = $size, published = $note,
     published_at = CASE WHEN published_size = $size THEN published_at ELSE $at END
   WHERE ${own} AND lease_owner = $owner AND size >= $size AND (published_size IS NULL OR published_size <= $size) RETURNING size`,
);

export const readPublished = sqlStatement<object, PublishedRow>(
  'SELECT log_id, published_size, published, published_at FROM audit_log WHERE published IS NOT NULL ORDER BY log_id',
  { published_size: 'written with `published`', published_at: 'written with `published`' },
);

/** Selects an entry of a team with the columns of its leaf. `seq` and `number` are null until it is a leaf. */
export const leafOfEntry = sqlStatement<
  { team: string; id: string; auditor: string | null },
  LeafRow & { log_id: number; seq: number | null; number: number | null }
>(
  `SELECT ${leafColumns}, e.log_id, e.seq, e.number FROM audit_entry e
   WHERE e.team_id = $team AND e.id = $id AND ${isOpenTo('e')}`,
);

/** The sizes of trees, one array per column. */
export type LogSizes = { logs: readonly number[]; sizes: readonly number[] };
const withinSizes = 'JOIN unnest($logs::smallint[], $sizes::bigint[]) AS l(id, size) ON l.id = e.log_id AND e.seq < l.size';

/** Selects the leaves of a team by number, after a number and within the sizes of the trees. */
export const leavesOfTeam = sqlStatement<LogSizes & { team: string; after: number; auditor: string | null; limit: number }, SequencedRow>(
  `SELECT ${leafColumns}, e.log_id, e.seq, e.number FROM audit_entry e ${withinSizes}
   WHERE e.team_id = $team AND e.number > $after AND ${isOpenTo('e')}
   ORDER BY e.number LIMIT $limit`,
);

/** Selects the leaves of a team about some resources by number, after a number and within the sizes of the trees. */
export const leavesAbout = sqlStatement<
  LogSizes & { team: string; targets: readonly string[]; after: number; limit: number },
  SequencedRow
>(
  `SELECT ${leafColumns}, e.log_id, e.seq, e.number FROM audit_entry e ${withinSizes}
   WHERE e.team_id = $team AND e.target_id = ANY ($targets::text[]) AND e.number > $after ORDER BY e.number LIMIT $limit`,
);

/** Selects all leaves in tree order from a position on, for verification. */
export const leavesFrom = sqlStatement<{ seq: number; id: string; size: number; limit: number }, SequencedRow & { data_text: string }>(
  `SELECT ${leafColumns}, e.data::text AS data_text, e.log_id, e.seq, e.number FROM audit_entry e
   WHERE e.${own} AND e.seq IS NOT NULL AND (e.seq, e.id) > ($seq::bigint, $id::uuid) AND e.seq < $size ORDER BY e.seq, e.id LIMIT $limit`,
  { number: 'written with `seq`' },
);

/** A row with a leaf index outside the tree. */
export const leafOutside = sqlStatement<object, { id: string; team_id: string; seq: number; size: number }>(
  `SELECT e.id, e.team_id, e.seq, coalesce(l.size, 0) AS size FROM audit_entry e LEFT JOIN audit_log l ON l.log_id = e.log_id
   WHERE e.seq < 0 OR e.seq >= coalesce(l.size, 0) ORDER BY e.seq LIMIT 1`,
);

/** Bundles that contain a commitment, to find the original position of an entry. */
export const bundlesHolding = sqlStatement<{ commitment: Buffer }, TileRow>(
  `SELECT level, n, hashes FROM audit_tile WHERE ${own} AND level = -1 AND position($commitment::bytea IN hashes) > 0 ORDER BY n`,
);

/** A stored checkpoint with a size that the tree never had. */
export const checkpointOutside = sqlStatement<object, { size: number }>(
  `SELECT c.size FROM audit_checkpoint c LEFT JOIN audit_log l ON l.log_id = c.log_id
   WHERE c.size < 0 OR c.size > coalesce(l.size, -1) ORDER BY c.size LIMIT 1`,
);

/** The size of the newest signed tree, if its checkpoint is not among the stored ones. */
export const newestMissing = sqlStatement<object, { size: number }>(
  `SELECT l.size FROM audit_log l
   WHERE l.${own} AND l.checkpoint IS NOT NULL
     AND NOT EXISTS (SELECT FROM audit_checkpoint c WHERE c.log_id = l.log_id AND c.size = l.size)`,
);

/** The stored checkpoints of the newest hours, with the number of hours up to each that have one. */
export const newestCheckpointHours = sqlStatement<{ limit: number }, { hour: string; checkpoints: number; hours: number }>(
  `SELECT hour::text AS hour, checkpoints, (count(*) OVER (ORDER BY hour))::int AS hours
   FROM (SELECT date_trunc('hour', signed_at) AS hour, count(*)::int AS checkpoints FROM audit_checkpoint WHERE ${own} GROUP BY 1) h
   ORDER BY h.hour DESC LIMIT $limit`,
);

/** Counts the hours up to `through` that have a stored checkpoint. */
export const countCheckpointHours = sqlStatement<{ through: string }, { hours: number }>(
  `SELECT count(DISTINCT date_trunc('hour', signed_at))::int AS hours FROM audit_checkpoint
   WHERE ${own} AND date_trunc('hour', signed_at) <= $through::text::timestamptz`,
);

/** The first hour after `since` that has fewer stored checkpoints than expected. */
export const hourWithFewer = sqlStatement<
  { hours: string[]; checkpoints: number[]; since: Date },
  { hour: string; expected: number; found: number }
>(
  `SELECT hour, expected, found FROM (
     SELECT w.hour, w.expected,
       (SELECT count(*)::int FROM audit_checkpoint c WHERE c.${own} AND date_trunc('hour', c.signed_at) = w.hour::timestamptz) AS found
     FROM unnest($hours::text[], $checkpoints::int[]) AS w(hour, expected) WHERE w.hour::timestamptz > $since
   ) h WHERE found < expected ORDER BY hour LIMIT 1`,
);

/** The first tiles that do not belong to a tree of the current size, and the number of such tiles. */
export const surplusTiles = sqlStatement<{ limit: number }, { level: number; n: number; tiles: number; size: number }>(
  `SELECT t.level, t.n, (count(*) OVER ())::int AS tiles, coalesce(l.size, 0) AS size
   FROM audit_tile t LEFT JOIN audit_log l ON l.log_id = t.log_id
   WHERE t.level NOT BETWEEN -1 AND 7 OR t.n < 0 OR t.n >= (((coalesce(l.size, 0) >> (8 * greatest(t.level, 0))) + 255) >> 8)
   ORDER BY t.level, t.n LIMIT $limit`,
);

export const checkpointsAfter = sqlStatement<{ after: number; limit: number }, { size: number; note: string }>(
  `SELECT size, note FROM audit_checkpoint WHERE ${own} AND size > $after ORDER BY size LIMIT $limit`,
);

/** Deletes checkpoints signed before a time, except the last of each hour and the newest. */
export const deleteSurplusCheckpoints = sqlStatement<{ before: Date }, never>(
  `DELETE FROM audit_checkpoint c WHERE c.${own} AND c.signed_at < $before AND EXISTS (
     SELECT FROM audit_checkpoint later WHERE later.${own} AND later.size > c.size AND date_trunc('hour', later.signed_at) = date_trunc('hour', c.signed_at))`,
);

/**
 * Erases addresses of entries before a time, at most `limit`, and keeps their digests, like `erase_addresses`. Locked rows are left for the next
 * run.
 */
export const eraseAddressesBefore = sqlStatement<{ before: Date; limit: number }, { team_id: string; id: string }>(
  `WITH old AS (
     SELECT team_id, id FROM audit_entry WHERE at < $before AND ip IS NOT NULL LIMIT $limit FOR NO KEY UPDATE SKIP LOCKED
   )
   UPDATE audit_entry e SET ip = NULL, ip_salt = NULL,
     ip_digest = sha256(convert_to('["' || e.ip_salt || '","ip","' || host(e.ip) || '"]', 'UTF8'))
   FROM old WHERE e.team_id = old.team_id AND e.id = old.id RETURNING e.team_id, e.id`,
);

/** Erases the addresses from the events of entries. `events` are identifiers of events. */
export const eraseEvents = sqlStatement<{ teams: string[]; events: string[] }, never>(
  `UPDATE event v SET body = without_address(v.body) FROM unnest($teams::uuid[], $events::text[]) AS e(team_id, id)
   WHERE v.team_id = e.team_id AND v.id = e.id`,
);

/** Counts the entries that wait to become leaves. */
export const countPending = sqlStatement<object, { pending: number }>('SELECT count(*)::int AS pending FROM audit_entry WHERE seq IS NULL');
