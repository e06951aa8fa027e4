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

const saml = Type.Object(
  {
    ssoUrl: Type.String(),
    nameIdFormat: Type.String(),
    allowIdpInitiated: Type.Boolean(),
    metadataUrl: Type.Optional(Type.String()),
    metadataReadAt: Type.Optional(Type.String({ format: 'date-time', description: 'When the metadata were last read from `metadataUrl`' })),
    certificates: Type.Array(
      Type.Object(
        {
          sha256: Type.String({ description: 'The SHA-256 fingerprint in hexadecimal digits' }),
          expiresAt: Type.String({ format: 'date-time', description: 'The end of the certificate; an expired one still verifies' }),
        },
        closed,
      ),
      { description: 'The certificates that the provider signs with; at most 5' },
    ),
  },
  { ...closed, description: 'The settings of a SAML provider; absent for OpenID Connect' },
);
export type SamlMembers = Static<typeof saml>;

export const connection = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    kind: Type.String({ description: 'The protocol: `oidc` or `saml`' }),
    issuer: Type.String(),
    clientId: Type.String(),
    redirectUri: Type.String({
      description: 'The redirect address, for SAML the assertion consumer service; register it exactly so at the provider',
    }),
    saml: Type.Optional(saml),
    domains: Type.Array(domain),
    defaultRole: Type.String(),
    enforce: Type.Boolean(),
    trustMfa: Type.Boolean(),
    trustHome: Type.Boolean(),
    subjectClaim: Type.Optional(Type.String()),
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
  trustHome: Type.Boolean({
    description:
      'Whether members may also enter through the connection of another team. That team must have verified the domain of their address. The owner and administrators may not. Default: `false`',
  }),
  subjectClaim: Type.String({
    minLength: 1,
    maxLength: 255,
    description:
      'The claim or attribute with the identifier of the user in the team’s directory (SCIM `externalId`). Default: the object identifier of Entra ID',
  }),
  emailTrust: Type.Enum(['claim', 'domain'], {
    description:
      'The basis for trusting an address. `claim`: the provider reports that it is verified (`email_verified`, or `xms_edov` of Entra ID). `domain`: its domain is verified for this connection, and the provider does not deny the address. Default: `domain` for an issuer at login.microsoftonline.com, otherwise `claim`. SAML has only `domain`',
  }),
  jit: Type.Boolean({
    description:
      'Whether a new user with an address of a verified domain gets an account at the first sign-in. Default: `true`. With `false` an administrator must invite each user',
  }),
  isActive: Type.Boolean(),
};
const { clientId, clientSecret, domains, defaultRole, enforce, trustMfa, trustHome, subjectClaim, emailTrust, jit, isActive } = members;
/** The description of a SAML provider and its settings. */
const samlInput = {
  metadataUrl: Type.Optional(
    Type.String({ minLength: 1, maxLength: 2_048, description: 'The address of the SAML metadata; read again daily for new certificates' }),
  ),
  metadataXml: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128 * 1024, description: 'The SAML metadata of the provider, in place of `metadataUrl`' }),
  ),
  ssoUrl: Type.Optional(
    Type.String({ minLength: 1, maxLength: 2_048, description: 'The sign-in address of the HTTP-Redirect binding, in place of metadata' }),
  ),
  certificates: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 8 * 1024 }), {
      minItems: 1,
      maxItems: 5,
      description: 'The certificates of the SAML provider (PEM), in place of metadata. They replace all others',
    }),
  ),
  nameIdFormat: Type.Optional(
    Type.Enum(['persistent', 'emailAddress'], {
      description:
        'The accepted format of the NameID; default: `persistent`. An address can get another owner, so choose `emailAddress` only if needed',
    }),
  ),
  allowIdpInitiated: Type.Optional(
    Type.Boolean({ description: 'Whether a sign-in that began at the SAML provider starts a sign-in here; default: `false`' }),
  ),
};
const optional = {
  ...samlInput,
  defaultRole: Type.Optional(defaultRole),
  enforce: Type.Optional(enforce),
  trustMfa: Type.Optional(trustMfa),
  trustHome: Type.Optional(trustHome),
  subjectClaim: Type.Optional(subjectClaim),
  emailTrust: Type.Optional(emailTrust),
  jit: Type.Optional(jit),
  isActive: Type.Optional(isActive),
};
export const createBody = Type.Object({
  kind: Type.Optional(Type.Enum(['oidc', 'saml'], { description: 'The protocol; default: `oidc`. It cannot be changed later' })),
  issuer: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_048,
      examples: ['https://login.example.com'],
      description: 'The issuer exactly as in the provider’s metadata, for SAML its entity ID; it cannot be changed later',
    }),
  ),
  clientId: Type.Optional(clientId),
  clientSecret: Type.Optional(clientSecret),
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

export const samlParams = Type.Object({ id: Type.String() });
export const logoutForm = Type.Object(
  { logout_token: Type.String({ minLength: 1, maxLength: 16 * 1024 }) },
  { additionalProperties: true },
);
/** Providers may add other parameters, such as `RelayState`, which is ignored. */
export const responseForm = Type.Object({ SAMLResponse: Type.String({ minLength: 1 }) }, { additionalProperties: true });
export const finishQuery = Type.Object({ handle: Type.Optional(Type.String({ maxLength: 100 })) });
