import { type Compilable, type SqlBool, sql } from 'kysely';
import type { RowWithout } from '../../../platform/database/row.ts';
import { build, sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';
import { isUuid } from '../../../platform/identifiers.ts';
import type { Details } from './attributes.ts';
import type { Term } from './filter.ts';

export type UserRow = RowWithout<'scim_user', 'team_id' | 'directory_id' | 'attributes'> & { attributes: Details };

const names = [
  'id',
  'account_id',
  'status',
  'user_name',
  'user_name_key',
  'external_id',
  'email',
  'email_key',
  'attributes',
  'active',
  'is_suspended',
  'invitation_id',
  'deactivated_at',
  'deleted_at',
  'version',
  'created_at',
  'updated_at',
] as const;
const columns = names.join(', ');
const shown = "deleted_at IS NULL AND status <> 'conflict'";

type InDirectory = TeamScopedId & { directory: string };

export const findUser = sqlStatement<InDirectory, UserRow>(
  `SELECT ${columns} FROM scim_user WHERE team_id = $team AND directory_id = $directory AND id = $id AND ${shown}`,
);
export const lockUser = sqlStatement<InDirectory, UserRow>(
  `SELECT ${columns} FROM scim_user WHERE team_id = $team AND directory_id = $directory AND id = $id AND ${shown} FOR NO KEY UPDATE`,
);
/** Locks a user in whichever state. */
export const lockAnyUser = sqlStatement<InDirectory, UserRow>(
  `SELECT ${columns} FROM scim_user WHERE team_id = $team AND directory_id = $directory AND id = $id FOR NO KEY UPDATE`,
);
/** The users with this name or external identifier, in whichever state. */
export const usersNamed = sqlStatement<{ team: string; directory: string; key: string; externalId: string | null }, UserRow>(
  `SELECT ${columns} FROM scim_user WHERE team_id = $team AND directory_id = $directory AND (user_name_key = $key OR external_id = $externalId)
   ORDER BY id FOR NO KEY UPDATE`,
);

type Values = {
  userName: string;
  key: string;
  externalId: string | null;
  email: string | null;
  emailKey: string | null;
  attributes: string;
  active: boolean;
  at: Date;
};
/** Adds a user. Returns no row if the directory has `most` users. */
export const insertUser = sqlStatement<InDirectory & Values & { most: number }, UserRow>(
  `INSERT INTO scim_user (team_id, id, directory_id, status, user_name, user_name_key, external_id, email, email_key, attributes, active, created_at, updated_at)
   SELECT $team, $id, $directory, 'pending', $userName, $key, $externalId, $email, $emailKey, $attributes, $active, $at, $at
   WHERE (SELECT count(*) FROM scim_user WHERE team_id = $team AND directory_id = $directory) < $most
   RETURNING ${columns}`,
);
export const updateUser = sqlStatement<InDirectory & Values, UserRow>(
  `UPDATE scim_user SET user_name = $userName, user_name_key = $key, external_id = $externalId, email = $email, email_key = $emailKey,
     attributes = $attributes, active = $active, deactivated_at = CASE WHEN $active THEN NULL WHEN active THEN $at ELSE deactivated_at END,
     version = version + 1, updated_at = $at
   WHERE team_id = $team AND directory_id = $directory AND id = $id RETURNING ${columns}`,
);
export const linkUser = sqlStatement<TeamScopedId & { account: string; suspended: boolean; at: Date }, UserRow>(
  `UPDATE scim_user SET account_id = $account, status = 'linked', is_suspended = $suspended, invitation_id = NULL, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id RETURNING ${columns}`,
);
export const markInvited = sqlStatement<TeamScopedId & { invitation: string | null }, UserRow>(
  `UPDATE scim_user SET invitation_id = $invitation, status = 'pending' WHERE team_id = $team AND id = $id RETURNING ${columns}`,
);
/** Whether another active user waits for the same invitation, in whichever directory of the team. */
export const sharesInvitation = sqlStatement<TeamScopedId & { invitation: string }, { shared: boolean }>(
  `SELECT EXISTS (
     SELECT FROM scim_user WHERE team_id = $team AND invitation_id = $invitation AND id <> $id AND status = 'pending' AND active) AS shared`,
);
export const markConflict = sqlStatement<TeamScopedId, UserRow>(
  `UPDATE scim_user SET status = 'conflict' WHERE team_id = $team AND id = $id RETURNING ${columns}`,
);
export const setActive = sqlStatement<TeamScopedId & { active: boolean; at: Date }, UserRow>(
  `UPDATE scim_user SET active = $active, deactivated_at = CASE WHEN NOT $active THEN coalesce(deactivated_at, $at) END, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id RETURNING ${columns}`,
);
export const markDeleted = sqlStatement<TeamScopedId & { at: Date | null }, UserRow>(
  `UPDATE scim_user SET deleted_at = $at, version = version + 1 WHERE team_id = $team AND id = $id RETURNING ${columns}`,
);
export const deleteUser = sqlStatement<TeamScopedId, never>('DELETE FROM scim_user WHERE team_id = $team AND id = $id');

/** The user of an account, in whichever directory of the team. */
export const userOfAccount = sqlStatement<{ team: string; account: string }, UserRow & { directory_id: string }>(
  `SELECT ${columns}, directory_id FROM scim_user WHERE team_id = $team AND account_id = $account`,
);
/** A user removed by an administrator, by the address in the directory. */
export const withdrawnWithAddress = sqlStatement<{ team: string; emailKey: string }, { id: string }>(
  `SELECT id FROM scim_user WHERE team_id = $team AND status = 'withdrawn' AND coalesce(email_key, user_name_key) = $emailKey ORDER BY id LIMIT 1`,
);
/** Accounts of users of a directory by the external identifier. */
export const accountOfExternalId = sqlStatement<{ team: string; directory: string; externalId: string }, { account_id: string | null }>(
  'SELECT account_id FROM scim_user WHERE team_id = $team AND directory_id = $directory AND external_id = $externalId',
);

/** Locks the users that a new member may be: a withdrawn user of the account, then the active ones of the invitation or the address. */
export const lockJoined = sqlStatement<
  { team: string; account: string; invitation: string | null; emailKey: string | null },
  { id: string; directory_id: string; status: UserRow['status']; is_invited: boolean }
>(
  `SELECT id, directory_id, status, coalesce(invitation_id = $invitation, false) AS is_invited FROM scim_user
   WHERE team_id = $team AND ((account_id = $account AND status = 'withdrawn')
     OR (status = 'pending' AND (invitation_id = $invitation OR (active AND coalesce(email_key, user_name_key) = $emailKey))))
   ORDER BY status = 'withdrawn' DESC, is_invited DESC, id FOR NO KEY UPDATE`,
);
/** Links a pending or withdrawn user with the account of a new member. */
export const linkJoined = sqlStatement<TeamScopedId & { account: string; at: Date }, never>(
  `UPDATE scim_user SET account_id = $account, status = 'linked', invitation_id = NULL, is_suspended = false,
     active = active OR status = 'withdrawn', deactivated_at = NULL, deleted_at = NULL, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id`,
);
/** Marks the other pending users with the address of a linked one. */
export const conflictOthers = sqlStatement<{ team: string; emailKey: string; except: string }, never>(
  `UPDATE scim_user SET status = 'conflict' WHERE team_id = $team AND status = 'pending' AND id <> $except
     AND coalesce(email_key, user_name_key) = $emailKey`,
);
export const withdrawUser = sqlStatement<{ team: string; account: string; at: Date }, never>(
  `UPDATE scim_user SET status = 'withdrawn', active = false, is_suspended = false, deactivated_at = NULL, version = version + 1, updated_at = $at
   WHERE team_id = $team AND account_id = $account`,
);
export const storeSuspension = sqlStatement<{ team: string; account: string; suspended: boolean }, never>(
  'UPDATE scim_user SET is_suspended = $suspended WHERE team_id = $team AND account_id = $account',
);

/** The deactivations since a time, and the users that are active. */
export const countActive = sqlStatement<{ team: string; directory: string; since: Date }, { deactivated: number; active: number }>(
  `SELECT (SELECT count(*)::int FROM scim_user WHERE team_id = $team AND directory_id = $directory AND deactivated_at > $since) AS deactivated,
     (SELECT count(*)::int FROM scim_user WHERE team_id = $team AND directory_id = $directory AND active AND deleted_at IS NULL) AS active`,
);
/** Users that a directory deactivated within two hours from the begin of a surge, after an id. */
export const deactivatedSince = sqlStatement<
  { team: string; directory: string; since: Date; after: string; limit: number },
  { id: string }
>(
  `SELECT id FROM scim_user WHERE team_id = $team AND directory_id = $directory AND deactivated_at >= $since
     AND deactivated_at < $since::timestamptz + interval '2 hours' AND NOT active AND id > $after
   ORDER BY id LIMIT $limit`,
);
/** Active users of a directory after an id. */
export const activeUsers = sqlStatement<{ team: string; directory: string; after: string; limit: number }, { id: string }>(
  `SELECT id FROM scim_user WHERE team_id = $team AND directory_id = $directory AND active AND id > $after ORDER BY id LIMIT $limit`,
);
/** Users whose directory deleted them and whose removal is due. */
export const dueRemovals = sqlStatement<{ now: Date; limit: number; ofEachTeam: number }, { team: string; id: string; directory: string }>(
  `SELECT team, id, directory FROM (
     SELECT u.team_id AS team, u.id, u.directory_id AS directory, u.deleted_at, row_number() OVER (PARTITION BY u.team_id ORDER BY u.deleted_at) AS place
     FROM scim_user u JOIN directory d ON d.team_id = u.team_id AND d.id = u.directory_id
     WHERE u.deleted_at IS NOT NULL AND u.status <> 'withdrawn' AND u.deleted_at + make_interval(days => d.removal_delay_days) <= $now
       AND NOT job_waits('directory-removal', u.team_id, u.id::text) AND team_active(u.team_id)
   ) due WHERE place <= $ofEachTeam ORDER BY deleted_at LIMIT $limit`,
);
/** The account of the manager that a user of the directory names: by id, external identifier or user name. */
export const managerAccount = sqlStatement<{ team: string; directory: string; manager: string }, { account_id: string }>(
  `SELECT account_id FROM scim_user
   WHERE team_id = $team AND directory_id = $directory AND active AND status = 'linked' AND (id::text = lower($manager) OR external_id = $manager)
   ORDER BY id LIMIT 1`,
  { account_id: 'a linked user has an account' },
);

/** Users for the administrators of the team, including hidden ones. */
export const listAllUsers = sqlStatement<{ team: string; directory: string; status: string | null; after: string; limit: number }, UserRow>(
  `SELECT ${columns} FROM scim_user
   WHERE team_id = $team AND directory_id = $directory AND id > $after AND ($status::text IS NULL OR status = $status) ORDER BY id LIMIT $limit + 1`,
);

export type ListPosition = { offset: number } | { after: string };
export type ListQuery = { team: string; directory: string; terms: readonly Term[] };

const never = sql<SqlBool>`false`;

/** The key of a value for a comparison of user names and addresses. */
export type KeyOf = (text: string) => string;

function conditionOf(term: Term, keyOf: KeyOf) {
  const column = {
    id: sql.ref('id'),
    userName: sql.ref('user_name_key'),
    externalId: sql.ref('external_id'),
    email: sql.ref('email_key'),
    displayName: sql`lower(attributes ->> 'displayName')`,
    lastModified: sql.ref('updated_at'),
    active: sql.ref('active'),
    member: never,
  }[term.attribute];
  if (term.op === 'pr') return sql<SqlBool>`${column} IS NOT NULL`;
  switch (term.attribute) {
    case 'id':
      return isUuid(term.value) ? sql<SqlBool>`${column} = ${term.value}::uuid` : never;
    case 'active':
      return sql<SqlBool>`${column} = ${term.value}::boolean`;
    case 'lastModified':
      return sql<SqlBool>`${column} ${sql.raw({ eq: '=', gt: '>', ge: '>=' }[term.op])} ${term.value}::timestamptz`;
    case 'member':
      return never;
    default: {
      const exact = term.attribute === 'externalId';
      const value = exact ? term.value : term.attribute === 'displayName' ? term.value.toLowerCase() : keyOf(term.value);
      if (term.op === 'eq') return sql<SqlBool>`${column} = ${value}::text`;
      return term.op === 'sw' ? sql<SqlBool>`starts_with(${column}, ${value}::text)` : sql<SqlBool>`strpos(${column}, ${value}::text) > 0`;
    }
  }
}

function matching({ team, directory, terms }: ListQuery, keyOf: KeyOf) {
  let query = build
    .selectFrom('scim_user')
    .where('team_id', '=', team)
    .where('directory_id', '=', directory)
    .where('deleted_at', 'is', null)
    .where('status', '<>', 'conflict');
  for (const term of terms) query = query.where(conditionOf(term, keyOf));
  return query;
}

/** A page of the users that match all terms, in the order of their ids. */
export function listUsers(query: ListQuery, position: ListPosition, limit: number, keyOf: KeyOf): Compilable<UserRow> {
  const ordered = matching(query, keyOf).select(names).$castTo<UserRow>().orderBy('id').limit(limit);
  return 'offset' in position ? ordered.offset(position.offset) : ordered.where('id', '>', position.after);
}
export const countUsers = (query: ListQuery, keyOf: KeyOf): Compilable<{ total: number }> =>
  matching(query, keyOf).select(sql<number>`count(*)::int`.as('total'));
