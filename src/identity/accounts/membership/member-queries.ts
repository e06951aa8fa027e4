import { sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';

type Several = { team: string; ids: readonly string[] };
/** A member of a team with their role. */
export type Member = { id: string; role: string };
type Addressed = { email: string; locale: string };

const active = 'SELECT id, role FROM member WHERE team_id = $team AND id = $id';

/** Returns an active member of the team, otherwise no row. */
export const activeMember = sqlStatement<TeamScopedId, Member>(active);

/** Locks an active member until the transaction ends, so that a departing member gets no new work or access. */
export const lockMember = sqlStatement<TeamScopedId, Member>(`${active} FOR SHARE`);

/** Returns the active members among these users. */
export const membersAmong = sqlStatement<Several, { id: string }>(
  `SELECT id FROM member WHERE team_id = $team AND id = ANY ($ids::uuid[])`,
);

/** Locks the active members among these users until the transaction ends, so that a departing member gets no new work or access. */
export const lockMembersAmong = sqlStatement<Several, Member>(
  'SELECT id, role FROM member WHERE team_id = $team AND id = ANY ($ids) ORDER BY id FOR SHARE',
);

/** Locks a departing member. Waits for concurrent transactions that assign work to this member, and the successor receives that work too. */
export const lockLeaver = sqlStatement<TeamScopedId, { id: string }>(
  'SELECT id FROM account WHERE team_id = $team AND id = $id FOR NO KEY UPDATE',
);

/** Lists the owner and the administrators, whose role gives access to everything. */
export const managersOf = sqlStatement<{ team: string }, Member>(
  "SELECT id, role FROM account WHERE team_id = $team AND role IN ('owner', 'admin') AND status = 'active' AND deleted_at IS NULL ORDER BY id",
);

/** Returns contacts of the owner and the administrators, at most 20. */
export const managerContacts = sqlStatement<{ team: string }, Addressed & { id: string }>(
  `SELECT id, email, locale FROM account WHERE team_id = $team AND role IN ('owner', 'admin') AND status = 'active' AND deleted_at IS NULL
   ORDER BY role DESC, id LIMIT 20`,
);

/** Contact of the team’s owner. */
export const ownerContact = sqlStatement<{ team: string }, Addressed>(
  "SELECT email, locale FROM account WHERE team_id = $team AND role = 'owner' AND status = 'active' AND deleted_at IS NULL",
);

/** Contact of an active member. */
export const memberContact = sqlStatement<TeamScopedId, Addressed & { timezone: string }>(
  'SELECT email, locale, timezone FROM member WHERE team_id = $team AND id = $id',
);

/** Contacts of several active members. */
export const memberContacts = sqlStatement<Several, Addressed & { id: string }>(
  'SELECT id, email, locale FROM member WHERE team_id = $team AND id = ANY ($ids)',
);

export type TaskMailContact = Addressed & { id: string; timezone: string; task_mails: 'at_once' | 'daily' };

/** Returns contacts of the given users who get mails about tasks. */
export const taskMailContacts = sqlStatement<Several, TaskMailContact>(
  `SELECT id, email, locale, timezone, task_mails FROM member
   WHERE team_id = $team AND id = ANY ($ids) AND task_mails <> 'none' ORDER BY id`,
  { task_mails: 'users with `none` are excluded' },
);

/** Returns the names of a user. They are empty for a former member. */
export const namesOf = sqlStatement<TeamScopedId, { first_name: string; last_name: string }>(
  'SELECT first_name, last_name FROM account WHERE team_id = $team AND id = $id',
);

/** The current and former members among these users. A former member has no name. */
export const usersNamed = sqlStatement<Several, { id: string; name: string | null }>(
  `SELECT id, CASE WHEN deleted_at IS NULL THEN trim(first_name || ' ' || last_name) END AS name
   FROM account WHERE team_id = $team AND id = ANY ($ids::uuid[])`,
);

/** Returns the full name of a member. */
export const fullNameOf = sqlStatement<TeamScopedId, { name: string }>(
  "SELECT first_name || ' ' || last_name AS name FROM account WHERE team_id = $team AND id = $id AND deleted_at IS NULL",
);

/** Returns the team’s time zone, which decides when its days begin and end. */
export const zoneOfTeam = sqlStatement<{ team: string }, { time_zone: string }>('SELECT time_zone FROM team WHERE team_id = $team');

/** The language of a team, which is the language of its owner. */
export const localeOfTeam = sqlStatement<{ team: string }, { locale: string }>('SELECT team_locale($team) AS locale');

/** Returns the members with these addresses, including suspended ones. */
export const membersByAddress = sqlStatement<{ team: string; keys: readonly string[] }, Member & { email_key: string }>(
  'SELECT id, role, email_key FROM account WHERE team_id = $team AND email_key = ANY ($keys) AND deleted_at IS NULL',
);
