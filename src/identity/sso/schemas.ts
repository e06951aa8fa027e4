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
    redirectUri: Type.String({ description: 'The redirect address; register it exactly so at the provider' }),
    domains: Type.Array(domain),
    defaultRole: Type.String(),
    enforce: Type.Boolean(),
    trustMfa: Type.Boolean(),
    emailTrust: Type.String(),
    jit: Type.Boolean(),
    isActive: Type.Boolean(),
    createdBy: Type.Optional(Type.String({ description: 'The user who created it; absent for connections older than this member' })),
    createdByType: Type.Optional(Type.Literal('user')),
    lastUsedAt: Type.Optional(Type.String({ format: 'date-time', description: 'The time of the last sign-in through it' })),
    createdAt: time,
    updatedAt: time,
  },
  { ...closed, title: 'SsoConnection' },
);
export type Connection = Static<typeof connection>;

const members = {
  clientId: Type.String({ minLength: 1, maxLength: 255 }),
  clientSecret: Type.String({ minLength: 1, maxLength: 1_024, description: 'The client secret; stored encrypted and never shown' }),
  domains: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
    maxItems: 50,
    examples: [['example.com']],
    description: 'Domains of the addresses that sign in through the connection; each applies after its verification',
  }),
  defaultRole: Type.Enum(['member', 'viewer'], { description: 'The role of users who join the team by a sign-in; default: `member`' }),
  enforce: Type.Boolean({
    description: 'Whether members with an address of a verified domain, except the owner, must sign in through the connection',
  }),
  trustMfa: Type.Boolean({ description: 'Whether a second factor reported by the provider replaces the one of this service' }),
  emailTrust: Type.Enum(['claim', 'domain'], {
    description:
      'The basis for trusting an address. `claim`: the provider reports that it is verified (`email_verified`, or `xms_edov` of Entra ID). `domain`: its domain is verified for this connection, and the provider does not deny the address. Default: `domain` for an issuer at login.microsoftonline.com, otherwise `claim`',
  }),
  jit: Type.Boolean({
    description:
      'Whether a new user with an address of a verified domain gets an account at the first sign-in. Default: `true`. With `false` an administrator must invite each user',
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
    description: 'The issuer exactly as in the provider’s metadata; it cannot be changed later',
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
  connectionId: Type.String({ maxLength: 100, description: 'The connection of the team to sign in through' }),
  returnTo: Type.Optional(
    Type.String({ maxLength: 1_000, description: 'The page after the sign-in: a path, or an address of BASE_URL or CORS_ORIGINS' }),
  ),
});
export const linkBegun = Type.Object(
  { location: Type.String({ description: 'The address for the browser, valid for ten minutes' }) },
  { ...closed, title: 'SsoLink' },
);

export const identityParams = Type.Object({ id: Type.String(), userId: Type.String() });
export const callbackParams = Type.Object({ connectionId: Type.String() });
/** Providers may add other parameters. */
export const callbackQuery = Type.Object(
  {
    code: Type.Optional(Type.String({ maxLength: 4_096 })),
    state: Type.Optional(Type.String({ maxLength: 1_024 })),
    error: Type.Optional(Type.String({ maxLength: 1_024 })),
  },
  { additionalProperties: true },
);
export const startQuery = Type.Object({
  email: Type.Optional(Type.String({ maxLength: 320, description: 'An address whose domain selects the connection' })),
  connectionId: Type.Optional(Type.String({ maxLength: 100 })),
  returnTo: Type.Optional(
    Type.String({ maxLength: 1_000, description: 'The page after the sign-in: a path, or an address of BASE_URL or CORS_ORIGINS' }),
  ),
  prompt: Type.Optional(
    Type.Enum(['login'], { description: '`login`: the provider asks the user to authenticate again, for a recent sign-in' }),
  ),
});
