import type { Row } from '../../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';
import { accountTables } from '../tables.ts';
import type { OwnedTable } from '../../../platform/tables.ts';

/**
 * Columns of an account that are the person's own and go with them to another team. The others (role, status, version,
 * times of joining and leaving) are about the membership. A new column belongs to one of the two: moves.test.ts asks.
 */
export const ownColumns = [
  'email',
  'email_key',
  'first_name',
  'last_name',
  'timezone',
  'locale',
  'password_hash',
  'onboarding_completed_at',
  'two_factor_enabled',
  'task_mails',
] as const;

/** Tables that hold something of a person by `team_id` and `account_id`, which goes with them too, as they say of themselves. */
const ownTables = Object.entries(accountTables).flatMap(([name, { people }]) => (people?.leaving === 'follows' ? name : []));

/** Keeps an account as it is until the transaction ends. `person` is the whole row as JSON text. */
export const holdAccount = sqlStatement<
  TeamScopedId,
  Row<'account', 'id' | 'email' | 'email_key' | 'first_name' | 'last_name' | 'locale' | 'role'> & { person: string }
>(
  `SELECT a.id, a.email, a.email_key, a.first_name, a.last_name, a.locale, a.role, to_jsonb(a)::text AS person FROM account a
   WHERE a.team_id = $team AND a.id = $id AND a.deleted_at IS NULL FOR NO KEY UPDATE`,
);

/** Leaves a tombstone without personal data, so that what names the person in the team still resolves. */
export const buryAccount = sqlStatement<TeamScopedId & { at: Date }, { id: string }>(
  `UPDATE account SET status = 'deleted', deleted_at = $at, updated_at = $at, version = version + 1, email = '', email_key = '',
     first_name = '', last_name = '', timezone = 'UTC', locale = 'en', password_hash = NULL, onboarding_completed_at = NULL, two_factor_enabled = false,
     address_released = false, task_mails = 'at_once'
   WHERE team_id = $team AND id = $id AND deleted_at IS NULL RETURNING id`,
);

const listed = ownColumns.join(', ');

/** Brings a person into a team; into their old row when they were there before. */
export const settleAccount = sqlStatement<TeamScopedId & { role: string; person: string; at: Date }, { credential_epoch: number }>(
  `INSERT INTO account AS kept (team_id, id, role, created_at, updated_at, ${listed})
   SELECT $team, $id, $role, $at, $at, ${ownColumns.map((column) => `p.${column}`).join(', ')}
   FROM jsonb_populate_record(NULL::account, $person::jsonb) p
   ON CONFLICT (team_id, id) DO UPDATE SET status = 'active', deleted_at = NULL, role = excluded.role, version = kept.version + 1,
     created_at = excluded.created_at, updated_at = excluded.updated_at,
     ${ownColumns.map((column) => `${column} = excluded.${column}`).join(', ')}
   WHERE kept.deleted_at IS NOT NULL
   RETURNING credential_epoch`,
);

/**
 * What a person has in each of their own tables, taken out of the team they leave and put into the one they join, whose epoch it
 * gets. What an earlier epoch has ended stays behind.
 */
export const ownRows = ownTables.map((table) => ({
  take: sqlStatement<TeamScopedId, { row: string }>(
    `DELETE FROM ${table} x USING account a WHERE x.team_id = $team AND x.account_id = $id AND a.team_id = $team AND a.id = $id
       AND coalesce((to_jsonb(x) ->> 'epoch')::integer, a.credential_epoch) = a.credential_epoch RETURNING to_jsonb(x)::text AS row`,
  ),
  put: sqlStatement<{ team: string; id: string; row: string }, never>(
    `INSERT INTO ${table} SELECT (jsonb_populate_record(NULL::${table},
       $row::jsonb || jsonb_build_object('team_id', $team::uuid, 'epoch', a.credential_epoch))).*
     FROM account a WHERE a.team_id = $team AND a.id = $id`,
  ),
}));

/** Puts the changes of one team's membership one after another. The lock is taken before any row of an account. */
export const lockMembers = sqlStatement<{ team: string }, never>(
  "SELECT pg_advisory_xact_lock(hashtextextended('members ' || $team, 0)) AS locked",
);

/** Whether a legal hold stands in a team, as the tables say that keep holds. */
export const teamHasLegalHold = (tables: readonly OwnedTable[]) =>
  sqlStatement<{ team: string }, { on_hold: boolean }>(
    `SELECT ${['false', ...tables.flatMap(({ name, table: { holds } }) => (holds === undefined ? [] : [`EXISTS (SELECT FROM ${name} WHERE team_id = $team AND ${holds})`]))].join(' OR ')} AS on_hold`,
  );

/** Closes a team: nobody enters it any more, and what it held is erased 30 days later. */
export const closeTeam = sqlStatement<{ team: string; at: Date }, never>(
  "UPDATE team SET status = 'closed', closed_at = $at, version = version + 1, updated_at = $at WHERE team_id = $team",
);

type Proof = Row<'session', 'auth_time' | 'second_factor_at' | 'amr' | 'acr' | 'expires_at'>;

/** How strongly and when the person of a living session proved who they are. */
export const proofOfSession = sqlStatement<{ team: string; session: string; account: string }, Proof>(
  `SELECT s.auth_time, s.second_factor_at, s.amr, s.acr, s.expires_at FROM session s JOIN account a ON a.team_id = s.team_id AND a.id = s.account_id
   WHERE s.team_id = $team AND s.id = $session AND s.account_id = $account AND s.revoked_at IS NULL AND s.expires_at > now()
     AND s.epoch = a.credential_epoch`,
);

/** Has every node forget what it believes of a person's living sessions: the next request of each asks the database. */
export const notifySessions = sqlStatement<{ team: string; account: string }, { id: string; notified: string }>(
  `SELECT id, pg_notify('revoked', id::text)::text AS notified FROM session WHERE team_id = $team AND account_id = $account AND revoked_at IS NULL`,
);

/** Who owns a team. */
export const ownerOfTeam = sqlStatement<{ team: string }, { id: string }>(
  "SELECT id FROM account WHERE team_id = $team AND role = 'owner' AND deleted_at IS NULL",
);

/** Whether a team is suspended: nothing of it is sent anywhere meanwhile. */
export const teamIsSuspended = (team: string) =>
  `EXISTS (SELECT FROM team standing WHERE standing.team_id = ${team} AND standing.status = 'suspended')`;
