import { type Static, Type } from 'typebox';
import { closed, time, uuid } from '../../platform/schema-parts.ts';

const approvals = ['mutating', 'never'] as const;
const members = {
  id: uuid,
  clientId: Type.String({ description: 'What the client calls itself when it asks for a token; the same as `id`' }),
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  folderIds: Type.Optional(
    Type.Array(uuid, { description: 'The folders it is confined to; left out when the whole team’s are open to it' }),
  ),
  createdAt: time,
  updatedAt: time,
  createdBy: Type.String({ description: 'The user who made it' }),
  createdByType: Type.Literal('user'),
  responsibleId: Type.String({ description: 'The user who answers for it: whoever made it, or took it over last' }),
  lastUsedAt: Type.Optional(Type.String({ format: 'date-time', description: 'When a token was last issued, to the minute' })),
  expiresAt: Type.Optional(time),
  isActive: Type.Boolean(),
  mcpApproval: Type.Enum([...approvals], { description: 'Which of its calls of tools over MCP wait for a person' }),
  suspendedPendingTakeoverAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Since when it waits, switched off, for somebody to take it over: who answered for it is gone, or was reset',
    }),
  ),
};
export const client = Type.Object(members, { ...closed, title: 'ApiClient' });
export type Client = Static<typeof client>;

const clientSecret = Type.String({ description: 'Shown only here: `chs_` and 32 bytes as base64url' });
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
      Type.String({ format: 'date-time', description: 'Until when the secret before works too; left out when it ended at once' }),
    ),
  },
  { ...closed, title: 'ApiClientWithNewSecret' },
);
export type RotatedClient = Static<typeof rotatedClient>;

const name = Type.String({ maxLength: 1_000 });
const scopes = Type.Array(Type.String({ maxLength: 100 }), {
  minItems: 1,
  maxItems: 64,
  description: 'What the client may do: at most what you may',
  examples: [['tasks:read']],
});
const expiresAt = Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
  description: 'When the client ends by itself; null for never',
  examples: ['2099-11-21T10:00:00.000Z'],
});

const folderIds = Type.Union([Type.Array(uuid, { minItems: 1, maxItems: 50 }), Type.Null()], {
  description: 'Confines the client to these folders and what lies in them; null for the whole team’s',
  examples: [null],
});
const mcpApproval = Type.Enum([...approvals], {
  description:
    '`never` lets it call tools over MCP that change something; with `mutating`, as without it, a person approves each such call',
});
export const createBody = Type.Object({
  name,
  scopes,
  folderIds: Type.Optional(folderIds),
  expiresAt: Type.Optional(expiresAt),
  mcpApproval: Type.Optional(mcpApproval),
});
export type CreateClient = Static<typeof createBody>;

export const updateBody = Type.Object({
  name: Type.Optional(name),
  scopes: Type.Optional(scopes),
  folderIds: Type.Optional(folderIds),
  expiresAt: Type.Optional(expiresAt),
  isActive: Type.Optional(Type.Boolean({ description: 'false ends its tokens at once and gives it no new ones' })),
  mcpApproval: Type.Optional(mcpApproval),
});
export type UpdateClient = Static<typeof updateBody>;

export const rotateBody = Type.Object({
  overlapHours: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 168,
      description: 'How long the secret before works beside the new one; 24 by default, 0 ends it at once',
    }),
  ),
});
export type RotateSecret = Static<typeof rotateBody>;

export const takeOverBody = Type.Object({
  keepSecret: Type.Optional(
    Type.Boolean({ description: 'true leaves it the secret that whoever answered for it may know; by default it gets a new one' }),
  ),
});
export type TakeOver = Static<typeof takeOverBody>;

const form = (parameters: Record<string, ReturnType<typeof Type.String>>, required: string[]) =>
  Type.Object(
    Object.fromEntries(
      Object.entries({
        ...parameters,
        client_id: Type.String({ description: 'Unless the client authenticates by HTTP Basic' }),
        client_secret: Type.String({ description: 'Unless the client authenticates by HTTP Basic' }),
      }).map(([parameter, schema]) => [parameter, required.includes(parameter) ? schema : Type.Optional(schema)]),
    ),
  );
const hint = Type.String({ description: 'Taken and ignored: there is one kind of token' });
export const tokenForm = form(
  {
    grant_type: Type.String({
      description: '`client_credentials`, or for a program that a person has connected `authorization_code` or `refresh_token`',
      examples: ['client_credentials'],
    }),
    code: Type.String({ description: 'With `authorization_code`: what the program was given' }),
    redirect_uri: Type.String({ description: 'With `authorization_code`: where it was given that' }),
    code_verifier: Type.String({ description: 'With `authorization_code`: what the challenge was made of (RFC 7636)' }),
    refresh_token: Type.String({ description: 'With `refresh_token`: the newest of the connection' }),
    scope: Type.String({ description: 'Scopes separated by spaces, of those that the client has; by default all' }),
    resource: Type.String({
      description:
        'Who is to take the token (RFC 8707): the address of this service, as without it, or with `/mcp` behind it for the MCP server',
    }),
  },
  ['grant_type'],
);
export const tokenReferenceForm = form({ token: Type.String(), token_type_hint: hint }, ['token']);

export const issuedToken = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds' }),
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
    aud: Type.Optional(Type.String({ description: 'Who takes it' })),
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
