import type { RowWithout } from '../../../platform/database/row.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';

type Identity = { team: string; issuer: string; subject: string };

/** Returns the account of an issuer’s subject in a team, and whether it is still a member. */
export const findIdentity = sqlStatement<Identity, { account_id: string; here: boolean }>(
  `SELECT f.account_id, a.deleted_at IS NULL AS here FROM federated_identity f JOIN account a ON a.team_id = f.team_id AND a.id = f.account_id
   WHERE f.team_id = $team AND f.issuer = $issuer AND f.subject = $subject`,
);

export const putIdentity = sqlStatement<
  Identity & { id: string; email: string | null; account: string; connection: string; at: Date },
  never
>(
  `INSERT INTO federated_identity (team_id, id, issuer, subject, email, account_id, connection_id, created_at, last_used_at)
   VALUES ($team, $id, $issuer, $subject, $email, $account, $connection, $at, $at)
   ON CONFLICT (team_id, issuer, subject) DO UPDATE SET id = excluded.id, email = excluded.email, account_id = excluded.account_id, connection_id = excluded.connection_id,
     created_at = excluded.created_at, last_used_at = excluded.last_used_at`,
);

/** Returns the subject of an issuer that an account is linked with. */
export const subjectOf = sqlStatement<{ team: string; account: string; issuer: string }, { subject: string }>(
  'SELECT subject FROM federated_identity WHERE team_id = $team AND account_id = $account AND issuer = $issuer',
);

/** Returns another identity of an account, if any. */
export const otherIdentity = sqlStatement<Identity & { account: string }, { subject: string }>(
  `SELECT subject FROM federated_identity WHERE team_id = $team AND account_id = $account AND (issuer, subject) <> ($issuer, $subject) LIMIT 1`,
);

/** Unlinks an account from an issuer. Returns no row if it is not linked. */
export const dropIdentity = sqlStatement<{ team: string; account: string; issuer: string }, { subject: string }>(
  'DELETE FROM federated_identity WHERE team_id = $team AND account_id = $account AND issuer = $issuer RETURNING subject',
);

export const touchIdentity = sqlStatement<Identity & { email: string | null; connection: string; at: Date }, never>(
  `UPDATE federated_identity SET last_used_at = $at, connection_id = $connection, email = $email WHERE team_id = $team AND issuer = $issuer AND subject = $subject`,
);

type IdentityRow = RowWithout<'federated_identity', 'account_id' | 'team_id'>;

/** Lists the identities of an account, oldest first. */
export const identitiesOf = sqlStatement<{ team: string; account: string }, IdentityRow>(
  `SELECT id, connection_id, issuer, subject, email, created_at, last_used_at FROM federated_identity
   WHERE team_id = $team AND account_id = $account ORDER BY created_at, id`,
);

export const dropIdentityById = sqlStatement<{ team: string; account: string; id: string }, { issuer: string; connection_id: string }>(
  'DELETE FROM federated_identity WHERE team_id = $team AND account_id = $account AND id = $id RETURNING issuer, connection_id',
);

/** Whether an account can sign in: by its password or a passkey if no provider is required, or through an active connection. */
export const canSignIn = sqlStatement<{ team: string; account: string }, { can: boolean }>(
  `SELECT (NOT requires_provider($team, p.id)
       AND (p.password_hash IS NOT NULL OR EXISTS (SELECT FROM passkey k WHERE k.person_id = p.id)))
     OR EXISTS (SELECT FROM federated_identity f CROSS JOIN LATERAL sso_connection_by_id(f.connection_id) c
       WHERE f.team_id = $team AND f.account_id = p.id AND c.team_id = $team) AS can
   FROM person p WHERE p.id = $account`,
);

/** Removes the identities of a departing user. */
export const dropIdentities = sqlStatement<{ team: string; account: string }, never>(
  'DELETE FROM federated_identity WHERE team_id = $team AND account_id = $account',
);

/** Removes the identities of a connection. */
export const forgetIdentities = sqlStatement<{ team: string; connection: string }, never>(
  'DELETE FROM federated_identity WHERE team_id = $team AND connection_id = $connection',
);
