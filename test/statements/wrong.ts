/** Statements with wrong claims, and the expected errors of the check. */
import type { Row, RowWithout } from '../../src/platform/database/row.ts';
import { sqlStatement } from '../../src/platform/database/statement.ts';

sqlStatement<{ team: string }, { id: string }>('SELECT id FROM acount WHERE team_id = $team');
sqlStatement<{ team: string }, { id: string }>('SELECT id FROM account WHERE team_id = $taem');
sqlStatement<{ team: number }, { id: string }>('SELECT id FROM account WHERE team_id = $team');
sqlStatement<{ ids: string }, { id: string }>('SELECT id FROM account WHERE id = ANY ($ids)');
sqlStatement<{ team?: string }, { id: string }>('SELECT id FROM account WHERE team_id = $team');
sqlStatement<object, { id: string; name: string }>('SELECT id, first_name AS firstName FROM account');
sqlStatement<object, { version: string }>('SELECT version FROM account');
sqlStatement<object, { deleted_at: string }>('SELECT deleted_at FROM account');
sqlStatement<object, { deleted_at: string }>('SELECT deleted_at FROM account WHERE deleted_at > created_at');
sqlStatement<object, { email: string | null }>('SELECT email FROM account');
sqlStatement<object, { email: string }>('SELECT a.email FROM team t LEFT JOIN account a ON a.team_id = t.team_id');
sqlStatement<object, { email: string }>("SELECT coalesce(a.email, '') AS email FROM team t LEFT JOIN account a ON a.team_id = t.team_id");
sqlStatement<object, { latest: string }>('SELECT max(created_at) AS latest FROM account');
sqlStatement<object, { latest: string }>('SELECT max(created_at) AS latest FROM account GROUP BY team_id');
sqlStatement<object, { owner: string }>(
  "SELECT (SELECT id FROM account a WHERE a.team_id = t.team_id AND role = 'owner') AS owner FROM team t",
);
sqlStatement<object, { role: 'owner' | 'member' }>('SELECT role FROM account');
sqlStatement<object, { status: 'open' | 'over' }>("SELECT CASE WHEN deleted_at IS NULL THEN 'open' ELSE 'over' END AS status FROM account");
sqlStatement<object, { it: { id: string; at: Date } }>("SELECT json_build_object('id', id, 'on', created_at) AS it FROM account");
sqlStatement<{ at: Date | null }, { at: string }>('SELECT $at::timestamptz AS at');
sqlStatement<{ team: string }, { closed_at: string }>(
  'WITH x AS (UPDATE team SET closed_at = NULL WHERE team_id = $team RETURNING closed_at) SELECT closed_at FROM x',
);
sqlStatement<object, { email: string }>('SELECT email FROM account', { email: 'everybody has one' });
sqlStatement<object, Row<'account', 'id' | 'role'>>('SELECT id, role FROM account');
sqlStatement<object, Row<'account', 'id' | 'role'>>('SELECT id, locale AS role FROM account');
sqlStatement<object, RowWithout<'access_group_member', 'team_id'>>('SELECT * FROM access_group_member');
sqlStatement<object, { locked: null }>('SELECT pg_advisory_xact_lock(1) AS locked');

export const expected = [
  ['relation "acount" does not exist'],
  ['$taem is not claimed'],
  ['$team is uuid, and is claimed to be number'],
  ['$ids is uuid[], and is claimed to be string'],
  ['$team is claimed to be string | undefined: what is absent is null'],
  ['name is claimed, and is not there', 'firstname is not claimed'],
  ['version is integer, and is claimed to be string'],
  ['deleted_at may be null, and is claimed to be string'],
  [],
  ['email is never null, and is claimed to be string | null'],
  ['email may be null, and is claimed to be string'],
  [],
  ['latest may be null, and is claimed to be string'],
  [],
  ['owner may be null, and is claimed to be string'],
  [`role is claimed to be "member" | "owner", and may be 'admin', 'viewer', 'guest', 'auditor'`],
  [],
  ['it is JSON in which at is claimed, and is not there; on is not claimed'],
  ['at may be null, and is claimed to be string'],
  ['closed_at is always null, and is claimed to be string'],
  ['email matches PostgreSQL and needs no reason'],
  [],
  [`role is claimed to be "admin" | "auditor" | "guest" | "member" | "owner" | "viewer", and may be any text`],
  ['team_id is not claimed'],
  ['locked is never null, and is claimed to be null'],
];
