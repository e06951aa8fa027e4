import type { Row } from '../../../platform/database/row.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';

// Searches of staff across teams.

export type TeamRow = Row<'team', 'name' | 'status' | 'created_at'> & { id: string; members: number };
type MemberPage = { before: string | null; beforeId: string | null; limit: number };

export const listTeams = sqlStatement<MemberPage & { q: string | null; status: string | null }, TeamRow>(
  `SELECT t.team_id AS id, t.name, t.status, t.created_at,
     (SELECT count(*)::int FROM account a WHERE a.team_id = t.team_id AND a.deleted_at IS NULL) AS members
   FROM team t
   WHERE ($q::text IS NULL OR strpos(lower(t.name), lower($q)) > 0 OR t.team_id::text = $q) AND ($status::text IS NULL OR t.status = $status)
     AND ($before::timestamptz IS NULL OR (t.created_at, t.team_id) < ($before, $beforeId::uuid))
   ORDER BY t.created_at DESC, t.team_id DESC LIMIT $limit + 1`,
);
export const teamById = sqlStatement<{ team: string }, TeamRow>(
  `SELECT t.team_id AS id, t.name, t.status, t.created_at,
     (SELECT count(*)::int FROM account a WHERE a.team_id = t.team_id AND a.deleted_at IS NULL) AS members
   FROM team t WHERE t.team_id = $team`,
);

export type PersonRow = Row<
  'account',
  'id' | 'team_id' | 'email' | 'first_name' | 'last_name' | 'role' | 'status' | 'two_factor_enabled' | 'created_at'
>;
const person = 'a.id, a.team_id, a.email, a.first_name, a.last_name, a.role, a.status, a.two_factor_enabled, a.created_at';

export const listPeople = sqlStatement<MemberPage & { q: string | null; team: string | null }, PersonRow>(
  `SELECT ${person} FROM account a
   WHERE a.deleted_at IS NULL AND ($team::uuid IS NULL OR a.team_id = $team)
     AND ($q::text IS NULL OR strpos(a.email_key, lower($q)) > 0 OR strpos(lower(a.first_name || ' ' || a.last_name), lower($q)) > 0)
     AND ($before::timestamptz IS NULL OR (a.created_at, a.id) < ($before, $beforeId::uuid))
   ORDER BY a.created_at DESC, a.id DESC LIMIT $limit + 1`,
);
export const personById = sqlStatement<{ id: string }, PersonRow>(
  `SELECT ${person} FROM account a WHERE a.id = $id AND a.deleted_at IS NULL`,
);
