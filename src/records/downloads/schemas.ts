import { Type } from 'typebox';
import { closed, time } from '../../platform/schema-parts.ts';

export const downloadBody = Type.Object(
  {
    path: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: 'The path of an operation that sends a file, with its query: a document, an export, an evidence pack or a PDF',
    }),
    body: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The body, if the operation is a POST, such as the ZIP archive of documents; at most 64 KiB',
      }),
    ),
  },
  { ...closed, title: 'DownloadRequest' },
);

export const download = Type.Object(
  { url: Type.String({ format: 'uri', description: 'The address. Shown once' }), expiresAt: time },
  { ...closed, title: 'Download' },
);
