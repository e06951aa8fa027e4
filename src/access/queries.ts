import type { RowWithout } from '../platform/database/row.ts';
import { bySort, changeSorts, type Cursor, sortedBy } from '../platform/database/sorted-page.ts';
import { sqlStatement, type TeamScopedId } from '../platform/database/statement.ts';
import type { ResourceName } from './resource-access.ts';

export type GrantRow = RowWithout<'access_grant', 'expires_at' | 'group_id' | 'resource_type' | 'source_id' | 'team_id' | 'user_id'> & {
  /** The task of the grant, if it comes from a task. */
  source_id: string | null;
};
const grantColumns = 'id, resource_id, principal_type, principal_id, relations, source, source_id, granted_by, created_at';

type Resource = { team: string; type: string; resource: string };
type NewGrant = Resource & {
  id: string;
  principalType: GrantRow['principal_type'];
  principal: string;
  relations: readonly string[];
  source: 'share' | 'confinement' | 'audit';
  by: string;
  at: Date;
};

const insertGrant = `INSERT INTO access_grant (team_id, id, resource_type, resource_id, principal_type, principal_id, relations, source, granted_by, created_at)
   VALUES ($team, $id, $type, $resource, $principalType, $principal, $relations, $source, $by, $at)`;
/** Adds the grant of a new resource. */
export const addGrant = sqlStatement<NewGrant, never>(insertGrant);
/** Adds a grant. A second one to the same principal from the same source replaces the relations of the first. */
export const putGrant = sqlStatement<NewGrant, GrantRow>(
  `${insertGrant}
   ON CONFLICT ON CONSTRAINT access_grant_once DO UPDATE SET relations = excluded.relations, granted_by = excluded.granted_by
   RETURNING ${grantColumns}`,
);
const ofResource = "team_id = $team AND resource_type = $type AND resource_id = $resource AND source IN ('share', 'task')";
export const listGrants = sqlStatement<Resource, GrantRow>(
  `SELECT ${grantColumns} FROM access_grant WHERE ${ofResource} ORDER BY id LIMIT 10000`,
);
export const findGrant = sqlStatement<Resource & { id: string }, GrantRow>(
  `SELECT ${grantColumns} FROM access_grant WHERE ${ofResource} AND id = $id`,
);
export const revokeGrant = sqlStatement<Resource & { id: string }, GrantRow>(
  `DELETE FROM access_grant WHERE ${ofResource} AND id = $id RETURNING ${grantColumns}`,
);

type TaskGrantParams = Resource & { id: string; task: string; by: string; at: Date };
/** Grants a member the relation `participant` until a task ends. Returns no row if the person has left the team or already has the grant. */
export const grantByTask = sqlStatement<TaskGrantParams & { user: string }, GrantRow>(
  `INSERT INTO access_grant
     (team_id, id, resource_type, resource_id, principal_type, principal_id, relations, source, source_id, granted_by, created_at)
   SELECT $team, $id, $type, $resource, 'user', a.id, '{participant}', 'task', $task, $by, $at FROM member a WHERE a.team_id = $team AND a.id = $user
   ON CONFLICT ON CONSTRAINT access_grant_once DO NOTHING RETURNING ${grantColumns}`,
);
/**
 * Grants a group the relation `participant` until a task ends. Its members have the relation while they are in the
 * group. Returns no row if the group was deleted or already has the grant.
 */
export const grantToGroupByTask = sqlStatement<TaskGrantParams & { group: string }, GrantRow>(
  `INSERT INTO access_grant
     (team_id, id, resource_type, resource_id, principal_type, principal_id, relations, source, source_id, granted_by, created_at)
   SELECT $team, $id, $type, $resource, 'group', g.id, '{participant}', 'task', $task, $by, $at FROM access_group g WHERE g.team_id = $team AND g.id = $group
   ON CONFLICT ON CONSTRAINT access_grant_once DO NOTHING RETURNING ${grantColumns}`,
);
/**
 * Ends the grants of tasks. If `keeper` completed one of the tasks because of its grant, `keeper` stays a participant of
 * that task. The grant can be that of the group.
 */
export const endGrantsOfTasks = sqlStatement<
  { team: string; tasks: readonly string[]; record: string; keeper: string | null; at: Date },
  GrantRow
>(
  `WITH ended AS (DELETE FROM access_grant WHERE team_id = $team AND source_id = ANY ($tasks::uuid[]) RETURNING ${grantColumns}),
   kept AS (
     INSERT INTO access_grant (team_id, id, resource_type, resource_id, principal_type, principal_id, relations, source, granted_by, created_at)
     SELECT $team, $record, 'task', source_id, 'user', $keeper, relations, 'record', granted_by, $at FROM ended
     WHERE principal_id = $keeper OR principal_type = 'group' AND $keeper::uuid IS NOT NULL LIMIT 1 ON CONFLICT ON CONSTRAINT access_grant_once DO NOTHING
   )
   SELECT ${grantColumns} FROM ended`,
);
/** Ends the task grants of a member. */
export const endTaskGrantsTo = sqlStatement<{ team: string; user: string }, GrantRow>(
  `DELETE FROM access_grant WHERE team_id = $team AND user_id = $user AND source = 'task' RETURNING ${grantColumns}`,
);
export const endGrants = sqlStatement<{ team: string; ids: readonly string[] }, GrantRow>(
  `DELETE FROM access_grant WHERE team_id = $team AND id = ANY ($ids) RETURNING ${grantColumns}`,
);

/** Deletes grants on resources to their new owner, who no longer needs them. */
export const dropGrantsToOwner = sqlStatement<{ team: string; type: string; ids: readonly string[]; owner: string }, never>(
  'DELETE FROM access_grant WHERE team_id = $team AND resource_type = $type AND resource_id = ANY ($ids) AND user_id = $owner',
);
/** Deletes the grants of a leaving member. Grants of tasks end later, when the tasks are locked. */
export const dropGrantsTo = sqlStatement<{ team: string; user: string }, never>(
  "DELETE FROM access_grant WHERE team_id = $team AND user_id = $user AND source <> 'task'",
);
export const dropMemberships = sqlStatement<{ team: string; user: string }, never>(
  'DELETE FROM access_group_member WHERE team_id = $team AND user_id = $user',
);

/** Ends the memberships of a member who stays in the team, and returns their groups. */
export const endMemberships = sqlStatement<{ team: string; user: string }, { id: string; name: string }>(
  `DELETE FROM access_group_member m USING access_group g
   WHERE m.team_id = $team AND m.user_id = $user AND g.team_id = $team AND g.id = m.group_id RETURNING g.id, g.name`,
);

export type GroupRow = RowWithout<'access_group', 'team_id'> & { members: number };
const groupColumns = `g.id, g.name, g.description, g.directory_id, g.created_by, g.created_by_type, g.version, g.created_at, g.updated_at,
     (SELECT count(*) FROM access_group_member m WHERE m.team_id = $team AND m.group_id = g.id)::int AS members`;

export const findGroup = sqlStatement<TeamScopedId, GroupRow>(
  `SELECT ${groupColumns} FROM access_group g WHERE g.team_id = $team AND g.id = $id`,
);
/** The names of groups. */
export const groupsNamed = sqlStatement<{ team: string; ids: readonly string[] }, ResourceName>(
  'SELECT id, name FROM access_group WHERE team_id = $team AND id = ANY ($ids::uuid[])',
);
/** Locks a group before a change. */
export const lockGroup = sqlStatement<TeamScopedId, { id: string }>(
  'SELECT id FROM access_group WHERE team_id = $team AND id = $id FOR UPDATE',
);
/** Locks a group against deletion while it gets a share. */
export const lockGroupShared = sqlStatement<TeamScopedId, { id: string }>(
  'SELECT id FROM access_group WHERE team_id = $team AND id = $id FOR KEY SHARE',
);
export const lockGroupsShared = sqlStatement<{ team: string; ids: readonly string[] }, { id: string; directory_id: string | null }>(
  'SELECT id, directory_id FROM access_group WHERE team_id = $team AND id = ANY ($ids) ORDER BY id FOR KEY SHARE',
);
/** Returns an active API client that is not confined to folders. */
export const findClient = sqlStatement<TeamScopedId, { id: string }>(
  'SELECT id FROM active_client WHERE team_id = $team AND id = $id AND folder_ids IS NULL',
);
/** Returns a row if a group is a member of a barrier and the user is not. `user` is null for clients and agents. */
export const outsideOfGroup = sqlStatement<{ team: string; group: string; user: string | null }, { id: string }>(
  `SELECT m.barrier_id AS id FROM access_barrier_member m CROSS JOIN LATERAL barrier_state($team, m.barrier_id, $user) s
   WHERE m.team_id = $team AND m.group_id = $group AND s.outsider LIMIT 1`,
);
export const listGroups = bySort(changeSorts, (sort) => {
  const { order, after, key } = sortedBy(sort, 'g');
  return sqlStatement<Cursor & { team: string; since: string | null; limit: number }, GroupRow & { sort_time: string }>(
    `SELECT ${groupColumns}, ${key[0]} AS sort_time FROM access_group g
     WHERE g.team_id = $team AND ${after} AND ($since::timestamptz IS NULL OR g.updated_at >= $since) ORDER BY ${order} LIMIT $limit + 1`,
  );
});

type NewGroup = TeamScopedId & { name: string; description: string | null; by: string; byType: string; at: Date; most: number };
/** Adds a group. Returns no row if the team already has `most` groups or a group with this name. */
export const insertGroup = sqlStatement<NewGroup, { id: string }>(
  `INSERT INTO access_group (team_id, id, name, description, created_by, created_by_type, created_at, updated_at)
   SELECT $team, $id, $name, $description, $by, $byType, $at, $at
   WHERE (SELECT count(*) FROM access_group WHERE team_id = $team AND directory_id IS NULL) < $most
   ON CONFLICT DO NOTHING RETURNING id`,
);
export const isNameTaken = sqlStatement<TeamScopedId & { name: string }, { id: string }>(
  'SELECT id FROM access_group WHERE team_id = $team AND lower(name) = lower($name) AND id <> $id',
);
export const updateGroup = sqlStatement<TeamScopedId & { name: string; description: string | null; at: Date }, never>(
  `UPDATE access_group SET name = $name, description = $description, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id`,
);
/** The uses of a group, by kind. */
export type GroupUses = { shares: number; barriers: number; tasks: number; steps: number; templates: number; policies: number };
export const usesOfGroup = sqlStatement<TeamScopedId, GroupUses>(
  `SELECT ${['shares', 'barriers', 'tasks', 'steps', 'templates', 'policies'].map((kind) => `coalesce(${kind}, 0) AS ${kind}`).join(', ')} FROM group_uses($team, $id)`,
);
export const deleteGroup = sqlStatement<TeamScopedId, never>('DELETE FROM access_group WHERE team_id = $team AND id = $id');

export type MemberRow = { user_id: string; added_by: string; added_at: string };
type Membership = { team: string; group: string; user: string };
export const listMembers = sqlStatement<{ team: string; group: string; after: string; limit: number }, MemberRow>(
  `SELECT user_id, added_by, added_at FROM access_group_member
   WHERE team_id = $team AND group_id = $group AND user_id > $after ORDER BY user_id LIMIT $limit + 1`,
);
export const membersOfGroup = sqlStatement<{ team: string; group: string }, { user_id: string }>(
  'SELECT user_id FROM access_group_member WHERE team_id = $team AND group_id = $group',
);
/** Adds a member. Returns no row if they are already in the group. */
export const insertMember = sqlStatement<Membership & { by: string; at: Date }, MemberRow>(
  `INSERT INTO access_group_member (team_id, group_id, user_id, added_by, added_at) VALUES ($team, $group, $user, $by, $at)
   ON CONFLICT DO NOTHING RETURNING user_id, added_by, added_at`,
);
export const findMember = sqlStatement<Membership, MemberRow>(
  'SELECT user_id, added_by, added_at FROM access_group_member WHERE team_id = $team AND group_id = $group AND user_id = $user',
);
export const deleteMember = sqlStatement<Membership, { user_id: string }>(
  'DELETE FROM access_group_member WHERE team_id = $team AND group_id = $group AND user_id = $user RETURNING user_id',
);

/** Returns the shares on a container and its ancestors, with their container, the topmost first. */
export const sharesReaching = sqlStatement<{ team: string; container: string }, GrantRow & { resource_id: string }>(
  `SELECT s.* FROM access_above($team, $container) a CROSS JOIN LATERAL (
     SELECT * FROM access_shares($team, 'folder') WHERE resource_id = a.id OFFSET 0
   ) s ORDER BY a.distance DESC, s.id LIMIT 10000`,
);
