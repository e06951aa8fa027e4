import type { Row } from '../../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';
import type { OwnedTable } from '../../../platform/tables.ts';

/** Locks a membership until the transaction ends. */
export const lockAccount = sqlStatement<TeamScopedId, Row<'account', 'id' | 'email' | 'first_name' | 'last_name' | 'locale' | 'role'>>(
  `SELECT id, email, first_name, last_name, locale, role FROM account WHERE team_id = $team AND id = $id AND deleted_at IS NULL FOR NO KEY UPDATE`,
);

/** Replaces the account row by a tombstone without personal data, so that references to the person in the team still resolve. */
export const anonymizeAccount = sqlStatement<TeamScopedId & { at: Date }, { id: string }>(
  `UPDATE account SET status = 'deleted', deleted_at = $at, updated_at = $at, version = version + 1, email = '', email_key = '',
     first_name = '', last_name = '', timezone = 'UTC', locale = 'en', two_factor_enabled = false,
     address_released = false, task_mails = 'at_once'
   WHERE team_id = $team AND id = $id AND deleted_at IS NULL RETURNING id`,
);

/** Serializes changes of the membership of a team. Acquire it before any row of an account. */
export const lockMembers = sqlStatement<{ team: string }, never>(
  "SELECT pg_advisory_xact_lock(hashtextextended('members ' || $team, 0)) AS locked",
);

/** Whether a team has an active legal hold, in any table with holds. */
export const teamHasLegalHold = (tables: readonly OwnedTable[]) =>
  sqlStatement<{ team: string }, { on_hold: boolean }>(
    `SELECT ${['false', ...tables.flatMap(({ name, table: { holds } }) => (holds === undefined ? [] : [`EXISTS (SELECT FROM ${name} WHERE team_id = $team AND ${holds})`]))].join(' OR ')} AS on_hold`,
  );

/** Closes a team. No sign-in can open it, and a job erases its data 30 days later. */
export const closeTeam = sqlStatement<{ team: string; at: Date }, never>(
  "UPDATE team SET status = 'closed', closed_at = $at, version = version + 1, updated_at = $at WHERE team_id = $team",
);

/** Makes all nodes drop the cached sessions of a member; the next request reads the database. */
export const notifySessions = sqlStatement<{ team: string; account: string }, { id: string; notified: string }>(
  `SELECT id, pg_notify('revoked', id::text)::text AS notified FROM session WHERE team_id = $team AND account_id = $account AND revoked_at IS NULL`,
);

/** The owner of a team. */
export const ownerOfTeam = sqlStatement<{ team: string }, { id: string }>(
  "SELECT id FROM account WHERE team_id = $team AND role = 'owner' AND deleted_at IS NULL",
);

/** Whether a team is suspended. A suspended team sends nothing. */
export const teamIsSuspended = (team: string) =>
  `EXISTS (SELECT FROM team standing WHERE standing.team_id = ${team} AND standing.status = 'suspended')`;

type PersonTeamRow = {
  team_id: string;
  name: string;
  team_status: string;
  role: string;
  status: string;
  connection_id: string | null;
  needs_second_factor: boolean;
  ends_at: string | null;
};

/** The teams of the current person, the oldest membership first, with the provider connection that each enforces. */
export const teamsOfPerson = sqlStatement<object, PersonTeamRow>(
  'SELECT team_id, name, team_status, role, status, connection_id, needs_second_factor, ends_at FROM teams_of_person()',
);

/**
 * Serializes the changes that add a team to a person, so that each counts all earlier ones. It is an advisory lock,
 * because a removal already holds the row of the membership.
 */
export const lockTeamsOfPerson = sqlStatement<{ account: string }, { locked: unknown }>(
  "SELECT pg_advisory_xact_lock(hashtextextended('teams ' || $account, 0)) AS locked",
);
