import { parseEmail, requireRecentSignIn } from '#accounts';
import type { Database } from '../../platform/database/database.ts';
import { isUuid } from '../../platform/identifiers.ts';
import type { PublicScope, Scope } from '../../platform/scope.ts';
import { type Begun, stateSeconds } from './browser-state.ts';
import { isOidc, isSaml } from './connection-kinds.ts';
import type { Sso } from './context.ts';
import { authorizationRequest } from './oidc/index.ts';
import { ssoProblems } from './problems.ts';
import * as queries from './queries.ts';
import { authenticationRequest } from './saml/index.ts';
import { notConfigured } from './sign-in.ts';

/** The redirect of a browser to a provider, and the state for its return. */
type Start = { location: string; begun: Begun };

/** Returns the redirect of a browser to the provider of a team. Throws 400 `sso_callback_invalid`, 404 `sso_not_configured` or 502. */
export async function begin(
  sso: Sso,
  database: Database,
  input: { email?: string; connectionId?: string; returnTo?: string; prompt?: 'login' },
  now: Date,
): Promise<Start> {
  const returnTo = pageToReturnTo(sso, input.returnTo);
  const found = await database.withoutTeam((tx) => lookup(tx, input));
  const connection = found && (await database.reader(found.team_id).first(queries.findConnection, { team: found.team_id, id: found.id }));
  if (!found || !connection) throw notConfigured();
  return toProvider(sso, database, connection, { ...input, team: found.team_id, returnTo }, now);
}

/** Returns the account and address of a user who may link a provider after a recent sign-in. Throws 401 `reauthentication_required`. */
export async function personToLink(scope: Scope, session: string): Promise<{ account: string; email: string }> {
  const { account_id: account, email } = await requireRecentSignIn(scope, session);
  return { account, email };
}

/** Returns the redirect of a signed-in user’s browser to a provider of their team, to link the two. Throws 400 `sso_callback_invalid`, 404 or 502. */
export async function beginLink(
  sso: Sso,
  database: Database,
  input: { connectionId: string; returnTo?: string },
  who: { team: string; session: string; account: string; email: string },
  now: Date,
): Promise<Start> {
  const returnTo = pageToReturnTo(sso, input.returnTo);
  const found = await database.withoutTeam((tx) => lookup(tx, { connectionId: input.connectionId }));
  const connection =
    found?.team_id === who.team && (await database.reader(who.team).first(queries.findConnection, { team: who.team, id: found.id }));
  if (!connection) throw notConfigured();
  const { team, account, session, email } = who;
  return toProvider(sso, database, connection, { team, returnTo, email, prompt: 'login', link: { account, session } }, now);
}

/** A sign-in at a provider: the team, the parameters for the provider, and the state for the return. */
type SignInRequest = { team: string; returnTo: string; email?: string; prompt?: 'login'; link?: Begun['link'] };

async function toProvider(
  sso: Sso,
  database: Database,
  connection: queries.ConnectionRow,
  { team, returnTo, link, ...input }: SignInRequest,
  now: Date,
): Promise<Start> {
  if (!isOidc(connection) && !isSaml(connection)) throw notConfigured();
  const { location, state } = isOidc(connection)
    ? await authorizationRequest(sso, connection, input)
    : await authenticationRequest(sso, database, connection, input, now);
  const until = now.getTime() + stateSeconds * 1_000;
  return { location, begun: { ...state, connection: connection.id, team, returnTo, until, ...(link === undefined ? {} : { link }) } };
}

async function lookup(tx: PublicScope['db'], { email, connectionId }: { email?: string; connectionId?: string }) {
  if (connectionId !== undefined) return isUuid(connectionId) ? tx.first(queries.connectionById, { id: connectionId }) : undefined;
  const key = email === undefined ? undefined : parseEmail(email)?.key;
  return key === undefined ? undefined : tx.first(queries.connectionByDomain, { domain: key.slice(key.indexOf('@') + 1) });
}

/** Returns the page to return to. Only this service and CORS_ORIGINS may receive the result of a sign-in. */
function pageToReturnTo({ accounts: { settings } }: Sso, given: string | undefined): string {
  const own = new URL(settings.baseUrl).origin;
  const text = given ?? '/';
  const page = URL.canParse(text, own) ? new URL(text, own) : undefined;
  if (!page || ![own, ...settings.corsOrigins].includes(page.origin) || page.username !== '' || page.password !== '')
    throw ssoProblems.sso_callback_invalid(
      '`returnTo` must be a path of the service, or an address of BASE_URL or of one of CORS_ORIGINS.',
    );
  page.hash = '';
  return page.href;
}
