import type { Servers } from '../context.ts';

/* How this service introduces itself to authorization servers of others. */

export const callbackPath = '/oauth/mcp-callback';
export const documentPath = '/oauth/mcp-client';

type Base = Pick<Servers, 'baseUrl'>;

/** Where answers of authorization servers come to. */
export const redirectOf = ({ baseUrl }: Base): string => `${baseUrl}${callbackPath}`;

/** What it says of itself, wherever it registers. */
export const clientDocument = ({ baseUrl }: Base) => ({
  client_name: 'Chancery',
  client_uri: baseUrl,
  redirect_uris: [redirectOf({ baseUrl })],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
});

/** The same as a document, whose address is its name (Client ID Metadata Documents). */
export const documentOf = ({ baseUrl }: Base) => ({ client_id: `${baseUrl}${documentPath}`, ...clientDocument({ baseUrl }) });

/** The address of that document, where others can read it: it has to be https, but for a network of one's own. */
export const clientDocumentOf = ({ baseUrl, policy }: Servers): string | undefined =>
  baseUrl.startsWith('https://') || policy.allowPrivate ? `${baseUrl}${documentPath}` : undefined;
