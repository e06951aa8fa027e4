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

export const sealedRequest = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'As the certificate page names it' }),
    title: Type.String(),
    team: Type.String({ description: 'The team that asked' }),
    sealedAt: Type.String({ format: 'date-time', description: 'When the service put its seal on the file' }),
    signers: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'As they were asked' }),
          typedName: Type.Optional(Type.String({ description: 'As they wrote it, where that is another' })),
          role: Type.Enum(['signer', 'approver']),
          signedAt: Type.String({ format: 'date-time', description: 'By the clock of the service' }),
          known: Type.Enum(['link', 'code', 'account'], {
            description: 'By the link that was mailed to them, by a code that was mailed to them as well, or signed in with their account',
          }),
        },
        { title: 'SealedFileSigner', additionalProperties: false },
      ),
      { description: 'Who signed, in the order of the request' },
    ),
  },
  {
    title: 'SealedFileRequest',
    additionalProperties: false,
    description: 'What was signed by this file with this service: there only where the file is the sealed one, byte for byte',
  },
);

export const verdict = Type.Object(
  {
    status,
    reason,
    request: Type.Optional(sealedRequest),
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
