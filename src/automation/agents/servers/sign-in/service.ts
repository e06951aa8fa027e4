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
import { redirectOf } from './program.ts';
import { giveBackLater } from './give-back.ts';
import * as queries from './queries.ts';
import type { BeginSignIn, Begun, FinishSignIn } from './schemas.ts';
import { newState, pageToReturnTo } from './state.ts';

const begunSeconds = 600;

/** What was found out before a sign-in is kept. */
export type Prepared = { url: string; origin: string; state: string; address: string; kept: BegunSignIn };

/** Finds out where one signs in for a server, outside of any transaction. Errors: 400, 403, 404, 422 `mcp_sign_in_unavailable`. */
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

/** What a server says when nobody shows who they are. */
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
    return serverProblems.mcp_sign_in_unavailable('The authorization server of this server does not let this service register itself.');
  if (error instanceof RemoteFailure)
    return serverProblems.mcp_sign_in_unavailable(`The server, or where one signs in for it, did not answer as it should: ${error.code}.`);
  return error;
}

/** Keeps a sign-in that was begun, for the session in which it was. Errors: 404, 412. */
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
  if (!row) throw new Error('a sign-in was begun, and is not there');
  await recordAudit(scope, signInBegun, id, { slug, issuer: kept.issuer });
  return {
    authorizationUrl: address,
    issuer: kept.issuer,
    ...(kept.scope === undefined ? {} : { scope: kept.scope }),
    redirectUri: redirectOf(servers),
    expiresAt: row.expires_at,
  };
}

/** What came of exchanging an answer, and for which address that was. */
export type Exchanged = { url: string; origin: string; grant: Grant };

const invalid = () =>
  serverProblems.mcp_sign_in_invalid(
    'This answers no sign-in for this server that you have begun in this session within ten minutes. Begin again.',
  );

/**
 * Exchanges the answer to a sign-in that was begun in the same session, once, outside of the transaction that keeps what came of it. Errors: 400
 * `mcp_sign_in_invalid`, 403, 404, 422 `mcp_sign_in_refused`.
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
  // RFC 9207: an answer of another authorization server is sent nowhere.
  if (iss === undefined ? begun.namesItself : iss !== begun.issuer)
    throw serverProblems.mcp_sign_in_refused('The answer is not from the authorization server at which you have signed in. Begin again.');
  if (error !== undefined)
    throw serverProblems.mcp_sign_in_refused('The authorization server says that it was not allowed. Begin again, and allow it.');
  if (code === undefined) throw problems.validation_failed('Send the `code` of the answer, or its `error`.');
  try {
    return { url: begun.url, origin, grant: await exchangeCode(servers, begun, code) };
  } catch (failure) {
    if (failure instanceof Refused)
      throw serverProblems.mcp_sign_in_refused('The authorization server does not take its answer. Begin again.');
    if (failure instanceof RemoteFailure)
      throw serverProblems.mcp_sign_in_refused(`The authorization server did not answer as it should: ${failure.code}. Begin again.`);
    throw failure;
  }
}

/** Keeps what a server is called with from now on. Errors: 404, 422. */
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
  giveBackLater(scope, server);
  const credential = servers.credentials.seal({ team, id, origin }, { grant });
  db.send(queries.putGrant, { team, id, origin, credential, issuer: grant.issuer, by: personOf(scope), at });
  await recordAudit(scope, signedIn, id, { slug, issuer: grant.issuer });
  return getServer(scope, id);
}
