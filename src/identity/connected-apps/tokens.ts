import { createHash } from 'node:crypto';
import { endAppSession, sessionOfToken, type AppTokens, isMcpResource, mcpResource, renewAppSession, takeUpSession } from '#accounts';
import { clientProblems, type Form, type IssuedToken } from '#clients';
import type { FastifyRequest } from 'fastify';
import { equalInConstantTime, readTeamToken } from '../../platform/crypto/tokens.ts';
import { clientIp } from '../../platform/http/client-ip.ts';
import { writingPublic } from '../../platform/http/scope.ts';
import { isUuid } from '../../platform/identifiers.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { Problem } from '../../platform/problems.ts';
import { enterTeam } from '../../platform/scope.ts';
import { findApp } from './authorization-request.ts';
import type { ConnectedApps } from './context.ts';
import { appCodeReused, appTokenIssued } from './events.ts';
import * as queries from './queries.ts';

type GrantHandler = (request: FastifyRequest, form: Form) => Promise<IssuedToken>;

/** The grants by which connected apps get tokens. */
export function grants(apps: ConnectedApps): [string, GrantHandler][] {
  return [
    ['authorization_code', (request, form) => redeemCode(apps, request, form)],
    ['refresh_token', (request, form) => renew(apps, request, form)],
  ];
}

/**
 * Revokes a token of a connected app (RFC 7009). The revocation of any of its tokens, even an old one, ends the connection. An invalid or expired
 * token, or one of another app, changes nothing and gets the same response. Returns false if no connected app is known, because an API client has a
 * secret.
 */
export async function takeBack(apps: ConnectedApps, request: FastifyRequest, form: Form): Promise<boolean> {
  const { client_id: shown, client_secret: secret, token } = form;
  if (shown === undefined || secret !== undefined || request.headers.authorization !== undefined) return false;
  if (isUuid(shown) ? !(await findApp(apps, shown, clientIp(request))) : !shown.includes(':')) return false;
  if (token === undefined) throw clientProblems.invalid_request('token is missing. Send it in the form body.');
  const client = await clientIdOf(apps, request, form);
  const { accounts } = apps;
  const revoked = await sessionOfToken(accounts, token);
  if (!revoked) return true;
  const { team, session } = revoked;
  await writingPublic(request, async (outer) => {
    const inTeam = enterTeam(outer, team, { type: 'system' });
    const found = await inTeam.db.first(queries.connectionOf, { team, session, clientId: client });
    if (found)
      await endAppSession(accounts, { ...inTeam, actor: { type: 'user', id: found.account_id } }, session, found.account_id, 'revoked');
  });
  return true;
}

const invalidGrant = (why: string) => clientProblems.invalid_grant(why);

/** Returns the `client_id` of a connected app, which has no secret. Throws 400 `invalid_request`, 401 `invalid_client` or 429. */
async function clientIdOf(apps: ConnectedApps, request: FastifyRequest, { client_id: id, client_secret: secret }: Form): Promise<string> {
  if (request.headers.authorization !== undefined || secret !== undefined || Object.keys(request.query as object).length > 0)
    throw clientProblems.invalid_request('A connected app has no secret. Send only client_id in the body.');
  if (id === undefined) throw clientProblems.invalid_request('client_id is missing. Send it in the form body.');
  // A deleted registration gets no more tokens. An address is compared with the connection’s; its document was read when the user decided.
  if (isUuid(id) && !(await findApp(apps, id, clientIp(request))))
    throw clientProblems.invalid_client('The app is not registered, or its unused registration was deleted. Register it again.');
  return isUuid(id) ? id.toLowerCase() : id;
}

function requireResource({ issuer }: ConnectedApps, { resource }: Form): void {
  if (!isMcpResource(issuer, resource)) throw clientProblems.invalid_target(`resource must be ${mcpResource(issuer)} (RFC 8707).`);
}

function answerOf(apps: ConnectedApps, { accessToken, refreshToken, scopes }: AppTokens): IssuedToken {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: apps.accounts.tokens.seconds,
    scope: scopes.join(' '),
    refresh_token: refreshToken,
  };
}

/** Redeems a code once, for its app, redirect address, verifier and resource. A second use ends the connection (RFC 6749 §4.1.2). */
async function redeemCode(apps: ConnectedApps, request: FastifyRequest, form: Form): Promise<IssuedToken> {
  const client = await clientIdOf(apps, request, form);
  requireResource(apps, form);
  const { code = '', redirect_uri: redirectUri, code_verifier: verifier = '' } = form;
  if (!/^[\w.~-]{43,128}$/.test(verifier)) throw clientProblems.invalid_request('code_verifier is missing or invalid (RFC 7636 §4.1).');
  const tokens = await writingPublic(request, async (outer) => {
    const key = readTeamToken(code);
    const found = key && (await outer.db.first(queries.connectionByCode, key));
    if (!found || found.client_id !== client || found.redirect_uri !== redirectUri || !answers(verifier, found.code_challenge))
      return undefined;
    const { team } = key;
    const { session_id: session, account_id: id, lives_until: until } = found;
    const scope = enterTeam(outer, team, { type: 'user', id });
    if (!(await scope.db.first(queries.redeem, { team, session, at: scope.now }))) {
      if (await endAppSession(apps.accounts, scope, session, id, 'revoked')) await recordAudit(scope, appCodeReused, session);
      return undefined;
    }
    const issued = await takeUpSession(apps.accounts, scope, { session, connectedApp: client, until });
    if (issued) await recordAudit(scope, appTokenIssued, session);
    return issued;
  });
  if (!tokens)
    throw invalidGrant('The code is expired, used, or belongs to another app, redirect_uri or code_verifier. Start a new authorization.');
  return answerOf(apps, tokens);
}

const answers = (verifier: string, challenge: string) =>
  equalInConstantTime(createHash('sha256').update(verifier).digest(), Buffer.from(challenge, 'base64url'));

/** Renews the tokens of a connection with its newest refresh token. A reused older one ends the connection (RFC 9700 §4.14.2). */
async function renew(apps: ConnectedApps, request: FastifyRequest, form: Form): Promise<IssuedToken> {
  const client = await clientIdOf(apps, request, form);
  if (form.resource !== undefined) requireResource(apps, form);
  const { database, accounts } = apps;
  try {
    const tokens = await renewAppSession(accounts, database, (work) => writingPublic(request, work), form.refresh_token ?? '', client);
    if (!tokens) throw invalidGrant('The refresh token belongs to another app.');
    if (isUuid(client)) await writingPublic(request, async ({ db, now }) => db.send(queries.recordUse, { id: client, at: now }));
    return answerOf(apps, tokens);
  } catch (error) {
    if (error instanceof Problem && error.status === 401) throw invalidGrant(error.message);
    throw error;
  }
}
