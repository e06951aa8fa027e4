import { sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';

type Several = { team: string; ids: readonly string[] };
/** Whoever is in a team now, with their role. */
export type Member = { id: string; role: string };
type Addressed = { email: string; locale: string };

const active = "SELECT id, role FROM account WHERE team_id = $team AND id = $id AND status = 'active' AND deleted_at IS NULL";

/** An active member of the team; no row for anybody else. */
export const activeMember = sqlStatement<TeamScopedId, Member>(active);

/** The same, who stays a member until the transaction ends, so that nobody is given what they leave behind. */
export const holdMember = sqlStatement<TeamScopedId, Member>(`${active} FOR SHARE`);

/** Of these people, those who are active members. */
export const membersAmong = sqlStatement<Several, { id: string }>(
  `SELECT id FROM account WHERE team_id = $team AND id = ANY ($ids::uuid[]) AND status = 'active' AND deleted_at IS NULL`,
);

/** The same, who stay members until the transaction ends, so that nobody is given what they leave behind. */
export const holdMembersAmong = sqlStatement<Several, Member>(
  "SELECT id, role FROM account WHERE team_id = $team AND id = ANY ($ids) AND status = 'active' ORDER BY id FOR SHARE",
);

/** Waits for those who are just giving something to somebody who leaves: what they give is handed on with the rest. */
export const holdLeaver = sqlStatement<TeamScopedId, { id: string }>(
  'SELECT id FROM account WHERE team_id = $team AND id = $id FOR NO KEY UPDATE',
);

/** Those whom their role opens everything to. */
export const managersOf = sqlStatement<{ team: string }, Member>(
  "SELECT id, role FROM account WHERE team_id = $team AND role IN ('owner', 'admin') AND status = 'active' AND deleted_at IS NULL ORDER BY id",
);

/** Where to write to those who run the team, whose number is small. */
export const managerContacts = sqlStatement<{ team: string }, Addressed & { id: string }>(
  `SELECT id, email, locale FROM account WHERE team_id = $team AND role IN ('owner', 'admin') AND status = 'active' AND deleted_at IS NULL
   ORDER BY role DESC, id LIMIT 20`,
);

/** Where to write to the owner of the team. */
export const ownerContact = sqlStatement<{ team: string }, Addressed>(
  "SELECT email, locale FROM account WHERE team_id = $team AND role = 'owner' AND status = 'active' AND deleted_at IS NULL",
);

/** Where to write to an active member. */
export const memberContact = sqlStatement<TeamScopedId, Addressed & { timezone: string }>(
  "SELECT email, locale, timezone FROM account WHERE team_id = $team AND id = $id AND status = 'active' AND deleted_at IS NULL",
);

/** The same of several. */
export const memberContacts = sqlStatement<Several, Addressed & { id: string }>(
  "SELECT id, email, locale FROM account WHERE team_id = $team AND id = ANY ($ids) AND status = 'active'",
);

export type TaskMailContact = Addressed & { id: string; timezone: string; task_mails: 'at_once' | 'daily' };

/** Of these people, those who want to be told of tasks by mail. */
export const taskMailContacts = sqlStatement<Several, TaskMailContact>(
  `SELECT id, email, locale, timezone, task_mails FROM account
   WHERE team_id = $team AND id = ANY ($ids) AND status = 'active' AND deleted_at IS NULL AND task_mails <> 'none' ORDER BY id`,
  { task_mails: 'who wants none is left out' },
);

/** What a person is called, also one who has left: nothing by then. */
export const namesOf = sqlStatement<TeamScopedId, { first_name: string; last_name: string }>(
  'SELECT first_name, last_name FROM account WHERE team_id = $team AND id = $id',
);

/** What a member is called, for who is to ask them for something. */
export const fullNameOf = sqlStatement<TeamScopedId, { name: string }>(
  "SELECT first_name || ' ' || last_name AS name FROM account WHERE team_id = $team AND id = $id AND deleted_at IS NULL",
);

/** In which time zone the team's days begin and end. */
export const zoneOfTeam = sqlStatement<{ team: string }, { time_zone: string }>('SELECT time_zone FROM team WHERE team_id = $team');

/** Of these addresses, those of members, suspended ones too, with who that is. */
export const membersByAddress = sqlStatement<{ team: string; keys: readonly string[] }, Member & { email_key: string }>(
  'SELECT id, role, email_key FROM account WHERE team_id = $team AND email_key = ANY ($keys) AND deleted_at IS NULL',
);
