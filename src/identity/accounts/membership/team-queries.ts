import type { Row, RowWithout } from '../../../platform/database/row.ts';
import { bySort, changeSorts, type Cursor, sortedBy } from '../../../platform/database/sorted-page.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';

type InTeam = { team: string };

export type TeamRow = RowWithout<'team', 'closed_at' | 'purged_at' | 'status' | 'team_id'> & {
  id: string;
  owner_id: string;
  members: number;
};

export const findTeam = sqlStatement<InTeam, TeamRow>(
  `SELECT t.team_id AS id, t.name, t.time_zone, t.clients_await_takeover, t.version, t.created_at, t.updated_at,
     (SELECT a.id FROM account a WHERE a.team_id = $team AND a.role = 'owner' AND a.deleted_at IS NULL) AS owner_id,
     (SELECT count(*) FROM account a WHERE a.team_id = $team AND a.deleted_at IS NULL) AS members
   FROM team t WHERE t.team_id = $team`,
  { owner_id: 'a team has an owner from its beginning to its end' },
);

export const lockTeam = sqlStatement<InTeam, Row<'team', 'name' | 'time_zone' | 'clients_await_takeover' | 'version'>>(
  'SELECT name, time_zone, clients_await_takeover, version FROM team WHERE team_id = $team FOR NO KEY UPDATE',
);

/** Holds a team that is to be closed: what is being put into it at this moment is waited for, and counts. */
export const fenceTeam = sqlStatement<InTeam, { id: string }>('SELECT team_id AS id FROM team WHERE team_id = $team FOR UPDATE');

export const updateTeam = sqlStatement<InTeam & { name: string; timezone: string; waits: boolean; at: Date }, never>(
  `UPDATE team SET name = $name, time_zone = $timezone, clients_await_takeover = $waits, version = version + 1, updated_at = $at
   WHERE team_id = $team`,
);

/** What documents of a team name: who issues them, and in which zone their times are. */
export const issuingTeam = sqlStatement<InTeam, Row<'team', 'name' | 'time_zone'>>(
  'SELECT name, time_zone FROM team WHERE team_id = $team',
);

export type MemberRow = Row<'account', 'id' | 'email' | 'first_name' | 'last_name' | 'role' | 'locale' | 'status' | 'two_factor_enabled'> &
  Row<'account', 'version' | 'created_at' | 'updated_at'>;

const columns = 'id, email, first_name, last_name, role, locale, status, two_factor_enabled, version, created_at, updated_at';

/** A page of the team's people in an order; `sort_time` is where each stands in it, with its id. */
export const listMembers = bySort(changeSorts, (sort) => {
  const { order, after, key } = sortedBy(sort, 'account');
  return sqlStatement<InTeam & Cursor & { since: string | null; limit: number }, MemberRow & { sort_time: string }>(
    `SELECT ${columns}, ${key[0]} AS sort_time FROM account
     WHERE team_id = $team AND deleted_at IS NULL AND ${after} AND ($since::timestamptz IS NULL OR updated_at >= $since) ORDER BY ${order} LIMIT $limit + 1`,
  );
});

export const findMember = sqlStatement<InTeam & { id: string }, MemberRow>(
  `SELECT ${columns} FROM account WHERE team_id = $team AND id = $id AND deleted_at IS NULL`,
);

/** Holds members against changes, those who act too: in order of their ids, so that two who do so do not wait for one another. */
export const holdMembers = sqlStatement<InTeam & { ids: string[] }, MemberRow>(
  `SELECT ${columns} FROM account WHERE team_id = $team AND id = ANY ($ids) AND deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE`,
);

/** Lets a member go from what binds their address to the team's provider, or binds it again. */
export const releaseAddress = sqlStatement<InTeam & { id: string; released: boolean; at: Date }, { id: string }>(
  `UPDATE account SET address_released = $released, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id AND deleted_at IS NULL AND address_released <> $released RETURNING id`,
);

/** Changes a member's role and state; never the owner's, whatever was read before. */
export const updateMember = sqlStatement<InTeam & { id: string; role: string; status: string; at: Date }, MemberRow>(
  `UPDATE account SET role = $role, status = $status, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id AND role <> 'owner' AND deleted_at IS NULL RETURNING ${columns}`,
);

export const addressOf = sqlStatement<InTeam & { id: string }, { email_key: string }>(
  'SELECT email_key FROM account WHERE team_id = $team AND id = $id AND deleted_at IS NULL',
);

export const memberByEmail = sqlStatement<InTeam & { emailKey: string }, { id: string }>(
  'SELECT id FROM account WHERE team_id = $team AND email_key = $emailKey AND deleted_at IS NULL',
);

/** What the team is called, and where mail to one of its members goes: nowhere for who is none. */
export const teamAndMember = sqlStatement<
  { team: string; member: string },
  { name: string; time_zone: string; email: string | null; locale: string | null }
>(
  `SELECT t.name, t.time_zone, a.email, a.locale FROM team t
   LEFT JOIN account a ON a.team_id = t.team_id AND a.id = $member AND a.status = 'active' AND a.deleted_at IS NULL
   WHERE t.team_id = $team`,
);

/** Teams that were closed before a time and not erased since, the longest closed first; not those that wait after a failure of `job`. */
export const teamsToErase = (job: string) =>
  sqlStatement<{ before: Date }, { team_id: string }>(
    `SELECT team_id FROM team WHERE closed_at < $before AND purged_at IS NULL AND NOT job_waits('${job}', team.team_id, '')
   ORDER BY closed_at LIMIT 100`,
  );

/** Nothing is left of a team but that it was. */
export const forgetTeam = sqlStatement<{ team: string; at: Date }, never>(
  "UPDATE team SET name = '', purged_at = $at, updated_at = $at, version = version + 1 WHERE team_id = $team",
);
