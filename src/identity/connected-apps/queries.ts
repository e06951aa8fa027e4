import type { Row, RowWithout } from '../../platform/database/row.ts';
import { sqlStatement } from '../../platform/database/statement.ts';

export const findApp = sqlStatement<{ id: string }, Row<'connected_app', 'id' | 'name' | 'redirect_uris'>>(
  'SELECT id, name, redirect_uris FROM connected_app WHERE id = $id',
);

/** Registers an app. Returns no row if the limit of registrations is reached. */
export const insertApp = sqlStatement<{ id: string; name: string; redirectUris: string[]; at: Date; most: number }, { id: string }>(
  `INSERT INTO connected_app (id, name, redirect_uris, created_at)
   SELECT $id, $name, $redirectUris, $at WHERE (SELECT count(*) FROM (SELECT FROM connected_app LIMIT $most) AS registered) < $most RETURNING id`,
);

/** Records the last use of an app, at most once a day. */
export const recordUse = sqlStatement<{ id: string; at: Date }, never>(
  "UPDATE connected_app SET used_at = $at WHERE id = $id AND (used_at IS NULL OR used_at < $at::timestamptz - interval '1 day')",
);

/**
 * Deletes apps that were not connected within a day after their registration, and apps that were unused for 400 days. No
 * connection lasts that long.
 */
export const dropUnused = sqlStatement<object, { id: string }>(
  `DELETE FROM connected_app WHERE id IN (
     SELECT id FROM connected_app WHERE coalesce(used_at, created_at) < now() - interval '1 day'
       AND (used_at IS NULL OR used_at < now() - interval '400 days') ORDER BY coalesce(used_at, created_at) LIMIT 1000
   ) RETURNING id`,
);

type NewConnection = {
  team: string;
  session: string;
  account: string;
  clientId: string;
  name: string;
  redirectUri: string;
  scopes: string[];
  codeHash: Buffer;
  challenge: string;
  livesUntil: string;
  approvalPolicy: string | null;
  at: Date;
};

export const insertConnection = sqlStatement<NewConnection, never>(
  `INSERT INTO connected_app_connection (team_id, session_id, account_id, client_id, name, redirect_uri, scopes, code_hash, code_challenge, lives_until,
     approval_policy, created_at)
   VALUES ($team, $session, $account, $clientId, $name, $redirectUri, $scopes, $codeHash, $challenge, $livesUntil, $approvalPolicy, $at)`,
);

export type OfCode = RowWithout<
  'connected_app_connection',
  'team_id' | 'approval_policy' | 'code_hash' | 'created_at' | 'name' | 'redeemed_at' | 'scopes'
>;
export const connectionByCode = sqlStatement<{ team: string; hash: Buffer }, OfCode>('SELECT * FROM connection_by_code($team, $hash)');

/** Marks a code as used. Returns no row if it was already used. */
export const redeem = sqlStatement<{ team: string; session: string; at: Date }, { session_id: string }>(
  `UPDATE connected_app_connection SET redeemed_at = $at WHERE team_id = $team AND session_id = $session AND redeemed_at IS NULL
   RETURNING session_id`,
);

export type Connection = Row<
  'connected_app_connection',
  'session_id' | 'client_id' | 'name' | 'redirect_uri' | 'scopes' | 'approval_policy' | 'created_at'
>;

/** Lists the connections of a user whose code was redeemed, newest first. */
export const connectionsOf = sqlStatement<{ team: string; account: string; sessions: string[] }, Connection>(
  `SELECT session_id, client_id, name, redirect_uri, scopes, approval_policy, created_at FROM connected_app_connection
   WHERE team_id = $team AND account_id = $account AND session_id = ANY ($sessions) AND redeemed_at IS NOT NULL
   ORDER BY created_at DESC, session_id DESC`,
);

type ActingApp = Row<'connected_app_connection', 'name' | 'account_id' | 'approval_policy'>;
/** Returns the name of a connected app, its user and its approval policy. */
export const actingApp = sqlStatement<{ team: string; session: string }, ActingApp>(
  'SELECT name, account_id, approval_policy FROM connected_app_connection WHERE team_id = $team AND session_id = $session',
);

/** Returns the user of a connection, or no row if it belongs to another app. */
export const connectionOf = sqlStatement<{ team: string; session: string; clientId: string }, { account_id: string }>(
  'SELECT account_id FROM connected_app_connection WHERE team_id = $team AND session_id = $session AND client_id = $clientId',
);

/** Sets the approval policy of a connection. Returns no row if the connection has ended or belongs to another user. */
export const setApprovalPolicy = sqlStatement<
  { team: string; account: string; session: string; approvalPolicy: string | null },
  { session_id: string }
>(
  `UPDATE connected_app_connection SET approval_policy = $approvalPolicy
   WHERE team_id = $team AND account_id = $account AND session_id = $session AND redeemed_at IS NOT NULL
     AND connected_app_session_lives(team_id, session_id) RETURNING session_id`,
);

/** Whether an active or ended connection belongs to the user. */
export const isConnection = sqlStatement<{ team: string; account: string; session: string }, { session_id: string }>(
  'SELECT session_id FROM connected_app_connection WHERE team_id = $team AND account_id = $account AND session_id = $session',
);
