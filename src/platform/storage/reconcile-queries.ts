import { sqlStatement } from '../database/statement.ts';
import type { OwnedTable, TableFile } from '../tables.ts';

export type FileRow = { team_id: string; row: string; storage_key: string };

const shown = ({ of }: TableFile) => `concat_ws(', ', ${of.map((column) => `'${column} ' || ${column}`).join(', ')})`;

/** What is asked of a table whose rows refer to files, by the keys of those. */
function fileStatements(table: string, file: TableFile) {
  const columns = `team_id, ${shown(file)} AS row, ${file.key} AS storage_key`;
  return {
    table,
    /** Of these files, those that a row refers to, of whatever team. */
    kept: sqlStatement<{ keys: readonly string[] }, { storage_key: string }>(
      `SELECT ${file.key} AS storage_key FROM ${table} WHERE ${file.key} = ANY ($keys)`,
    ),
    /** Rows with a file, in the order of the files' keys. */
    after: sqlStatement<{ after: string; limit: number }, FileRow>(
      `SELECT ${columns} FROM ${table} WHERE ${file.key} > $after ORDER BY ${file.key} LIMIT $limit`,
    ),
  };
}

export type FileTable = ReturnType<typeof fileStatements>;

/** The tables whose rows refer to files, as their owners declare them. */
export const tablesWithFiles = (tables: readonly OwnedTable[]): readonly FileTable[] =>
  tables.flatMap(({ name, table: { file } }) => (file ? [fileStatements(name, file)] : []));
