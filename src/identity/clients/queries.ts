import type { Row, RowWithout } from '../../platform/database/row.ts';
import { bySort, changeSorts, type Cursor, sortedBy } from '../../platform/database/sorted-page.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';

/** Which tool calls over MCP need the approval of a user. */
export type McpApproval = 'mutating' | 'never';

export type ClientRow = RowWithout<'api_client', 'responsible_id' | 'team_id'> & {
  /** The responsible user, if this is no longer the creator. */
  responsible_id: string | null;
};

const columnsSql = `id, name, scopes, folder_ids, is_active, expires_at,
   last_used_at, created_by, responsible_id, awaiting_since, mcp_approval, approval_policy, version, created_at, updated_at`;

/** Lists the clients of a team by sort order. `sort_time` and the id are the cursor. */
export const listClients = bySort(changeSorts, (sort) => {
  const { order, after, key } = sortedBy(sort, 'api_client');
  return sqlStatement<{ team: string } & Cursor & { since: string | null; limit: number }, ClientRow & { sort_time: string }>(
    `SELECT ${columnsSql}, ${key[0]} AS sort_time FROM api_client
     WHERE team_id = $team AND ${after} AND ($since::timestamptz IS NULL OR updated_at >= $since) ORDER BY ${order} LIMIT $limit + 1`,
  );
});

export const findClient = sqlStatement<TeamScopedId, ClientRow>(`SELECT ${columnsSql} FROM api_client WHERE team_id = $team AND id = $id`);

/** The API clients among these identifiers. */
export const clientsNamed = sqlStatement<{ team: string; ids: readonly string[] }, { id: string; name: string }>(
  'SELECT id, name FROM api_client WHERE team_id = $team AND id = ANY ($ids::uuid[])',
);

export const approvalOfClient = sqlStatement<
  TeamScopedId,
  Row<'api_client', 'id' | 'name' | 'created_by' | 'mcp_approval' | 'approval_policy'>
>('SELECT id, name, created_by, mcp_approval, approval_policy FROM api_client WHERE team_id = $team AND id = $id');

export const lockClient = sqlStatement<TeamScopedId, ClientRow>(
  `SELECT ${columnsSql} FROM api_client WHERE team_id = $team AND id = $id FOR UPDATE`,
);

/** Serializes the creation of clients in a team, so that each creation counts all earlier ones. */
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
  approvalPolicy: string | null;
  at: Date;
  most: number;
};

/** Inserts a client. Returns no row if the team already has `most` clients. */
export const insertClient = sqlStatement<NewClient, ClientRow>(
  `INSERT INTO api_client (team_id, id, name, scopes, folder_ids, created_by, expires_at, mcp_approval, approval_policy, created_at, updated_at)
   SELECT $team, $id, $name, $scopes, $folderIds, $by, $expiresAt, $mcpApproval, $approvalPolicy, $at, $at
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
  approvalPolicy: string | null;
  at: Date;
};

export const updateClient = sqlStatement<ClientChange, ClientRow>(
  `UPDATE api_client SET name = $name, scopes = $scopes, folder_ids = $folderIds, is_active = $isActive, expires_at = $expiresAt, mcp_approval = $mcpApproval,
     approval_policy = $approvalPolicy, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id RETURNING ${columnsSql}`,
);

/** Sets a new responsible user and reactivates the client. */
export const takeOver = sqlStatement<TeamScopedId & { by: string; at: Date }, ClientRow>(
  `UPDATE api_client SET responsible_id = $by, is_active = true, awaiting_since = NULL, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id RETURNING ${columnsSql}`,
);

/**
 * Returns the clients of a responsible user. Clients with write scopes are suspended until a takeover,
 * unless the team has disabled this. All checks of secrets and tokens treat them as deactivated.
 */
export const awaitTakeover = sqlStatement<{ team: string; account: string; at: Date }, { id: string; name: string; waits: boolean }>(
  `WITH locked AS (
     SELECT c.id, c.name, clients_await_takeover(c.team_id) AND EXISTS (SELECT FROM unnest(c.scopes) AS s(scope) WHERE s.scope LIKE '%:write') AS waits
     FROM api_client c
     WHERE c.team_id = $team AND coalesce(c.responsible_id, c.created_by) = $account ORDER BY c.id FOR NO KEY UPDATE OF c
   ), switched AS (
     UPDATE api_client c SET is_active = false, awaiting_since = coalesce(c.awaiting_since, $at), version = c.version + 1, updated_at = $at
     FROM locked WHERE c.team_id = $team AND c.id = locked.id AND locked.waits
   ) SELECT id, name, waits FROM locked ORDER BY id`,
);

/** Increases the version of a client after a change of its secret. */
export const touchClient = sqlStatement<TeamScopedId & { at: Date }, ClientRow>(
  `UPDATE api_client SET version = version + 1, updated_at = $at WHERE team_id = $team AND id = $id RETURNING ${columnsSql}`,
);

/** Deletes a client. The row keeps the responsible user, because a decision about the client’s past actions needs another person. */
export const deleteClient = sqlStatement<TeamScopedId, never>(
  `WITH gone AS (DELETE FROM api_client WHERE team_id = $team AND id = $id RETURNING id, coalesce(responsible_id, created_by) AS person)
   INSERT INTO former_client (team_id, id, responsible_id) SELECT $team, id, person FROM gone`,
);

type NewSecret = { team: string; id: string; client: string; hash: Buffer; at: Date };

export const insertSecret = sqlStatement<NewSecret, never>(
  'INSERT INTO api_client_secret (team_id, id, client_id, hash, created_at) VALUES ($team, $id, $client, $hash, $at)',
);

/** Sets the expiry of the current secret in `hours` by the database clock. Notifies every node about the new expiry of its tokens. */
export const endSecretLater = sqlStatement<
  { team: string; client: string; hours: number },
  { id: string; expires_at: string; notified: string }
>(
  `WITH ending AS (
     UPDATE api_client_secret SET expires_at = now() + make_interval(secs => $hours::float8 * 3600)
     WHERE team_id = $team AND client_id = $client AND expires_at IS NULL RETURNING id, expires_at
   ) SELECT id, expires_at, pg_notify('revoked', id::text)::text AS notified FROM ending`,
);

/** Ends the secrets of a client, or only those replaced by an earlier rotation. Every node removes their tokens from its cache. */
export const endSecrets = sqlStatement<{ team: string; client: string; replaced: boolean }, { id: string; notified: string }>(
  `WITH ended AS (
     DELETE FROM api_client_secret WHERE team_id = $team AND client_id = $client AND (expires_at IS NOT NULL OR NOT $replaced) RETURNING id
   ) SELECT id, pg_notify('revoked', id::text)::text AS notified FROM ended`,
);

/** Makes every node recheck its cached tokens of a client. */
export const recheckTokens = sqlStatement<{ team: string; client: string }, { id: string; notified: string }>(
  `SELECT id, pg_notify('revoked', id::text)::text AS notified FROM api_client_secret WHERE team_id = $team AND client_id = $client`,
);

type ClientSecret = { team_id: string; secret_id: string; hash: Buffer; scopes: string[]; usable: boolean; until: string | null };

/** Locks an approval policy against deletion. */
export const lockApprovalPolicy = sqlStatement<{ team: string; name: string }, { exists: boolean }>(
  'SELECT lock_approval_policy($team, $name) AS exists',
  { exists: 'the function returns no null' },
);

/** Returns the unexpired secrets of a client in any team. */
export const secretsOfClient = sqlStatement<{ client: string }, ClientSecret>(
  'SELECT team_id, secret_id, hash, scopes, usable, until FROM secrets_of_client($client)',
  { usable: 'the function compares times only where there are any' },
);

type LiveToken = Row<'api_client', 'scopes' | 'folder_ids'> & { client_id: string; until: string | null };

/** Returns the client of a token while the client, its secret and the token are valid. */
export const liveToken = sqlStatement<{ team: string; secret: string; jti: string }, LiveToken>(
  'SELECT client_id, scopes, folder_ids, until FROM live_client_token($team, $secret, $jti)',
);

/** Verifies a client’s token inside the transaction of an action. Fails if the token has ended, or if its folders or scopes have changed. */
export const checkClientCredential = sqlStatement<
  { team: string; client: string; secret: string; token: string; scopes: string[]; folders: string[] | null },
  never
>('SELECT check_client_credential($team, $client, $secret, $token, $scopes, $folders)');

/** Waits for running transactions of a client’s tokens, and blocks new ones until this transaction ends. */
export const lockClientExclusively = sqlStatement<{ client: string }, never>('SELECT pg_advisory_xact_lock(credential_key($client))');

/** Records the use of a client. Returns a row if the last record is older than a minute. */
export const recordUse = sqlStatement<TeamScopedId, { id: string }>(
  `UPDATE api_client SET last_used_at = now()
   WHERE team_id = $team AND id = $id AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute') RETURNING id`,
);

/** Revokes one token until its expiry, and makes every node recheck its cache. */
export const revokeToken = sqlStatement<{ team: string; jti: string; secret: string; until: Date }, { jti: string; notified: string }>(
  `WITH revoked AS (
     INSERT INTO api_client_revoked_token (team_id, jti, expires_at) VALUES ($team, $jti, $until) ON CONFLICT DO NOTHING RETURNING jti
   ) SELECT jti, pg_notify('revoked', $secret::text)::text AS notified FROM revoked`,
);

/** Deletes replaced secrets and revoked tokens an hour after their expiry. */
export const dropOver = [
  "DELETE FROM api_client_secret WHERE expires_at < now() - interval '1 hour'",
  "DELETE FROM api_client_revoked_token WHERE expires_at < now() - interval '1 hour'",
].map((text) => sqlStatement<object, never>(text));
