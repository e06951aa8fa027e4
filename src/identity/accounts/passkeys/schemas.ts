import { type Static, Type } from 'typebox';
import { closed } from '../../../platform/schema-parts.ts';

const open = { additionalProperties: true } as const;
const teamId = Type.Optional(Type.String({ format: 'uuid' }));
const base64url = (maxLength: number, description?: string) =>
  Type.String({ maxLength, pattern: '^[A-Za-z0-9_-]*$', ...(description === undefined ? {} : { description }) });

const members = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  synced: Type.Boolean({ description: 'Whether the key may be on several devices of the user; `false` if it is bound to one' }),
  createdAt: Type.String({ format: 'date-time' }),
  lastUsedAt: Type.Optional(Type.String({ format: 'date-time' })),
};
export const passkey = Type.Object(members, { ...closed, title: 'Passkey' });
export type Passkey = Static<typeof passkey>;
export const registeredPasskey = Type.Object(
  {
    ...members,
    backupCodes: Type.Optional(
      Type.Array(Type.String(), { description: 'Shown only in this response, and only for the first second factor of the user' }),
    ),
  },
  { ...closed, title: 'RegisteredPasskey' },
);
export type RegisteredPasskey = Static<typeof registeredPasskey>;

export const passkeyName = Type.Object({ name: Type.String({ maxLength: 1_000, examples: ['Work laptop'] }) });

const descriptor = Type.Object({ id: Type.String(), type: Type.String(), transports: Type.Optional(Type.Array(Type.String())) }, open);

export const creationOptions = Type.Object(
  {
    challenge: Type.String(),
    rp: Type.Object({ id: Type.String(), name: Type.String() }, open),
    user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }, open),
    pubKeyCredParams: Type.Array(Type.Object({ type: Type.String(), alg: Type.Integer() }, open)),
    timeout: Type.Integer({ description: 'Milliseconds' }),
    excludeCredentials: Type.Array(descriptor),
    authenticatorSelection: Type.Object(
      { residentKey: Type.String(), requireResidentKey: Type.Boolean(), userVerification: Type.String() },
      open,
    ),
    attestation: Type.String(),
  },
  {
    ...open,
    title: 'PublicKeyCredentialCreationOptionsJSON',
    description: 'Options for `PublicKeyCredential.parseCreationOptionsFromJSON`',
  },
);
export type CreationOptions = Static<typeof creationOptions>;
export const requestOptions = Type.Object(
  {
    challenge: Type.String(),
    rpId: Type.String(),
    timeout: Type.Integer({ description: 'Milliseconds' }),
    userVerification: Type.String(),
    allowCredentials: Type.Optional(Type.Array(descriptor)),
  },
  { ...open, title: 'PublicKeyCredentialRequestOptionsJSON', description: 'Options for `PublicKeyCredential.parseRequestOptionsFromJSON`' },
);
export type RequestOptions = Static<typeof requestOptions>;

const common = {
  id: base64url(1_400),
  rawId: base64url(1_400),
  type: Type.Literal('public-key'),
};
const registrationResponse = Type.Object(
  {
    ...common,
    response: Type.Object(
      {
        clientDataJSON: base64url(4_096),
        attestationObject: base64url(12_000),
        transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 16 })),
      },
      open,
    ),
  },
  { ...open, title: 'RegistrationResponseJSON', description: 'The result of `navigator.credentials.create`, from its `toJSON()`' },
);
export type RegistrationResponse = Static<typeof registrationResponse>;
export const assertionResponse = Type.Object(
  {
    ...common,
    response: Type.Object(
      {
        clientDataJSON: base64url(4_096),
        authenticatorData: base64url(4_096),
        signature: base64url(4_096),
        userHandle: Type.Optional(base64url(128)),
      },
      open,
    ),
  },
  { ...open, title: 'AuthenticationResponseJSON', description: 'The result of `navigator.credentials.get`, from its `toJSON()`' },
);
export type AssertionResponse = Static<typeof assertionResponse>;

export const registerPasskeyBody = Type.Object({ ...passkeyName.properties, response: registrationResponse });
export const passkeyLoginBody = Type.Object({ response: assertionResponse, teamId });
export const challengeBody = Type.Object({ challengeId: Type.String({ maxLength: 200 }) });
export const verifyPasskeyBody = Type.Object({ challengeId: Type.String({ maxLength: 200 }), response: assertionResponse, teamId });
