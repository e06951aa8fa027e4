import { checkEndpointUrl } from '#webhooks';
import { boundedFetch, type ExchangeOutcome } from '../bounded-fetch.ts';
import type { Servers } from '../context.ts';
import type { BegunSignIn, ClientOfServer, Grant } from '../credentials.ts';
import { type Challenge, RemoteFailure } from '../failure.ts';
import { clientDocumentOf, clientDocument, redirectOf } from './client-metadata.ts';

type Sdk = typeof import('@modelcontextprotocol/client');
type Fetch = typeof globalThis.fetch;
const exchangeMs = 15_000;

/** Thrown if a server has no usable sign-in. The message completes a sentence about the server. */
export class NoSignIn extends Error {}
/** Thrown if an authorization server rejected a request. */
export class Refused extends Error {}

/** Runs an exchange with an authorization server through the guarded fetch. Rejects with `RemoteFailure`, {@link NoSignIn} or {@link Refused}. */
async function exchange<T>({ guarded }: Servers, work: (sdk: Sdk, fetch: Fetch) => Promise<T>): Promise<T> {
  const sdk = await import('@modelcontextprotocol/client');
  const seen: ExchangeOutcome = {};
  const signal = AbortSignal.timeout(exchangeMs);
  try {
    return await work(
      sdk,
      boundedFetch(guarded, signal, seen, () => undefined),
    );
  } catch (error) {
    if (error instanceof NoSignIn || error instanceof Refused) throw error;
    if (seen.failure !== undefined) throw new RemoteFailure(seen.failure);
    if (signal.aborted) throw new RemoteFailure('timeout');
    const says = error instanceof sdk.OAuthError ? error.code : undefined;
    // Only the error code of the server is used. Its other texts are untrusted.
    if (says === 'server_error' || says === 'temporarily_unavailable' || says === 'too_many_requests')
      throw new RemoteFailure('bad_answer');
    if (says !== undefined || error instanceof sdk.RegistrationRejectedError) throw new Refused();
    throw new RemoteFailure('bad_answer');
  }
}

/** The discovered authorization server of an MCP server. The network rules allow all its addresses. */
export type Where = Pick<BegunSignIn, 'issuer' | 'tokenEndpoint' | 'revocationEndpoint' | 'resource' | 'namesItself'> & {
  methods?: string[];
} & {
  authorizationEndpoint: string;
  registrationEndpoint?: string;
  takesDocuments: boolean;
  scope?: string;
};

/** Discovers the authorization server of an MCP server, and the scopes to request (RFC 9728, RFC 8414). */
export const discover = (servers: Servers, url: string, challenge: Challenge): Promise<Where> =>
  exchange(servers, async (sdk, fetchFn) => {
    const at = challenge.resourceMetadataUrl;
    if (at && !checkEndpointUrl(at.href, servers.policy).ok) throw new NoSignIn('the address of its resource metadata is not allowed');
    const found = await sdk.discoverOAuthServerInfo(url, { fetchFn, ...(at ? { resourceMetadataUrl: at } : {}) });
    const { resourceMetadata, authorizationServerMetadata: said } = found;
    if (!said) throw new NoSignIn('it does not name its authorization server');
    const resource = resourceMetadata?.resource ?? url;
    if (!sdk.checkResourceAllowed({ requestedResource: url, configuredResource: resource }))
      throw new NoSignIn('its metadata describes another server');
    if (!said.code_challenge_methods_supported?.includes('S256'))
      throw new NoSignIn('its authorization server does not support PKCE with S256');
    if (!said.response_types_supported.includes('code'))
      throw new NoSignIn('its authorization server does not support the response type `code`');
    const endpoint = (address: string): string => {
      const checked = checkEndpointUrl(address, servers.policy);
      if (!checked.ok) throw new NoSignIn('its authorization server names an address that is not allowed');
      return checked.url;
    };
    const scope = challenge.scope ?? resourceMetadata?.scopes_supported?.join(' ');
    const more = said as Partial<
      Record<'client_id_metadata_document_supported' | 'authorization_response_iss_parameter_supported' | 'revocation_endpoint', unknown>
    >;
    const revocation =
      typeof more.revocation_endpoint === 'string' ? checkEndpointUrl(more.revocation_endpoint, servers.policy) : undefined;
    return {
      issuer: said.issuer,
      resource,
      authorizationEndpoint: endpoint(said.authorization_endpoint),
      tokenEndpoint: endpoint(said.token_endpoint),
      // An unusable revocation address does not prevent the sign-in.
      ...(revocation?.ok ? { revocationEndpoint: revocation.url } : {}),
      ...(said.registration_endpoint === undefined ? {} : { registrationEndpoint: endpoint(said.registration_endpoint) }),
      ...(said.token_endpoint_auth_methods_supported ? { methods: said.token_endpoint_auth_methods_supported.slice(0, 20) } : {}),
      namesItself: more.authorization_response_iss_parameter_supported === true,
      takesDocuments: more.client_id_metadata_document_supported === true,
      ...(scope ? { scope: scope.slice(0, 2_000) } : {}),
    };
  });

/**
 * Returns the client identity to use at an authorization server: the metadata document of this service if supported, or a dynamic registration (RFC
 * 7591).
 */
export async function introduce(servers: Servers, { takesDocuments, registrationEndpoint }: Where): Promise<ClientOfServer> {
  const document = clientDocumentOf(servers);
  if (takesDocuments && document !== undefined) return { client_id: document };
  if (registrationEndpoint === undefined)
    throw new NoSignIn('its authorization server does not support dynamic registration. Register this service there, and send `clientId`');
  return exchange(servers, async (sdk, fetchFn) => {
    const metadata = { registration_endpoint: registrationEndpoint } as NonNullable<Parameters<Sdk['registerClient']>[1]['metadata']>;
    const made = await sdk.registerClient(registrationEndpoint, { metadata, clientMetadata: clientDocument(servers), fetchFn });
    return { client_id: made.client_id, ...(made.client_secret === undefined ? {} : { client_secret: made.client_secret }) };
  });
}

/** Builds the address at which the person allows access, and the PKCE verifier for the exchange of the code. */
export const addressToAllow = (
  servers: Servers,
  where: Where,
  { client, state, scope }: { client: ClientOfServer; state: string; scope: string | undefined },
): Promise<{ address: string; verifier: string }> =>
  exchange(servers, async (sdk) => {
    const { authorizationUrl, codeVerifier } = await sdk.startAuthorization(where.issuer, {
      metadata: {
        authorization_endpoint: where.authorizationEndpoint,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
      } as NonNullable<Parameters<Sdk['startAuthorization']>[1]['metadata']>,
      clientInformation: client,
      redirectUrl: redirectOf(servers),
      state,
      resource: where.resource,
      ...(scope === undefined ? {} : { scope }),
    });
    return { address: authorizationUrl.href, verifier: codeVerifier };
  });

type Tokens = { access_token: string; token_type: string; expires_in?: number | undefined; refresh_token?: string | undefined };

/** Validates tokens and converts them to the stored form. Rejects tokens that do not fit into a header. */
function kept({ access_token: accessToken, token_type: type, expires_in: seconds, refresh_token: refreshToken }: Tokens, now: Date) {
  if (!/^bearer$/i.test(type) || accessToken.length > 8_192 || !/^[\x21-\x7e]+$/.test(accessToken)) throw new RemoteFailure('bad_answer');
  if (refreshToken !== undefined && refreshToken.length > 8_192) throw new RemoteFailure('bad_answer');
  const lasts = seconds !== undefined && Number.isFinite(seconds) && seconds > 0 ? { expiresAt: now.getTime() + seconds * 1_000 } : {};
  return { accessToken, ...(refreshToken === undefined ? {} : { refreshToken }), ...lasts };
}

const metadataOf = ({ issuer, tokenEndpoint, methods }: Pick<Grant, 'issuer' | 'tokenEndpoint' | 'methods'>) =>
  ({
    issuer,
    token_endpoint: tokenEndpoint,
    ...(methods ? { token_endpoint_auth_methods_supported: methods } : {}),
  }) as NonNullable<Parameters<Sdk['exchangeAuthorization']>[1]['metadata']>;

/** Exchanges the code of a sign-in for tokens. */
export const exchangeCode = (servers: Servers, begun: BegunSignIn, code: string): Promise<Grant> =>
  exchange(servers, async (sdk, fetchFn) => {
    const { issuer, tokenEndpoint, revocationEndpoint, methods, client, resource, verifier } = begun;
    const tokens = await sdk.exchangeAuthorization(issuer, {
      metadata: metadataOf(begun),
      clientInformation: client,
      authorizationCode: code,
      codeVerifier: verifier,
      redirectUri: redirectOf(servers),
      resource,
      fetchFn,
    });
    const revoked = revocationEndpoint === undefined ? {} : { revocationEndpoint };
    return { issuer, tokenEndpoint, ...revoked, client, resource, ...(methods ? { methods } : {}), ...kept(tokens, servers.clock()) };
  });

/** Requests new tokens. The refresh token stays if the response has no new one. */
export const renew = (servers: Servers, grant: Grant, refreshToken: string): Promise<Grant> =>
  exchange(servers, async (sdk, fetchFn) => {
    const { accessToken: _, expiresAt: __, ...stays } = grant;
    const tokens = await sdk.refreshAuthorization(grant.issuer, {
      metadata: metadataOf(grant),
      clientInformation: grant.client,
      refreshToken,
      resource: grant.resource,
      fetchFn,
    });
    return { ...stays, ...kept(tokens, servers.clock()) };
  });

/** Revokes tokens (RFC 7009), if the authorization server supports that. */
export const revokeTokens = (servers: Servers, { revocationEndpoint, methods, client, accessToken, refreshToken }: Grant): Promise<void> =>
  exchange(servers, async (_, fetchFn) => {
    if (revocationEndpoint === undefined) return;
    const { client_id: id, client_secret: secret } = client;
    const byHeader = secret !== undefined && methods?.includes('client_secret_post') !== true;
    const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
    if (byHeader) headers.authorization = `Basic ${Buffer.from([id, secret].map(encodeURIComponent).join(':')).toString('base64')}`;
    const shown: Record<string, string> = byHeader ? {} : { client_id: id, ...(secret === undefined ? {} : { client_secret: secret }) };
    // The refresh token comes first: at most servers its revocation also ends the access token.
    const tokens = [
      ...(refreshToken === undefined ? [] : [{ token: refreshToken, token_type_hint: 'refresh_token' }]),
      { token: accessToken, token_type_hint: 'access_token' },
    ];
    for (const token of tokens) {
      const answer = await fetchFn(revocationEndpoint, { method: 'POST', headers, body: new URLSearchParams({ ...token, ...shown }) });
      await answer.body?.cancel();
      if (answer.status === 503 || answer.status === 429) throw new RemoteFailure('bad_answer');
    }
  });
