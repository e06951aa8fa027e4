import process from 'node:process';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { migrated, openConnection } from '../open-database.ts';
import type { Operator } from './operator.ts';

export const usage = `Usage: chancery migrate

Migrates the database to the current schema and lists the applied migrations. A start of the service does the same.
`;

/** Migrates the database to the current schema and lists the applied migrations. */
export async function run(args: string[], { env, stdout }: Operator = process): Promise<number> {
  parseArgs({ args, options: {} });
  const config = readConfig(env);
  const { connection, server } = await openConnection(config, createLogger(config.LOG_LEVEL));
  try {
    const { applied } = await migrated(config, { connection, server });
    stdout.write(applied.length === 0 ? 'The schema is up to date.\n' : `Applied: ${applied.join(', ')}\n`);
  } finally {
    await server?.stop();
  }
  return 0;
}
