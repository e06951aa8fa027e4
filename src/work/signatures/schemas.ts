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
    { description: 'Reason if the status is not `valid`' },
  ),
);

const signature = Type.Object(
  {
    status,
    reason,
    kind: Type.Enum(['signature', 'timestamp'], { description: '`timestamp`: a timestamp authority confirms the time; no person signed' }),
    covers: Type.Enum(['whole', 'part'], { description: '`part`: the file has content after the signed range' }),
    name: Type.Optional(Type.String({ description: 'Holder of the certificate, as named by its issuer' })),
    issuer: Type.Optional(Type.String({ description: 'Issuer of the certificate' })),
    signedAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Time from a timestamp authority if the signature has a timestamp; otherwise the unconfirmed claim of the signer',
      }),
    ),
  },
  { title: 'FileSignature', additionalProperties: false },
);

export const sealedRequest = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Request ID on the certificate page' }),
    title: Type.String(),
    team: Type.String({ description: 'Team of the requester' }),
    sealedAt: Type.String({ format: 'date-time', description: 'Time when the service sealed the file' }),
    signers: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'Name in the request' }),
          typedName: Type.Optional(Type.String({ description: 'Name that the signer typed, if different' })),
          role: Type.Enum(['signer', 'approver']),
          signedAt: Type.String({ format: 'date-time', description: 'Time of signing, from the clock of the service' }),
          known: Type.Enum(['link', 'code', 'account'], {
            description:
              'How the service identified the signer: by the emailed link, by the link and an emailed code, or by a sign-in to their account',
          }),
        },
        { title: 'SealedFileSigner', additionalProperties: false },
      ),
      { description: 'Signers, in the order of the request' },
    ),
  },
  {
    title: 'SealedFileRequest',
    additionalProperties: false,
    description: 'The signature request behind the file. Present only if this service sealed the file and every byte is the same',
  },
);

export const verdict = Type.Object(
  {
    status,
    reason,
    request: Type.Optional(sealedRequest),
    signatures: Type.Array(signature, { description: 'Signatures of the file, in the order of their signed ranges' }),
    added: Type.Optional(
      Type.Object(
        {
          bytes: Type.Integer({ description: 'Number of added bytes' }),
          objects: Type.Integer({ description: 'Number of added PDF objects, without objects in object streams' }),
          types: Type.Array(Type.String(), { description: 'Declared types of the added objects, such as Page or Annot' }),
        },
        { title: 'AddedToFile', additionalProperties: false, description: 'Content after the last signed range' },
      ),
    ),
  },
  { title: 'SignatureVerdict', additionalProperties: false },
);
