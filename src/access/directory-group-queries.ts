import { sqlStatement, type TeamScopedId } from '../platform/database/statement.ts';

type NewGroup = TeamScopedId & { directory: string; name: string; at: Date };
/** Adds a group of a directory. Returns no row if the team has a group with this name. */
export const insertGroup = sqlStatement<NewGroup, { id: string }>(
  `INSERT INTO access_group (team_id, id, name, directory_id, created_by, created_by_type, created_at, updated_at)
   VALUES ($team, $id, $name, $directory, $directory, 'directory', $at, $at) ON CONFLICT DO NOTHING RETURNING id`,
);
export const renameGroup = sqlStatement<TeamScopedId & { name: string; at: Date }, { id: string }>(
  `UPDATE access_group SET name = $name, version = version + 1, updated_at = $at WHERE team_id = $team AND id = $id RETURNING id`,
);

type MemberSet = { team: string; group: string; users: readonly string[] };
/** Adds members to a group, except guests and auditors, whose membership has an end. */
export const addMembers = sqlStatement<MemberSet & { by: string; at: Date }, { user_id: string }>(
  `INSERT INTO access_group_member (team_id, group_id, user_id, added_by, added_at)
   SELECT $team, $group, a.id, $by, $at FROM permanent_member a
   WHERE a.team_id = $team AND a.id = ANY ($users::uuid[]) ON CONFLICT DO NOTHING RETURNING user_id`,
);
export const dropMembers = sqlStatement<MemberSet, { user_id: string }>(
  'DELETE FROM access_group_member WHERE team_id = $team AND group_id = $group AND user_id = ANY ($users::uuid[]) RETURNING user_id',
);
/** Adds a member to several groups, unless the membership has an end. */
export const addToGroups = sqlStatement<
  { team: string; user: string; groups: readonly string[]; by: string; at: Date },
  { group_id: string }
>(
  `INSERT INTO access_group_member (team_id, group_id, user_id, added_by, added_at)
   SELECT $team, g.id, a.id, $by, $at FROM unnest($groups::uuid[]) AS g(id) JOIN permanent_member a ON a.team_id = $team AND a.id = $user
   ON CONFLICT DO NOTHING RETURNING group_id`,
);

/** Turns the groups of a directory into groups of the team. */
export const releaseGroups = sqlStatement<{ team: string; directory: string; at: Date }, never>(
  'UPDATE access_group SET directory_id = NULL, version = version + 1, updated_at = $at WHERE team_id = $team AND directory_id = $directory',
);
