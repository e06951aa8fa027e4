import { type Static, Type } from 'typebox';
import { delimiterNames, exportOptions, importOptions } from '../../../platform/csv/dialect.ts';
import { encodings } from '../../../platform/csv/encoding.ts';
import { listFilters } from '../records/index.ts';
import { time } from '../../../platform/schema-parts.ts';

const reading = {
  ...importOptions,
  unknownColumns: Type.Optional(
    Type.Enum(['refused', 'ignored'], { description: 'The handling of columns without a field; `refused` by default' }),
  ),
};
export const previewQuery = Type.Object(reading);
export type PreviewQuery = Static<typeof previewQuery>;

export const importQuery = Type.Object({
  mode: Type.Optional(
    Type.Enum(['all', 'good'], { description: '`all`, the default, imports nothing if a row has an error. `good` imports the other rows' }),
  ),
  ...reading,
});
export type ImportQuery = Static<typeof importQuery>;

const importErrors = (description: string) =>
  Type.Array(
    Type.Object(
      {
        row: Type.Integer({ description: 'The row number in a spreadsheet; the first row has the column names' }),
        field: Type.Optional(Type.String({ description: 'The field of the value' })),
        reason: Type.String({ description: 'The cause, for people' }),
        rule: Type.String({ description: 'The broken rule' }),
      },
      { title: 'RegistryImportError' },
    ),
    { description },
  );

const readAs = Type.Object(
  {
    encoding: Type.Enum([...encodings], { description: 'Encoding of the file' }),
    delimiter: Type.Enum([...delimiterNames], { description: 'Separator of its cells' }),
  },
  { title: 'RegistryImportFormat', description: 'The format of the file: from the request, or detected' },
);

export const importPreview = Type.Object(
  {
    readAs,
    columns: Type.Array(
      Type.Object({
        name: Type.String({ description: 'The name in the first row, up to 64 characters' }),
        fieldId: Type.Optional(Type.String({ description: 'The field of the column; an import skips a column without one' })),
      }),
      { description: 'The columns in the order of the file' },
    ),
    rows: Type.Integer({ description: 'The number of rows, without the first and empty ones' }),
    errorCount: Type.Integer({ description: 'The number of rows with errors' }),
    first: Type.Array(
      Type.Object({
        row: Type.Integer({ description: 'The row number in a spreadsheet' }),
        data: Type.Record(Type.String(), Type.Unknown(), { description: 'Values as the import reads them, by field' }),
        errors: importErrors('The errors of the row'),
      }),
      { description: 'The first 20 rows' },
    ),
    errors: importErrors('The first 1 000 errors, with their rows'),
  },
  { title: 'RegistryImportPreview' },
);
export type ImportPreview = Static<typeof importPreview>;

export const registryImport = Type.Object(
  {
    id: Type.String(),
    registryId: Type.String({ description: 'The registry of the import' }),
    status: Type.Enum(['waiting', 'done', 'refused', 'failed'], {
      description:
        '`waiting` before the import in the background; `done`; `refused` if rows have errors and nothing was imported; `failed` with the reason in `code` and `detail`',
    }),
    mode: Type.Enum(['all', 'good'], { description: '`all` or nothing, or the `good` rows' }),
    rows: Type.Integer({ description: 'The number of rows, without the first' }),
    imported: Type.Integer({ description: 'The number of created records' }),
    errorCount: Type.Integer({ description: 'The number of rows with errors' }),
    errors: importErrors('The first 1 000 errors, with their rows'),
    readAs: Type.Optional(readAs),
    code: Type.Optional(Type.String({ description: 'The problem code of the failure' })),
    detail: Type.Optional(Type.String({ description: 'The reason of the failure, for people' })),
    createdBy: Type.String(),
    createdByType: Type.String({ description: 'user, client or agent' }),
    createdAt: time,
    endedAt: Type.Optional(Type.String({ format: 'date-time', description: 'The time of the import' })),
  },
  { title: 'RegistryImport' },
);
export type RegistryImport = Static<typeof registryImport>;

export const exportQuery = Type.Object({
  format: Type.Optional(Type.Enum(['csv', 'json'], { description: '`csv` by default' })),
  ...exportOptions,
  ...listFilters,
});

export const importParams = Type.Object({ typeId: Type.String(), id: Type.String() });
