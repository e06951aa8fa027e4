import { type Static, Type } from 'typebox';
import { requestBody } from '#signatures';
import { importOptions } from '../../platform/csv/dialect.ts';
import { actorTypes } from '../../platform/scope.ts';
import { time } from '../../platform/schema-parts.ts';

const named = (description: string) => Type.Optional(Type.String({ maxLength: 64, description }));
const { message, expiresAt, requireCode, allowDelegation, consentAddition, locale, signers } = requestBody.properties;
const { fields, signsAs } = signers.items.properties;
/** Each document of a batch has one template. */
const [signerName] = signsAs.anyOf;

/** Limits: characters of a file and of a row, rows, columns, bytes of `data` times the number of rows, and running batches of a team. */
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
    templateId: named('The template of the documents, filled with the values of each row'),
    documentId: named('The document to copy for each signer'),
    folderId: named('The folder of the new documents. Default: no folder'),
    data: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Values for all rows; values of a row override them' })),
    fields: Type.Optional(Type.Array(fields.items, { maxItems: 500, description: 'The fields that each signer fills in' })),
    signsAs: Type.Optional(signerName),
    message,
    expiresAt,
    requireCode,
    allowDelegation,
    consentAddition,
    locale,
    csv: Type.String({
      maxLength: most.characters,
      description:
        'The rows as CSV. In multipart/form-data, send them as part `file` and the other members as JSON in part `request`; `encoding` applies to the file',
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
    sourceVersion: Type.Integer({ description: 'Version of the template or the document' }),
    rows: Type.Integer({ description: 'Number of rows' }),
    waiting: Type.Integer({ description: 'Number of waiting rows' }),
    done: Type.Integer({ description: 'Number of requested rows' }),
    failed: Type.Integer({ description: 'Number of failed rows' }),
    createdBy: Type.String(),
    createdByType: Type.String({ enum: [...actorTypes] }),
    createdAt: time,
    endedAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'Time at which all rows were finished or the batch was cancelled' }),
    ),
  },
  { title: 'SignatureBatch' },
);
export type Batch = Static<typeof batch>;

export const batchRow = Type.Object(
  {
    number: Type.Integer({ description: 'Row number, starting at 1 after the header' }),
    email: Type.String(),
    name: Type.String(),
    status: Type.Enum(['waiting', 'done', 'failed', 'cancelled']),
    documentId: Type.Optional(Type.String()),
    requestId: Type.Optional(Type.String({ description: 'The signature request' })),
    code: Type.Optional(Type.String({ description: 'Problem code of the failure' })),
    detail: Type.Optional(Type.String({ description: 'Description of the failure' })),
  },
  { title: 'SignatureBatchRow' },
);
export type BatchRow = Static<typeof batchRow>;
