import type { Sso } from './context.ts';
import type { ConnectionRow, SamlSettings } from './queries.ts';

export type OidcConnection = ConnectionRow & { client_id: string; client_secret: Buffer };
export type SamlConnection = ConnectionRow & { saml: SamlSettings };

export const isOidc = (row: ConnectionRow): row is OidcConnection =>
  row.kind === 'oidc' && row.client_id !== null && row.client_secret !== null;
export const isSaml = (row: ConnectionRow): row is SamlConnection => row.saml !== null;

const security = ({ accounts }: Sso) => `${accounts.settings.baseUrl}/api/v1/security/auth`;

/**
 * The address to which a provider returns the browser. Each connection has a separate address, so that
 * a response of one provider is never accepted for another (mix-up, RFC 9700 §4.4.2).
 */
export const redirectUri = (sso: Sso, { id, kind }: Pick<ConnectionRow, 'id' | 'kind'>): string =>
  kind === 'saml' ? `${security(sso)}/saml/${id}/acs` : `${security(sso)}/sso/callback/${id}`;

/** The entity ID of this service for a SAML connection, which is also the address of its metadata. */
export const entityId = (sso: Sso, id: string): string => `${security(sso)}/saml/${id}/metadata`;
