import { endAppSession, scopesWithinRole, activeAppSessions, openAppSession, findConsentingAccount, type Role } from '#accounts';
import { newToken, tokenHash } from '../../platform/crypto/tokens.ts';
import { isUuid, notFound } from '../../platform/identifiers.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { type AuthorizationRequest, readSigned } from './authorization-request.ts';
import type { ConnectedApps } from './context.ts';
import { appConnected } from './events.ts';
import { connectedAppProblems } from './problems.ts';
import * as queries from './queries.ts';
import { answerAt, placeOf } from './redirects.ts';
import type { Allow, ConnectedAppView, ShownRequest } from './schemas.ts';
import { changes } from './scopes.ts';

/** Programs that a person has connected, at most. */
const maxOfPerson = 50;

function requestOf(apps: ConnectedApps, text: string): AuthorizationRequest {
  const authorization = readSigned(apps, text);
  if (!authorization)
    throw connectedAppProblems.authorization_request_expired('The request was not made here, or more than 15 minutes ago.');
  return authorization;
}

/** What a program asks the person for who has signed in. Errors: 401 `reauthentication_required`, 403 `no_scopes_requested`, 422 `authorization_request_expired`. */
export async function showRequest(apps: ConnectedApps, scope: Scope, session: string, text: string): Promise<ShownRequest> {
  const authorization = requestOf(apps, text);
  const person = await findConsentingAccount(scope, session);
  return {
    name: authorization.name,
    host: placeOf(authorization.redirectUri).host,
    teamName: person.team_name,
    email: person.email,
    ...allowed(authorization, person.role),
  };
}

/** What a person may allow of what a program asks for: to read, and to change. */
function allowed({ scopes }: AuthorizationRequest, role: Role): { scopes: string[]; changes: string[] } {
  const available = scopesWithinRole(role, scopes);
  const may = { scopes: available.filter((scope) => !changes(scope)), changes: mayChange(role) ? available.filter(changes) : [] };
  if (may.scopes.length === 0)
    throw connectedAppProblems.no_scopes_requested('Your role holds none of the scopes that the program asks for.');
  return may;
}

/** Whether a program of somebody with this role may change things: who looks on answers none of the tasks by which it would ask. */
export const mayChange = (role: string | undefined): boolean => role !== 'viewer';

/**
 * Lets a program act for the person who has just signed in, and says where the program is told. It changes nothing unless they say so. Errors: 401 `reauthentication_required`, 403
 * `no_scopes_requested`, 409 `connected_app_limit`, 422 `authorization_request_expired`.
 */
export async function connect(
  apps: ConnectedApps,
  scope: Scope,
  session: string,
  { request, changes: withChanges = false }: Allow,
): Promise<{ id: string; redirectTo: string }> {
  const authorization = requestOf(apps, request);
  const { accounts } = apps;
  const person = await findConsentingAccount(scope, session);
  const may = allowed(authorization, person.role);
  const scopes = [...may.scopes, ...(withChanges ? may.changes : [])];
  if ((await activeAppSessions(scope, person.account_id)).length >= maxOfPerson)
    throw connectedAppProblems.connected_app_limit(`You have connected ${maxOfPerson} programs.`);
  const { host } = placeOf(authorization.redirectUri);
  const connectedApp = { id: authorization.clientId, name: authorization.name, host, scopes };
  const available = await openAppSession(accounts, scope, session, person, connectedApp);
  const code = newToken();
  scope.db.send(queries.insertConnection, {
    team: scope.team,
    session: available.session,
    account: person.account_id,
    clientId: authorization.clientId,
    name: authorization.name,
    redirectUri: authorization.redirectUri,
    scopes,
    codeHash: tokenHash(code),
    challenge: authorization.challenge,
    livesUntil: available.livesUntil,
    at: scope.now,
  });
  if (isUuid(authorization.clientId)) scope.db.send(queries.noteUse, { id: authorization.clientId, at: scope.now });
  await recordAudit(scope, appConnected, available.session, { clientId: authorization.clientId, host, scopes });
  return { id: available.session, redirectTo: answerAt(authorization.redirectUri, { code, state: authorization.state, iss: apps.issuer }) };
}

/** The programs that act for a person, the newest first. */
export async function listConnected(scope: ReadScope, account: string): Promise<ConnectedAppView[]> {
  const living = new Map((await activeAppSessions(scope, account)).map((one) => [one.id, one]));
  const found = await scope.db.all(queries.connectionsOf, { team: scope.team, account, sessions: [...living.keys()] });
  return found.flatMap((row) => {
    const session = living.get(row.session_id);
    if (!session) return [];
    return {
      id: row.session_id,
      clientId: row.client_id,
      name: row.name,
      host: placeOf(row.redirect_uri).host,
      scopes: row.scopes,
      createdAt: row.created_at,
      lastUsedAt: session.last_used_at,
      expiresAt: session.expires_at,
    };
  });
}

/** Ends what a program may do for a person, at once. Errors: 404. */
export async function disconnect({ accounts }: ConnectedApps, scope: Scope, account: string, id: string): Promise<void> {
  const found = await scope.db.first(queries.isConnection, { team: scope.team, account, session: id });
  if (!found || !(await endAppSession(accounts, scope, id, account, 'revoked'))) throw notFound('connected program');
}
