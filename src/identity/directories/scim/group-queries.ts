import { type Compilable, type SqlBool, sql } from 'kysely';
import type { Row, RowWithout } from '../../../platform/database/row.ts';
import { build, sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';
import { isUuid } from '../../../platform/identifiers.ts';
import type { Term } from './filter.ts';
import type { ListPosition, ListQuery } from './user-queries.ts';

export type GroupRow = RowWithout<'directory_group', 'team_id' | 'directory_id'>;
const names = ['id', 'name', 'external_id', 'version', 'created_at', 'updated_at'] as const;
const columns = names.join(', ');
type InDirectory = TeamScopedId & { directory: string };

export const findGroup = sqlStatement<InDirectory, GroupRow>(
  `SELECT ${columns} FROM directory_group WHERE team_id = $team AND directory_id = $directory AND id = $id`,
);
export const lockGroup = sqlStatement<InDirectory, GroupRow>(
  `SELECT ${columns} FROM directory_group WHERE team_id = $team AND directory_id = $directory AND id = $id FOR UPDATE`,
);
export const countGroups = sqlStatement<{ team: string; directory: string }, { groups: number }>(
  'SELECT count(*)::int AS groups FROM directory_group WHERE team_id = $team AND directory_id = $directory',
);
type Values = { name: string; externalId: string | null; at: Date };
export const insertGroup = sqlStatement<InDirectory & Values, GroupRow>(
  `INSERT INTO directory_group (team_id, id, directory_id, name, external_id, created_at, updated_at)
   VALUES ($team, $id, $directory, $name, $externalId, $at, $at) RETURNING ${columns}`,
);
export const updateGroup = sqlStatement<TeamScopedId & Values, GroupRow>(
  `UPDATE directory_group SET name = $name, external_id = $externalId, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id RETURNING ${columns}`,
);

/** Locks the users of a directory among these ids against links and deletion. */
export const lockUsers = sqlStatement<
  { team: string; directory: string; ids: readonly string[] },
  { id: string; account_id: string | null }
>(
  `SELECT id, account_id FROM scim_user WHERE team_id = $team AND directory_id = $directory AND id = ANY ($ids::uuid[]) AND deleted_at IS NULL
   ORDER BY id FOR SHARE`,
);
type MemberSet = { team: string; group: string; users: readonly string[] };
export const addMembers = sqlStatement<MemberSet, { user_id: string }>(
  `INSERT INTO directory_group_member (team_id, group_id, user_id) SELECT $team, $group, u.id FROM unnest($users::uuid[]) AS u(id)
   ON CONFLICT DO NOTHING RETURNING user_id`,
);
type Gone = { user_id: string; account_id: string | null };
const dropped = (which: string) =>
  `DELETE FROM directory_group_member m USING scim_user u
   WHERE m.team_id = $team AND m.group_id = $group ${which} AND u.team_id = $team AND u.id = m.user_id RETURNING m.user_id, u.account_id`;
export const dropMembers = sqlStatement<MemberSet, Gone>(dropped('AND m.user_id = ANY ($users::uuid[])'));
export const keepMembers = sqlStatement<MemberSet, Gone>(dropped('AND NOT m.user_id = ANY ($users::uuid[])'));
export const countMembers = sqlStatement<{ team: string; group: string }, { members: number }>(
  'SELECT count(*)::int AS members FROM directory_group_member WHERE team_id = $team AND group_id = $group',
);
export const accountsOfGroup = sqlStatement<{ team: string; group: string }, Gone>(
  `SELECT m.user_id, u.account_id FROM directory_group_member m JOIN scim_user u ON u.team_id = $team AND u.id = m.user_id
   WHERE m.team_id = $team AND m.group_id = $group ORDER BY m.user_id`,
);
/** The number of members of each group. */
export const membersOfEach = sqlStatement<{ team: string; groups: readonly string[] }, { group_id: string; members: number }>(
  `SELECT group_id, count(*)::int AS members FROM directory_group_member WHERE team_id = $team AND group_id = ANY ($groups::uuid[]) GROUP BY group_id`,
);
export type MemberRow = { group_id: string } & Row<'scim_user', 'id'>;
export const membersOf = sqlStatement<{ team: string; groups: readonly string[] }, MemberRow>(
  `SELECT m.group_id, u.id FROM directory_group_member m JOIN scim_user u ON u.team_id = $team AND u.id = m.user_id
   WHERE m.team_id = $team AND m.group_id = ANY ($groups::uuid[]) AND u.deleted_at IS NULL AND u.status <> 'conflict' ORDER BY m.group_id, u.id`,
);

/** The groups of a directory that a user belongs to. */
export const groupsOfUser = sqlStatement<{ team: string; user: string }, { group_id: string }>(
  'SELECT group_id FROM directory_group_member WHERE team_id = $team AND user_id = $user ORDER BY group_id',
);
/** The memberships of users in some groups. */
export const membershipsIn = sqlStatement<
  { team: string; users: readonly string[]; groups: readonly string[] },
  { user_id: string; group_id: string }
>(
  `SELECT user_id, group_id FROM directory_group_member
   WHERE team_id = $team AND user_id = ANY ($users::uuid[]) AND group_id = ANY ($groups::uuid[])`,
);
/** The accounts of linked users. */
export const linkedAmong = sqlStatement<{ team: string; users: readonly string[] }, { id: string; account_id: string }>(
  `SELECT id, account_id FROM scim_user WHERE team_id = $team AND id = ANY ($users::uuid[]) AND status = 'linked' ORDER BY account_id`,
  { account_id: 'a linked user has an account' },
);
export const groupsAmong = sqlStatement<{ team: string; directory: string; ids: readonly string[] }, { id: string }>(
  'SELECT id FROM directory_group WHERE team_id = $team AND directory_id = $directory AND id = ANY ($ids::uuid[])',
);

const none = sql<SqlBool>`false`;

function conditionOf(term: Term, { team }: ListQuery) {
  const columnOf = {
    id: sql.ref('id'),
    externalId: sql.ref('external_id'),
    displayName: sql`lower(name)`,
    lastModified: sql.ref('updated_at'),
    userName: none,
    email: none,
    active: none,
    member: none,
  };
  const column = columnOf[term.attribute];
  if (term.op === 'pr') return sql<SqlBool>`${column} IS NOT NULL`;
  switch (term.attribute) {
    case 'id':
      return isUuid(term.value) ? sql<SqlBool>`${column} = ${term.value}::uuid` : none;
    case 'member':
      return isUuid(term.value)
        ? sql<SqlBool>`EXISTS (SELECT FROM directory_group_member m
            WHERE m.team_id = ${team}::uuid AND m.group_id = directory_group.id AND m.user_id = ${term.value}::uuid)`
        : none;
    case 'lastModified':
      return sql<SqlBool>`${column} ${sql.raw({ eq: '=', gt: '>', ge: '>=' }[term.op])} ${term.value}::timestamptz`;
    case 'externalId':
    case 'displayName': {
      const value = term.attribute === 'externalId' ? term.value : term.value.toLowerCase();
      if (term.op === 'eq')
        return term.attribute === 'externalId' ? sql<SqlBool>`${column} = ${value}::text` : sql<SqlBool>`${column} = lower(${value}::text)`;
      return term.op === 'sw' ? sql<SqlBool>`starts_with(${column}, ${value}::text)` : sql<SqlBool>`strpos(${column}, ${value}::text) > 0`;
    }
    default:
      return none;
  }
}

function matching(query: ListQuery) {
  let selected = build.selectFrom('directory_group').where('team_id', '=', query.team).where('directory_id', '=', query.directory);
  for (const term of query.terms) selected = selected.where(conditionOf(term, query));
  return selected;
}

/** A page of the groups that match all terms, in the order of their ids. */
export function listGroups(query: ListQuery, position: ListPosition, limit: number): Compilable<GroupRow> {
  const ordered = matching(query).select(names).orderBy('id').limit(limit);
  return 'offset' in position ? ordered.offset(position.offset) : ordered.where('id', '>', position.after);
}
export const countMatching = (query: ListQuery): Compilable<{ total: number }> =>
  matching(query).select(sql<number>`count(*)::int`.as('total'));
