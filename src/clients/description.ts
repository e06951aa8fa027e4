import { desk } from '../platform/http/openapi/desk.ts';
import type { DomainText } from '../platform/http/openapi/texts.ts';

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

/** What it may be given, and by whom. */
const rights = ['reauthentication_required', 'scope_not_held', 'unknown_scope', 'folder_unknown', 'scope_not_confinable', 'expiry_in_past'];

const service = 'https://api.example.com';
const authentication = ['client_secret_basic', 'client_secret_post'];

export const description: DomainText = {
  operations: {
    listApiClients: {
      text: 'Lists the API clients of the team with their scopes, who made them, who answers for them now and when each was used last. Secrets are shown by no reading.',
      answer: [client],
    },
    createApiClient: {
      text: 'Makes a client that a program signs in with instead of a person’s password. Its secret is in this answer and nowhere else. It gets at most the scopes of whoever makes it, and with `folderIds` reaches these folders and what lies in them alone. It takes an owner or administrator who signed in within 15 minutes, and a team has 100 clients at most. With an `Idempotency-Key` a repetition from the same session shows the same secret again; without, it makes a second client.',
      records: ['client.created'],
      problems: [...rights, 'client_limit'],
      body: { name: desk.client.name, scopes: client.scopes, folderIds: client.folderIds },
      answer: { ...client, lastUsedAt: undefined, clientSecret: secret },
    },
    getApiClient: {
      text: 'Shows one API client of the team. `awaitingTakeoverSince` is there while it waits for somebody to answer for it, and then it gets no token.',
      answer: client,
    },
    updateApiClient: {
      text: 'Changes the members that are given: name, scopes, folders, end, whether it works, and whether it may call tools over MCP that change something. What is taken away is gone at the client’s next request; taking away needs no recent sign-in, giving does. `isActive: true` does not bring back a client that waits to be taken over. `null` for `folderIds` takes the confinement away, for `expiresAt` the end.',
      records: ['client.updated'],
      problems: [...rights, 'takeover_needed'],
      body: { scopes: ['documents:read'], isActive: true },
      answer: { ...client, scopes: ['documents:read'], updatedAt: desk.wednesday },
    },
    deleteApiClient: {
      text: 'Deletes an API client: its secrets and tokens are good for nothing from the next request on, on every node. What it made stays. A repetition is 404.',
      records: ['client.deleted'],
    },
    rotateApiClientSecret: {
      text: 'Gives a client a new secret, shown in this answer alone. The one before works for `overlapHours` more, 24 unless it is said otherwise, so that a program is given the new one without a gap; `0` ends it at once, with its tokens. Whoever asks holds all of the client’s scopes, since with the secret they could use them.',
      records: ['client.secret_rotated'],
      problems: ['reauthentication_required', 'scope_not_held', 'takeover_needed'],
      body: { overlapHours: 24 },
      answer: { ...client, clientSecret: secret, previousSecretExpiresAt: '2026-03-12T14:05:00.000Z', updatedAt: desk.wednesday },
    },
    takeOverApiClient: {
      text: 'Makes the person who asks the one who answers for the client, and lets one that waited for that work again. The old secrets end, since whoever answered before may know them, and a new one is in the answer; `keepSecret` leaves them, for a program that cannot be given another.',
      records: ['client.taken_over'],
      problems: ['reauthentication_required', 'scope_not_held'],
      body: { keepSecret: false },
      answer: { ...client, responsibleId: desk.marcus.id, clientSecret: secret, updatedAt: desk.wednesday },
    },
    getAuthorizationServerMetadata: {
      text: 'The metadata of RFC 8414, by which OAuth libraries find where tokens are got, revoked and introspected, and how a client proves itself there.',
      answer: {
        issuer: service,
        authorization_endpoint: `${service}/oauth/authorize`,
        token_endpoint: `${service}/oauth/token`,
        jwks_uri: `${service}/.well-known/jwks.json`,
        revocation_endpoint: `${service}/oauth/revoke`,
        introspection_endpoint: `${service}/oauth/introspect`,
        service_documentation: `${service}/docs`,
        scopes_supported: ['documents:read', 'documents:write', 'tasks:read', 'tasks:write'],
        response_types_supported: [],
        grant_types_supported: ['client_credentials'],
        token_endpoint_auth_methods_supported: authentication,
        revocation_endpoint_auth_methods_supported: authentication,
        introspection_endpoint_auth_methods_supported: authentication,
      },
    },
    getProtectedResourceMetadata: {
      text: 'The metadata of RFC 9728: whose tokens this service takes, how they are sent, and which scopes there are. A program that was answered 401 finds its way to a token from here.',
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
      text: 'Gives an API client an access token (RFC 6749 §4.4), for all of its scopes or those that `scope` names. With `resource` it is for the MCP server alone (RFC 8707), and opens no operation; it then has those of the scopes named that the client has. The client proves itself by HTTP Basic or in the form. A token is good for 15 minutes, there is no refresh token: ask for another when it is nearly over, or at a 401. Wrong secrets are counted, and slow down the address they come from.',
      records: ['client.token_issued'],
      problems: ['invalid_request', 'invalid_client', 'unsupported_grant_type', 'invalid_scope', 'invalid_target'],
      body: { grant_type: 'client_credentials', scope: 'documents:read documents:write' },
      answer: { access_token: desk.accessToken, token_type: 'Bearer', expires_in: 900, scope: 'documents:read documents:write' },
    },
    revokeClientToken: {
      text: 'Gives back an access token of the client’s own before it ends (RFC 7009): it is good for nothing from the next request on, on every node. A token that is unknown or has ended needs no revoking, and is answered the same.',
      records: ['client.token_revoked'],
      problems: ['invalid_request', 'invalid_client', 'invalid_grant'],
      body: { token: desk.accessToken },
      answer: {},
    },
    introspectClientToken: {
      text: 'Says what a token of the client’s own is good for at this moment (RFC 7662): whose it is, its scopes and its end. Of any other token, and of one that has ended, the answer is `active: false` and nothing else.',
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
    scopes: 'What it may do, as `<area>:read` and `<area>:write`',
    scope: 'Scopes, with a space between them',
    access_token: 'Sent as `Authorization: Bearer …`',
    token_type: 'Always `Bearer`',
    client_id: 'The API client, by its `clientId`',
    'TokenIntrospection.active': 'Whether the token is good at this moment',
    'TokenIntrospection.exp': 'When it ends, in seconds since 1970',
    'TokenIntrospection.iat': 'When it was issued, in seconds since 1970',
    'TokenIntrospection.sub': 'Whom it stands for: the client',
    'TokenIntrospection.aud': '`user-api` for the operations, or the address of the MCP server',
    'TokenIntrospection.iss': 'Who issued it: this service',
    'TokenIntrospection.jti': 'The identifier of the token',
    issuer: 'The address of who issues tokens or identities',
    'AuthorizationServerMetadata.authorization_endpoint':
      'Named since libraries ask for one: it answers that persons do not let programs in here',
    'AuthorizationServerMetadata.token_endpoint': 'Where tokens are got',
    jwks_uri: 'The keys that verify tokens',
    'AuthorizationServerMetadata.revocation_endpoint': 'Where tokens are given back',
    'AuthorizationServerMetadata.introspection_endpoint': 'Where a token is asked about',
    'AuthorizationServerMetadata.service_documentation': 'The reference for people',
    scopes_supported: 'All scopes that there are',
    'AuthorizationServerMetadata.response_types_supported': 'None: persons do not let programs in here',
    'AuthorizationServerMetadata.grant_types_supported': 'How tokens are got',
    'AuthorizationServerMetadata.token_endpoint_auth_methods_supported': 'How a client proves itself to get a token',
    'AuthorizationServerMetadata.revocation_endpoint_auth_methods_supported': 'How a client proves itself to give one back',
    'AuthorizationServerMetadata.introspection_endpoint_auth_methods_supported': 'How a client proves itself to ask about one',
    'ProtectedResourceMetadata.resource': 'The address of this service',
    'ProtectedResourceMetadata.authorization_servers': 'Whose tokens are taken',
    'ProtectedResourceMetadata.bearer_methods_supported': 'How tokens are sent',
    'ProtectedResourceMetadata.resource_name': 'The name of this service',
    'ProtectedResourceMetadata.resource_documentation': 'The reference for people',
  },
};
