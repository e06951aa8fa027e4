import type { OidcBegun } from '../browser-state.ts';
import { type OidcConnection, redirectUri } from '../connection-kinds.ts';
import { openSecret } from '../connections.ts';
import type { Sso } from '../context.ts';
import { ssoProblems } from '../problems.ts';
import { openid, type Provider } from './providers.ts';

/** Returns the authorization request of a sign-in (authorization code flow with PKCE). Throws 502. */
export async function authorizationRequest(
  sso: Sso,
  connection: OidcConnection,
  { email, prompt }: { email?: string; prompt?: 'login' },
): Promise<{ location: string; state: OidcBegun }> {
  const { configuration } = await providerOf(sso, connection);
  const client = await openid();
  const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
  const parameters = {
    redirect_uri: redirectUri(sso, connection),
    scope: 'openid email profile',
    response_type: 'code',
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(email === undefined ? {} : { login_hint: email }),
    // With a maximum age of zero the provider authenticates the user again and reports the time in `auth_time`.
    ...(prompt === 'login' ? { prompt: 'login', max_age: '0' } : {}),
  };
  const location = pageOf(() => client.buildAuthorizationUrl(configuration, parameters));
  return { location: location.href, state: { kind: 'oidc', state, nonce, verifier } };
}

/** Returns the provider of a connection. Throws 502 if the provider is unavailable. */
export async function providerOf(sso: Sso, row: OidcConnection): Promise<Provider> {
  const client = { id: row.id, version: row.version, issuer: row.issuer, clientId: row.client_id, clientSecret: openSecret(sso, row) };
  try {
    return await sso.providers.of(client);
  } catch {
    throw unavailable();
  }
}

/** Returns the provider’s sign-in page. Throws 502 if the provider has no valid address for it. */
function pageOf(build: () => URL): URL {
  try {
    return build();
  } catch {
    throw unavailable();
  }
}

export const unavailable = () =>
  ssoProblems.sso_provider_unavailable('The provider of the team is unavailable or sent an invalid response. Try again later.');
