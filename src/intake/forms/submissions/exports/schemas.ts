import { type Static, Type } from 'typebox';
import { exportOptions } from '../../../../platform/csv/dialect.ts';
import { submissionFilters } from '../schemas.ts';

export const exportParams = Type.Object({ id: Type.String(), exportId: Type.String() });

export const exportBody = Type.Object({
  format: Type.Enum(['csv', 'json'], {
    description:
      '`csv` has a column for each field of any version, in the format of the other options. An apostrophe goes before texts that a spreadsheet would run. `json` is an array of submissions as lists show them',
  }),
  ...exportOptions,
  ...submissionFilters,
});
const dialect = Type.Object(exportOptions);
/** The format of a CSV file. */
export type Dialect = Static<typeof dialect>;
export type ExportBody = Static<typeof exportBody>;

export const submissionExport = Type.Object(
  {
    id: Type.String(),
    interfaceId: Type.String({ description: 'The interface of the submissions' }),
    format: Type.Enum(['csv', 'json'], { description: 'The format of the file' }),
    ...exportOptions,
    filters: Type.Object(submissionFilters, { description: 'The filters of the request' }),
    status: Type.Enum(['waiting', 'done', 'failed'], { description: '`waiting` until the file is written' }),
    submissions: Type.Optional(Type.Integer({ description: 'The number of submissions in the file' })),
    size: Type.Optional(Type.Integer({ description: 'The size of the file, in bytes' })),
    sha256: Type.Optional(Type.String({ description: 'SHA-256 of the file, in hexadecimal' })),
    code: Type.Optional(Type.String({ description: 'The problem code of the failure' })),
    detail: Type.Optional(Type.String({ description: 'The reason of the failure, for people' })),
    createdBy: Type.String(),
    createdByType: Type.String({ description: 'user, client or agent' }),
    createdAt: Type.String({ format: 'date-time' }),
    endedAt: Type.Optional(Type.String({ format: 'date-time', description: 'The time of the end; the file expires a day later' })),
  },
  { title: 'SubmissionExport' },
);
