import type { Row, RowWithout } from '../../platform/database/row.ts';
import { bySort, changeSorts, type Cursor, sortedBy } from '../../platform/database/sorted-page.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';

/** Which calls of tools over MCP wait for a person. */
export type McpApproval = 'mutating' | 'never';

export type ClientRow = RowWithout<'api_client', 'responsible_id' | 'team_id'> & {
  /** Who answers for it, if that is no longer its maker. */
  responsible_id: string | null;
};

const columnsSql = `id, name, scopes, folder_ids, is_active, expires_at,
   last_used_at, created_by, responsible_id, awaiting_since, mcp_approval, version, created_at, updated_at`;

/** The clients of a team in an order; `sort_time` is where each stands in it, with its id. */
export const listClients = bySort(changeSorts, (sort) => {
  const { order, after, key } = sortedBy(sort, 'api_client');
  return sqlStatement<{ team: string } & Cursor & { since: string | null; limit: number }, ClientRow & { sort_time: string }>(
    `SELECT ${columnsSql}, ${key[0]} AS sort_time FROM api_client
     WHERE team_id = $team AND ${after} AND ($since::timestamptz IS NULL OR updated_at >= $since) ORDER BY ${order} LIMIT $limit + 1`,
  );
});

export const findClient = sqlStatement<TeamScopedId, ClientRow>(`SELECT ${columnsSql} FROM api_client WHERE team_id = $team AND id = $id`);

/** Which of a client's calls of tools wait for a person. */
export const approvalOfClient = sqlStatement<TeamScopedId, Row<'api_client', 'id' | 'name' | 'created_by' | 'mcp_approval'>>(
  'SELECT id, name, created_by, mcp_approval FROM api_client WHERE team_id = $team AND id = $id',
);

/** Locks a client that is to be changed. */
export const lockClient = sqlStatement<TeamScopedId, ClientRow>(
  `SELECT ${columnsSql} FROM api_client WHERE team_id = $team AND id = $id FOR UPDATE`,
);

/** Puts creations of a team one after another, so that each counts what the one before made. */
export const lockClientCount = sqlStatement<{ team: string }, never>(
  "SELECT pg_advisory_xact_lock(hashtextextended('api clients ' || $team, 0)) AS locked",
);

type NewClient = TeamScopedId & {
  name: string;
  scopes: string[];
  folderIds: string[] | null;
  by: string;
  expiresAt: string | null;
  mcpApproval: McpApproval;
  at: Date;
  most: number;
};

/** Inserts unless the team has `most` already: then no row comes back. */
export const insertClient = sqlStatement<NewClient, ClientRow>(
  `INSERT INTO api_client (team_id, id, name, scopes, folder_ids, created_by, expires_at, mcp_approval, created_at, updated_at)
   SELECT $team, $id, $name, $scopes, $folderIds, $by, $expiresAt, $mcpApproval, $at, $at
   WHERE (SELECT count(*) FROM api_client WHERE team_id = $team) < $most
   RETURNING ${columnsSql}`,
);

type ClientChange = TeamScopedId & {
  name: string;
  scopes: string[];
  folderIds: string[] | null;
  isActive: boolean;
  expiresAt: string | null;
  mcpApproval: McpApproval;
  at: Date;
};

export const updateClient = sqlStatement<ClientChange, ClientRow>(
  `UPDATE api_client SET name = $name, scopes = $scopes, folder_ids = $folderIds, is_active = $isActive, expires_at = $expiresAt, mcp_approval = $mcpApproval, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id RETURNING ${columnsSql}`,
);

/** Gives a client to who answers for it from now on, at work again. */
export const takeOver = sqlStatement<TeamScopedId & { by: string; at: Date }, ClientRow>(
  `UPDATE api_client SET responsible_id = $by, is_active = true, awaiting_since = NULL, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id RETURNING ${columnsSql}`,
);

/**
 * The clients a person answers for. Those that can write wait from now on, unless the team has said otherwise: switched off,
 * as every look at a secret or token finds them.
 */
export const awaitTakeover = sqlStatement<{ team: string; account: string; at: Date }, { id: string; name: string; waits: boolean }>(
  `WITH held AS (
     SELECT c.id, c.name, clients_await_takeover(c.team_id) AND EXISTS (SELECT FROM unnest(c.scopes) AS s(scope) WHERE s.scope LIKE '%:write') AS waits
     FROM api_client c
     WHERE c.team_id = $team AND coalesce(c.responsible_id, c.created_by) = $account ORDER BY c.id FOR NO KEY UPDATE OF c
   ), switched AS (
     UPDATE api_client c SET is_active = false, awaiting_since = coalesce(c.awaiting_since, $at), version = c.version + 1, updated_at = $at
     FROM held WHERE c.team_id = $team AND c.id = held.id AND held.waits
   ) SELECT id, name, waits FROM held ORDER BY id`,
);

/** A client whose secret changed is another version. */
export const touchClient = sqlStatement<TeamScopedId & { at: Date }, ClientRow>(
  `UPDATE api_client SET version = version + 1, updated_at = $at WHERE team_id = $team AND id = $id RETURNING ${columnsSql}`,
);

/** Ends a client. Who answered for it is kept: what it did stays theirs, where two persons are meant. */
export const deleteClient = sqlStatement<TeamScopedId, never>(
  `WITH gone AS (DELETE FROM api_client WHERE team_id = $team AND id = $id RETURNING id, coalesce(responsible_id, created_by) AS person)
   INSERT INTO former_client (team_id, id, responsible_id) SELECT $team, id, person FROM gone`,
);

type NewSecret = { team: string; id: string; client: string; hash: Buffer; at: Date };

export const insertSecret = sqlStatement<NewSecret, never>(
  'INSERT INTO api_client_secret (team_id, id, client_id, hash, created_at) VALUES ($team, $id, $client, $hash, $at)',
);

/** Gives the current secret an end in so many hours, by the clock that judges it; every node learns that its tokens have one. */
export const endSecretLater = sqlStatement<
  { team: string; client: string; hours: number },
  { id: string; expires_at: string; notified: string }
>(
  `WITH ending AS (
     UPDATE api_client_secret SET expires_at = now() + make_interval(secs => $hours::float8 * 3600)
     WHERE team_id = $team AND client_id = $client AND expires_at IS NULL RETURNING id, expires_at
   ) SELECT id, expires_at, pg_notify('revoked', id::text)::text AS notified FROM ending`,
);

/** Ends a client's secrets, or those alone that a rotation replaced before; every node forgets their tokens. */
export const endSecrets = sqlStatement<{ team: string; client: string; replaced: boolean }, { id: string; notified: string }>(
  `WITH ended AS (
     DELETE FROM api_client_secret WHERE team_id = $team AND client_id = $client AND (expires_at IS NOT NULL OR NOT $replaced) RETURNING id
   ) SELECT id, pg_notify('revoked', id::text)::text AS notified FROM ended`,
);

/** Has every node look again at what it believes of a client's tokens. */
export const recheckTokens = sqlStatement<{ team: string; client: string }, { id: string; notified: string }>(
  `SELECT id, pg_notify('revoked', id::text)::text AS notified FROM api_client_secret WHERE team_id = $team AND client_id = $client`,
);

type ClientSecret = { team_id: string; secret_id: string; hash: Buffer; scopes: string[]; usable: boolean; until: string | null };

/** The secrets of a client that have not ended, whatever team it is of. */
export const secretsOfClient = sqlStatement<{ client: string }, ClientSecret>(
  'SELECT team_id, secret_id, hash, scopes, usable, until FROM secrets_of_client($client)',
  { usable: 'the function compares times only where there are any' },
);

type LiveToken = Row<'api_client', 'team_id' | 'scopes' | 'folder_ids'> & { client_id: string; until: string | null };

/** Whose token this is, as long as its client, its secret and itself are good. */
export const liveToken = sqlStatement<{ secret: string; jti: string }, LiveToken>(
  'SELECT team_id, client_id, scopes, folder_ids, until FROM live_client_token($secret, $jti)',
);

/** Proves a client's token inside the transaction of an act: fails where it has ended, or gives other folders or fewer scopes than these. */
export const holdClient = sqlStatement<
  { team: string; client: string; secret: string; token: string; scopes: string[]; folders: string[] | null },
  never
>('SELECT hold_client($team, $client, $secret, $token, $scopes, $folders)');

/** Waits for what a client's tokens are doing, and has what they do next wait. */
export const holdClientAlone = sqlStatement<{ client: string }, never>('SELECT pg_advisory_xact_lock(credential_key($client))');

/** Notes that a client was used; a row comes back when the last note is older than a minute. */
export const noteUse = sqlStatement<TeamScopedId, { id: string }>(
  `UPDATE api_client SET last_used_at = now()
   WHERE team_id = $team AND id = $id AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute') RETURNING id`,
);

/** Revokes one token until it would have ended, and has every node look again. */
export const revokeToken = sqlStatement<{ team: string; jti: string; secret: string; until: Date }, { jti: string; notified: string }>(
  `WITH revoked AS (
     INSERT INTO api_client_revoked_token (team_id, jti, expires_at) VALUES ($team, $jti, $until) ON CONFLICT DO NOTHING RETURNING jti
   ) SELECT jti, pg_notify('revoked', $secret::text)::text AS notified FROM revoked`,
);

/** What is over is dropped: secrets that were replaced, tokens that would have ended. */
export const dropOver = [
  "DELETE FROM api_client_secret WHERE expires_at < now() - interval '1 hour'",
  "DELETE FROM api_client_revoked_token WHERE expires_at < now() - interval '1 hour'",
].map((text) => sqlStatement<object, never>(text));
