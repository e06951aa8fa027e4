import { resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../config.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { type Operator, UsageError } from './operator.ts';
import { describeBackup, findErrors, hold, load, release } from './tools/backup.ts';

export const usage = `Usage: chancery restore FOLDER [--check]
       chancery restore --hold
       chancery restore --release

Restores a backup into an empty database and an empty file storage. Set MASTER_KEY to the key of the backup.

  --check     changes nothing. Reads the whole backup: hashes, files of rows, master key and journal. Needs no database
  --hold      holds back background work, for a database that another program restored. Run it before you start the service
  --release   starts background work after a restore. Until then the service sends no emails and webhooks, and runs no jobs
`;

/** Checks or restores a backup, or releases background work after a restore. Exits with 1 if the backup has an error. */
export async function run(args: string[], { env, stdout, stderr }: Operator = process): Promise<number> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      check: { type: 'boolean', default: false },
      hold: { type: 'boolean', default: false },
      release: { type: 'boolean', default: false },
    },
  });
  const [folder] = positionals;
  if (positionals.length > 1 || [folder !== undefined, values.hold, values.release].filter(Boolean).length !== 1)
    throw new UsageError('Specify the folder of a backup, --hold or --release.');
  if (values.check && folder === undefined) throw new UsageError('--check needs the folder of a backup.');
  const config = readConfig(env);
  const log = createLogger('warn');
  if (values.hold) {
    await hold(config, log);
    stdout.write('Background work waits for `chancery restore --release`.\n');
    return 0;
  }
  if (folder === undefined) {
    const waited = await release(config, log);
    stdout.write(waited ? 'Background work starts within 5 seconds.\n' : 'Background work did not wait for a release.\n');
    return 0;
  }
  const backup = { folder: resolve(folder), manifest: await describeBackup(resolve(folder)) };
  const { version, createdAt, database, files } = backup.manifest;
  if ((await report(config, { ...backup, withKnown: values.check }, stderr)) > 0) return 1;
  stdout.write(`✓ The backup of ${createdAt} by version ${version} is intact: ${database.length} tables, ${files.count} files.\n`);
  if (values.check) return 0;
  for (const key of files.missing) stderr.write(`! the backup does not have the file ${key}\n`);
  await load(config, log, backup);
  stdout.write(
    'Restored. Start the service and check it. Then run `chancery restore --release`: until then no emails, webhooks and jobs run.\n',
  );
  return 0;
}

/** Prints the errors of a backup. Returns their number. */
async function report(config: Config, backup: Parameters<typeof findErrors>[1], stderr: Operator['stderr']): Promise<number> {
  let errors = 0;
  for await (const error of findErrors(config, backup)) {
    errors += 1;
    stderr.write(`✗ ${error}\n`);
  }
  return errors;
}
