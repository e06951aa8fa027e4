import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../config.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { migrated, missingMigrations, openConnection, type OpenedConnection, plannedMigrations } from '../open-database.ts';
import { type Operator, UsageError } from './operator.ts';

export const usage = `Usage: chancery migrate [--plan | --wait] [--until contract]

Migrates the database to the current schema and lists the applied migrations.

  --plan             changes nothing. Lists the missing migrations with their kind, and the locked tables with an estimate of rows.
                     Names the migrations after which the previous version cannot run
  --wait             changes nothing. Waits until another process has migrated the database
  --until contract   stops before the first migration that the previous version cannot run with
`;

/** Migrates the database to the current schema and lists the applied migrations. */
export async function run(args: string[], { env, stdout }: Operator = process): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { plan: { type: 'boolean', default: false }, wait: { type: 'boolean', default: false }, until: { type: 'string' } },
  });
  if (values.until !== undefined && values.until !== 'contract') throw new UsageError('--until must be contract.');
  if (values.plan && values.wait) throw new UsageError('Use either --plan or --wait.');
  const config = readConfig(env);
  const opened = await openConnection(config, createLogger(config.LOG_LEVEL));
  try {
    if (values.plan) await plan(config, opened, stdout);
    else if (values.wait) await wait(config, opened, stdout);
    else {
      const { applied } = await migrated(config, opened, { untilContract: values.until === 'contract' });
      stdout.write(applied.length === 0 ? upToDate : `Applied: ${applied.join(', ')}\n`);
    }
  } finally {
    await opened.server?.stop();
  }
  return 0;
}

const upToDate = 'The schema is up to date.\n';

async function plan(config: Config, opened: OpenedConnection, stdout: Operator['stdout']): Promise<void> {
  const planned = await plannedMigrations(config, opened);
  if (planned.length === 0) stdout.write(upToDate);
  for (const { name, kind, since, locks } of planned) {
    const tables = locks.map(({ table, rows }) => `${table} (${rows} rows)`).join(', ') || 'no table with rows';
    const before = since === undefined ? 'the previous version continues to run' : `versions before ${since} no longer run`;
    stdout.write(`${name}: ${kind}; locks ${tables}; ${before}\n`);
  }
}

const pollMs = 1_000;

async function wait(config: Config, opened: OpenedConnection, stdout: Operator['stdout']): Promise<void> {
  while ((await missingMigrations(config, opened)).length > 0) await sleep(pollMs);
  stdout.write(upToDate);
}
