import { type Static, Type } from 'typebox';
import { listFilters } from '../records/index.ts';

const time = Type.String({ format: 'date-time' });

export const importQuery = Type.Object({
  mode: Type.Optional(
    Type.Enum(['all', 'good'], { description: '`all`, without it: where one row is bad, none is imported. `good`: the others are' }),
  ),
  delimiter: Type.Optional(
    Type.Enum(['comma', 'semicolon', 'tab'], { description: 'Between the cells; without it, what the first row has most of' }),
  ),
  decimal: Type.Optional(Type.Enum(['point', 'comma'], { description: 'How numbers are written: `1234.5`, without it, or `1.234,5`' })),
  unknownColumns: Type.Optional(
    Type.Enum(['refused', 'ignored'], { description: 'What becomes of columns that name no field; `refused` without it' }),
  ),
});
export type ImportQuery = Static<typeof importQuery>;

export const registryImport = Type.Object(
  {
    id: Type.String(),
    registryId: Type.String({ description: 'The registry that it is into' }),
    status: Type.Enum(['waiting', 'done', 'refused', 'failed'], {
      description:
        '`waiting` until it is carried out in the background; `done`; `refused`, and nothing imported, since rows are bad; `failed` for the reason that `code` and `detail` say',
    }),
    mode: Type.Enum(['all', 'good'], { description: 'Whether all rows are imported or none, or those that are good' }),
    rows: Type.Integer({ description: 'How many there are, without the first' }),
    imported: Type.Integer({ description: 'How many were made records' }),
    bad: Type.Integer({ description: 'With how many something is wrong' }),
    errors: Type.Array(
      Type.Object(
        {
          row: Type.Integer({ description: 'Its number in a spreadsheet: the first row names the columns' }),
          field: Type.Optional(Type.String({ description: 'The field whose value it is about' })),
          reason: Type.String({ description: 'What is wrong, for people' }),
          rule: Type.String({ description: 'Which rule it breaks' }),
        },
        { title: 'RegistryImportError' },
      ),
      { description: 'What is wrong with which row: the first 1 000' },
    ),
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
  ...listFilters,
});

export const importParams = Type.Object({ typeId: Type.String(), id: Type.String() });
