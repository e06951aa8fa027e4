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
/** How a CSV file of submissions is written. */
export type Dialect = Static<typeof dialect>;
export type ExportBody = Static<typeof exportBody>;

export const submissionExport = Type.Object(
  {
    id: Type.String(),
    interfaceId: Type.String({ description: 'Whose submissions they are' }),
    format: Type.Enum(['csv', 'json'], { description: 'What the file is written as' }),
    ...exportOptions,
    filters: Type.Object(submissionFilters, { description: 'Which submissions were asked for' }),
    status: Type.Enum(['waiting', 'done', 'failed'], { description: '`waiting` until the file is written' }),
    submissions: Type.Optional(Type.Integer({ description: 'How many are in the file' })),
    size: Type.Optional(Type.Integer({ description: 'Bytes of the file' })),
    sha256: Type.Optional(Type.String({ description: 'Of the file, in hexadecimal' })),
    code: Type.Optional(Type.String({ description: 'Why it failed' })),
    detail: Type.Optional(Type.String({ description: 'Why it failed, for people' })),
    createdBy: Type.String(),
    createdByType: Type.String({ description: 'user, client or agent' }),
    createdAt: Type.String({ format: 'date-time' }),
    endedAt: Type.Optional(Type.String({ format: 'date-time', description: 'When it was written; a day later it is gone' })),
  },
  { title: 'SubmissionExport' },
);
