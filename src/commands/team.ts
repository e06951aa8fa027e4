import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { isUuid } from '../platform/identifiers.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { type Operator, UsageError } from './operator.ts';
import { exportTeam } from './tools/team.ts';

export const usage = `Usage: chancery team export ID --to FILE.tar

Writes the data of a team into a tar archive: rows as JSON lines, stored files, and the journal with proofs. The archive has no secrets and no hashes of
tokens. The journal of the team records the export.
`;

/** Exports the data of a team. Exits with 1 if the storage lacks a file. */
export async function run(args: string[], { env, stdout, stderr }: Operator = process): Promise<number> {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options: { to: { type: 'string' } } });
  const [action, team] = positionals;
  if (action !== 'export' || team === undefined || positionals.length > 2 || !isUuid(team))
    throw new UsageError('Specify an action and a team: export <id>.');
  if (values.to === undefined) throw new UsageError('Specify the archive: --to <file>.');
  const file = resolve(values.to);
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (exists) throw new UsageError(`${file} exists. Specify a new file.`);
  const { tables, files } = await exportTeam(readConfig(env), createLogger('warn'), { team: team.toLowerCase(), file });
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  stdout.write(`${file}: ${tables.length} tables with ${rows} rows, ${files.count} files.\n`);
  for (const key of files.missing) stderr.write(`✗ the storage does not have the file ${key}\n`);
  return files.missing.length === 0 ? 0 : 1;
}
