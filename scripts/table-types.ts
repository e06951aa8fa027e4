import { execFileSync } from 'node:child_process';
import pg from 'pg';
import { type CheckedColumn, readCheckedColumns } from './checked-values.ts';

async function checkedColumns(url: string): Promise<CheckedColumn[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await readCheckedColumns(client);
  } finally {
    await client.end();
  }
}

/** Narrows `string` to the allowed values of each checked column. The overrides of the generator would need TypeScript 5. */
function narrowed(text: string, columns: readonly CheckedColumn[]): string {
  const values = new Map(columns.map(({ name, values: listed }) => [name, listed.map((value) => `'${value}'`).join(' | ')]));
  const tables = new Map([...text.matchAll(/^  (\w+): (\w+);$/gm)].map(([, table, name]) => [name, table]));
  return text.replaceAll(/^export interface (\w+) \{$[^}]*/gm, (block, name: string) =>
    block.replaceAll(/^  (\w+): (.*)$/gm, (line, column: string, type: string) => {
      const union = values.get(`${tables.get(name)}.${column}`);
      return union === undefined ? line : `  ${column}: ${type.replace('string', union)}`;
    }),
  );
}

/** Runs the generator against a database and returns the text of the file. */
export async function tableTypes(url: string): Promise<string> {
  const printed = execFileSync(
    process.execPath,
    [
      'node_modules/kysely-codegen/dist/cli/bin.js',
      '--dialect=postgres',
      '--default-schema=public',
      '--include-pattern=public.*',
      '--print',
      `--url=${url}`,
      '--numeric-parser=number',
      '--type-mapping={"timestamptz":"Timestamp","int8":"number","date":"string","inet":"string"}',
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  );
  // Rows have timestamps as ISO strings (pool.ts). Parameters can also be dates.
  const timestamp = 'export type Timestamp = ColumnType<string, Date | string, Date | string>;';
  const text = `${printed.slice(printed.indexOf('/**')).replaceAll('"', "'").trim()}\n\n${timestamp}\n`;
  return narrowed(text, await checkedColumns(url));
}
