import { type Static, Type } from 'typebox';
import { fieldKinds } from './field-kinds.ts';
import { states } from './states.ts';
import { time } from '../../../platform/schema-parts.ts';

const sha256 = (description: string) => Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$', description }));

export const tokenParams = Type.Object({
  token: Type.String({ maxLength: 200, description: 'The part after `/sign/` in the emailed link' }),
});

const field = Type.Object(
  {
    id: Type.String(),
    document: Type.Integer({ description: 'Position of the document in `documents`, starting at 0' }),
    kind: Type.Enum([...fieldKinds]),
    page: Type.Integer(),
    x: Type.Number(),
    y: Type.Number(),
    width: Type.Number(),
    height: Type.Number(),
    label: Type.Optional(Type.String()),
    required: Type.Boolean(),
    own: Type.Boolean({ description: 'Whether the current signer fills the field' }),
    maxLength: Type.Optional(Type.Integer({ description: 'Maximum number of characters, which depends on the field size, up to 1 000' })),
    value: Type.Optional(Type.Union([Type.String(), Type.Boolean()], { description: 'Value entered by a signer who has signed' })),
    drawing: Type.Optional(Type.String({ description: 'Drawn signature of a signer who has signed, as a data URL' })),
  },
  { title: 'SigningField', additionalProperties: false },
);

const status = Type.Enum([...states]);

/** The content of a link before the visitor is identified. */
export const locked = Type.Object(
  {
    status,
    codeRequired: Type.Optional(Type.Literal(true, { description: 'An emailed code is required to see the rest' })),
    signInRequired: Type.Optional(
      Type.Literal(true, { description: 'A sign-in with the account of the signer is required to see the rest' }),
    ),
    maskedEmail: Type.String(),
  },
  { title: 'LockedSigning', additionalProperties: false },
);
export type Locked = Static<typeof locked>;

const document = {
  title: Type.String(),
  pages: Type.Integer(),
  sha256: Type.String({ description: 'SHA-256 of the file to sign, in hexadecimal' }),
  pageSizes: Type.Array(Type.Object({ width: Type.Number(), height: Type.Number() }, { additionalProperties: false })),
};

export const signing = Type.Object(
  {
    status,
    document: Type.Object(document, { additionalProperties: false }),
    documents: Type.Array(
      Type.Object(
        { ...document, signs: Type.Boolean({ description: 'Whether the current signer signs it, or only reads it' }) },
        { title: 'SigningDocument', additionalProperties: false },
      ),
      { description: 'All documents that the current signer sees; the first is also in `document`' },
    ),
    signer: Type.Object(
      {
        name: Type.String(),
        email: Type.String(),
        order: Type.Integer(),
        role: Type.String(),
        status: Type.String(),
        signedAt: Type.Optional(time),
      },
      { additionalProperties: false },
    ),
    signers: Type.Array(
      Type.Object(
        { name: Type.String(), order: Type.Integer(), role: Type.String(), status: Type.String() },
        { additionalProperties: false },
      ),
      { description: 'All signers, without addresses' },
    ),
    consentText: Type.String(),
    consentId: Type.String(),
    locale: Type.String(),
    fields: Type.Array(field),
    message: Type.Optional(Type.String()),
    allowDelegation: Type.Boolean({ description: 'Whether the current signer may delegate' }),
    expiresAt: time,
    stateSha256: Type.String({ description: 'SHA-256 of the current state of the signatures; send it with `sign`' }),
    sealed: Type.Boolean({ description: 'Whether the sealed file is available' }),
  },
  { title: 'Signing', additionalProperties: false },
);
export type Signing = Static<typeof signing>;
export const view = Type.Union([signing, locked]);

export const fileQuery = Type.Object({
  document: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 19, description: 'Position of the document in `documents`, starting at 0. Default: 0' }),
  ),
});

export const codeBody = Type.Object({ code: Type.String({ pattern: '^[0-9]{6}$' }) }, { additionalProperties: false });
export const done = Type.Object({ success: Type.Literal(true), status }, { title: 'SigningDone', additionalProperties: false });
export type Done = Static<typeof done>;
export const codeSent = Type.Object(
  { success: Type.Literal(true), maskedEmail: Type.String(), expiresInSeconds: Type.Integer() },
  { title: 'SigningCodeSent', additionalProperties: false },
);

export const signBody = Type.Object(
  {
    consent: Type.Boolean({ description: 'Whether the signer agrees to `consentText`; must be true' }),
    name: Type.String({ minLength: 1, maxLength: 255, description: 'Name that the signer typed' }),
    signature: Type.Optional(
      Type.Object(
        {
          kind: Type.Enum(['typed', 'drawn']),
          data: Type.Optional(
            Type.String({
              maxLength: 280_000,
              description:
                '`drawn`: a PNG as base64 or a data URL, at most 1000 × 400 pixels and 200 KB. `typed`: the text of the signature',
            }),
          ),
        },
        { additionalProperties: false, description: 'Appearance of the signature. Default: the typed name' },
      ),
    ),
    fields: Type.Optional(
      Type.Record(Type.String({ maxLength: 64 }), Type.Union([Type.String({ maxLength: 2_000 }), Type.Boolean()]), {
        description: 'Values of the signer’s own fields, by field ID',
        maxProperties: 500,
      }),
    ),
    consentId: Type.Optional(Type.String({ maxLength: 64, description: 'ID of the consent text that the signer saw' })),
    locale: Type.Optional(Type.String({ maxLength: 35, description: 'Language of the consent text that the signer saw' })),
    documentSha256: sha256('SHA-256 of the first file that the signer saw. For a different file the response is 409'),
    documentsSha256: Type.Optional(
      Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' }), {
        minItems: 1,
        maxItems: 20,
        description: 'SHA-256 of each file that the signer saw, in the order of `documents`. For a different file the response is 409',
      }),
    ),
    stateSha256: sha256('`stateSha256` from the request. If another signer signed since then, the response is 409'),
  },
  { additionalProperties: false },
);
export type Sign = Static<typeof signBody>;

export const declineBody = Type.Object({ reason: Type.Optional(Type.String({ maxLength: 2_000 })) }, { additionalProperties: false });
export const delegateBody = Type.Object(
  { email: Type.String({ maxLength: 254 }), name: Type.String({ maxLength: 255 }) },
  { additionalProperties: false },
);
