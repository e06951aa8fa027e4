import { Type } from 'typebox';

const status = Type.Enum(['valid', 'modified', 'unknown', 'invalid']);
const reason = Type.Optional(
  Type.Enum(
    [
      'not_a_pdf',
      'unsigned',
      'too_many_signatures',
      'content_changed',
      'added_after_signing',
      'broken_signature',
      'not_understood',
      'weak_algorithm',
      'expired',
      'revoked',
      'untrusted',
    ],
    { description: 'Why it is not `valid`' },
  ),
);

const signature = Type.Object(
  {
    status,
    reason,
    kind: Type.Enum(['signature', 'timestamp'], { description: '`timestamp`: no person’s, an authority vouches for the time' }),
    covers: Type.Enum(['whole', 'part'], { description: '`part`: something stands behind what was signed' }),
    name: Type.Optional(Type.String({ description: 'Whose certificate it is, as its issuer wrote it' })),
    issuer: Type.Optional(Type.String({ description: 'Who issued the certificate' })),
    signedAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'As a timestamp authority says where the signature has its timestamp; else as the signer says, for which nobody vouches',
      }),
    ),
  },
  { title: 'FileSignature', additionalProperties: false },
);

export const verdict = Type.Object(
  {
    status,
    reason,
    signatures: Type.Array(signature, { description: 'Those that the file holds, in the order of what they cover' }),
    added: Type.Optional(
      Type.Object(
        {
          bytes: Type.Integer({ description: 'How many bytes stand there' }),
          objects: Type.Integer({ description: 'Objects of the PDF that stand there, where they are not packed' }),
          types: Type.Array(Type.String(), { description: 'What kinds of objects these are, as far as they say, such as Page or Annot' }),
        },
        { title: 'AddedToFile', additionalProperties: false, description: 'What stands behind the last thing that was signed' },
      ),
    ),
  },
  { title: 'SignatureVerdict', additionalProperties: false },
);
