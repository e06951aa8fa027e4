import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { isUuid } from '../platform/identifiers.ts';
import { inWords } from '../platform/lifetimes.ts';
import { memberLanguages } from '../platform/mail/compose.ts';
import { Problem } from '../platform/problems.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { type Operator, UsageError } from './operator.ts';
import { createTeam, exportTeam } from './tools/team.ts';

export const usage = `Usage: chancery team create --name NAME --owner ADDRESS [--language en]
       chancery team export ID --to FILE.tar

create  Creates a team and, if the address has no account, the account of its owner. A mail to the owner has a link that sets the password.
        The command also prints the link. --language (${memberLanguages.join(', ')}) is that of a new account.

export  Writes the data of a team into a tar archive: rows as JSON lines, stored files, and the journal with proofs. The archive has no secrets and no
        hashes of tokens. The journal of the team records the export.
`;

/** Creates a team, or exports the data of one. */
export async function run(args: string[], operator: Operator = process): Promise<number> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { to: { type: 'string' }, name: { type: 'string' }, owner: { type: 'string' }, language: { type: 'string', default: 'en' } },
  });
  const [action, team = ''] = positionals;
  if (action === 'create' && positionals.length === 1) return create(values, operator);
  if (action === 'export' && positionals.length === 2 && isUuid(team)) return exportTo(team.toLowerCase(), values.to, operator);
  throw new UsageError('Specify an action: create, or export <id>.');
}

type CreateOptions = { name?: string; owner?: string; language: string };

/** Creates a team and the account of its owner. Exits with 1 if the owner has a team of this name. */
async function create({ name = '', owner = '', language }: CreateOptions, { env, stdout, stderr }: Operator): Promise<number> {
  const length = Array.from(name.trim()).length;
  if (length < 1 || length > 200) throw new UsageError('Specify a name of 1 to 200 characters: --name <name>.');
  if (owner === '') throw new UsageError('Specify the owner: --owner <address>.');
  const locale = memberLanguages.find((one) => one === language);
  if (locale === undefined) throw new UsageError(`--language must be one of ${memberLanguages.join(', ')}.`);
  const { team, exists, password } = await createTeam(readConfig(env), createLogger('warn'), { name, owner, locale }).catch(
    (error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      if (error.code === 'team_limit') throw new Error(`${owner} has the maximum number of teams.`);
      throw error.errors ? new UsageError(error.detail) : new Error(error.detail);
    },
  );
  if (exists) {
    stderr.write(`${owner} already owns the team ${name.trim()} (${team}).\n`);
    return 1;
  }
  stdout.write(`Created the team ${name.trim()} (${team}). ${owner} owns it${password ? '' : ', with an existing account'}.\n`);
  if (password) stdout.write(`Set the password within ${inWords(password.lives)}. The link was mailed to the owner:\n${password.link}\n`);
  return 0;
}

/** Exports the data of a team. Exits with 1 if the storage lacks a file. */
async function exportTo(team: string, to: string | undefined, { env, stdout, stderr }: Operator): Promise<number> {
  if (to === undefined) throw new UsageError('Specify the archive: --to <file>.');
  const file = resolve(to);
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (exists) throw new UsageError(`${file} exists. Specify a new file.`);
  const { tables, files } = await exportTeam(readConfig(env), createLogger('warn'), { team, file });
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  stdout.write(`${file}: ${tables.length} tables with ${rows} rows, ${files.count} files.\n`);
  for (const key of files.missing) stderr.write(`✗ the storage does not have the file ${key}\n`);
  return files.missing.length === 0 ? 0 : 1;
}
