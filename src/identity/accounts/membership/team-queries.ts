import type { Row, RowWithout } from '../../../platform/database/row.ts';
import { isListed, type ListSearchParams, matches } from '../../../platform/database/list-filters.ts';
import { bySort, changeSorts, type Cursor, sortedBy } from '../../../platform/database/sorted-page.ts';
import { undeliverableOf } from '../../../platform/mail/undeliverable-queries.ts';
import type { Undeliverable } from '../../../platform/schema-parts.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';

type TeamKey = { team: string };

export type TeamRow = RowWithout<'team', 'closed_at' | 'purged_at' | 'status' | 'team_id'> & {
  id: string;
  owner_id: string;
  members: number;
};

export const findTeam = sqlStatement<TeamKey, TeamRow>(
  `SELECT t.team_id AS id, t.name, t.time_zone, t.clients_await_takeover, t.four_eyes, t.version, t.created_at, t.updated_at,
     (SELECT a.id FROM account a WHERE a.team_id = $team AND a.role = 'owner' AND a.deleted_at IS NULL) AS owner_id,
     (SELECT count(*) FROM account a WHERE a.team_id = $team AND a.deleted_at IS NULL) AS members
   FROM team t WHERE t.team_id = $team`,
  { owner_id: 'a team has an owner from its beginning to its end' },
);

export const lockTeam = sqlStatement<TeamKey, Row<'team', 'name' | 'time_zone' | 'clients_await_takeover' | 'four_eyes' | 'version'>>(
  'SELECT name, time_zone, clients_await_takeover, four_eyes, version FROM team WHERE team_id = $team FOR NO KEY UPDATE',
);

/** Locks a team before its closure. Waits for concurrent additions of content, so that the check for content sees them. */
export const lockTeamForClosure = sqlStatement<TeamKey, { id: string }>('SELECT team_id AS id FROM team WHERE team_id = $team FOR UPDATE');

export const updateTeam = sqlStatement<TeamKey & { name: string; timezone: string; waits: boolean; fourEyes: boolean; at: Date }, never>(
  `UPDATE team SET name = $name, time_zone = $timezone, clients_await_takeover = $waits, four_eyes = $fourEyes, version = version + 1, updated_at = $at
   WHERE team_id = $team`,
);

/** Returns the team’s name as issuer and its time zone for issued documents. */
export const issuingTeam = sqlStatement<TeamKey, Row<'team', 'name' | 'time_zone'>>(
  'SELECT name, time_zone FROM team WHERE team_id = $team',
);

export type MemberRow = Row<'account', 'id' | 'email' | 'first_name' | 'last_name' | 'role' | 'locale' | 'status' | 'two_factor_enabled'> &
  Row<'account', 'version' | 'created_at' | 'updated_at' | 'sponsor_id' | 'ends_at' | 'sponsor_extended'> & {
    /** Whether the membership of a guest or auditor has ended. A job removes it. */
    has_ended: boolean;
    undeliverable: Undeliverable | null;
  };

const columns = `id, email, first_name, last_name, role, locale, status, two_factor_enabled, version, created_at, updated_at, sponsor_id, ends_at,
     sponsor_extended, coalesce(ends_at <= now(), false) AS has_ended, ${undeliverableOf('email')} AS undeliverable`;

/** Lists a page of members by sort order. `sort_time` and the id are the cursor. */
export const listMembers = bySort(changeSorts, (sort) => {
  const { order, after, key } = sortedBy(sort, 'account');
  return sqlStatement<
    TeamKey & Cursor & ListSearchParams & { roles: readonly string[] | null; since: string | null; limit: number },
    MemberRow & { sort_time: string }
  >(
    `SELECT ${columns}, ${key[0]} AS sort_time FROM account
     WHERE team_id = $team AND deleted_at IS NULL AND ${after} AND ($since::timestamptz IS NULL OR updated_at >= $since)
       AND ${isListed('id')} AND ($roles::text[] IS NULL OR role = ANY ($roles)) AND ${matches("first_name || ' ' || last_name", 'email')}
     ORDER BY ${order} LIMIT $limit + 1`,
  );
});

export const findMember = sqlStatement<TeamKey & { id: string }, MemberRow>(
  `SELECT ${columns} FROM account WHERE team_id = $team AND id = $id AND deleted_at IS NULL`,
);

/** Locks members, including the actors, in the order of their ids to prevent deadlocks. */
export const lockMemberRows = sqlStatement<TeamKey & { ids: string[] }, MemberRow>(
  `SELECT ${columns} FROM account WHERE team_id = $team AND id = ANY ($ids) AND deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE`,
);

/** Releases a member’s address from the team’s provider, or binds it again. */
export const releaseAddress = sqlStatement<TeamKey & { id: string; released: boolean; at: Date }, { id: string }>(
  `UPDATE account SET address_released = $released, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id AND deleted_at IS NULL AND address_released <> $released RETURNING id`,
);

/** The end of a membership, and the sponsor of a guest. */
export type GuestTerms = { endsAt: string | null; sponsor: string | null; extended: boolean };

/** Changes a member’s role, state and end, but never the owner’s. */
export const updateMember = sqlStatement<TeamKey & { id: string; role: string; status: string; at: Date } & GuestTerms, MemberRow>(
  `UPDATE account SET role = $role, status = $status, ends_at = $endsAt, sponsor_id = $sponsor, sponsor_extended = $extended,
     end_reminded = CASE WHEN ends_at IS NOT DISTINCT FROM $endsAt::timestamptz THEN end_reminded ELSE reminded_before($endsAt::timestamptz) END, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id AND role <> 'owner' AND deleted_at IS NULL RETURNING ${columns}`,
);

export const addressOf = sqlStatement<TeamKey & { id: string }, { email_key: string }>(
  'SELECT email_key FROM account WHERE team_id = $team AND id = $id AND deleted_at IS NULL',
);

export const memberByEmail = sqlStatement<TeamKey & { emailKey: string }, { id: string }>(
  'SELECT id FROM account WHERE team_id = $team AND email_key = $emailKey AND deleted_at IS NULL',
);

/** Returns the team’s name and the contact of a member, which is null for a non-member. */
export const teamAndMember = sqlStatement<
  { team: string; member: string },
  { name: string; time_zone: string; email: string | null; locale: string | null }
>(
  `SELECT t.name, t.time_zone, a.email, a.locale FROM team t
   LEFT JOIN member a ON a.team_id = t.team_id AND a.id = $member
   WHERE t.team_id = $team`,
);

/**
 * Lists closed teams to erase: closed before a time and not yet erased, the longest closed first. Leaves out teams that
 * wait for a retry of `job`.
 */
export const teamsToErase = (job: string) =>
  sqlStatement<{ before: Date }, { team_id: string }>(
    `SELECT team_id FROM team WHERE closed_at < $before AND purged_at IS NULL AND NOT job_waits('${job}', team.team_id, '')
   ORDER BY closed_at LIMIT 100`,
  );

/** Erases the name of a purged team. The row stays. */
export const forgetTeam = sqlStatement<{ team: string; at: Date }, never>(
  "UPDATE team SET name = '', purged_at = $at, updated_at = $at, version = version + 1 WHERE team_id = $team",
);

export type PolicyRow = Row<
  'team_policy',
  'second_factor' | 'session_hours' | 'guest_days_max' | 'guest_domains' | 'members_may_sponsor' | 'version'
>;
const policyColumns = 'second_factor, session_hours, guest_days_max, guest_domains, members_may_sponsor, version';

/** The sign-in rules of a team. Returns no row if it has none. */
export const findPolicy = sqlStatement<TeamKey, PolicyRow>(`SELECT ${policyColumns} FROM team_policy WHERE team_id = $team`);

type NewPolicy = TeamKey & {
  secondFactor: boolean;
  sessionHours: number | null;
  guestDaysMax: number;
  guestDomains: readonly string[];
  membersMaySponsor: boolean;
  at: Date;
};
export const putPolicy = sqlStatement<NewPolicy, PolicyRow>(
  `INSERT INTO team_policy AS y (team_id, second_factor, session_hours, guest_days_max, guest_domains, members_may_sponsor, updated_at)
   VALUES ($team, $secondFactor, $sessionHours, $guestDaysMax, $guestDomains, $membersMaySponsor, $at)
   ON CONFLICT (team_id) DO UPDATE SET second_factor = excluded.second_factor, session_hours = excluded.session_hours,
     guest_days_max = excluded.guest_days_max, guest_domains = excluded.guest_domains, members_may_sponsor = excluded.members_may_sponsor,
     version = y.version + 1, updated_at = excluded.updated_at
   RETURNING ${policyColumns}`,
);
