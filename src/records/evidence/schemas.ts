import { type Static, Type } from 'typebox';

const named = (description: string) => Type.Optional(Type.String({ maxLength: 64, description }));

const include = Type.Optional(
  Type.Array(Type.Enum(['network']), {
    maxItems: 1,
    description:
      '`network` adds network addresses: to the actions of signers, so that their signatures can be verified, and for owner and administrators to journal entries',
  }),
);

export const packBody = Type.Object({
  documentId: named('The document'),
  workflowId: named('The workflow'),
  signatureRequestId: named('The signature request'),
  include,
});
export type PackBody = Static<typeof packBody>;

export const pack = Type.Object(
  {
    id: Type.String(),
    documentId: named('The document'),
    workflowId: named('The workflow'),
    signatureRequestId: named('The signature request'),
    include: Type.Array(Type.String(), { description: 'The additional content: `network`, or none' }),
    status: Type.Enum(['pending', 'ready', 'failed'], { description: '`pending` until the file is written' }),
    manifestSha256: Type.Optional(Type.String({ description: 'SHA-256 of the list of files, as in the journal, in hexadecimal' })),
    size: Type.Optional(Type.Integer({ description: 'Bytes of the file' })),
    sha256: Type.Optional(Type.String({ description: 'SHA-256 of the file, in hexadecimal' })),
    code: Type.Optional(Type.String({ description: 'The code of the failure' })),
    detail: Type.Optional(Type.String({ description: 'The explanation of the failure' })),
    createdAt: Type.String({ format: 'date-time' }),
    endedAt: Type.Optional(Type.String({ format: 'date-time', description: 'When it was written; it is deleted a day later' })),
  },
  { title: 'EvidencePack' },
);
