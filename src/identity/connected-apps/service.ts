import {
  activeAppSessions,
  endAppSession,
  findConsentingAccount,
  hasEnd,
  openAppSession,
  type Role,
  mayAutomate,
  scopesWithinRole,
} from '#accounts';
import { knownPolicy } from '#clients';
import { newTeamToken, tokenHash } from '../../platform/crypto/tokens.ts';
import { isUuid, notFound } from '../../platform/identifiers.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { type AuthorizationRequest, readSigned } from './authorization-request.ts';
import type { ConnectedApps } from './context.ts';
import { appConnected, appUpdated } from './events.ts';
import { connectedAppProblems } from './problems.ts';
import * as queries from './queries.ts';
import { answerAt, placeOf } from './redirects.ts';
import type { Allow, ConnectedAppView, ShownRequest, UpdateConnectedApp } from './schemas.ts';
import { changes } from './scopes.ts';

/** Maximum number of connected apps of a user. */
const maxOfPerson = 50;

function requestOf(apps: ConnectedApps, text: string): AuthorizationRequest {
  const authorization = readSigned(apps, text);
  if (!authorization)
    throw connectedAppProblems.authorization_request_expired('The request is invalid or older than 15 minutes. Start again in the app.');
  return authorization;
}

/**
 * Returns the request of an app for display to the signed-in user. Throws 401 `reauthentication_required`,
 * 403 `no_scopes_requested` or 422 `authorization_request_expired`.
 */
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

/** The requested scopes that the user can allow, split into reading and changes. */
function allowed({ scopes }: AuthorizationRequest, role: Role): { scopes: string[]; changes: string[] } {
  // Connected apps act for no guest and no auditor.
  const available = hasEnd(role) ? [] : scopesWithinRole(role, scopes);
  const may = { scopes: available.filter((scope) => !changes(scope)), changes: mayAutomate(role) ? available.filter(changes) : [] };
  if (may.scopes.length === 0)
    throw connectedAppProblems.no_scopes_requested(
      'Your role has none of the scopes that the app requests. Ask an administrator for another role.',
    );
  return may;
}

/**
 * Connects an app to the user, who must have signed in recently, and returns the redirect address.
 * The app may request changes only if the user allows it. Throws 401 `reauthentication_required`,
 * 403 `no_scopes_requested`, 404 `approval_policy_not_found`, 409 `connected_app_limit` or 422 `authorization_request_expired`.
 */
export async function connect(
  apps: ConnectedApps,
  scope: Scope,
  session: string,
  { request, changes: withChanges = false, approvalPolicy = null }: Allow,
): Promise<{ id: string; redirectTo: string }> {
  const authorization = requestOf(apps, request);
  const { accounts } = apps;
  const person = await findConsentingAccount(scope, session);
  const may = allowed(authorization, person.role);
  const scopes = [...may.scopes, ...(withChanges ? may.changes : [])];
  if ((await activeAppSessions(scope, person.account_id)).length >= maxOfPerson)
    throw connectedAppProblems.connected_app_limit(`You have ${maxOfPerson} connected apps, which is the maximum. Disconnect one first.`);
  const { host } = placeOf(authorization.redirectUri);
  const connectedApp = { id: authorization.clientId, name: authorization.name, host, scopes };
  const available = await openAppSession(accounts, scope, session, person, connectedApp);
  const policy = await knownPolicy(scope, approvalPolicy);
  const code = newTeamToken(scope.team);
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
    approvalPolicy: policy,
    at: scope.now,
  });
  if (isUuid(authorization.clientId)) scope.db.send(queries.recordUse, { id: authorization.clientId, at: scope.now });
  await recordAudit(scope, appConnected, available.session, {
    clientId: authorization.clientId,
    host,
    scopes,
    ...(policy === null ? {} : { approvalPolicy: policy }),
  });
  return { id: available.session, redirectTo: answerAt(authorization.redirectUri, { code, state: authorization.state, iss: apps.issuer }) };
}

/** Lists the connected apps of a user, newest first. */
export async function listConnected(scope: ReadScope | Scope, account: string): Promise<ConnectedAppView[]> {
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
      ...(row.approval_policy === null ? {} : { approvalPolicy: row.approval_policy }),
      createdAt: row.created_at,
      lastUsedAt: session.last_used_at,
      expiresAt: session.expires_at,
    };
  });
}

/**
 * Names the approval policy for the calls of a connected app. The open rounds by the previous policy are voided. Throws 401 `reauthentication_required`
 * and 404.
 */
export async function updateConnected(
  scope: Scope,
  { session, account }: { session: string; account: string },
  id: string,
  { approvalPolicy: wanted }: UpdateConnectedApp,
): Promise<ConnectedAppView> {
  await findConsentingAccount(scope, session);
  const { team } = scope;
  const approvalPolicy = await knownPolicy(scope, wanted);
  const updated = await scope.db.first(queries.setApprovalPolicy, { team, account, session: id, approvalPolicy });
  const view = updated && (await listConnected(scope, account)).find((one) => one.id === id);
  if (!view) throw notFound('connected app');
  await recordAudit(scope, appUpdated, id, approvalPolicy === null ? {} : { approvalPolicy });
  return view;
}

/** Disconnects an app of the user at once. Throws 404. */
export async function disconnect({ accounts }: ConnectedApps, scope: Scope, account: string, id: string): Promise<void> {
  const found = await scope.db.first(queries.isConnection, { team: scope.team, account, session: id });
  if (!found || !(await endAppSession(accounts, scope, id, account, 'revoked'))) throw notFound('connected app');
}
