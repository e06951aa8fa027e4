import { type Static, Type } from 'typebox';
import { closed, time } from '../../platform/schema-parts.ts';

const domain = Type.Object(
  {
    name: Type.String(),
    verified: Type.Boolean(),
    verifiedAt: Type.Optional(time),
    record: Type.Object(
      { type: Type.String(), name: Type.String(), value: Type.String() },
      { ...closed, description: 'The DNS record that verifies the domain' },
    ),
  },
  closed,
);

export const connection = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    issuer: Type.String(),
    clientId: Type.String(),
    redirectUri: Type.String({ description: 'To be registered at the provider, exactly' }),
    domains: Type.Array(domain),
    defaultRole: Type.String(),
    enforce: Type.Boolean(),
    trustMfa: Type.Boolean(),
    emailTrust: Type.String(),
    jit: Type.Boolean(),
    isActive: Type.Boolean(),
    createdBy: Type.Optional(Type.String({ description: 'The user who made it; left out for connections of before this was kept' })),
    createdByType: Type.Optional(Type.Literal('user')),
    lastUsedAt: Type.Optional(Type.String({ format: 'date-time', description: 'When somebody last signed in through it' })),
    createdAt: time,
    updatedAt: time,
  },
  { ...closed, title: 'SsoConnection' },
);
export type Connection = Static<typeof connection>;

const members = {
  clientId: Type.String({ minLength: 1, maxLength: 255 }),
  clientSecret: Type.String({ minLength: 1, maxLength: 1_024, description: 'Kept encrypted, and never shown again' }),
  domains: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
    maxItems: 50,
    examples: [['example.com']],
    description: 'Domains of the addresses that sign in so; each counts once it is verified',
  }),
  defaultRole: Type.Enum(['member', 'viewer'], { description: 'What somebody is who joins the team by signing in; `member` unless given' }),
  enforce: Type.Boolean({ description: 'Members with such an address, save the owner, sign in so and in no other way' }),
  trustMfa: Type.Boolean({ description: 'Where the provider says that it has asked for a second factor, this service does not ask again' }),
  emailTrust: Type.Enum(['claim', 'domain'], {
    description:
      'When an address counts. `claim`: the provider says that it is verified (`email_verified`, or `xms_edov` of Entra ID). `domain`: its domain is verified for this connection and the provider does not deny it. `domain` for an issuer at login.microsoftonline.com unless given, else `claim`',
  }),
  jit: Type.Boolean({
    description:
      'Whether a new person with an address of a verified domain gets an account at the first sign-in; `true` unless given. With `false` an administrator invites each person',
  }),
  isActive: Type.Boolean(),
};
const { clientId, clientSecret, domains, defaultRole, enforce, trustMfa, emailTrust, jit, isActive } = members;
const optional = {
  defaultRole: Type.Optional(defaultRole),
  enforce: Type.Optional(enforce),
  trustMfa: Type.Optional(trustMfa),
  emailTrust: Type.Optional(emailTrust),
  jit: Type.Optional(jit),
  isActive: Type.Optional(isActive),
};
export const createBody = Type.Object({
  issuer: Type.String({
    minLength: 1,
    maxLength: 2_048,
    examples: ['https://login.example.com'],
    description: 'As the provider writes it in its metadata; it cannot be changed later',
  }),
  clientId,
  clientSecret,
  domains: Type.Optional(domains),
  ...optional,
});
export type CreateConnection = Static<typeof createBody>;
export const updateBody = Type.Object({
  clientId: Type.Optional(clientId),
  clientSecret: Type.Optional(clientSecret),
  domains: Type.Optional(domains),
  ...optional,
});
export type UpdateConnection = Static<typeof updateBody>;

export const linkBody = Type.Object({
  connectionId: Type.String({ maxLength: 100, description: 'The connection of the team whose provider the person signs in at' }),
  returnTo: Type.Optional(
    Type.String({ maxLength: 1_000, description: 'Where the browser goes afterwards: a path, or a page of BASE_URL or CORS_ORIGINS' }),
  ),
});
export const linkBegun = Type.Object(
  { location: Type.String({ description: 'Where to send the browser, within ten minutes' }) },
  { ...closed, title: 'SsoLink' },
);

export const identityParams = Type.Object({ id: Type.String(), userId: Type.String() });
export const callbackParams = Type.Object({ connectionId: Type.String() });
/** Providers may add what they like. */
export const callbackQuery = Type.Object(
  {
    code: Type.Optional(Type.String({ maxLength: 4_096 })),
    state: Type.Optional(Type.String({ maxLength: 1_024 })),
    error: Type.Optional(Type.String({ maxLength: 1_024 })),
  },
  { additionalProperties: true },
);
export const startQuery = Type.Object({
  email: Type.Optional(Type.String({ maxLength: 320, description: 'Whose domain tells the connection' })),
  connectionId: Type.Optional(Type.String({ maxLength: 100 })),
  returnTo: Type.Optional(
    Type.String({ maxLength: 1_000, description: 'Where the browser goes afterwards: a path, or a page of BASE_URL or CORS_ORIGINS' }),
  ),
  prompt: Type.Optional(Type.Enum(['login'], { description: '`login`: the provider asks the person again, for a recent sign-in' })),
});
