import { isMcpResource, mcpResource, type TokenUse } from '#accounts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { withMinimumDuration } from '../../platform/http/minimum-duration.ts';
import { isUuid } from '../../platform/identifiers.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { enterTeam, type PublicScope, type Scope } from '../../platform/scope.ts';
import { clientRefused, clientTokenIssued, clientTokenRevoked } from './events.ts';
import { notAuthenticated, type ShownCredentials } from './credentials.ts';
import type { Clients } from './context.ts';
import { scopesBeyond } from './policy.ts';
import { clientProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { Introspection, IssuedToken } from './schemas.ts';
import { secretHash, shownSecret } from './secrets.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

/** A client that has authenticated with one of its secrets. */
type ProvenClient = { id: string; team: string; secretId: string; scopes: readonly string[]; until: string | null };

/** The database access of a caller whose team is not known yet, and the caller’s address. */
type Caller = {
  database: Database;
  inPublic: <T>(work: (scope: PublicScope) => Promise<T>) => Promise<T>;
  ip: string | undefined;
};

/**
 * Authenticates a client and runs its work in one transaction of its team. Only failures are counted and throttled. A correct secret is never
 * delayed, because a secret of 256 bits cannot be guessed. Throws 401 `invalid_client` or 429.
 */
async function asClient<T>(
  clients: Clients,
  caller: Caller,
  shown: ShownCredentials,
  work: (scope: Scope, client: ProvenClient) => Promise<T>,
): Promise<T> {
  const outcome = await caller.inPublic(async (outer) => {
    const { team, client } = await prove(clients, outer.db, shown);
    if (!client) return { done: false as const, team };
    const scope = enterTeam(outer, client.team, { type: 'client', id: client.id, scopes: new Set(client.scopes) });
    return { done: true as const, value: await work(scope, client) };
  });
  return outcome.done ? outcome.value : refuse(clients, caller, shown, outcome.team);
}

async function prove(
  clients: Clients,
  db: Transaction,
  { clientId, secret }: ShownCredentials,
): Promise<{ team: string | undefined; client: ProvenClient | undefined }> {
  const id = clientId.toLowerCase();
  const rows = isUuid(id) ? await db.all(queries.secretsOfClient, { client: id }) : [];
  const found = shownSecret(rows, secretHash(clients.secretKey, id, secret));
  const client = found?.usable && { id, team: found.team_id, secretId: found.secret_id, scopes: found.scopes, until: found.until };
  return { team: rows[0]?.team_id, client: client || undefined };
}

/**
 * Throws the same error for an unknown client, a wrong secret and a deactivated client. It counts the failure in a separate transaction, so that the
 * rollback after the error does not undo the count.
 */
async function refuse(clients: Clients, caller: Caller, { clientId }: ShownCredentials, team: string | undefined): Promise<never> {
  const { throttle } = clients;
  const buckets = throttle.client(clientId.toLowerCase().slice(0, 100), caller.ip);
  await caller.database.withoutTeam((tx) => throttle.check(tx, buckets));
  await withMinimumDuration(async () => {
    const note = (of: string) =>
      caller.inPublic((scope) => recordAudit(enterTeam(scope, of, { type: 'system' }), clientRefused, clientId.toLowerCase()));
    // In separate transactions, which the error does not undo.
    await pipelined({
      counted: () => throttle.count(caller.database, buckets),
      recorded: () => (team === undefined ? undefined : note(team)),
    });
  });
  throw notAuthenticated('The client is unknown, deactivated or expired, or its secret is wrong or replaced.');
}

/** The requested scopes, and the resource of the token (RFC 8707). */
type TokenRequest = { scope: string | undefined; resource: string | undefined };

/** Issues an access token (RFC 6749 §4.4). Throws 400 `invalid_scope`, `invalid_target`, 401 `invalid_client` or 429. */
export async function issueToken(clients: Clients, caller: Caller, shown: ShownCredentials, wanted: TokenRequest): Promise<IssuedToken> {
  return asClient(clients, caller, shown, async (scope, client) => {
    const use = useOf(clients, wanted.resource);
    const scopes = grantedScopes(client, wanted.scope, use);
    const left = client.until === null ? clients.tokens.seconds : (Date.parse(client.until) - scope.now.getTime()) / 1000;
    const seconds = Math.max(1, Math.min(clients.tokens.seconds, Math.floor(left)));
    const { token, recorded } = await pipelined({
      token: () =>
        clients.tokens.issueForClient({ clientId: client.id, team: client.team, secretId: client.secretId, scopes, seconds, use }),
      recorded: () => scope.db.first(queries.recordUse, { team: client.team, id: client.id }),
    });
    if (recorded) await recordAudit(scope, clientTokenIssued, client.id, { scopes: [...scopes] });
    return { access_token: token, token_type: 'Bearer', expires_in: seconds, scope: scopes.join(' ') };
  });
}

/** Returns the use of a token for a resource. */
function useOf({ issuer }: Clients, resource: string | undefined): TokenUse {
  if (resource === undefined || resource.replace(/\/$/, '') === issuer) return 'api';
  if (isMcpResource(issuer, resource)) return 'mcp';
  throw clientProblems.invalid_target(`resource must be ${issuer} or ${mcpResource(issuer)}. Omit it for the first.`);
}

function grantedScopes(client: ProvenClient, requested: string | undefined, use: TokenUse): readonly string[] {
  if (requested === undefined) return client.scopes;
  const wanted = requested.split(' ');
  if (!wanted.every((scope) => /^[!#-[\]-~]+$/.test(scope)))
    throw clientProblems.invalid_scope('scope must be a list of scopes separated by single spaces.');
  const granted = client.scopes.filter((scope) => wanted.includes(scope));
  // MCP clients request all scopes that the server lists, which most clients do not have. RFC 6749 §3.3 allows to grant only a part.
  if (use === 'mcp' && granted.length > 0) return granted;
  const beyond = scopesBeyond(wanted, new Set(client.scopes));
  if (beyond.length > 0)
    throw clientProblems.invalid_scope(
      `The client does not have ${beyond.slice(0, 5).join(', ').slice(0, 300)}. Request only scopes of the client, or add these to it first.`,
    );
  return granted;
}

/** Revokes a token of the client. An unknown or expired token needs no revocation (RFC 7009 §2.2). Throws 400 `invalid_grant`, 401 or 429. */
export async function revokeToken(clients: Clients, caller: Caller, shown: ShownCredentials, token: string): Promise<void> {
  const claims = await clients.tokens.read(token);
  await asClient(clients, caller, shown, async (scope, client) => {
    if (!claims) return;
    if (claims.clientId !== client.id)
      throw clientProblems.invalid_grant('The token belongs to another client. A client can revoke only its own tokens.');
    const { jti, sid, exp } = claims;
    scope.db.send(queries.lockClientExclusively, { client: client.id });
    const revoked = await scope.db.first(queries.revokeToken, { team: client.team, jti, secret: sid, until: new Date(exp * 1000) });
    scope.db.afterCommit(() => clients.tokens.forget(sid));
    if (revoked) await recordAudit(scope, clientTokenRevoked, client.id, { jti });
  });
}

/** Returns the current rights of the client’s own token, and only `active: false` for any other (RFC 7662 §2.2). Throws 401 or 429. */
export async function introspectToken(clients: Clients, caller: Caller, shown: ShownCredentials, token: string): Promise<Introspection> {
  const owner = await asClient(clients, caller, shown, async (_scope, client) => client.id);
  const claims = await clients.tokens.read(token);
  const principal = claims?.clientId === owner ? await clients.tokens.verify(token, claims.use) : undefined;
  if (!claims || !principal) return { active: false };
  return {
    active: true,
    scope: [...principal.scopes].join(' '),
    client_id: owner,
    token_type: 'Bearer',
    exp: claims.exp,
    iat: claims.iat,
    sub: claims.sub,
    aud: claims.aud,
    iss: clients.issuer,
    jti: claims.jti,
  };
}
