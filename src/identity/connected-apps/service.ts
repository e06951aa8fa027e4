import { endHeldSession, heldByRole, livingHeld, openHeldSession, personAsked, type Role } from '#accounts';
import { newToken, tokenHash } from '../../platform/crypto/tokens.ts';
import { isUuid, notFound } from '../../platform/identifiers.ts';
import { recordAct } from '../../platform/journal/record.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { type AuthorizationRequest, readSigned } from './authorization-request.ts';
import type { Programs } from './context.ts';
import { programConnected } from './events.ts';
import { programProblems } from './problems.ts';
import * as queries from './queries.ts';
import { answerAt, placeOf } from './redirects.ts';
import type { Allow, ConnectedProgram, ShownRequest } from './schemas.ts';
import { changes } from './scopes.ts';

/** Programs that a person has connected, at most. */
const maxOfPerson = 50;

function requestOf(programs: Programs, text: string): AuthorizationRequest {
  const asked = readSigned(programs, text);
  if (!asked) throw programProblems.authorization_request_expired('The request was not made here, or more than 15 minutes ago.');
  return asked;
}

/** What a program asks the person for who has signed in. Errors: 401 `reauthentication_required`, 403 `no_scopes_requested`, 422 `authorization_request_expired`. */
export async function showRequest(programs: Programs, scope: Scope, session: string, text: string): Promise<ShownRequest> {
  const asked = requestOf(programs, text);
  const person = await personAsked(scope, session);
  return {
    name: asked.name,
    host: placeOf(asked.redirectUri).host,
    teamName: person.team_name,
    email: person.email,
    ...allowed(asked, person.role),
  };
}

/** What a person may allow of what a program asks for: to read, and to change. */
function allowed({ scopes }: AuthorizationRequest, role: Role): { scopes: string[]; changes: string[] } {
  const held = heldByRole(role, scopes);
  const may = { scopes: held.filter((scope) => !changes(scope)), changes: mayChange(role) ? held.filter(changes) : [] };
  if (may.scopes.length === 0) throw programProblems.no_scopes_requested('Your role holds none of the scopes that the program asks for.');
  return may;
}

/** Whether a program of somebody with this role may change things: who looks on answers none of the tasks by which it would ask. */
export const mayChange = (role: string | undefined): boolean => role !== 'viewer';

/**
 * Lets a program act for the person who has just signed in, and says where the program is told. It changes nothing unless they say so. Errors: 401 `reauthentication_required`, 403
 * `no_scopes_requested`, 409 `connected_app_limit`, 422 `authorization_request_expired`.
 */
export async function connect(
  programs: Programs,
  scope: Scope,
  session: string,
  { request, changes: withChanges = false }: Allow,
): Promise<{ id: string; redirectTo: string }> {
  const asked = requestOf(programs, request);
  const { accounts } = programs;
  const person = await personAsked(scope, session);
  const may = allowed(asked, person.role);
  const scopes = [...may.scopes, ...(withChanges ? may.changes : [])];
  if ((await livingHeld(scope, person.account_id)).length >= maxOfPerson)
    throw programProblems.connected_app_limit(`You have connected ${maxOfPerson} programs.`);
  const { host } = placeOf(asked.redirectUri);
  const program = { id: asked.clientId, name: asked.name, host, scopes };
  const held = await openHeldSession(accounts, scope, session, person, program);
  const code = newToken();
  scope.db.send(queries.insertConnection, {
    team: scope.team,
    session: held.session,
    account: person.account_id,
    clientId: asked.clientId,
    name: asked.name,
    redirectUri: asked.redirectUri,
    scopes,
    codeHash: tokenHash(code),
    challenge: asked.challenge,
    livesUntil: held.livesUntil,
    at: scope.now,
  });
  if (isUuid(asked.clientId)) scope.db.send(queries.noteUse, { id: asked.clientId, at: scope.now });
  await recordAct(scope, programConnected, held.session, { clientId: asked.clientId, host, scopes });
  return { id: held.session, redirectTo: answerAt(asked.redirectUri, { code, state: asked.state, iss: programs.issuer }) };
}

/** The programs that act for a person, the newest first. */
export async function listConnected(scope: ReadScope, account: string): Promise<ConnectedProgram[]> {
  const living = new Map((await livingHeld(scope, account)).map((one) => [one.id, one]));
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
export async function disconnect({ accounts }: Programs, scope: Scope, account: string, id: string): Promise<void> {
  const found = await scope.db.first(queries.isConnection, { team: scope.team, account, session: id });
  if (!found || !(await endHeldSession(accounts, scope, id, account, 'revoked'))) throw notFound('connected program');
}
