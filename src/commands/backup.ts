import { resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { type Operator, UsageError } from './operator.ts';
import { backUp } from './tools/backup.ts';

export const usage = `Usage: chancery backup FOLDER

Writes a backup of the database and the stored files into FOLDER. The service continues to run. If FOLDER has an earlier backup, the command copies only
new files, and replaces the earlier backup when the new one is complete. The backup has no master key: keep a copy of it in another place.
`;

/** Writes a backup. Exits with 1 if the storage lacks a file. */
export async function run(args: string[], { env, stdout, stderr }: Operator = process): Promise<number> {
  const { positionals } = parseArgs({ args, allowPositionals: true, options: {} });
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1) throw new UsageError('Specify one folder for the backup.');
  const config = readConfig(env);
  const { manifest, copied, removed } = await backUp(config, createLogger('warn'), resolve(folder));
  const { database, files, masterKeys, createdAt } = manifest;
  const rows = database.reduce((sum, part) => sum + part.rows, 0);
  stdout.write(
    `Backup of ${createdAt}: ${database.length} tables with ${rows} rows; ${files.count} files, ${copied} of them new; ${removed} old files removed.\n` +
      `To restore it you need the master key ${masterKeys.join(' and ')}.\n`,
  );
  for (const key of files.missing) stderr.write(`✗ the storage does not have the file ${key}\n`);
  return files.missing.length === 0 ? 0 : 1;
}
