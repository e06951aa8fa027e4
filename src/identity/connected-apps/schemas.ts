import { type Static, Type } from 'typebox';

const closed = { additionalProperties: false };
const text = (description: string, maxLength: number) => Type.String({ description, minLength: 1, maxLength });

const approvalPolicy = 'The approval policy for the changes of the app. The user cannot approve them';
const policyOrNone = Type.Union([Type.String({ maxLength: 64 }), Type.Null()], {
  description: `${approvalPolicy}. Null: the user approves them`,
  examples: [null],
});

const request = text('The value that the page received, unchanged', 8_000);
export const requestBody = Type.Object({ request });
export const allowBody = Type.Object({
  request,
  changes: Type.Optional(
    Type.Boolean({
      description: 'Whether the app may also request changes. Each call needs approval. Default: `false`',
    }),
  ),
  approvalPolicy: Type.Optional(policyOrNone),
});
export type Allow = Static<typeof allowBody>;

export const updateBody = Type.Object({ approvalPolicy: policyOrNone }, closed);
export type UpdateConnectedApp = Static<typeof updateBody>;

export const shownRequest = Type.Object(
  {
    name: Type.String({ description: 'The name that the app gave itself, not verified' }),
    host: Type.String({ description: 'The host of the app’s redirect address' }),
    teamName: Type.String(),
    email: Type.String({ description: 'The address of the user' }),
    scopes: Type.Array(Type.String(), { description: 'The requested read scopes that the user has' }),
    changes: Type.Array(Type.String(), { description: 'The changes that it may request. Each call needs approval' }),
  },
  { ...closed, title: 'ShownProgramRequest' },
);
export type ShownRequest = Static<typeof shownRequest>;

export const connected = Type.Object(
  { id: Type.String(), redirectTo: Type.String({ description: 'The address for the browser; it gives the app the result' }) },
  { ...closed, title: 'AllowedProgram' },
);

export const connectedApp = Type.Object(
  {
    id: Type.String(),
    clientId: Type.String({ description: 'The app: its registration, or the address of its metadata document' }),
    name: Type.String({ description: 'The name that it gave itself' }),
    host: Type.String({ description: 'The host of its redirect address' }),
    scopes: Type.Array(Type.String(), { description: 'The allowed scopes, limited by the user’s current rights' }),
    approvalPolicy: Type.Optional(Type.String({ description: approvalPolicy })),
    createdAt: Type.String({ format: 'date-time' }),
    lastUsedAt: Type.String({ format: 'date-time', description: 'The time of its last token renewal' }),
    expiresAt: Type.String({ format: 'date-time' }),
  },
  { ...closed, title: 'ConnectedProgram' },
);
export type ConnectedAppView = Static<typeof connectedApp>;

const texts = Type.Array(Type.String({ maxLength: 500 }), { maxItems: 10 });
/** All other metadata of an app is ignored (RFC 7591 §2). */
export const registration = Type.Object(
  {
    redirect_uris: Type.Optional(texts),
    client_name: Type.Optional(Type.String({ maxLength: 500 })),
    token_endpoint_auth_method: Type.Optional(Type.String({ maxLength: 100 })),
    grant_types: Type.Optional(texts),
    response_types: Type.Optional(texts),
  },
  { additionalProperties: true },
);
export type Registration = Static<typeof registration>;

export const registered = Type.Object(
  {
    client_id: Type.String(),
    client_id_issued_at: Type.Integer({ description: 'Seconds since 1970' }),
    client_name: Type.String(),
    redirect_uris: Type.Array(Type.String()),
    token_endpoint_auth_method: Type.Literal('none'),
    grant_types: Type.Array(Type.String()),
    response_types: Type.Array(Type.String()),
  },
  { ...closed, title: 'RegisteredProgram' },
);
export type Registered = Static<typeof registered>;
