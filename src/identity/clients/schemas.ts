import { type Static, Type } from 'typebox';
import { closed, time, uuid } from '../../platform/schema-parts.ts';

const approvals = ['mutating', 'never'] as const;
const approvalPolicy = 'The approval policy for its tool calls over MCP';
const members = {
  id: uuid,
  clientId: Type.String({ description: 'The identifier that the client sends to get a token; equals `id`' }),
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  folderIds: Type.Optional(Type.Array(uuid, { description: 'The folders that the client is confined to; absent if it is not confined' })),
  createdAt: time,
  updatedAt: time,
  createdBy: Type.String({ description: 'The user who created it' }),
  createdByType: Type.Literal('user'),
  responsibleId: Type.String({ description: 'The responsible user: the creator, or the user of the latest takeover' }),
  lastUsedAt: Type.Optional(Type.String({ format: 'date-time', description: 'The time when a token was last issued, to the minute' })),
  expiresAt: Type.Optional(time),
  isActive: Type.Boolean(),
  mcpApproval: Type.Enum([...approvals], { description: 'Which of its tool calls over MCP need approval' }),
  approvalPolicy: Type.Optional(Type.String({ description: approvalPolicy })),
  suspendedPendingTakeoverAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'The time since which it is suspended until a takeover, because its responsible user left or was reset',
    }),
  ),
};
export const client = Type.Object(members, { ...closed, title: 'ApiClient' });
export type Client = Static<typeof client>;

const clientSecret = Type.String({ description: 'The secret, shown only in this response: `chs_` and 32 bytes as base64url' });
export const createdClient = Type.Object({ ...members, clientSecret }, { ...closed, title: 'ApiClientWithSecret' });
export type CreatedClient = Static<typeof createdClient>;

export const takenOverClient = Type.Object(
  { ...members, clientSecret: Type.Optional(clientSecret) },
  { ...closed, title: 'ApiClientTakenOver' },
);
export type TakenOverClient = Static<typeof takenOverClient>;

export const rotatedClient = Type.Object(
  {
    ...members,
    clientSecret,
    previousSecretExpiresAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'The time until which the previous secret works; absent if it ended at once' }),
    ),
  },
  { ...closed, title: 'ApiClientWithNewSecret' },
);
export type RotatedClient = Static<typeof rotatedClient>;

const name = Type.String({ maxLength: 1_000 });
const scopes = Type.Array(Type.String({ maxLength: 100 }), {
  minItems: 1,
  maxItems: 64,
  description: 'The scopes of the client; you can grant only your own',
  examples: [['tasks:read']],
});
const expiresAt = Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
  description: 'The time when the client expires; `null` for never',
  examples: ['2099-11-21T10:00:00.000Z'],
});

const folderIds = Type.Union([Type.Array(uuid, { minItems: 1, maxItems: 50 }), Type.Null()], {
  description: 'Confines the client to these folders and their content; `null` for no confinement',
  examples: [null],
});
const mcpApproval = Type.Enum([...approvals], {
  description: '`mutating`, the default: each tool call over MCP that changes data needs approval. `never`: such calls need no approval',
});
const policyOrNone = Type.Union([Type.String({ maxLength: 64 }), Type.Null()], {
  description: `${approvalPolicy}; null for one person: the creator, or else the owner of the team`,
  examples: [null],
});
export const createBody = Type.Object({
  name,
  scopes,
  folderIds: Type.Optional(folderIds),
  expiresAt: Type.Optional(expiresAt),
  mcpApproval: Type.Optional(mcpApproval),
  approvalPolicy: Type.Optional(policyOrNone),
});
export type CreateClient = Static<typeof createBody>;

export const updateBody = Type.Object({
  name: Type.Optional(name),
  scopes: Type.Optional(scopes),
  folderIds: Type.Optional(folderIds),
  expiresAt: Type.Optional(expiresAt),
  isActive: Type.Optional(Type.Boolean({ description: '`false` ends its tokens at once, and it gets no new ones' })),
  mcpApproval: Type.Optional(mcpApproval),
  approvalPolicy: Type.Optional(policyOrNone),
});
export type UpdateClient = Static<typeof updateBody>;

export const rotateBody = Type.Object({
  overlapHours: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 168,
      description: 'Hours that the previous secret still works; default 24, `0` ends it at once',
    }),
  ),
});
export type RotateSecret = Static<typeof rotateBody>;

export const takeOverBody = Type.Object({
  keepSecret: Type.Optional(
    Type.Boolean({ description: '`true` keeps the secret, which the previous responsible user may know; by default it is replaced' }),
  ),
});
export type TakeOver = Static<typeof takeOverBody>;

const form = (parameters: Record<string, ReturnType<typeof Type.String>>, required: string[]) =>
  Type.Object(
    Object.fromEntries(
      Object.entries({
        ...parameters,
        client_id: Type.String({ description: 'The client identifier, unless the client authenticates by HTTP Basic' }),
        client_secret: Type.String({ description: 'The client secret, unless the client authenticates by HTTP Basic' }),
      }).map(([parameter, schema]) => [parameter, required.includes(parameter) ? schema : Type.Optional(schema)]),
    ),
  );
const hint = Type.String({ description: 'Accepted and ignored, because only one kind of token exists' });
export const tokenForm = form(
  {
    grant_type: Type.String({
      description: '`client_credentials`, or for a connected app `authorization_code` or `refresh_token`',
      examples: ['client_credentials'],
    }),
    code: Type.String({ description: 'With `authorization_code`: the code from the redirect' }),
    redirect_uri: Type.String({ description: 'With `authorization_code`: the redirect address that received the code' }),
    code_verifier: Type.String({ description: 'With `authorization_code`: the code verifier of the challenge (RFC 7636)' }),
    refresh_token: Type.String({ description: 'With `refresh_token`: the newest refresh token of the connection' }),
    scope: Type.String({ description: 'Scopes of the client, separated by spaces; by default all' }),
    resource: Type.String({
      description:
        'The resource of the token (RFC 8707): the address of this service (default), or the same with `/mcp` for the MCP server',
    }),
  },
  ['grant_type'],
);
export const tokenReferenceForm = form({ token: Type.String(), token_type_hint: hint }, ['token']);

export const issuedToken = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Lifetime of the token in seconds' }),
    scope: Type.String(),
    refresh_token: Type.Optional(Type.String()),
  },
  { ...closed, title: 'AccessToken' },
);
export type IssuedToken = Static<typeof issuedToken>;

export const introspection = Type.Object(
  {
    active: Type.Boolean(),
    scope: Type.Optional(Type.String()),
    client_id: Type.Optional(Type.String()),
    token_type: Type.Optional(Type.String()),
    exp: Type.Optional(Type.Integer()),
    iat: Type.Optional(Type.Integer()),
    sub: Type.Optional(Type.String()),
    aud: Type.Optional(Type.String({ description: 'The audience of the token' })),
    iss: Type.Optional(Type.String()),
    jti: Type.Optional(Type.String()),
  },
  { ...closed, title: 'TokenIntrospection' },
);
export type Introspection = Static<typeof introspection>;

const texts = Type.Array(Type.String());
export const serverMetadata = Type.Object(
  {
    issuer: Type.String(),
    authorization_endpoint: Type.String(),
    token_endpoint: Type.String(),
    jwks_uri: Type.String(),
    revocation_endpoint: Type.String(),
    introspection_endpoint: Type.String(),
    service_documentation: Type.String(),
    scopes_supported: texts,
    registration_endpoint: Type.String(),
    response_types_supported: texts,
    response_modes_supported: texts,
    grant_types_supported: texts,
    code_challenge_methods_supported: texts,
    authorization_response_iss_parameter_supported: Type.Boolean(),
    client_id_metadata_document_supported: Type.Boolean(),
    token_endpoint_auth_methods_supported: texts,
    revocation_endpoint_auth_methods_supported: texts,
    introspection_endpoint_auth_methods_supported: texts,
  },
  { title: 'AuthorizationServerMetadata' },
);
export const resourceMetadata = Type.Object(
  {
    resource: Type.String(),
    authorization_servers: texts,
    scopes_supported: texts,
    bearer_methods_supported: texts,
    resource_name: Type.String(),
    resource_documentation: Type.String(),
  },
  { title: 'ProtectedResourceMetadata' },
);
