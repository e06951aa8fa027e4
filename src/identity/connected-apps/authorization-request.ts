import { isMcpResource, mcpResource } from '#accounts';
import { equalInConstantTime, hmac } from '../../platform/crypto/tokens.ts';
import { isUuid } from '../../platform/identifiers.ts';
import type { ConnectedApp, ConnectedApps } from './context.ts';
import * as queries from './queries.ts';
import { answerAt, isNamed, placeOf } from './redirects.ts';
import { offeredScopes, scopesAmong, usualScopes } from './scopes.ts';

/** Time for the user to decide, in milliseconds. */
const livesMs = 15 * 60_000;

/** The request of a connected app, as the page shows it to the user. */
export type AuthorizationRequest = {
  clientId: string;
  name: string;
  redirectUri: string;
  scopes: string[];
  state?: string;
  challenge: string;
};

/**
 * The outcome of a request. `ask`: the page asks the user. `redirect`: the browser returns to the app with an error. `refused`: the app or its redirect
 * address is unknown, so the page shows the error and does not redirect.
 */
export type Answer =
  | { kind: 'ask'; request: string; name: string; host: string; own: boolean; document: string | undefined; denied: string }
  | { kind: 'redirect'; redirectTo: string }
  | { kind: 'refused'; why: 'app' | 'redirect' };

/** Returns the app of a `client_id` from its registration or its metadata document, or undefined. Throws 429. */
export async function findApp(apps: ConnectedApps, id: string, ip: string | undefined): Promise<ConnectedApp | undefined> {
  const { database, accounts } = apps;
  if (!isUuid(id)) {
    const { throttle } = accounts;
    return apps.document(
      id,
      async () => void (await database.withoutTeam((tx) => throttle.spend(tx, throttle.connectedApp('fetched', ip)))),
    );
  }
  const row = await database.publicReader.first(queries.findApp, { id: id.toLowerCase() });
  return row && { id: row.id, name: row.name, redirectUris: row.redirect_uris };
}

/** Reads an authorization request (RFC 6749 §4.1.1, with RFC 7636, 8707 and 9207). Throws 429. */
export async function readRequest(apps: ConnectedApps, query: object, ip: string | undefined): Promise<Answer> {
  const given = new Map(Object.entries(query as Record<string, unknown>));
  // Only `resource` may be repeated (RFC 8707 section 2), and a token has one resource.
  const resources = new Set([given.get('resource') ?? []].flat());
  given.set('resource', resources.size === 1 ? [...resources][0] : '');
  const one = (name: string) => {
    const value = given.get(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const id = one('client_id');
  const connectedApp = id === undefined ? undefined : await findApp(apps, id, ip);
  if (!connectedApp) return { kind: 'refused', why: 'app' };
  const redirectUri = one('redirect_uri');
  if (redirectUri === undefined || !isNamed(connectedApp.redirectUris, redirectUri)) return { kind: 'refused', why: 'redirect' };

  const shownState = one('state');
  const state = shownState !== undefined && shownState.length <= 1_000 ? shownState : undefined;
  const errorRedirect = (error: string, why: string): Answer => ({
    kind: 'redirect',
    redirectTo: answerAt(redirectUri, { error, error_description: why, state, iss: apps.issuer }),
  });
  if ([...given.values()].some((value) => typeof value !== 'string'))
    return errorRedirect('invalid_request', 'A parameter is repeated. Send each parameter once.');
  if (state !== shownState) return errorRedirect('invalid_request', 'state has more than 1000 characters.');
  if (given.has('request')) return errorRedirect('request_not_supported', 'Send the parameters themselves.');
  if (given.has('request_uri')) return errorRedirect('request_uri_not_supported', 'Send the parameters themselves.');
  if (one('response_type') !== 'code') return errorRedirect('unsupported_response_type', 'response_type must be code.');
  if (![undefined, 'query'].includes(one('response_mode'))) return errorRedirect('invalid_request', 'response_mode must be query.');
  const challenge = one('code_challenge') ?? '';
  if (one('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge))
    return errorRedirect('invalid_request', 'code_challenge with the method S256 is required (RFC 7636).');
  if (!isMcpResource(apps.issuer, one('resource')))
    return errorRedirect('invalid_target', `resource must be ${mcpResource(apps.issuer)} (RFC 8707).`);
  // The user must sign in and decide each time, so `none` is impossible.
  if (one('prompt')?.split(' ').includes('none')) return errorRedirect('login_required', 'The user must decide. Omit prompt=none.');
  const wanted = one('scope')?.split(' ');
  const scopes = wanted === undefined ? [...usualScopes] : scopesAmong(wanted);
  if (scopes.length === 0) return errorRedirect('invalid_scope', `An app can request ${offeredScopes.join(' ')}.`);
  const { name } = connectedApp;
  const authorization: AuthorizationRequest = {
    clientId: connectedApp.id,
    name,
    redirectUri,
    scopes,
    challenge,
    ...(state === undefined ? {} : { state }),
  };
  return {
    kind: 'ask',
    request: signed(apps, authorization),
    name,
    ...placeOf(redirectUri),
    document: isUuid(connectedApp.id) ? undefined : new URL(connectedApp.id).host,
    denied: deniedAt(apps, authorization),
  };
}

/** The address that reports the user’s denial to the app. */
export const deniedAt = (apps: ConnectedApps, { redirectUri, state }: AuthorizationRequest): string =>
  answerAt(redirectUri, { error: 'access_denied', error_description: 'The user denied the request.', state, iss: apps.issuer });

const macOf = ({ requestKey }: ConnectedApps, body: string) => hmac(requestKey, body);

/** Signs a parsed request. The page sends the signed request back, so that the user allows exactly the displayed request. */
function signed(apps: ConnectedApps, authorization: AuthorizationRequest): string {
  const body = Buffer.from(JSON.stringify({ ...authorization, until: apps.database.clock.now() + livesMs })).toString('base64url');
  return `${body}.${macOf(apps, body).toString('base64url')}`;
}

/** Returns the signed request, or undefined if the text is not signed by this service or has expired. */
export function readSigned(apps: ConnectedApps, text: string): AuthorizationRequest | undefined {
  const [body = '', mac = '', ...more] = text.split('.');
  if (more.length > 0 || !equalInConstantTime(Buffer.from(mac, 'base64url'), macOf(apps, body))) return undefined;
  const { until, ...authorization } = JSON.parse(Buffer.from(body, 'base64url').toString()) as AuthorizationRequest & { until: number };
  return until > apps.database.clock.now() ? authorization : undefined;
}
