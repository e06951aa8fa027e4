import type { Row, RowWithout } from '../../platform/database/row.ts';
import type { GrantedResource, Seat } from './schemas.ts';
import { undeliverableOf } from '../../platform/mail/undeliverable-queries.ts';
import type { Undeliverable } from '../../platform/schema-parts.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';

export type InvitationRow = RowWithout<'invitation', 'access' | 'seat' | 'team_id' | 'token_hash'> & {
  access: GrantedResource[];
  seat: Seat | null;
  /** `status`, or `expired` for a pending invitation past its end. */
  state: 'pending' | 'expired' | 'accepted' | 'revoked';
  undeliverable: Undeliverable | null;
};

const state = "CASE WHEN status = 'pending' AND expires_at <= now() THEN 'expired' ELSE status END";
const columns = `id, email, email_key, role, sponsor_id, ends_at, access, seat, status, ${state} AS state, invited_by, created_by_type, accepted_by, version, created_at, sent_at, expires_at, ended_at,
  ${undeliverableOf('email')} AS undeliverable`;

export const listInvitations = sqlStatement<{ team: string; states: string[]; after: string; limit: number }, InvitationRow>(
  `SELECT ${columns} FROM invitation WHERE team_id = $team AND id > $after AND ${state} = ANY ($states) ORDER BY id LIMIT $limit + 1`,
);

export const findInvitation = sqlStatement<TeamScopedId, InvitationRow>(
  `SELECT ${columns} FROM invitation WHERE team_id = $team AND id = $id`,
);

export const lockInvitation = sqlStatement<TeamScopedId, InvitationRow & { seconds_since_sent: number }>(
  `SELECT ${columns}, extract(epoch FROM now() - sent_at)::float8 AS seconds_since_sent
   FROM invitation WHERE team_id = $team AND id = $id FOR UPDATE`,
);

/** The pending invitation of an address. */
export const pendingInvitation = sqlStatement<{ team: string; emailKey: string }, { id: string; role: string }>(
  "SELECT id, role FROM invitation WHERE team_id = $team AND email_key = $emailKey AND status = 'pending' AND expires_at > now()",
);

/** Counts pending invitations, including expired ones, because those can be sent again. */
export const countPending = sqlStatement<{ team: string }, { pending: number }>(
  "SELECT count(*) AS pending FROM invitation WHERE team_id = $team AND status = 'pending'",
);

/** Ends an expired invitation, so that its address can be invited again. */
export const revokeExpired = sqlStatement<{ team: string; emailKey: string; at: Date }, never>(
  `UPDATE invitation SET status = 'revoked', ended_at = $at, version = version + 1
   WHERE team_id = $team AND email_key = $emailKey AND status = 'pending' AND expires_at <= now()`,
);

/** Ends the pending invitations that a user or an API client created, or only those of administrators. */
export const revokeMadeBy = sqlStatement<{ team: string; by: string; above: boolean; at: Date }, { id: string; email: string }>(
  `WITH locked AS (
     SELECT id FROM invitation WHERE team_id = $team AND invited_by = $by AND status = 'pending' AND (role = 'admin' OR NOT $above)
     ORDER BY id FOR UPDATE
   ) UPDATE invitation i SET status = 'revoked', ended_at = $at, version = version + 1
   FROM locked WHERE i.team_id = $team AND i.id = locked.id RETURNING i.id, i.email`,
);

type NewInvitation = TeamScopedId & {
  email: string;
  emailKey: string;
  role: string;
  endsAt: string | null;
  sponsor: string | null;
  access: string;
  seat: string | null;
  hash: Buffer;
  by: string;
  byType: string;
  lives: number;
  at: Date;
};

/** Returns no row if the address has a pending invitation. */
export const insertInvitation = sqlStatement<NewInvitation, InvitationRow>(
  `INSERT INTO invitation (team_id, id, email, email_key, role, ends_at, sponsor_id, access, seat, token_hash, invited_by, created_by_type, created_at,
     sent_at, expires_at)
   VALUES ($team, $id, $email, $emailKey, $role, $endsAt, $sponsor, $access::jsonb, $seat::jsonb, $hash, $by, $byType, $at, now(),
     least(now() + make_interval(secs => $lives), $endsAt::timestamptz))
   ON CONFLICT (team_id, email_key) WHERE status = 'pending' DO NOTHING RETURNING ${columns}`,
);

/** Stores a new link for a pending invitation. The previous link becomes invalid. */
export const renewInvitation = sqlStatement<TeamScopedId & { hash: Buffer; lives: number }, InvitationRow>(
  `UPDATE invitation SET token_hash = $hash, sent_at = now(), expires_at = least(now() + make_interval(secs => $lives), ends_at),
     version = version + 1
   WHERE team_id = $team AND id = $id AND status = 'pending' RETURNING ${columns}`,
);

export const revokeInvitation = sqlStatement<TeamScopedId & { at: Date }, { id: string }>(
  `UPDATE invitation SET status = 'revoked', ended_at = $at, version = version + 1
   WHERE team_id = $team AND id = $id AND status = 'pending' RETURNING id`,
);

export const revokeOfAddress = sqlStatement<{ team: string; emailKey: string; at: Date }, { id: string }>(
  `UPDATE invitation SET status = 'revoked', ended_at = $at, version = version + 1
   WHERE team_id = $team AND status = 'pending' AND email_key = $emailKey RETURNING id`,
);

export const revokeAll = sqlStatement<{ team: string; at: Date }, never>(
  "UPDATE invitation SET status = 'revoked', ended_at = $at, version = version + 1 WHERE team_id = $team AND status = 'pending'",
);

/**
 * Accepts a pending invitation in one conditional update, so that only one of concurrent requests gets it. With `hash`, the link must be the newest
 * one.
 */
export const takeInvitation = sqlStatement<TeamScopedId & { hash: Buffer | null; by: string; at: Date }, InvitationRow>(
  `UPDATE invitation SET status = 'accepted', accepted_by = $by, ended_at = $at, version = version + 1
   WHERE team_id = $team AND id = $id AND status = 'pending' AND expires_at > now() AND ($hash::bytea IS NULL OR token_hash = $hash)
     AND team_active($team)
   RETURNING ${columns}`,
);

export type Living = Row<'invitation', 'team_id' | 'id' | 'email' | 'email_key' | 'role' | 'expires_at'> & { team_name: string };

export const invitationByToken = sqlStatement<{ team: string; hash: Buffer }, Living>('SELECT * FROM invitation_by_token($team, $hash)');

/** Lists the pending invitations to an address, newest first. */
export const invitationsOfAddress = sqlStatement<{ emailKey: string }, Living>('SELECT * FROM invitations_of_address($emailKey)');

/** Whether an address has an account in any team. */
export const accountOfAddress = sqlStatement<{ emailKey: string }, { id: string }>('SELECT id FROM person_by_email($emailKey)');

/** Deletes invitations that ended or expired before `before`. */
export const dropOld = sqlStatement<{ before: Date }, never>(
  `WITH locked AS (
     SELECT team_id, id FROM invitation WHERE coalesce(ended_at, expires_at) < $before ORDER BY team_id, id FOR UPDATE SKIP LOCKED
   )
   DELETE FROM invitation i USING locked WHERE i.team_id = locked.team_id AND i.id = locked.id`,
);
