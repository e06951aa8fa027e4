import type { Row, RowWithout } from '../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';

export type RoleGroup = { groupId: string; role: 'admin' | 'member' | 'viewer' };
export type DirectoryRow = RowWithout<'directory', 'team_id' | 'role_groups' | 'surge_hash' | 'deleted_at'> & {
  role_groups: RoleGroup[];
  users: number;
  pending: number;
  groups: number;
};

const columns = `d.id, d.name, d.kind, d.connection_id, d.default_role, d.role_groups, d.may_give_admin, d.successor, d.successor_id, d.owner_successor_id,
  d.removal_delay_days, d.is_active, d.surge_at, d.version, d.created_by, d.created_at, d.updated_at,
  (SELECT count(*)::int FROM scim_user u WHERE u.team_id = $team AND u.directory_id = d.id AND u.deleted_at IS NULL) AS users,
  (SELECT count(*)::int FROM scim_user u WHERE u.team_id = $team AND u.directory_id = d.id AND u.deleted_at IS NULL AND u.status IN ('pending', 'conflict')) AS pending,
  (SELECT count(*)::int FROM directory_group g WHERE g.team_id = $team AND g.directory_id = d.id) AS groups`;
const live = 'd.team_id = $team AND d.deleted_at IS NULL';

export const listDirectories = sqlStatement<{ team: string }, DirectoryRow>(
  `SELECT ${columns} FROM directory d WHERE ${live} ORDER BY d.id LIMIT 10`,
);
export const findDirectory = sqlStatement<TeamScopedId, DirectoryRow>(`SELECT ${columns} FROM directory d WHERE ${live} AND d.id = $id`);
export const lockDirectory = sqlStatement<TeamScopedId, { id: string }>(
  'SELECT id FROM directory WHERE team_id = $team AND id = $id AND deleted_at IS NULL FOR NO KEY UPDATE',
);

/** The settings of a directory that decide about its users. */
export type DirectorySettings = Omit<DirectoryRow, 'users' | 'pending' | 'groups' | 'created_by' | 'created_at' | 'updated_at'>;
export const settingsOf = sqlStatement<TeamScopedId, DirectorySettings>(
  `SELECT id, name, kind, connection_id, default_role, role_groups, may_give_admin, successor, successor_id, owner_successor_id, removal_delay_days,
     is_active, surge_at, version
   FROM directory d WHERE ${live} AND d.id = $id`,
);
/** The connection of a directory, also of one that is being deleted. */
export const connectionOf = sqlStatement<TeamScopedId, { connection_id: string | null }>(
  'SELECT connection_id FROM directory WHERE team_id = $team AND id = $id',
);
/** The settings of a directory that is being deleted. */
export const deletedSettings = sqlStatement<TeamScopedId, DirectorySettings>(
  `SELECT id, name, kind, connection_id, default_role, role_groups, may_give_admin, successor, successor_id, owner_successor_id, removal_delay_days,
     is_active, surge_at, version
   FROM directory d WHERE d.team_id = $team AND d.id = $id AND d.deleted_at IS NOT NULL`,
);
export const settingsThrough = sqlStatement<{ team: string; connection: string }, { id: string; kind: string }>(
  `SELECT d.id, d.kind FROM directory d WHERE ${live} AND d.connection_id = $connection AND d.is_active ORDER BY d.id LIMIT 1`,
);

type DirectoryInput = TeamScopedId & {
  name: string;
  connection: string | null;
  role: string;
  roleGroups: string;
  mayGiveAdmin: boolean;
  successor: string;
  successorId: string | null;
  ownerSuccessor: string | null;
  delay: number;
  active: boolean;
  at: Date;
};
/** Serializes the creation of directories in a team, so that each creation counts all earlier ones. */
export const lockDirectoryCount = sqlStatement<{ team: string }, never>(
  "SELECT pg_advisory_xact_lock(hashtextextended('directories ' || $team, 0)) AS locked",
);
/** Inserts a directory. Returns no row if the team already has `most`. */
export const insertDirectory = sqlStatement<DirectoryInput & { kind: string; by: string; most: number }, { id: string }>(
  `INSERT INTO directory (team_id, id, name, kind, connection_id, default_role, role_groups, may_give_admin, successor, successor_id, owner_successor_id,
     removal_delay_days, is_active, created_by, created_at, updated_at)
   SELECT $team, $id, $name, $kind, $connection, $role, $roleGroups, $mayGiveAdmin, $successor, $successorId, $ownerSuccessor, $delay, $active, $by, $at, $at
   WHERE (SELECT count(*) FROM directory WHERE team_id = $team AND deleted_at IS NULL) < $most RETURNING id`,
);
export const updateDirectory = sqlStatement<DirectoryInput, { id: string }>(
  `UPDATE directory SET name = $name, connection_id = $connection, default_role = $role, role_groups = $roleGroups, may_give_admin = $mayGiveAdmin,
     successor = $successor, successor_id = $successorId, owner_successor_id = $ownerSuccessor, removal_delay_days = $delay, is_active = $active,
     version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id RETURNING id`,
);
/** Removes a deleted group from the role groups of its directory. */
export const dropRoleGroup = sqlStatement<TeamScopedId & { group: string; at: Date }, never>(
  `UPDATE directory SET version = version + 1, updated_at = $at, role_groups = (
     SELECT coalesce(jsonb_agg(g.value ORDER BY g.place), '[]') FROM jsonb_array_elements(role_groups) WITH ORDINALITY AS g(value, place)
     WHERE g.value ->> 'groupId' <> $group)
   WHERE team_id = $team AND id = $id`,
);
export const deleteDirectory = sqlStatement<TeamScopedId, never>('DELETE FROM directory WHERE team_id = $team AND id = $id');
/** Marks a directory whose users a job suspends before it is deleted. */
export const buryDirectory = sqlStatement<TeamScopedId & { at: Date }, never>(
  'UPDATE directory SET deleted_at = $at, is_active = false, version = version + 1, updated_at = $at WHERE team_id = $team AND id = $id',
);
export const recordSurge = sqlStatement<TeamScopedId & { since: Date; before: Date; hash: Buffer }, { id: string }>(
  `UPDATE directory SET surge_at = $since, surge_hash = $hash WHERE team_id = $team AND id = $id AND (surge_at IS NULL OR surge_at < $before) RETURNING id`,
);
export const endSurge = sqlStatement<TeamScopedId, { surge_at: string }>(
  `WITH kept AS (SELECT surge_at FROM directory WHERE team_id = $team AND id = $id AND surge_at > now() - interval '8 days' FOR NO KEY UPDATE)
   UPDATE directory d SET surge_at = NULL, surge_hash = NULL FROM kept WHERE d.team_id = $team AND d.id = $id RETURNING kept.surge_at`,
);

/** The directory of a mailed link that restores users. */
export const directoryBySurge = sqlStatement<{ team: string; hash: Buffer }, { id: string }>(
  'SELECT id FROM directory_by_surge($team, $hash) AS id WHERE id IS NOT NULL',
);

export type TokenRow = RowWithout<'directory_token', 'team_id' | 'hash' | 'reminded_days' | 'directory_id'>;
const tokenColumns = 'id, created_by, created_at, expires_at, last_used_at';
export const listTokens = sqlStatement<{ team: string; directory: string }, TokenRow>(
  `SELECT ${tokenColumns} FROM directory_token WHERE team_id = $team AND directory_id = $directory ORDER BY id LIMIT 10`,
);
type NewToken = TeamScopedId & { directory: string; hash: Buffer; by: string; at: Date; expiresAt: Date; most: number };
/** Inserts a token under the lock of its directory, and drops expired ones. Returns no row if the directory has `most` valid tokens. */
export const insertToken = sqlStatement<NewToken, TokenRow>(
  `INSERT INTO directory_token (team_id, id, directory_id, hash, created_by, created_at, expires_at)
   SELECT $team, $id, $directory, $hash, $by, $at, $expiresAt
   WHERE (SELECT count(*) FROM directory_token WHERE team_id = $team AND directory_id = $directory AND expires_at > now()) < $most
   RETURNING ${tokenColumns}`,
);
export const dropExpiredTokens = sqlStatement<{ team: string; directory: string }, never>(
  'DELETE FROM directory_token WHERE team_id = $team AND directory_id = $directory AND expires_at <= now()',
);
export const deleteToken = sqlStatement<TeamScopedId & { directory: string }, { id: string }>(
  'DELETE FROM directory_token WHERE team_id = $team AND directory_id = $directory AND id = $id RETURNING id',
);

/** Whether the owner created all valid tokens of a directory. */
export const ownerHoldsTokens = sqlStatement<{ team: string; directory: string; owner: string }, { held: boolean }>(
  `SELECT NOT EXISTS (
     SELECT FROM directory_token WHERE team_id = $team AND directory_id = $directory AND expires_at > now() AND created_by <> $owner) AS held`,
);

/** The directory of a valid token. */
export const directoryByToken = sqlStatement<
  { team: string; hash: Buffer },
  { directory_id: string; token_id: string; expires_at: string }
>('SELECT directory_id, token_id, expires_at FROM directory_by_token($team, $hash)');
export const proveToken = sqlStatement<{ team: string; token: string }, never>('SELECT hold_directory($team, $token)');

/** Tokens that end within `days` days without a reminder of that number of days. */
export const tokensToRemind = sqlStatement<{ days: number; limit: number }, { team: string; id: string }>(
  `SELECT k.team_id AS team, k.id FROM directory_token k
   WHERE k.expires_at BETWEEN now() AND now() + make_interval(days => $days) AND (k.reminded_days IS NULL OR k.reminded_days > $days)
     AND NOT job_waits('directory-token-reminder', k.team_id, k.id::text) AND team_active(k.team_id)
   ORDER BY k.expires_at LIMIT $limit`,
);
export const remindToken = sqlStatement<TeamScopedId & { days: number }, { directory: string; name: string; expires_at: string }>(
  `UPDATE directory_token k SET reminded_days = $days FROM directory d
   WHERE k.team_id = $team AND k.id = $id AND (k.reminded_days IS NULL OR k.reminded_days > $days) AND d.team_id = $team AND d.id = k.directory_id
   RETURNING k.directory_id AS directory, d.name, k.expires_at`,
);

export type LogRow = Row<
  'directory_log',
  'id' | 'at' | 'method' | 'path' | 'status' | 'scim_type' | 'detail' | 'attributes' | 'request_id'
>;
type NewLog = TeamScopedId & {
  directory: string;
  token: string;
  at: Date;
  method: string;
  path: string;
  status: number;
  scimType: string | null;
  detail: string | null;
  attributes: readonly string[];
  requestId: string;
};
/** Adds a request and drops the oldest beyond the last 1 000. Notes the use of the token once a minute. */
export const logRequest = sqlStatement<NewLog, never>(
  `WITH used AS (
     UPDATE directory_token SET last_used_at = $at WHERE team_id = $team AND id = $token AND (last_used_at IS NULL OR last_used_at < $at::timestamptz - interval '1 minute')
   ), locked AS (
     SELECT id FROM directory_log WHERE team_id = $team AND directory_id = $directory ORDER BY id DESC OFFSET 999 FOR UPDATE SKIP LOCKED
   ), dropped AS (
     DELETE FROM directory_log l USING locked WHERE l.team_id = $team AND l.directory_id = $directory AND l.id = locked.id
   )
   INSERT INTO directory_log (team_id, directory_id, id, at, method, path, status, scim_type, detail, attributes, request_id)
   VALUES ($team, $directory, $id, $at, $method, $path, $status, $scimType, $detail, $attributes, $requestId)`,
);
export const listLog = sqlStatement<{ team: string; directory: string; before: string; limit: number }, LogRow>(
  `SELECT id, at, method, path, status, scim_type, detail, attributes, request_id FROM directory_log
   WHERE team_id = $team AND directory_id = $directory AND id < $before ORDER BY id DESC LIMIT $limit + 1`,
);
export const dropOldLog = sqlStatement<{ before: Date }, never>(
  `WITH locked AS (
     SELECT team_id, directory_id, id FROM directory_log WHERE at < $before ORDER BY team_id, directory_id, id FOR UPDATE SKIP LOCKED
   )
   DELETE FROM directory_log l USING locked WHERE l.team_id = locked.team_id AND l.directory_id = locked.directory_id AND l.id = locked.id`,
);
