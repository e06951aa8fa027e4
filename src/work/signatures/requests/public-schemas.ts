import { type Static, Type } from 'typebox';
import { fieldKinds } from './field-kinds.ts';
import { states } from './states.ts';
import { time } from '../../../platform/schema-parts.ts';

const sha256 = (description: string) => Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$', description }));

export const tokenParams = Type.Object({
  token: Type.String({ maxLength: 200, description: 'What stands behind `/sign/` in the link of the mail' }),
});

const field = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum([...fieldKinds]),
    page: Type.Integer(),
    x: Type.Number(),
    y: Type.Number(),
    width: Type.Number(),
    height: Type.Number(),
    label: Type.Optional(Type.String()),
    required: Type.Boolean(),
    own: Type.Boolean({ description: 'Whether the reader fills it' }),
    maxLength: Type.Optional(
      Type.Integer({ description: 'Characters that the reader may put there: as many as its size has room for, 1 000 at most' }),
    ),
    value: Type.Optional(Type.Union([Type.String(), Type.Boolean()], { description: 'What somebody who has signed put there' })),
    drawing: Type.Optional(Type.String({ description: 'A drawn signature of somebody who has signed, as a data URL' })),
  },
  { title: 'SigningField', additionalProperties: false },
);

const status = Type.Enum([...states]);

/** What somebody is told before they are known. */
export const locked = Type.Object(
  {
    status,
    codeRequired: Type.Optional(Type.Literal(true, { description: 'A code by mail opens the rest' })),
    signInRequired: Type.Optional(Type.Literal(true, { description: 'Signed in as the member who is asked one sees the rest' })),
    maskedEmail: Type.String(),
  },
  { title: 'LockedSigning', additionalProperties: false },
);
export type Locked = Static<typeof locked>;

export const signing = Type.Object(
  {
    status,
    document: Type.Object(
      {
        title: Type.String(),
        pages: Type.Integer(),
        sha256: Type.String({ description: 'Of the file that is signed, in hexadecimal' }),
        pageSizes: Type.Array(Type.Object({ width: Type.Number(), height: Type.Number() }, { additionalProperties: false })),
      },
      { additionalProperties: false },
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
      { description: 'All who are asked, without addresses' },
    ),
    consentText: Type.String(),
    consentId: Type.String(),
    locale: Type.String(),
    fields: Type.Array(field),
    message: Type.Optional(Type.String()),
    allowDelegation: Type.Boolean({ description: 'Whether the reader may have another person sign' }),
    expiresAt: time,
    stateSha256: Type.String({ description: 'Of what was signed so far, for `sign`' }),
    sealed: Type.Boolean({ description: 'Whether the sealed file can be fetched' }),
  },
  { title: 'Signing', additionalProperties: false },
);
export type Signing = Static<typeof signing>;
export const view = Type.Union([signing, locked]);

export const codeBody = Type.Object({ code: Type.String({ pattern: '^[0-9]{6}$' }) }, { additionalProperties: false });
export const done = Type.Object({ success: Type.Literal(true), status }, { title: 'SigningDone', additionalProperties: false });
export type Done = Static<typeof done>;
export const codeSent = Type.Object(
  { success: Type.Literal(true), maskedEmail: Type.String(), expiresInSeconds: Type.Integer() },
  { title: 'SigningCodeSent', additionalProperties: false },
);

export const signBody = Type.Object(
  {
    consent: Type.Boolean({ description: 'Whether they agree to `consentText`' }),
    name: Type.String({ minLength: 1, maxLength: 255, description: 'As who signs types it' }),
    signature: Type.Optional(
      Type.Object(
        {
          kind: Type.Enum(['typed', 'drawn']),
          data: Type.Optional(
            Type.String({
              maxLength: 280_000,
              description: 'Drawn: a PNG as base64 or a data URL, 1000 × 400 pixels and 200 KB at most. Typed: the name as it is drawn',
            }),
          ),
        },
        { additionalProperties: false, description: 'How it looks: without it the name as it was typed' },
      ),
    ),
    fields: Type.Optional(
      Type.Record(Type.String({ maxLength: 64 }), Type.Union([Type.String({ maxLength: 2_000 }), Type.Boolean()]), {
        description: 'Values of one’s own fields, by their ids',
        maxProperties: 500,
      }),
    ),
    consentId: Type.Optional(Type.String({ maxLength: 64, description: 'Of the text that was shown' })),
    locale: Type.Optional(Type.String({ maxLength: 35, description: 'Of the text that was shown' })),
    documentSha256: sha256('Of the file that was shown: with another the answer is 409'),
    stateSha256: sha256('As it was read: when somebody has signed since, the answer is 409'),
  },
  { additionalProperties: false },
);
export type Sign = Static<typeof signBody>;

export const declineBody = Type.Object({ reason: Type.Optional(Type.String({ maxLength: 2_000 })) }, { additionalProperties: false });
export const delegateBody = Type.Object(
  { email: Type.String({ maxLength: 254 }), name: Type.String({ maxLength: 255 }) },
  { additionalProperties: false },
);
