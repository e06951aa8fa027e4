import type { SelectType } from 'kysely';
import type { DB } from './tables.ts';

/** A row of a table as a statement returns it: all columns, or only the named ones. A JSON column is any JSON: its domain narrows it. */
export type Row<Table extends keyof DB, Column extends keyof DB[Table] = keyof DB[Table]> = {
  [Name in Column]: SelectType<DB[Table][Name]>;
};

/** A row of a table except the named columns. */
export type RowWithout<Table extends keyof DB, Column extends keyof DB[Table]> = Row<Table, Exclude<keyof DB[Table], Column>>;
