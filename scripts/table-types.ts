import { execFileSync } from 'node:child_process';

/** Runs the generator against a database and returns the file's text. */
export function tableTypes(url: string): string {
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
  // Rows carry timestamps as ISO strings (pool.ts); a Date is taken as well.
  const timestamp = 'export type Timestamp = ColumnType<string, Date | string, Date | string>;';
  return `${printed.slice(printed.indexOf('/**')).replaceAll('"', "'").trim()}\n\n${timestamp}\n`;
}
