import { type Static, Type } from 'typebox';

const named = (description: string) => Type.Optional(Type.String({ maxLength: 64, description }));

const include = Type.Optional(
  Type.Array(Type.Enum(['network']), {
    maxItems: 1,
    description:
      '`network`: what signers did is told with the addresses they did it from, so that its signatures can be verified, and for owner and administrators entries of the journal with theirs',
  }),
);

export const packBody = Type.Object({
  documentId: named('The document that it is about'),
  workflowId: named('Or the workflow'),
  signatureRequestId: named('Or the request for signatures'),
  include,
});
export type PackBody = Static<typeof packBody>;

export const pack = Type.Object(
  {
    id: Type.String(),
    documentId: named('What it is about'),
    workflowId: named('What it is about'),
    signatureRequestId: named('What it is about'),
    include: Type.Array(Type.String(), { description: 'What it tells beside: `network`, or nothing' }),
    status: Type.Enum(['pending', 'ready', 'failed'], { description: '`pending` until the file is written' }),
    manifestSha256: Type.Optional(Type.String({ description: 'Of the list of its files, as the journal has it, in hexadecimal' })),
    size: Type.Optional(Type.Integer({ description: 'Bytes of the file' })),
    sha256: Type.Optional(Type.String({ description: 'Of the file, in hexadecimal' })),
    code: Type.Optional(Type.String({ description: 'Why it failed' })),
    detail: Type.Optional(Type.String({ description: 'Why it failed, for people' })),
    createdAt: Type.String({ format: 'date-time' }),
    endedAt: Type.Optional(Type.String({ format: 'date-time', description: 'When it was written; a day later it is gone' })),
  },
  { title: 'EvidencePack' },
);
