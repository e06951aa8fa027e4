import { sqlStatement } from '../database/statement.ts';
import type { OwnedTable, TableFile } from '../tables.ts';

export type FileRow = { team_id: string; row: string; storage_key: string };

const shown = ({ of }: TableFile) => `concat_ws(', ', ${of.map((column) => `'${column} ' || ${column}`).join(', ')})`;

/** Returns the statements for a table whose rows refer to files. */
function fileStatements(table: string, file: TableFile) {
  const columns = `team_id, ${shown(file)} AS row, ${file.key} AS storage_key`;
  return {
    table,
    /** Returns which of these files have a row, of any team. */
    kept: sqlStatement<{ keys: readonly string[] }, { storage_key: string }>(
      `SELECT ${file.key} AS storage_key FROM ${table} WHERE ${file.key} = ANY ($keys)`,
    ),
    /** Returns rows with a file, in the order of the file keys. */
    after: sqlStatement<{ after: string; limit: number }, FileRow>(
      `SELECT ${columns} FROM ${table} WHERE ${file.key} > $after ORDER BY ${file.key} LIMIT $limit`,
    ),
  };
}

export type FileTable = ReturnType<typeof fileStatements>;

/** Returns the tables that declare files. */
export const tablesWithFiles = (tables: readonly OwnedTable[]): readonly FileTable[] =>
  tables.flatMap(({ name, table: { file } }) => (file ? [fileStatements(name, file)] : []));
