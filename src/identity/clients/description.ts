import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

const secret = 'chs_Q3o5dFiDJzKj0Q4jXbIRXIrhcKm7pNMEpZqnscN8UAw';

const client = {
  id: desk.client.id,
  clientId: desk.client.id,
  name: desk.client.name,
  scopes: ['documents:read', 'documents:write', 'workflows:read', 'workflows:write'],
  folderIds: [desk.folder],
  createdAt: desk.monday,
  updatedAt: desk.monday,
  createdBy: desk.olivia.id,
  createdByType: 'user',
  responsibleId: desk.olivia.id,
  lastUsedAt: desk.tuesday,
  isActive: true,
  mcpApproval: 'mutating',
};

/** Errors of rights that the client cannot get or the caller cannot grant. */
const rights = [
  'reauthentication_required',
  'scope_not_held',
  'unknown_scope',
  'folder_not_found',
  'scope_not_confinable',
  'expiry_in_past',
];

const service = 'https://api.example.com';
const authentication = ['client_secret_basic', 'client_secret_post'];

export const description: DomainText = {
  operations: {
    listApiClients: {
      text: 'Lists the API clients of the team with scopes, creator, responsible user and last use of each. It never shows secrets.',
      answer: [client],
    },
    createApiClient: {
      text: 'Creates an API client, which software uses instead of a user’s password. Only this response shows its secret. Its scopes are at most those of its creator, and `folderIds` confines it to these folders and their content. It needs an owner or administrator who signed in within 15 minutes. A team has at most 100 clients. With an `Idempotency-Key` a repetition in the same session shows the same secret; without one it creates a second client.',
      records: ['client.created'],
      problems: [...rights, 'approval_policy_not_found', 'client_limit'],
      body: { name: desk.client.name, scopes: client.scopes, folderIds: client.folderIds },
      answer: { ...client, lastUsedAt: undefined, clientSecret: secret },
    },
    getApiClient: {
      text: 'Shows an API client of the team. While it waits for a takeover, it has `suspendedPendingTakeoverAt` and gets no token.',
      answer: client,
    },
    updateApiClient: {
      text: 'Changes the given members: name, scopes, folders, expiry, activation, and who approves its tool calls over MCP. Another approval policy voids the open rounds about its calls. Removed rights end at the client’s next request. Granting rights needs a recent sign-in; removing them does not. `isActive: true` does not reactivate a client that waits for a takeover. `null` for `folderIds` removes the confinement, and for `expiresAt` the expiry.',
      records: ['client.updated', 'approval.voided'],
      problems: [...rights, 'approval_policy_not_found', 'takeover_required'],
      body: { scopes: ['documents:read'], isActive: true },
      answer: { ...client, scopes: ['documents:read'], updatedAt: desk.wednesday },
    },
    deleteApiClient: {
      text: 'Deletes an API client. Its secrets and tokens are invalid from the next request on, on every node. Resources that it created stay, except for its webhook endpoints, which are deleted with their pending deliveries. Open approval rounds about its calls are voided. Repeating the request returns 404.',
      records: ['client.deleted', 'webhook.endpoint.deleted', 'approval.voided'],
    },
    rotateApiClientSecret: {
      text: 'Creates a new secret, shown only in this response. The previous one works for `overlapHours` more, 24 by default, so that the software can switch without a gap. `0` ends it at once, with its tokens. The caller must hold all scopes of the client, because the secret grants them.',
      records: ['client.secret_rotated'],
      problems: ['reauthentication_required', 'scope_not_held', 'takeover_required'],
      body: { overlapHours: 24 },
      answer: { ...client, clientSecret: secret, previousSecretExpiresAt: '2026-03-12T14:05:00.000Z', updatedAt: desk.wednesday },
    },
    takeOverApiClient: {
      text: 'Makes the caller the responsible user and reactivates a suspended client. It replaces the secrets, because the previous responsible user may know them, and the response has the new one. `keepSecret` keeps them, for software that cannot get a new one.',
      records: ['client.taken_over'],
      problems: ['reauthentication_required', 'scope_not_held'],
      body: { keepSecret: false },
      answer: { ...client, responsibleId: desk.marcus.id, clientSecret: secret, updatedAt: desk.wednesday },
    },
    getAuthorizationServerMetadata: {
      text: 'Returns the metadata of RFC 8414. OAuth libraries read from it the token, revocation and introspection endpoints and the client authentication methods.',
      answer: {
        issuer: service,
        authorization_endpoint: `${service}/oauth/authorize`,
        token_endpoint: `${service}/oauth/token`,
        jwks_uri: `${service}/.well-known/jwks.json`,
        revocation_endpoint: `${service}/oauth/revoke`,
        introspection_endpoint: `${service}/oauth/introspect`,
        service_documentation: `${service}/docs`,
        scopes_supported: ['documents:read', 'documents:write', 'tasks:read', 'tasks:write'],
        registration_endpoint: `${service}/oauth/register`,
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
        token_endpoint_auth_methods_supported: [...authentication, 'none'],
        revocation_endpoint_auth_methods_supported: authentication,
        introspection_endpoint_auth_methods_supported: authentication,
      },
    },
    getProtectedResourceMetadata: {
      text: 'Returns the metadata of RFC 9728: the accepted token issuers, how to send tokens, and the scopes. Clients use it after a 401 to get a token.',
      answer: {
        resource: service,
        authorization_servers: [service],
        scopes_supported: ['documents:read', 'documents:write', 'tasks:read', 'tasks:write'],
        bearer_methods_supported: ['header'],
        resource_name: 'Chancery',
        resource_documentation: `${service}/docs`,
      },
    },
    getClientToken: {
      text: 'Issues an access token to an API client (RFC 6749 §4.4), for all its scopes or those in `scope`. With `resource` the token is only for the MCP server (RFC 8707), with those scopes of `scope` that the client has. The client authenticates by HTTP Basic or in the form. A token is valid for 15 minutes, without a refresh token: request another before its end, or after a 401. A connected app authenticates by its code and code verifier, or by its newest refresh token. Each response has a new refresh token. Reuse of an old refresh token or of a code ends the connection. Wrong secrets are counted and slow down their source address.',
      records: ['client.token_issued'],
      problems: ['invalid_request', 'invalid_client', 'unsupported_grant_type', 'invalid_scope', 'invalid_target', 'invalid_grant'],
      body: { grant_type: 'client_credentials', scope: 'documents:read documents:write' },
      answer: { access_token: desk.accessToken, token_type: 'Bearer', expires_in: 900, scope: 'documents:read documents:write' },
    },
    revokeClientToken: {
      text: 'Revokes an access token of the client (RFC 7009). It is invalid from the next request on, on every node. An unknown or expired token gets the same response. A connected app sends only `client_id`: its refresh or access token ends the connection. Tokens of others stay valid.',
      records: ['client.token_revoked', 'session.revoked'],
      problems: ['invalid_request', 'invalid_client', 'invalid_grant'],
      body: { token: desk.accessToken },
      answer: {},
    },
    introspectClientToken: {
      text: 'Shows the current owner, scopes and expiry of a token of the client (RFC 7662). For any other token and for expired ones the response is only `active: false`.',
      problems: ['invalid_request', 'invalid_client'],
      body: { token: desk.accessToken },
      answer: {
        active: true,
        scope: 'documents:read documents:write',
        client_id: desk.client.id,
        token_type: 'Bearer',
        exp: 1_773_134_100,
        iat: 1_773_133_200,
        sub: desk.client.id,
        aud: 'user-api',
        iss: service,
        jti: '019d2f4e-6a00-7c2b-9a54-000000000034',
      },
    },
  },
  members: {
    scopes: 'The scopes, as `<area>:read` and `<area>:write`',
    scope: 'Scopes, separated by spaces',
    access_token: 'The access token; send it as `Authorization: Bearer …`',
    token_type: 'Always `Bearer`',
    client_id: 'The API client, by its `clientId`',
    'TokenIntrospection.active': 'Whether the token is valid now',
    'TokenIntrospection.exp': 'The time when it expires, in seconds since 1970',
    'TokenIntrospection.iat': 'The time when it was issued, in seconds since 1970',
    'TokenIntrospection.sub': 'The subject: the client',
    'TokenIntrospection.aud': '`user-api` for the operations, or the address of the MCP server',
    'TokenIntrospection.iss': 'The issuer: this service',
    'TokenIntrospection.jti': 'The identifier of the token',
    issuer: 'The address of the issuer of tokens or identities',
    'AuthorizationServerMetadata.authorization_endpoint': 'The page where a user allows a connected app',
    'AuthorizationServerMetadata.registration_endpoint': 'The address for the registration of connected apps (RFC 7591)',
    'AuthorizationServerMetadata.response_modes_supported': 'How an app receives the user’s decision',
    'AuthorizationServerMetadata.code_challenge_methods_supported': 'How an app proves that it requested a code (RFC 7636)',
    'AuthorizationServerMetadata.authorization_response_iss_parameter_supported':
      'Whether authorization responses name their issuer (RFC 9207)',
    'AuthorizationServerMetadata.client_id_metadata_document_supported':
      'Whether a `client_id` may be the https address of a metadata document',
    'AccessToken.refresh_token': 'For a connected app: renews the tokens, once',
    'AuthorizationServerMetadata.token_endpoint': 'The address that issues tokens',
    jwks_uri: 'The keys that verify tokens',
    'AuthorizationServerMetadata.revocation_endpoint': 'The address that revokes tokens',
    'AuthorizationServerMetadata.introspection_endpoint': 'The address that introspects tokens',
    'AuthorizationServerMetadata.service_documentation': 'The documentation for developers',
    scopes_supported: 'All existing scopes',
    'AuthorizationServerMetadata.response_types_supported': 'The supported response types',
    'AuthorizationServerMetadata.grant_types_supported': 'The supported grant types',
    'AuthorizationServerMetadata.token_endpoint_auth_methods_supported': 'How a client authenticates to get a token',
    'AuthorizationServerMetadata.revocation_endpoint_auth_methods_supported': 'How a client authenticates to revoke a token',
    'AuthorizationServerMetadata.introspection_endpoint_auth_methods_supported': 'How a client authenticates to introspect a token',
    'ProtectedResourceMetadata.resource': 'The address of this service',
    'ProtectedResourceMetadata.authorization_servers': 'The issuers of accepted tokens',
    'ProtectedResourceMetadata.bearer_methods_supported': 'How tokens are sent',
    'ProtectedResourceMetadata.resource_name': 'The name of this service',
    'ProtectedResourceMetadata.resource_documentation': 'The documentation for developers',
  },
};
