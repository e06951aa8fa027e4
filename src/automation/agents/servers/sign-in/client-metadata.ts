import type { Servers } from '../context.ts';

/* The registration data of this service for external authorization servers. */

export const callbackPath = '/oauth/mcp-callback';
export const documentPath = '/oauth/mcp-client';

type Base = Pick<Servers, 'baseUrl'>;

/** Returns the redirect address for responses of authorization servers. */
export const redirectOf = ({ baseUrl }: Base): string => `${baseUrl}${callbackPath}`;

/** Returns the client metadata of this service. */
export const clientDocument = ({ baseUrl }: Base) => ({
  client_name: 'Chancery',
  client_uri: baseUrl,
  redirect_uris: [redirectOf({ baseUrl })],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
});

/** Returns the Client ID Metadata Document. Its address is the client identifier. */
export const documentOf = ({ baseUrl }: Base) => ({ client_id: `${baseUrl}${documentPath}`, ...clientDocument({ baseUrl }) });

/**
 * Returns the address of the client metadata document if authorization servers can read it. It must use https, unless private addresses are allowed.
 */
export const clientDocumentOf = ({ baseUrl, policy }: Servers): string | undefined =>
  baseUrl.startsWith('https://') || policy.allowPrivate ? `${baseUrl}${documentPath}` : undefined;
