import { type Static, Type } from 'typebox';
import { delimiterNames, exportOptions, importOptions } from '../../../platform/csv/dialect.ts';
import { encodings } from '../../../platform/csv/encoding.ts';
import { listFilters } from '../records/index.ts';
import { time } from '../../../platform/schema-parts.ts';

const reading = {
  ...importOptions,
  unknownColumns: Type.Optional(
    Type.Enum(['refused', 'ignored'], { description: 'What becomes of columns that name no field; `refused` without it' }),
  ),
};
export const previewQuery = Type.Object(reading);
export type PreviewQuery = Static<typeof previewQuery>;

export const importQuery = Type.Object({
  mode: Type.Optional(
    Type.Enum(['all', 'good'], { description: '`all`, without it: where one row is bad, none is imported. `good`: the others are' }),
  ),
  ...reading,
});
export type ImportQuery = Static<typeof importQuery>;

const importErrors = (description: string) =>
  Type.Array(
    Type.Object(
      {
        row: Type.Integer({ description: 'Its number in a spreadsheet: the first row names the columns' }),
        field: Type.Optional(Type.String({ description: 'The field whose value it is about' })),
        reason: Type.String({ description: 'The cause, for people' }),
        rule: Type.String({ description: 'Which rule it breaks' }),
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
        name: Type.String({ description: 'As the first row names it, up to 64 characters' }),
        fieldId: Type.Optional(Type.String({ description: 'The field that it fills; an import skips a column without it' })),
      }),
      { description: 'The columns in the order of the file' },
    ),
    rows: Type.Integer({ description: 'Rows without the first, and without empty ones' }),
    errorCount: Type.Integer({ description: 'Rows with errors' }),
    first: Type.Array(
      Type.Object({
        row: Type.Integer({ description: 'Its number in a spreadsheet' }),
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
    registryId: Type.String({ description: 'The registry that it is into' }),
    status: Type.Enum(['waiting', 'done', 'refused', 'failed'], {
      description:
        '`waiting` before the import in the background; `done`; `refused` if rows have errors and nothing was imported; `failed` with the reason in `code` and `detail`',
    }),
    mode: Type.Enum(['all', 'good'], { description: 'Whether all rows are imported or none, or those that are good' }),
    rows: Type.Integer({ description: 'How many there are, without the first' }),
    imported: Type.Integer({ description: 'How many were made records' }),
    errorCount: Type.Integer({ description: 'With how many something is wrong' }),
    errors: importErrors('The first 1 000 errors, with their rows'),
    readAs: Type.Optional(readAs),
    code: Type.Optional(Type.String({ description: 'Why it failed' })),
    detail: Type.Optional(Type.String({ description: 'Why it failed, for people' })),
    createdBy: Type.String(),
    createdByType: Type.String({ description: 'user, client or agent' }),
    createdAt: time,
    endedAt: Type.Optional(Type.String({ format: 'date-time', description: 'When it was carried out' })),
  },
  { title: 'RegistryImport' },
);
export type RegistryImport = Static<typeof registryImport>;

export const exportQuery = Type.Object({
  format: Type.Optional(Type.Enum(['csv', 'json'], { description: '`csv` without it' })),
  ...exportOptions,
  ...listFilters,
});

export const importParams = Type.Object({ typeId: Type.String(), id: Type.String() });
