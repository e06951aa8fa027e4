import type { SelectType } from 'kysely';
import type { DB } from './tables.ts';

/** A table row as a statement returns it: all columns, or only the named ones. JSON columns have any JSON type; the domain narrows it. */
export type Row<Table extends keyof DB, Column extends keyof DB[Table] = keyof DB[Table]> = {
  [Name in Column]: SelectType<DB[Table][Name]>;
};

/** A table row without the named columns. */
export type RowWithout<Table extends keyof DB, Column extends keyof DB[Table]> = Row<Table, Exclude<keyof DB[Table], Column>>;
