import { type Static, Type } from 'typebox';
import { requestBody } from '#signatures';
import { importOptions } from '../../platform/csv/dialect.ts';
import { actorTypes } from '../../platform/scope.ts';
import { time } from '../../platform/schema-parts.ts';

const named = (description: string) => Type.Optional(Type.String({ maxLength: 64, description }));
const { message, expiresAt, requireCode, allowDelegation, consentAddition, locale, signers } = requestBody.properties;
const { fields, signsAs } = signers.items.properties;

/** Characters of a file and of one of its rows at most, rows beside the first, columns, bytes of what `data` says for all rows together, and batches of a team that go on. */
export const most = {
  characters: 2 * 1024 * 1024,
  row: 64 * 1024,
  rows: 1_000,
  columns: 200,
  values: 4 * 1024 * 1024,
  running: 20,
} as const;

export const createBody = Type.Object(
  {
    title: Type.String({ maxLength: 200, description: 'The title of the documents, followed by the name of each signer' }),
    templateId: named('The template that each document is made from, with the values of its row'),
    documentId: named('The document of which each signer gets a copy'),
    folderId: named('Where the documents go; outside of any folder without it'),
    data: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Values for all rows; those of a row come over them' })),
    fields: Type.Optional(
      Type.Array(fields.items, { maxItems: 500, description: 'What each signer fills in, on the pages of their document' }),
    ),
    signsAs,
    message,
    expiresAt,
    requireCode,
    allowDelegation,
    consentAddition,
    locale,
    csv: Type.String({
      maxLength: most.characters,
      description:
        'The rows, as CSV; in multipart/form-data the part `file`, and everything else as JSON in the part `request`. `encoding` applies to that part',
    }),
    ...importOptions,
  },
  { additionalProperties: false },
);
export type CreateBatch = Static<typeof createBody>;

export const batch = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    status: Type.Enum(['running', 'done', 'cancelled']),
    templateId: named('The template of the documents'),
    documentId: named('The document to copy'),
    sourceVersion: Type.Integer({ description: 'Of the template or the document' }),
    rows: Type.Integer({ description: 'How many there are' }),
    waiting: Type.Integer({ description: 'How many are not done with yet' }),
    done: Type.Integer({ description: 'How many were asked' }),
    failed: Type.Integer({ description: 'How many could not be asked' }),
    createdBy: Type.String(),
    createdByType: Type.String({ enum: [...actorTypes] }),
    createdAt: time,
    endedAt: Type.Optional(Type.String({ format: 'date-time', description: 'When nothing was left to do, or it was cancelled' })),
  },
  { title: 'SignatureBatch' },
);
export type Batch = Static<typeof batch>;

export const batchRow = Type.Object(
  {
    number: Type.Integer({ description: 'The row, counted from 1 behind the row of names, as a spreadsheet counts it' }),
    email: Type.String(),
    name: Type.String(),
    status: Type.Enum(['waiting', 'done', 'failed', 'cancelled']),
    documentId: Type.Optional(Type.String()),
    requestId: Type.Optional(Type.String({ description: 'The request for the signature' })),
    code: Type.Optional(Type.String({ description: 'Why it failed, as a code of a problem' })),
    detail: Type.Optional(Type.String({ description: 'The same for people' })),
  },
  { title: 'SignatureBatchRow' },
);
export type BatchRow = Static<typeof batchRow>;
