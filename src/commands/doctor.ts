import { access, constants, statfs } from 'node:fs/promises';
import { createConnection } from 'node:net';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { type Config, describeSettings, readConfig } from '../config.ts';
import { schemaChecks } from '../platform/database/migrate.ts';
import { migrationFiles } from '../platform/database/migrations.ts';
import { connectForChecks } from '../platform/database/start-checks.ts';
import type { WatchedClient } from '../platform/database/watched-client.ts';
import { createSmtpTransport } from '../platform/mail/transport.ts';
import { fileSetting } from '../platform/settings.ts';
import { missingFonts } from '../platform/typesetting/fonts.ts';
import { makeFolder } from '../platform/storage/make-folder.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { openConnection, type OpenedConnection, reached, startChecks } from '../open-database.ts';
import { reasonOf } from '../platform/errors.ts';
import { storageError } from '../open-storage.ts';
import { reportDefinitions } from './tools/definitions.ts';
import { reportFiles } from './tools/files.ts';
import type { Operator } from './operator.ts';

export const usage = `Usage: chancery doctor [--files | --definitions]

Shows and checks the effective settings. Exits with 1 if a check fails.

  --files         only compares stored files with their rows.
  --definitions   only lists stored workflows, templates and forms that follow an older rule.
`;

/** Prints and checks the effective settings. Exits with 1 if a check fails. */
export async function run(args: string[], { env, stdout }: Operator = process): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { files: { type: 'boolean', default: false }, definitions: { type: 'boolean', default: false } },
  });
  const config = readConfig(env);
  if (values.files) return compareFiles(config, stdout);
  if (values.definitions) return listDefinitions(config, stdout);
  for (const { name, fallback, help, secret } of describeSettings()) {
    const file = secret && env[fileSetting(name)];
    const given = env[name];
    const shown = file ? `(in ${file})` : given ? (secret ? '(set)' : given) : fallback || '(not set)';
    stdout.write(`${name}=${shown}  # ${help}\n`);
  }
  stdout.write('\n');
  let failed = 0;
  const report = async (what: string, check: Check): Promise<void> => {
    const error = await check().catch(reasonOf);
    if (error !== undefined) failed += 1;
    stdout.write(`${error === undefined ? '✓' : '✗'} ${what}${error === undefined ? '' : `: ${error}`}\n`);
  };
  for (const [what, check] of checks(config)) await report(what, check);
  await checkDatabase(config, report);
  return failed === 0 ? 0 : 1;
}

/** Lists unreferenced files and rows with a missing file. Exits with 1 if a file is missing. */
async function compareFiles(config: Config, stdout: Operator['stdout']): Promise<number> {
  const { files, rows, orphans, missing } = await reportFiles(config, createLogger('error'));
  const lines = [
    `${files} files, ${rows} rows with a file`,
    `${orphans.count === 0 ? '✓' : '!'} unreferenced files of at least one day: ${orphans.count}; the service removes them every night`,
    ...orphans.keys.map((key) => `    ${key}`),
    `${missing.count === 0 ? '✓' : '✗'} rows with a missing file: ${missing.count}`,
    ...missing.rows.map(({ team, table, row, key }) => `    team ${team}, ${table} of ${row}: ${key}`),
  ];
  stdout.write(`${lines.join('\n')}\n`);
  return missing.count === 0 ? 0 : 1;
}

/** Lists stored definitions that a new rule would reject. They continue to work, so the exit code is 0. */
async function listDefinitions(config: Config, stdout: Operator['stdout']): Promise<number> {
  let count = 0;
  await reportDefinitions(config, createLogger('error'), ({ team, place, reason }) => {
    count += 1;
    stdout.write(`! team ${team}, ${place}: ${reason}\n`);
  });
  stdout.write(`${count === 0 ? '✓' : '!'} definitions that follow an older rule: ${count}\n`);
  return 0;
}

type Check = () => Promise<string | undefined>;

function checks(config: Config): [string, Check][] {
  return [
    ['the data directory is writable', () => writable(config.DATA_DIR)],
    ['its disk has free space', () => roomy(config.DATA_DIR)],
    ['the port is free', () => portFree(config)],
    ['files can be stored', () => storageError(config)],
    ['mails can be sent', () => mailError(config)],
    ['the fonts of all languages are installed', fontsError],
  ];
}

async function fontsError(): Promise<string | undefined> {
  const missing = missingFonts();
  return missing.length === 0
    ? undefined
    : `${missing.join(', ')} are missing. Documents show their characters as boxes. Install @chancery/fonts`;
}

async function writable(folder: string): Promise<undefined> {
  await makeFolder(folder);
  await access(folder, constants.W_OK);
}

async function roomy(folder: string): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < 1024 ** 3 ? 'less than 1 GiB is left' : undefined;
}

function portFree(config: Config): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: config.HOST, port: config.PORT });
    socket.once('connect', () => {
      socket.destroy();
      resolve('another program listens on it. Stop that program or set PORT to another port');
    });
    socket.once('error', () => resolve(undefined));
  });
}

/** Returns the reason that mails cannot be sent. Connects to the mail server without sending a mail. */
async function mailError({ production, SMTP_URL: smtpUrl, MAIL_FROM: from }: Config): Promise<string | undefined> {
  if (smtpUrl === undefined)
    return production ? 'SMTP_URL is not set, so users get no codes and links. Set SMTP_URL to your mail server' : undefined;
  if (production && /@localhost>?$/.test(from)) return `MAIL_FROM is ${from}. Set an address of your own domain`;
  const transport = createSmtpTransport({ smtpUrl, from });
  try {
    await transport.verify();
    return undefined;
  } finally {
    transport.close();
  }
}

/** Runs the database checks of a service start. Does not change the database. */
async function checkDatabase(config: Config, report: (what: string, check: Check) => Promise<void>): Promise<void> {
  let opened: OpenedConnection | undefined;
  let client: WatchedClient | undefined;
  await report('the database responds', async () => {
    const now = await openConnection(config, createLogger('error'));
    opened = now;
    client = await reached(now, () => connectForChecks(now.connection));
    return undefined;
  });
  try {
    if (!opened || !client) return;
    const checking = client;
    client.on('error', () => undefined);
    for (const { name, findError } of [...startChecks(config, opened), ...schemaChecks(await migrationFiles())])
      await report(name, () => findError(checking));
  } finally {
    await client?.end();
    await opened?.server?.stop();
  }
}
