import { tokenHash } from '../../../../platform/crypto/tokens.ts';
import { recordAudit } from '../../../../platform/journal/record.ts';
import { problems } from '../../../../platform/problems.ts';
import type { ReadScope, Scope } from '../../../../platform/scope.ts';
import type { Versioned } from '../../../../platform/versioned.ts';
import { personOf } from '../../access.ts';
import type { Servers } from '../context.ts';
import type { BegunSignIn, Grant } from '../credentials.ts';
import { signedIn, signInBegun } from '../events.ts';
import { type Challenge, RemoteFailure } from '../failure.ts';
import { most } from '../limits.ts';
import { serverProblems } from '../problems.ts';
import type { Server } from '../schemas.ts';
import { getServer, lockServer, refuseConfined, serverOf } from '../service.ts';
import { addressToAllow, discover, exchangeCode, introduce, NoSignIn, Refused } from './authorization-server.ts';
import { redirectOf } from './client-metadata.ts';
import { enqueueTokenRevocation } from './revoke-tokens.ts';
import * as queries from './queries.ts';
import type { BeginSignIn, Begun, FinishSignIn } from './schemas.ts';
import { newState, pageToReturnTo } from './state.ts';

const begunSeconds = 600;

/** The result of the discovery, before the sign-in is stored. */
export type Prepared = { url: string; origin: string; state: string; address: string; kept: BegunSignIn };

/**
 * Discovers the authorization server and registers this service there, outside of any transaction.
 * Throws 400, 403, 404 and 422 `mcp_sign_in_unavailable`.
 */
export async function prepareSignIn(scope: ReadScope, servers: Servers, serverId: string, input: BeginSignIn): Promise<Prepared> {
  refuseConfined(scope);
  const returnTo = input.returnTo === undefined ? undefined : pageToReturnTo(servers, input.returnTo);
  const { url, origin } = await serverOf(scope, serverId);
  try {
    const where = await discover(servers, url, await challengeOf(servers, url));
    const { clientId, clientSecret } = input;
    const client =
      clientId === undefined
        ? await introduce(servers, where)
        : { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }) };
    const scopes = input.scope?.trim() || where.scope;
    const state = newState(servers, returnTo);
    const { address, verifier } = await addressToAllow(servers, where, { client, state, scope: scopes });
    const { issuer, tokenEndpoint, revocationEndpoint, resource, methods, namesItself } = where;
    const kept = {
      url,
      issuer,
      tokenEndpoint,
      ...(revocationEndpoint === undefined ? {} : { revocationEndpoint }),
      client,
      resource,
      verifier,
      namesItself,
      ...(methods ? { methods } : {}),
      ...(scopes ? { scope: scopes } : {}),
    };
    return { url, origin, state, address, kept };
  } catch (error) {
    throw unavailable(error);
  }
}

/** Returns the challenge of a server to a request without a credential. */
async function challengeOf({ ask }: Servers, url: string): Promise<Challenge> {
  try {
    await ask({ url }, AbortSignal.timeout(most.callMs), async () => undefined);
    return {};
  } catch (error) {
    if (!(error instanceof RemoteFailure) || error.challenge === undefined) throw error;
    return error.challenge;
  }
}

function unavailable(error: unknown): unknown {
  if (error instanceof NoSignIn)
    return serverProblems.mcp_sign_in_unavailable(`A sign-in for this server is not possible: ${error.message}.`);
  if (error instanceof Refused)
    return serverProblems.mcp_sign_in_unavailable(
      'The authorization server denied the registration of this service. Register it there, and send `clientId`.',
    );
  if (error instanceof RemoteFailure)
    return serverProblems.mcp_sign_in_unavailable(
      `The server or its authorization server sent an invalid response: ${error.code}. Try again later.`,
    );
  return error;
}

/** Stores a started sign-in for its session. Throws 404 and 412. */
export async function beginSignIn(
  scope: Scope,
  servers: Servers,
  { serverId, session }: { serverId: string; session: string },
  { url, origin, state, address, kept }: Prepared,
): Promise<Begun> {
  const { db, team } = scope;
  const server = await lockServer(scope, serverId, () => undefined);
  const { id, slug } = server;
  if (server.url !== url) throw serverProblems.mcp_sign_in_unavailable('The address of the server changed. Start again.');
  const begun = servers.credentials.begun.seal({ team, id, origin }, kept);
  const by = personOf(scope);
  const row = await db.first(queries.putBegun, { team, id, origin, state: tokenHash(state), session, by, begun, seconds: begunSeconds });
  if (!row) throw new Error('the statement that stores a sign-in returned no row');
  await recordAudit(scope, signInBegun, id, { slug, issuer: kept.issuer });
  return {
    authorizationUrl: address,
    issuer: kept.issuer,
    ...(kept.scope === undefined ? {} : { scope: kept.scope }),
    redirectUri: redirectOf(servers),
    expiresAt: row.expires_at,
  };
}

/** The exchanged tokens, with the address of their server. */
export type Exchanged = { url: string; origin: string; grant: Grant };

const invalid = () =>
  serverProblems.mcp_sign_in_invalid('No sign-in for this server was started in this session within the last ten minutes. Start again.');

/**
 * Exchanges the response of a sign-in for tokens, once, and only in the session that started it. Runs outside of the transaction that stores the
 * result. Throws 400 `mcp_sign_in_invalid`, 403, 404 and 422 `mcp_sign_in_refused`.
 */
export async function exchangeAnswer(
  scope: ReadScope,
  servers: Servers,
  { serverId, session }: { serverId: string; session: string },
  { state, code, iss, error }: FinishSignIn,
): Promise<Exchanged> {
  refuseConfined(scope);
  const { team } = scope;
  const { id } = await serverOf(scope, serverId);
  const taken = await servers.database.inTeam(team, (tx) => tx.first(queries.takeBegun, { team, id, state: tokenHash(state), session }));
  if (!taken?.in_time) throw invalid();
  const { origin } = taken;
  const begun = servers.credentials.begun.open({ team, id, origin }, taken.begun);
  // RFC 9207: the code of another authorization server must not be sent anywhere.
  if (iss === undefined ? begun.namesItself : iss !== begun.issuer)
    throw serverProblems.mcp_sign_in_refused('The response is not from the authorization server of this sign-in. Start again.');
  if (error !== undefined)
    throw serverProblems.mcp_sign_in_refused(
      'The authorization server reports that the access was not allowed. Start again, and allow it.',
    );
  if (code === undefined) throw problems.validation_failed('Send the `code` of the response, or its `error`.');
  try {
    return { url: begun.url, origin, grant: await exchangeCode(servers, begun, code) };
  } catch (failure) {
    if (failure instanceof Refused) throw serverProblems.mcp_sign_in_refused('The authorization server rejected the code. Start again.');
    if (failure instanceof RemoteFailure)
      throw serverProblems.mcp_sign_in_refused(`The authorization server sent an invalid response: ${failure.code}. Start again.`);
    throw failure;
  }
}

/** Stores the tokens as the credential of a server. Throws 404 and 422. */
export async function finishSignIn(
  scope: Scope,
  servers: Servers,
  serverId: string,
  { url, origin, grant }: Exchanged,
): Promise<Versioned<Server>> {
  const { db, team, now: at } = scope;
  const server = await lockServer(scope, serverId, () => undefined);
  const { id, slug } = server;
  if (server.url !== url) throw serverProblems.mcp_sign_in_refused('The address of the server changed. Start again.');
  enqueueTokenRevocation(scope, server);
  const credential = servers.credentials.seal({ team, id, origin }, { grant });
  db.send(queries.putGrant, { team, id, origin, credential, issuer: grant.issuer, by: personOf(scope), at });
  await recordAudit(scope, signedIn, id, { slug, issuer: grant.issuer });
  return getServer(scope, id);
}
